//! Findings of a build beyond its first fault: further faults, ignored files and fields, and guesses at what was meant.
//!
//! Promise: A build says everything that is wrong and everything that it ignored: the first 20 faults in order, and no
//!   fault that follows from another.
//! Control: in each trial tables that are sound, of which nothing is said; of a table that was read whole, a missing
//!   row is a fault.
//! Also in: `tests/process/building.rs`, `crates/kith/src/model/nearest.rs`.

use kith_tables::limits::SOURCE_FAULTS_MAX;
use kith_tables::progress::Silent;
use kith_tables::source::blocks::BlockSize;
use kith_tables::source::build::{Built, read_tables};
use kith_tables::source::faults::SourceFaults;

use crate::source::network::{File, Network, in_folder};

fn read(files: &[File], block_bytes: usize) -> Result<Built, SourceFaults> {
    let size = BlockSize { block_bytes, ..BlockSize::DEFAULT };
    in_folder(files, |folder| read_tables(folder, &Silent, size, false))
}

/// Each fault of `files` in a sentence, and the number of those that are not shown.
fn faults(files: &[File], block_bytes: usize) -> (Vec<String>, u64) {
    let Err(faults) = read(files, block_bytes) else { return (Vec::new(), 0) };
    let all = std::iter::once(&faults.first).chain(&faults.others);
    (all.map(ToString::to_string).collect(), faults.more)
}

