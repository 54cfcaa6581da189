//! Every reason not to use a store, each with its name and remedy.

use std::fs;
use std::path::Path;
use std::process::Command;

use kith_server::relational::error::{RelationalError, StoreUnusable};
use kith_server::relational::lookup::TextField;
use kith_server::relational::store::RelationalStore;
use rusqlite::Connection;

use crate::relational::networks::{Files, find, fixture, phrases, strange};

/// The reason's name, once it is sure that the sentence names the place and a remedy.
fn name(refused: &StoreUnusable, store: &Path) -> &'static str {
    let said = refused.to_string();
    assert!(said.contains(store.to_str().unwrap()) && said.contains("`kith build` again"), "{said}");
    assert!(!said.contains("SELECT") && said.lines().count() == 1, "{said}");
    match refused {
        StoreUnusable::Absent { .. } => "absent",
        StoreUnusable::OfAnotherSnapshot { .. } => "of another snapshot",
        StoreUnusable::Newer { .. } => "newer",
        StoreUnusable::NotAStore { .. } => "not a store",
        StoreUnusable::Damaged { .. } => "damaged",
        StoreUnusable::Unreadable { .. } => "unreadable",
    }
}

/// The state of a valid store after `change`.
#[track_caller]
fn check(expected: &str, change: impl FnOnce(&Path)) {
    let files = Files::of(&fixture("fixtures/tiny"));
    assert!(files.open().is_ok(), "the control: it is sound");
    change(&files.store());
    let outcome = files.open().map(drop).map_err(|refused| name(&refused, &files.store()));
    assert_eq!(outcome, Err(expected));
}

fn sql(path: &Path, statements: &str) {
    Connection::open(path).unwrap().execute_batch(statements).unwrap();
}

#[test]
fn what_is_no_store_is_refused_and_left_as_it_is() {
    check("absent", |path| fs::remove_file(path).unwrap());
    check("not a store", |path| fs::write(path, "").unwrap());
    check("not a store", |path| fs::write(path, "no database").unwrap());
    check("not a store", |path| fs::write(path, [0xa5; 9000]).unwrap());
    check("not a store", |path| fs::write(path, &fs::read(path).unwrap()[1..]).unwrap());
    check("not a store", |path| {
        fs::remove_file(path).unwrap();
        fs::create_dir(path).unwrap();
    });
    check("not a store", |path| {
        fs::remove_file(path).unwrap();
        let made = Command::new("mkfifo").arg(path).status().unwrap();
        assert!(made.success());
    });
    check("not a store", |path| {
        fs::remove_file(path).unwrap();
        sql(path, "CREATE TABLE meta (identity BLOB, people INTEGER); INSERT INTO meta VALUES (x'00', 16)");
    });
    check("not a store", |path| {
        fs::remove_file(path).unwrap();
        kith_server::auth::store::CredentialStore::open(path).unwrap();
    });
}

#[test]
fn a_store_in_a_file_that_is_no_folder_is_unreadable() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let (snapshot, identity) = (file.join("net.kith"), Files::of(&strange()).identity);
    let refused = RelationalStore::open(&snapshot, identity, 16).map(drop).unwrap_err();
    assert_eq!(name(&refused, &file), "unreadable");
}

#[test]
fn another_version_is_reported() {
    check("newer", |path| sql(path, "PRAGMA user_version = 2"));
    check("damaged", |path| sql(path, "PRAGMA user_version = 0"));
    check("damaged", |path| sql(path, "PRAGMA user_version = -1"));
}

