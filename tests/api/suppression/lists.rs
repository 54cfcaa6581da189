//! The file of the list: read strictly to the last byte, and changed by one process at a time.
//!
//! Promise: A first list made by root is the folder's owner's.
//! Control: a list left to its maker is reported.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::thread;

use kith_import::forgetting::ForgettingKey;
use kith_server::model::time::Timestamp;
use kith_server::suppress::entry::{EntryKind, Salt};
use kith_server::suppress::error::{LineFault, ListError};
use kith_server::suppress::file::{change_or_create, create, read, stranger};
use kith_server::suppress::format;
use kith_server::suppress::list::SuppressionList;

const NOW: Timestamp = Timestamp { seconds: 1_700_000_000, nanos: 5_000_000 };

fn add(list: &mut SuppressionList, organization: &str, kind: EntryKind, text: &str) -> bool {
    let entry = list.entry(organization, kind, text).unwrap();
    list.add(organization, entry, NOW)
}

fn sample() -> SuppressionList {
    let mut list = SuppressionList::new(Salt::generate().unwrap());
    for (organization, kind, text) in [
        ("org_a", EntryKind::LinkedinId, "ana-m"),
        ("org_a", EntryKind::Email, "ana@acme.test"),
        ("org_a b", EntryKind::Email, "ana@acme.test"),
        ("org_ü", EntryKind::Email, "bo@acme.test"),
    ] {
        add(&mut list, organization, kind, text);
    }
    list
}

/// `text` with its last line made right.
fn sealed(text: &str) -> String {
    let body = &text[..text.find("end\t").unwrap()];
    let entries = body.lines().count() - 2;
    format!("{body}end\t{entries}\t{}\n", blake3::hash(body.as_bytes()).to_hex())
}

#[test]
fn what_is_written_is_read_and_names_nobody_in_plain_text() {
    let list = sample();
    let text = format::write(&list);
    assert_eq!(format::read(text.as_bytes()).unwrap(), list);
    assert_eq!(sealed(&text), text, "the checksum is that of all that stands before it");
    assert_eq!(text.lines().count(), 2 + 4 + 1);
    assert!(!text.contains("ana") && !text.contains("acme"), "{text}");
    let empty = SuppressionList::new(Salt::generate().unwrap());
    assert_eq!(format::read(format::write(&empty).as_bytes()).unwrap(), empty);
}

#[test]
fn each_fault_is_reported_with_its_line() {
    let text = format::write(&sample());
    let lines: Vec<&str> = text.lines().collect();
    // Changed, and then sealed: the checksum is right.
    let with = |line: usize, new: &str| {
        let mut lines = lines.clone();
        lines[line - 1] = new;
        sealed(&format!("{}\n", lines.join("\n")))
    };
    let entry = lines[3];
    let columns: Vec<&str> = entry.split('\t').collect();
    let but = |column: usize, new: &str| {
        let mut columns = columns.clone();
        columns[column] = new;
        columns.join("\t")
    };
    let long = format!("org_{}", "x".repeat(200));
    let upper = columns[2].to_uppercase();
    for (line, text, fault) in [
        (1, with(1, "kith suppressions 3"), LineFault::Version { got: 3, known: 2 }),
        (1, with(1, "kith snapshot 1"), LineFault::NotAList),
        (1, with(1, ""), LineFault::NotAList),
        (2, with(2, "salt\t12"), LineFault::Salt),
        (2, with(2, lines[3]), LineFault::Salt),
        (4, with(4, "org_a"), LineFault::Columns(1)),
        (4, with(4, &format!("{entry}\tx")), LineFault::Columns(5)),
        (4, with(4, ""), LineFault::Columns(1)),
        (4, with(4, &but(0, "user_a")), LineFault::Organization),
        (4, with(4, &but(0, "org_a,b")), LineFault::Organization),
        (4, with(4, &but(0, &long)), LineFault::Organization),
        (4, with(4, &but(1, "nickname")), LineFault::Kind),
        (4, with(4, &but(2, &columns[2][1..])), LineFault::Hash),
        (4, with(4, &but(2, &upper)), LineFault::Hash),
        (4, with(4, &but(3, "2026-01-02")), LineFault::Time),
        (4, with(4, &but(3, "2026-01-02T03:04:05Z")), LineFault::Time),
        (4, with(4, &format!("{entry}\r")), LineFault::Time),
        (4, with(4, lines[2]), LineFault::Order),
        (
            4,
            sealed(&text.replace(lines[2], "X").replace(entry, lines[2]).replace('X', entry)),
            LineFault::Order,
        ),
        (7, text.replace("end\t4", "end\t5"), LineFault::Count(4)),
        (7, text.replace("end\t4\t", "end\t4 "), LineFault::End),
        (7, format!("{}{}\n", &text[..text.len() - 2], 'x'), LineFault::Checksum),
        (7, lines[..6].join("\n") + "\n", LineFault::CutOff),
        (6, text.replacen(&format!("{entry}\n"), "", 1), LineFault::Count(3)),
        (8, format!("{text}\n"), LineFault::AfterEnd),
        (8, format!("{text}{entry}\n"), LineFault::AfterEnd),
        (1, String::new(), LineFault::CutOff),
    ] {
        assert_eq!(format::read(text.as_bytes()), Err((line, fault)), "{text}");
        assert!(!fault.to_string().is_empty());
    }
    let mut bytes = text.clone().into_bytes();
    bytes[text.find("org_ü").unwrap() + 4] = 0xff;
    assert_eq!(format::read(&bytes), Err((6, LineFault::NotUtf8)));
}

