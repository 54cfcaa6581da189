//! The store's files: their content, their permissions, and which files are refused untouched.
//!
//! Promise: A credential store that every user may write, or a TLS key that they may read, is refused with the remedy.
//! Control: 0600, 0440 and 0660 are taken.
//! Also in: `tests/operation/http_front/tls.rs`.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::thread;

use kith_server::auth::error::StoreError;
use kith_server::auth::store::{CredentialStore, Issued};
use kith_server::auth::verify::Verifier;
use rusqlite::Connection;

use super::{Place, is_let_in, key, token};

fn mode(file: &Path) -> u32 {
    fs::metadata(file).unwrap().permissions().mode() & 0o777
}

#[test]
fn the_files_give_away_no_part_of_a_secret_but_its_last_characters() {
    let place = Place::new();
    let store = place.store();
    // A reader in the middle of its work keeps the log from being emptied, so that it is searched too.
    let reader = Connection::open(&place.file).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM keys").unwrap();
    let issued = [key(&store), token(&store, 60), key(&store)];
    let files = place.files();
    assert_eq!(files.len(), 4, "the store, its log, the log's index and the reserve");
    for file in files {
        // Closing a file that SQLite has open takes its locks away; nothing needs them any more.
        let bytes = fs::read(&file).unwrap();
        assert!(!bytes.is_empty(), "{}", file.display());
        // Parts long enough that none is there by chance.
        for part in issued.iter().flat_map(|issued| issued.secret.reveal().as_bytes().windows(8)) {
            assert!(!bytes.windows(8).any(|window| window == part), "{}", file.display());
        }
    }
    let listed = store.list_keys().unwrap();
    assert!(issued[0].secret.reveal().ends_with(&listed[0].last_four) && listed[0].last_four.len() == 4);
}

