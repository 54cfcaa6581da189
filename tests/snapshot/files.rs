//! Snapshot files: written whole or not at all, read only if they are regular files.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;

use kith_server::snapshot::{
    ContentFault, FORMAT_VERSION, SnapshotError, encode, inspect, load, read_identity, write,
};
use tempfile::TempDir;

use crate::craft;
use crate::sample::{small, tiny};

/// The names in `folder`, sorted.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn what_is_written_is_loaded_and_is_what_encode_gives() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.kith");
    let written = write(&path, &small()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), encode(&small()).unwrap());
    let loaded = load(&path).unwrap();
    assert_eq!(loaded.dataset, small());
    assert_eq!((loaded.identity, loaded.size_bytes), (written.identity, written.size_bytes));
    assert_eq!(read_identity(&path).unwrap(), written.identity);
    assert_eq!(names(folder.path()), ["a.kith"]);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o111, 0);
}

#[test]
fn a_newer_snapshot_takes_the_place_of_an_older_one() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.kith");
    let older = write(&path, &tiny()).unwrap();
    let newer = write(&path, &small()).unwrap();
    assert_ne!(older.identity, newer.identity);
    assert_eq!(load(&path).unwrap().dataset, small());
    assert_eq!(names(folder.path()), ["a.kith"]);
}

#[test]
fn what_cannot_be_written_leaves_nothing_behind_and_the_older_file_as_it_was() {
    let folder = TempDir::new().unwrap();
    let old = folder.path().join("old.kith");
    write(&old, &tiny()).unwrap();
    let occupied = folder.path().join("folder.kith");
    fs::create_dir(&occupied).unwrap();

    let refused = write(&folder.path().join("missing/a.kith"), &small());
    assert!(matches!(refused, Err(SnapshotError::Io { .. })), "{refused:?}");
    let refused = write(&occupied, &small());
    assert!(matches!(refused, Err(SnapshotError::Io { .. })), "{refused:?}");
    let refused = write(&old.join("a.kith"), &small());
    assert!(matches!(refused, Err(SnapshotError::Io { .. })), "{refused:?}");
    let mut unsound = small();
    unsound.people.companies[0] = kith_server::model::ix::OptionalIx::from_stored(99);
    let refused = write(&old, &unsound);
    let fault = ContentFault::Reference { got: 99, rows: 3 };
    assert!(
        matches!(refused, Err(SnapshotError::Content { fault: said, .. }) if said == fault),
        "{refused:?}"
    );

    assert_eq!(names(folder.path()), ["folder.kith", "old.kith"]);
    assert_eq!(names(&occupied), [""; 0]);
    assert_eq!(load(&old).unwrap().dataset, tiny());
}

#[test]
fn only_regular_files_are_read() {
    let folder = TempDir::new().unwrap();
    let socket = folder.path().join("socket.kith");
    let _listener = UnixListener::bind(&socket).unwrap();
    let link = folder.path().join("link.kith");
    symlink(folder.path(), &link).unwrap();
    for path in [folder.path(), &socket, &link, Path::new("/dev/zero")] {
        for refused in [load(path).err(), read_identity(path).err(), inspect(path).err()] {
            assert!(matches!(refused, Some(SnapshotError::NotAFile)), "{}: {refused:?}", path.display());
        }
    }
    let missing = load(&folder.path().join("missing.kith"));
    assert!(matches!(missing, Err(SnapshotError::Io { .. })), "{missing:?}");
}

#[test]
fn a_link_to_a_snapshot_is_that_snapshot() {
    let folder = TempDir::new().unwrap();
    let link = folder.path().join("link.kith");
    write(&folder.path().join("a.kith"), &tiny()).unwrap();
    symlink("a.kith", &link).unwrap();
    assert_eq!(load(&link).unwrap().dataset, tiny());
}

#[test]
fn an_identity_is_read_from_a_checked_header_alone() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.kith");
    let written = write(&path, &tiny()).unwrap();
    let good = fs::read(&path).unwrap();

    let mut damaged = good.clone();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(&path, &damaged).unwrap();
    assert_eq!(read_identity(&path).unwrap(), written.identity);
    assert!(load(&path).is_err());

    damaged[craft::IDENTITY_AT] ^= 1;
    fs::write(&path, &damaged).unwrap();
    assert!(matches!(read_identity(&path), Err(SnapshotError::HeaderChecksum)));
    fs::write(&path, &good[..good.len() - 1]).unwrap();
    assert!(matches!(read_identity(&path), Err(SnapshotError::Truncated { .. })));
}

#[test]
fn an_inspection_names_each_damaged_section_and_no_other() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.kith");
    let written = write(&path, &small()).unwrap();
    let inspection = inspect(&path).unwrap();
    assert_eq!((inspection.format_version, inspection.identity), (FORMAT_VERSION, written.identity));
    assert_eq!(inspection.size_bytes, written.size_bytes);
    assert!(inspection.sections.iter().all(|section| section.sound));
    let last = inspection.sections.last().unwrap();
    assert_eq!(last.offset + last.size_bytes, written.size_bytes);

    let mut bytes = fs::read(&path).unwrap();
    let table = craft::table(&bytes);
    bytes[table[2].1 as usize] ^= 1;
    bytes[(table[9].1 + table[9].2) as usize - 1] ^= 1;
    bytes[table[13].1 as usize - 1] = 1; // padding
    fs::write(&path, &bytes).unwrap();
    let sections = inspect(&path).unwrap().sections;
    let damaged: Vec<&str> =
        sections.iter().filter(|section| !section.sound).map(|section| section.name).collect();
    assert_eq!(damaged, ["edges.breakdowns", "people.names", "people.details"]);

    bytes[craft::TABLE_AT] ^= 1;
    fs::write(&path, &bytes).unwrap();
    assert!(matches!(inspect(&path), Err(SnapshotError::HeaderChecksum)));
}