#[test]
fn no_list_that_was_cut_off_or_of_which_one_bit_is_another_is_taken() {
    let text = format::write(&sample()).into_bytes();
    for length in 0..text.len() {
        assert!(format::read(&text[..length]).is_err(), "{length} bytes");
    }
    let mut faults: BTreeMap<String, usize> = BTreeMap::new();
    let mut resealed = 0;
    for bit in 0..text.len() * 8 {
        let mut bytes = text.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let (_, fault) = format::read(&bytes).err().unwrap_or_else(|| panic!("bit {bit} is accepted"));
        *faults.entry(format!("{fault:?}")).or_default() += 1;
        // The control: with a right checksum many of them are another list.
        let is_list = |text: &str| text.contains("end\t") && format::read(sealed(text).as_bytes()).is_ok();
        resealed += usize::from(String::from_utf8(bytes).is_ok_and(|text| is_list(&text)));
    }
    assert!(faults["Checksum"] > 500, "{faults:?}");
    assert!(resealed > 500, "{resealed}");
}

#[test]
fn what_is_no_list_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.txt");
    let said = |path: &Path| read(path).err().unwrap().to_string();
    assert!(matches!(read(&path), Err(ListError::Missing { .. })));
    assert!(said(&path).contains("there is no suppression list") && said(&path).contains("list.txt"));
    assert!(said(folder.path()).contains("is not a file"));
    fs::write(&path, "people\n").unwrap();
    assert!(said(&path).contains("line 1 is not that of a suppression list"), "{}", said(&path));
    fs::write(&path, vec![b'x'; (64 << 20) + 1]).unwrap();
    assert!(said(&path).contains("is longer than"), "{}", said(&path));
    assert!(matches!(create(&path), Err(ListError::Exists { .. })));
    assert!(create(&folder.path().join("nowhere/list.txt")).is_err());
}

#[test]
fn a_list_that_every_user_may_write_is_refused_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.txt");
    create(&path).unwrap();
    for (mode, is_taken) in [(0o602, false), (0o666, false), (0o660, true), (0o644, true)] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        match read(&path) {
            Ok(_) => assert!(is_taken, "{mode:o}"),
            Err(error) => {
                assert!(
                    !is_taken && error.to_string().ends_with(&format!("`chmod o-w {}`", path.display())),
                    "{error}"
                );
            }
        }
    }
}

#[test]
fn a_list_is_replaced_as_a_whole_keeps_its_mode_and_is_another_file_then() {
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("list.txt"), folder.path().join("link.txt"));
    create(&path).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let inode = || fs::metadata(&path).unwrap().ino();
    let before = inode();
    change_or_create(&link, |list| Ok::<_, ListError>(add(list, "org_a", EntryKind::Email, "a@b.c")))
        .unwrap();
    assert_ne!(inode(), before);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "behind a link is what is replaced");
    assert_eq!(read(&path).unwrap().len(), 1);
    let changed = inode();

    // Changes without effect, and failing ones, write nothing.
    change_or_create(&path, |_| Ok::<_, ListError>(())).unwrap();
    let refused = change_or_create(&path, |list| {
        add(list, "org_a", EntryKind::Email, "x@y.z");
        Err::<(), _>(ListError::Exists { path: path.clone() })
    });
    assert!(refused.is_err());
    assert_eq!(inode(), changed);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 3, "and nothing else lies there but the mark: {left:?}");
}

#[test]
fn a_list_of_version_1_is_read_and_names_whom_it_named() {
    // As kith 1.0 hashed them: lower-cased and not composed.
    let salt = Salt::generate().unwrap();
    let mut older = SuppressionList::new(salt);
    for (kind, text) in [(EntryKind::LinkedinId, "jose\u{301}"), (EntryKind::Email, "ana@bücher.test")] {
        older.add("org_a", older.entry_of_form("org_a", kind, text), NOW);
    }
    let text = format::write(&older).replacen("kith suppressions 2", "kith suppressions 1", 1);
    let read = format::read(sealed(&text).as_bytes()).unwrap();
    assert_eq!(read, older);
    let listed = read.of("org_a").unwrap();
    assert!(listed.names(&ForgettingKey::Handle("Jose\u{301}")));
    assert!(listed.names(&ForgettingKey::Email("ANA@bücher.test")));
    assert!(!listed.names(&ForgettingKey::Handle("jose")));
    let newer = text.replacen("kith suppressions 1", "kith suppressions 3", 1);
    assert!(format::read(sealed(&newer).as_bytes()).is_err());
}