#[test]
fn the_store_is_its_owners_alone_and_leaves_its_reserve_beside_it() {
    let place = Place::new();
    let store = place.store();
    let verifier = store.verifier().unwrap();
    key(&store);
    for file in place.files() {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
    drop((store, verifier));
    drop(place.store());
    let reserve = place.folder.path().join("credentials.db-reserve");
    assert_eq!(place.files(), [place.file, reserve]);
}

#[test]
fn an_empty_file_becomes_a_store_of_its_owner_alone() {
    let place = Place::new();
    fs::write(&place.file, "").unwrap();
    let refused = CredentialStore::open_existing(&place.file);
    assert!(matches!(refused, Err(StoreError::NotAStore { .. })), "{refused:?}");
    let issued = key(&place.store());
    assert!(is_let_in(&place.store().verifier().unwrap(), &issued, 1_000));
    assert_eq!(mode(&place.file), 0o600);
}

#[test]
fn a_store_made_by_many_at_once_is_one_store() {
    // Many rounds: who meets whom while the store is being made differs from one to the next.
    for taken_over in [false, true].repeat(30) {
        let place = Place::new();
        if taken_over {
            fs::write(&place.file, "").unwrap();
        }
        let makers: Vec<Issued> = thread::scope(|scope| {
            let makers: Vec<_> = (0..8).map(|_| scope.spawn(|| key(&place.store()))).collect();
            makers.into_iter().map(|maker| maker.join().unwrap()).collect()
        });
        let verifier = place.store().verifier().unwrap();
        assert!(makers.iter().all(|issued| is_let_in(&verifier, issued, 1_000)));
        assert_eq!(place.store().list_keys().unwrap().len(), 8);
    }
}

#[test]
fn a_copy_of_the_one_file_is_a_whole_store_even_while_it_is_in_use() {
    let place = Place::new();
    let store = place.store();
    let verifier = store.verifier().unwrap();
    let issued = key(&store);
    assert!(is_let_in(&verifier, &issued, 1_000));
    let copy = place.folder.path().join("copy.db");
    fs::copy(&place.file, &copy).unwrap();
    assert!(is_let_in(&Verifier::open(&copy).unwrap(), &issued, 1_000));
}

/// Checks that the place's file is refused by every way of opening it, and no byte of it changes.
#[track_caller]
fn check_refused_untouched(place: &Place, expected: fn(&StoreError) -> bool, words: &str) {
    let (bytes, modified) = (fs::read(&place.file).unwrap(), fs::metadata(&place.file).unwrap().mtime_nsec());
    for refused in [
        CredentialStore::open(&place.file).map(drop),
        CredentialStore::open_existing(&place.file).map(drop),
        Verifier::open(&place.file).map(drop),
    ] {
        let error = refused.unwrap_err();
        assert!(expected(&error), "{error:?}");
        let text = error.to_string();
        assert!(text.contains(words) && text.contains(place.file.to_str().unwrap()), "{text}");
    }
    assert!(fs::read(&place.file).unwrap() == bytes, "the file changed");
    assert_eq!(fs::metadata(&place.file).unwrap().mtime_nsec(), modified);
}

fn is_foreign(error: &StoreError) -> bool {
    matches!(error, StoreError::NotAStore { .. })
}

#[test]
fn files_that_are_no_database_are_refused_untouched() {
    for content in ["x", "# keys\n", &"0123456789abcdef".repeat(1_000)] {
        let place = Place::new();
        fs::write(&place.file, content).unwrap();
        check_refused_untouched(&place, is_foreign, "is not a credential store");
        assert_eq!(place.files(), [place.file]);
    }
}

#[test]
fn databases_of_other_programs_are_refused_untouched() {
    for statements in [
        "CREATE TABLE keys (id TEXT)",
        "PRAGMA application_id = 7; PRAGMA user_version = 1; CREATE TABLE keys (id TEXT)",
        "PRAGMA journal_mode = WAL; CREATE TABLE keys (id TEXT)",
    ] {
        let place = Place::new();
        Connection::open(&place.file).unwrap().execute_batch(statements).unwrap();
        check_refused_untouched(&place, is_foreign, "is not a credential store");
    }
}

#[test]
fn a_store_of_a_newer_version_is_refused_untouched() {
    let place = Place::new();
    drop(place.store());
    Connection::open(&place.file).unwrap().execute_batch("PRAGMA user_version = 5").unwrap();
    let is_newer = |error: &StoreError| matches!(error, StoreError::Newer { found: 5, .. });
    check_refused_untouched(&place, is_newer, "use a newer kith");
}

#[test]
fn a_store_of_a_version_that_never_existed_is_refused_untouched() {
    for version in ["0", "-1"] {
        let place = Place::new();
        drop(place.store());
        let change = format!("PRAGMA user_version = {version}");
        Connection::open(&place.file).unwrap().execute_batch(&change).unwrap();
        let is_damaged = |error: &StoreError| matches!(error, StoreError::Corrupt { .. });
        check_refused_untouched(&place, is_damaged, "never existed");
    }
}

#[test]
fn a_damaged_store_is_refused_untouched() {
    const PAGE: usize = 4_096;
    let place = Place::new();
    let store = place.store();
    for _ in 0..50 {
        key(&store);
    }
    drop(store);
    let whole = fs::read(&place.file).unwrap();
    for damaged in [
        whole[..whole.len() - PAGE].to_vec(),
        [&whole[..PAGE], &vec![0xff; PAGE], &whole[2 * PAGE..]].concat(),
    ] {
        fs::write(&place.file, &damaged).unwrap();
        let error = CredentialStore::open(&place.file).unwrap_err();
        assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
        assert!(!error.to_string().contains('\n'), "{error}");
        assert!(fs::read(&place.file).unwrap() == damaged, "the file changed");
    }
}

#[test]
fn a_place_that_holds_no_store_is_named_and_stays_empty() {
    let place = Place::new();
    let folder = place.folder.path();
    let no_folder = CredentialStore::open(&folder.join("no/credentials.db")).unwrap_err();
    assert!(matches!(&no_folder, StoreError::NoFolder { folder: named } if *named == folder.join("no")));
    let not_a_file = CredentialStore::open(folder).unwrap_err();
    assert!(matches!(not_a_file, StoreError::NotAFile { .. }), "{not_a_file:?}");
    let a_file = folder.join("file");
    fs::write(&a_file, "").unwrap();
    let below_a_file = CredentialStore::open(&a_file.join("credentials.db")).unwrap_err();
    assert!(matches!(below_a_file, StoreError::Io { .. }), "{below_a_file:?}");
    fs::remove_file(&a_file).unwrap();
    for missing in
        [CredentialStore::open_existing(&place.file).map(drop), Verifier::open(&place.file).map(drop)]
    {
        assert!(matches!(missing, Err(StoreError::Missing { .. })), "{missing:?}");
    }
    assert!(CredentialStore::open(Path::new("")).is_err());
    assert!(place.files().is_empty());
}

#[test]
fn a_store_that_every_user_may_read_or_write_is_refused_with_the_remedy() {
    let place = Place::new();
    drop(place.store());
    // Owner and group stay allowed: mounted secrets are 0440, shared ones 0660.
    for (mode, is_taken) in
        [(0o600, true), (0o660, true), (0o640, true), (0o644, true), (0o602, false), (0o666, false)]
    {
        fs::set_permissions(&place.file, fs::Permissions::from_mode(mode)).unwrap();
        let opened = [
            CredentialStore::open(&place.file).map(drop),
            CredentialStore::open_existing(&place.file).map(drop),
            Verifier::open(&place.file).map(drop),
        ];
        for opened in opened {
            let opened = opened.map_err(|error| error.to_string());
            assert_eq!(opened.is_ok(), is_taken, "{mode:o}: {opened:?}");
            assert!(opened.is_ok() || opened.unwrap_err().contains("`chmod o= "));
        }
    }
}