#[test]
fn the_first_faults_are_shown_in_order_and_the_others_counted_however_the_files_are_cut() {
    let sound = Network::small();
    let bad = |n: usize| format!(r#"{{"from":"person_ann","to":"person_eve","warmness":{n}}}"#);
    let mut network = sound.clone().with_row("people", r#"{"id":"person_bob","name":"B"}"#);
    network = network.with_row("companies", r#"{"id":"company_x","name":"X","minSize":-1}"#);
    for n in 101..131 {
        network = network.with_row("connections", &bad(n));
    }
    for block_bytes in [1, 100, 1 << 20] {
        let (said, more) = faults(&network.ndjson(), block_bytes);
        assert_eq!((said.len(), more), (SOURCE_FAULTS_MAX, 12), "{block_bytes}: {said:?}");
        assert!(said[0].starts_with("companies.ndjson line 3: field minSize"), "{said:?}");
        assert!(said[1].starts_with("people.ndjson line 6: field id: person_bob stands in"), "{said:?}");
        for (place, said) in said[2..].iter().enumerate() {
            assert!(said.starts_with(&format!("connections.ndjson line {}: ", 6 + place)), "{said}");
            assert!(said.ends_with(&format!("got {}", 101 + place)), "{said}");
        }
        // The control: the sound tables in the same trial.
        assert_eq!(faults(&sound.ndjson(), block_bytes), (vec![], 0));
    }
    let whole = read(&network.ndjson(), 1 << 20).unwrap_err().to_string();
    assert!(whole.ends_with("\nand 12 more faults") && whole.lines().count() == 21, "{whole}");
}

#[test]
fn a_row_that_could_not_be_read_is_one_fault_and_not_one_for_each_row_that_refers_to_it() {
    let network = Network::small()
        .with_row("people", r#"{"id":"person_new","name":5}"#)
        .with_row("connections", r#"{"from":"person_ann","to":"person_new"}"#)
        .with_row(
            "intro_requests",
            r#"{"personId":"person_new","status":"A","requestedBy":"user_1","requestedAt":"never"}"#,
        );
    let (said, more) = faults(&network.ndjson(), 1 << 20);
    assert_eq!((said.len(), more), (1, 0), "{said:?}");
    // The control: with that row readable, the fault behind it shows; without the row, the references are faults.
    let mut mended = network.clone();
    *mended.tables.get_mut("people").unwrap().last_mut().unwrap() =
        r#"{"id":"person_new","name":"N"}"#.into();
    let (said, _) = faults(&mended.ndjson(), 1 << 20);
    assert!(said.len() == 1 && said[0].contains("requestedAt"), "{said:?}");
    mended.tables.get_mut("people").unwrap().pop();
    assert_eq!(faults(&mended.ndjson(), 1 << 20).0.len(), 2);
}

#[test]
fn every_missing_table_and_every_missing_column_is_reported_at_once() {
    let empty = faults(&[], 1 << 20).0;
    let names = ["organization.json", "people.ndjson", "members.ndjson"];
    assert!(
        empty.len() == 3 && empty.iter().zip(names).all(|(said, name)| said.starts_with(name)),
        "{empty:?}"
    );
    let mut files = Network::small().csv();
    files.iter_mut().find(|file| file.0 == "members.csv").unwrap().1 =
        b"userid,Role\nuser_1,admin\n".to_vec();
    let (said, _) = faults(&files, 1 << 20);
    let columns: Vec<&str> = said.iter().map(|said| said.split_once("field ").unwrap().1).collect();
    let lacks = "the header lacks this column, which every row needs";
    assert_eq!(
        columns,
        [
            format!("userId: {lacks}; is it userid?"),
            format!("personId: {lacks}"),
            format!("role: {lacks}; is it Role?"),
            format!("joinedAt: {lacks}"),
        ]
    );
}

#[test]
fn another_separator_and_an_array_are_reported_as_what_they_are() {
    for (text, said) in [
        ("from;to;warmness\nperson_ann;person_eve;5\n", Some("semicolons (;)")),
        ("\n\n\"from\";\"to\"\n", Some("semicolons (;)")),
        ("from\tto\n", Some("tabs")),
        // The controls: commas, and a header that is no table's whatever separates it.
        ("from,to\nperson_ann,person_eve\n", None),
        ("from,to,\"a;b\"\nperson_ann,person_eve,\n", None),
    ] {
        let mut files = Network::small().csv();
        files.iter_mut().find(|file| file.0 == "connections.csv").unwrap().1 = text.into();
        let found = faults(&files, 1 << 20).0;
        match said {
            Some(said) => assert!(found.len() == 1 && found[0].contains(said), "{text:?}: {found:?}"),
            None => assert_eq!(found, [""; 0], "{text:?}"),
        }
    }
    for rows in ["[\n{\"from\":\"person_ann\",\"to\":\"person_eve\"}\n]\n", "[{\"from\":1}]"] {
        let mut files = Network::small().ndjson();
        files.iter_mut().find(|file| file.0 == "connections.ndjson").unwrap().1 = rows.into();
        let found = faults(&files, 1 << 20).0;
        assert!(found.len() == 1 && found[0].contains("one object a line"), "{found:?}");
    }
}

#[test]
fn a_file_that_holds_no_table_is_named_with_what_it_may_be() {
    let linkedin = "Notes:\n\"When exporting\"\n\nFirst Name,Last Name,URL,Email Address,Company,Position,Connected On\n";
    let utf_16: Vec<u8> = linkedin.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let ignored = "is no table and ignored";
    for (name, bytes, said) in [
        ("conections.ndjson", &b"{}"[..], "; did you mean connections.ndjson?"),
        ("Connection.csv", b"x", "; did you mean connections.ndjson?"),
        ("connections.json", b"[]", "; did you mean connections.ndjson?"),
        ("advocate.ndjson.gz", b"", "; did you mean advocates.ndjson?"),
        ("Connections.csv", linkedin.as_bytes(), "; it looks like LinkedIn's list of connections, of which"),
        ("export (1).csv", &utf_16, "; it looks like LinkedIn's list of connections, of which"),
        ("all.csv", b"Name,E-mail 1 - Value\n", "; it looks like an export of Google Contacts, of which"),
        ("x.xlsx", b"PK\x03\x04", "; it looks like an Excel workbook, of which"),
        ("x.zip", b"PK\x03\x04", "; it looks like a zip archive, of which"),
        ("people.txt", b"", ""),
        ("notes.txt", b"\xff", ""),
        ("a\nb", b"", ""),
    ] {
        let mut network = Network::small();
        network.tables.retain(|table, _| !["connections", "advocates"].contains(table));
        let mut files = network.ndjson();
        files.push((name.to_owned(), bytes.to_vec()));
        let built = read(&files, 1 << 20).unwrap();
        let [file] = &built.ignored.files[..] else { panic!("{name}: {:?}", built.ignored) };
        let expected = format!("{} {ignored}{said}", name.replace('\n', "\\n"));
        assert!(file.to_string().starts_with(&expected), "{file} is not {expected}");
        assert_eq!(said.is_empty(), file.to_string().ends_with(ignored), "{file}");
    }
}

/// The control of the test above, and its bound.
#[test]
fn tables_and_what_may_lie_beside_them_are_not_named_and_of_many_files_the_first_are() {
    let mut files = Network::small().ndjson();
    for name in ["README.md", ".DS_Store", "acme.kith", "acme.kith.sqlite", "identities.ndjson"] {
        files.push((name.to_owned(), Vec::new()));
    }
    assert_eq!(read(&files, 1 << 20).unwrap().ignored.count(), 0);
    files.extend((0..25).map(|n| (format!("notes {n}.txt"), Vec::new())));
    let ignored = read(&files, 1 << 20).unwrap().ignored;
    assert_eq!((ignored.files.len(), ignored.more), (SOURCE_FAULTS_MAX, 5));
}

#[test]
fn an_unknown_field_is_reported_with_the_one_that_it_nearly_is() {
    let row = r#"{"id":"person_x","name":"X","linkedin_id":"x","E-mail":"x","zeta":1}"#;
    let path = r#"{"id":"ghost_x","prospectId":"person_eve","overallScore":1,"status":"saved","discoveredAt":"2020-01-01T00:00:00Z","discoveredBy":"user_1","paths":[{"connectionId":"person_cy","connectionType":"d","strengthScore":1,"user_to_homie_warmness":1}]}"#;
    let network = Network::small().with_row("people", row).with_row("ghost_opportunities", path);
    for files in [network.ndjson(), network.csv()] {
        let said: Vec<String> =
            read(&files, 1 << 20).unwrap().warnings.iter().map(ToString::to_string).collect();
        let said: Vec<&str> = said.iter().map(|said| said.split_once(": ").unwrap().1).collect();
        assert_eq!(
            said,
            [
                "field E-mail is unknown and ignored; did you mean email?",
                "field linkedin_id is unknown and ignored; did you mean linkedinId?",
                "field zeta is unknown and ignored",
                "field paths.user_to_homie_warmness is unknown and ignored; did you mean paths.userToHomieWarmness?",
            ]
        );
    }
}