/// Wherever a change is cut short: between the writes of mark and list, of the first list and of later ones.
#[test]
fn a_change_that_is_cut_short_leaves_a_list_that_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let (path, mark) = (folder.path().join("list.txt"), folder.path().join(".list.txt.made"));
    let change = |email: &str, is_added: bool| {
        change_or_create(&path, |list| {
            let entry = list.entry("org_a", EntryKind::Email, email).unwrap();
            assert!(if is_added { list.add("org_a", entry, NOW) } else { list.remove("org_a", &entry) });
            Ok::<_, ListError>(())
        })
        .unwrap();
        (fs::read(&path).unwrap(), fs::read(&mark).unwrap())
    };
    let (one, one_mark) = change("a@b.c", true);
    let (two, two_mark) = change("x@b.c", true);
    let is_read = |list: &[u8], mark_text: Option<&[u8]>| {
        fs::write(&path, list).unwrap();
        match mark_text {
            Some(text) => fs::write(&mark, text).unwrap(),
            None => fs::remove_file(&mark).unwrap(),
        }
        read(&path).is_ok()
    };
    assert!(is_read(&one, None), "the first list before its mark");
    assert!(is_read(&two, Some(&one_mark)), "what is added is in the list first");
    assert!(is_read(&two, Some(&one_mark)), "what is removed goes from the mark first");
    // The controls: the other way round it is an older copy.
    assert!(!is_read(&one, Some(&two_mark)));
    fs::remove_file(&path).unwrap();
    assert!(change_or_create(&path, |_| Ok::<_, ListError>(())).is_err(), "a mark without a list");
    // The writes are in this order: a mark that cannot be written leaves the list changed and read.
    assert!(is_read(&one, Some(&one_mark)));
    fs::remove_file(&mark).unwrap();
    fs::create_dir(&mark).unwrap();
    assert!(read(&path).is_err(), "a mark that cannot be read is no mark that is missing");
    fs::remove_dir(&mark).unwrap();
    assert!(read(&path).is_ok());
}

/// Root makes the first list, and the server runs as the owner of the folder.
#[test]
fn a_new_list_belongs_to_the_owner_of_its_folder_or_its_maker_hears_that_it_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.txt");
    let owner = 65_532;
    if std::os::unix::fs::chown(folder.path(), Some(owner), Some(owner)).is_err() {
        eprintln!("passed over: this needs root");
        return;
    }
    change_or_create(&path, |list| Ok::<_, ListError>(add(list, "org_a", EntryKind::Email, "a@b.c")))
        .unwrap();
    let found = fs::metadata(&path).unwrap();
    assert_eq!((found.uid(), found.gid(), found.mode() & 0o777), (owner, owner, 0o600));
    assert_eq!(stranger(&path), None);
    // The control: a list that stays with its maker is reported.
    std::os::unix::fs::chown(&path, Some(0), Some(0)).unwrap();
    assert_eq!(stranger(&path), Some((0, owner)));
    // A list that is there keeps its owner.
    change_or_create(&path, |list| Ok::<_, ListError>(add(list, "org_a", EntryKind::Email, "c@b.c")))
        .unwrap();
    assert_eq!(fs::metadata(&path).unwrap().uid(), 0);
}

#[test]
fn changes_at_the_same_time_are_all_kept() {
    const THREADS: usize = 8;
    const CHANGES: usize = 25;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.txt");
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let path = &path;
            scope.spawn(move || {
                for number in 0..CHANGES {
                    let email = format!("{thread}-{number}@acme.test");
                    change_or_create(path, |list| {
                        Ok::<_, ListError>(add(list, "org_a", EntryKind::Email, &email))
                    })
                    .unwrap();
                }
            });
        }
    });
    assert_eq!(read(&path).unwrap().len(), THREADS * CHANGES);

    // The control: a writer that reads first and writes later loses what was written between.
    let (mut one, mut other) = (read(&path).unwrap(), read(&path).unwrap());
    add(&mut one, "org_a", EntryKind::Email, "one@acme.test");
    add(&mut other, "org_a", EntryKind::Email, "other@acme.test");
    fs::write(&path, format::write(&one)).unwrap();
    fs::write(&path, format::write(&other)).unwrap();
    assert_eq!(read(&path).unwrap().len(), THREADS * CHANGES + 1);
}