#[test]
fn a_store_of_another_snapshot_is_reported_also_by_one_bit() {
    check("of another snapshot", |path| {
        fs::copy(Files::of(&strange()).store(), path).unwrap();
    });
    for bit in [0, 100, 255] {
        let files = Files::of(&fixture("fixtures/tiny"));
        let identity = files.identity.to_string();
        let identity: Vec<u8> =
            (0..32).map(|at| u8::from_str_radix(&identity[2 * at..2 * at + 2], 16).unwrap()).collect();
        let mut bytes = fs::read(files.store()).unwrap();
        let places: Vec<usize> = (0..bytes.len() - 32).filter(|&at| bytes[at..at + 32] == identity).collect();
        assert_eq!(places.len(), 1);
        bytes[places[0] + bit / 8] ^= 1 << (bit % 8);
        fs::write(files.store(), bytes).unwrap();
        assert_eq!(name(&files.open().unwrap_err(), &files.store()), "of another snapshot");
    }
    check("damaged", |path| sql(path, "UPDATE meta SET people = 17"));
    check("damaged", |path| sql(path, "DELETE FROM meta"));
}

#[test]
fn other_tables_than_were_written_are_never_read() {
    for statements in [
        "CREATE TABLE more (x)",
        "DROP INDEX people_by_city",
        "DROP TABLE cities_fts",
        "DROP TABLE people; CREATE VIEW people AS SELECT 1 AS person, 1 AS words, 1 AS in_reach",
        "CREATE TRIGGER t AFTER INSERT ON meta BEGIN SELECT 1; END",
        "DROP TABLE cities_fts; CREATE VIRTUAL TABLE cities_fts USING fts5(text)",
        "ALTER TABLE cities ADD COLUMN more INTEGER",
    ] {
        check("damaged", |path| sql(path, statements));
    }
}

#[test]
fn a_file_that_was_cut_off_or_goes_on_is_refused() {
    let files = Files::of(&fixture("fixtures/tiny"));
    let sound = fs::read(files.store()).unwrap();
    for length in (0..sound.len()).step_by(1000).chain((0..sound.len()).step_by(4096)) {
        fs::write(files.store(), &sound[..length]).unwrap();
        let refused = name(&files.open().unwrap_err(), &files.store());
        assert!(matches!(refused, "damaged" | "not a store"), "{length} bytes: {refused}");
    }
    for more in [1, 512, 4096] {
        fs::write(files.store(), [&sound[..], &vec![0; more]].concat()).unwrap();
        assert_eq!(name(&files.open().unwrap_err(), &files.store()), "damaged", "{more} bytes more");
    }
    fs::write(files.store(), &sound).unwrap();
    assert!(files.open().is_ok(), "the control: it is sound again");
}

#[test]
fn rows_that_were_changed_are_refused_when_a_look_up_meets_them() {
    for (statements, fields) in [
        ("UPDATE people SET person = person + 16", &[TextField::Position, TextField::City][..]),
        ("UPDATE people SET person = -1 - person", &[TextField::Position, TextField::City]),
        ("UPDATE people SET person = person + 4294967296", &[TextField::Position, TextField::City]),
        ("UPDATE positions SET words = -1", &[TextField::Position]),
        ("UPDATE companies SET words = 4294967296", &[TextField::CompanyName]),
        ("DELETE FROM cities_fts_data", &[TextField::City]),
        ("UPDATE cities_fts_config SET v = 99 WHERE k = 'version'", &[TextField::City]),
    ] {
        let dataset = strange();
        let files = Files::of(&dataset);
        let texts: Vec<&str> = dataset.people.cities.values.iter().collect();
        let asked = phrases(&[&texts[..], &["manager", "lanternworks"]].concat());
        let lower: Vec<Vec<String>> =
            asked.iter().map(|words| words.iter().map(|word| word.to_lowercase()).collect()).collect();
        for &field in fields {
            assert!(!find(&files.open().unwrap(), &[field], &lower).unwrap().is_empty(), "{field:?}");
        }
        sql(&files.store(), statements);
        for &field in fields {
            // The marks are sound, so it opens.
            let outcome = find(&files.open().unwrap(), &[field], &lower);
            let Err(RelationalError::Damaged { reason }) = &outcome else {
                panic!("{statements}: {outcome:?}")
            };
            assert!(!reason.contains("lanternworks"), "{reason}");
        }
    }
}
