//! The last use of credentials: what counts, when it is written, and stores from before it was.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::credentials::named;
use kith_server::auth::recorder::UseRecorder;
use kith_server::auth::store::{CredentialStore, Issued};
use kith_server::auth::verify::Verifier;
use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};

use super::{Place, at, is_let_in, key, token};

/// So long that a recorder writes when it is dropped and not before.
const NEVER: Duration = Duration::from_secs(1 << 30);
/// Maximum wait for anything; only a failing test waits that long.
const WAIT: Duration = Duration::from_secs(60);

/// A store as version 1 of its tables made it.
const FIRST_VERSION: &str = "
    PRAGMA journal_mode = WAL;
    CREATE TABLE keys (
        id TEXT PRIMARY KEY, hash BLOB NOT NULL UNIQUE, org TEXT NOT NULL, name TEXT NOT NULL,
        created_at INTEGER NOT NULL, last_four TEXT NOT NULL, revoked_at INTEGER
    ) STRICT;
    CREATE TABLE tokens (
        id TEXT PRIMARY KEY, hash BLOB NOT NULL UNIQUE, org TEXT NOT NULL, user TEXT NOT NULL,
        scope TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
        last_four TEXT NOT NULL, revoked_at INTEGER
    ) STRICT;
    PRAGMA application_id = 0x6b697468;
    PRAGMA user_version = 1;
";

/// When the first key was last used, and the first token, in seconds.
fn last_used(store: &CredentialStore) -> (Option<i64>, Option<i64>) {
    let (keys, tokens) = (store.list_keys().unwrap(), store.list_tokens().unwrap());
    let seconds = |at: Option<kith_server::model::time::Timestamp>| at.map(|at| at.seconds);
    (
        keys.first().and_then(|key| seconds(key.last_used_at)),
        tokens.first().and_then(|token| seconds(token.last_used_at)),
    )
}

#[test]
fn what_was_let_in_is_written_with_its_last_time_and_nothing_else_is() {
    let place = Place::new();
    let store = place.store();
    let verifier = store.verifier().unwrap();
    let (used, unused, short) = (key(&store), key(&store), token(&store, 60));
    let recorder = UseRecorder::every(NEVER, Arc::new(Mutex::new(place.store())), verifier.clone()).unwrap();
    for seconds in [1_001, 1_005, 1_003] {
        assert!(is_let_in(&verifier, &used, seconds) && is_let_in(&verifier, &short, seconds - 1));
    }
    assert!(!is_let_in(&verifier, &short, 1_060), "a token that expired is not used");
    store.revoke_key(&unused.id, at(1_002)).unwrap().unwrap();
    assert!(!is_let_in(&verifier, &unused, 1_003), "neither is a key that was revoked");
    assert_eq!(last_used(&store), (None, None), "the check itself writes nothing");
    drop(recorder);
    assert_eq!(last_used(&store), (Some(1_005), Some(1_004)));
    assert_eq!(store.list_keys().unwrap()[1].last_used_at, None);

    let recorder = UseRecorder::every(NEVER, Arc::new(Mutex::new(place.store())), verifier.clone()).unwrap();
    assert!(is_let_in(&verifier, &used, 1_002));
    drop(recorder);
    assert_eq!(last_used(&store).0, Some(1_005), "a later time that is written stays");
}

#[test]
fn what_many_threads_let_in_is_written_now_and_then_while_they_go_on() {
    let place = Place::new();
    let store = place.store();
    let verifier = store.verifier().unwrap();
    let keys: Vec<Issued> = (0..20).map(|_| key(&store)).collect();
    let _recorder =
        UseRecorder::every(Duration::from_millis(1), Arc::new(Mutex::new(place.store())), verifier.clone())
            .unwrap();
    let deadline = Instant::now() + WAIT;
    let is_written = || {
        store.list_keys().unwrap().iter().all(|key| key.last_used_at.is_some_and(|at| at.seconds == 2_000))
    };
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for seconds in [1_500, 2_000, 1_700] {
                    assert!(keys.iter().all(|key| is_let_in(&verifier, key, seconds)));
                }
            });
        }
    });
    while !is_written() {
        assert!(Instant::now() < deadline, "{:?}", last_used(&store));
    }
}

#[test]
fn a_store_that_cannot_be_written_holds_up_no_check_and_is_written_later() {
    let place = Place::new();
    let store = place.store();
    let verifier = store.verifier().unwrap();
    let issued = key(&store);
    let recorder =
        UseRecorder::every(Duration::from_millis(1), Arc::new(Mutex::new(place.store())), verifier.clone())
            .unwrap();
    let other = Connection::open(&place.file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    for seconds in 1_001..2_001 {
        assert!(is_let_in(&verifier, &issued, seconds));
    }
    assert_eq!(last_used(&store).0, None);
    other.execute_batch("COMMIT").unwrap();
    drop(recorder);
    assert_eq!(last_used(&store).0, Some(2_000));
}

#[test]
fn nothing_is_written_into_a_store_whose_files_were_replaced() {
    for suffix in ["", "-wal", "-shm"] {
        let place = Place::new();
        let store = place.store();
        let verifier = store.verifier().unwrap();
        let issued = key(&store);
        let recorder =
            UseRecorder::every(NEVER, Arc::new(Mutex::new(place.store())), verifier.clone()).unwrap();
        assert!(is_let_in(&verifier, &issued, 1_001));
        let file = place.folder.path().join(format!("credentials.db{suffix}"));
        let aside = place.folder.path().join("aside");
        fs::rename(&file, &aside).unwrap();
        drop(recorder);
        assert!(!file.exists(), "{suffix}");
        fs::rename(&aside, &file).unwrap();
        assert_eq!(last_used(&store).0, None, "{suffix}");
    }
}

/// A store of version 1 with one key and one token, both made by hand.
fn first_version(file: &Path) -> (Issued, Issued) {
    let scratch = Place::new();
    let (key, token) = (key(&scratch.store()), token(&scratch.store(), 600));
    let hash = |issued: &Issued| Sha256::digest(issued.secret.reveal()).to_vec();
    fs::write(file, "").unwrap();
    fs::set_permissions(file, fs::Permissions::from_mode(0o600)).unwrap();
    let old = Connection::open(file).unwrap();
    old.execute_batch(FIRST_VERSION).unwrap();
    old.execute(
        "INSERT INTO keys VALUES (?1, ?2, 'org_a', 'old', 1000000, 'abcd', NULL)",
        params![key.id, hash(&key)],
    )
    .unwrap();
    old.execute(
        "INSERT INTO tokens VALUES (?1, ?2, 'org_a', 'user_1', 'mcp:read', 1000000, 1600000, 'abcd', NULL)",
        params![token.id, hash(&token)],
    )
    .unwrap();
    (key, token)
}

#[test]
fn a_store_of_the_first_version_is_taken_up_with_all_that_is_in_it() {
    let place = Place::new();
    let (key, token) = first_version(&place.file);
    let before = Verifier::open(&place.file).unwrap();
    assert!(is_let_in(&before, &key, 1_001) && is_let_in(&before, &token, 1_001), "it is read as it is");

    let store = CredentialStore::open_existing(&place.file).unwrap();
    let (keys, tokens) = (store.list_keys().unwrap(), store.list_tokens().unwrap());
    assert_eq!((keys.len(), tokens.len()), (1, 1));
    assert_eq!((&keys[0].id, &keys[0].of), (&key.id, &named("old")));
    assert_eq!((keys[0].last_used_at, tokens[0].last_used_at), (None, None));

    let verifier = store.verifier().unwrap();
    let recorder = UseRecorder::every(NEVER, Arc::new(Mutex::new(place.store())), verifier.clone()).unwrap();
    for verifier in [&before, &verifier] {
        assert!(is_let_in(verifier, &key, 1_002) && is_let_in(verifier, &token, 1_003));
    }
    drop(recorder);
    assert_eq!(last_used(&store), (Some(1_002), Some(1_003)));
    store.revoke_key(&key.id, at(1_004)).unwrap().unwrap();
    assert!(!is_let_in(&before, &key, 1_005), "who had it open before sees what is revoked after");
}

#[test]
fn a_store_of_the_first_version_is_taken_up_once_however_many_open_it() {
    for _ in 0..10 {
        let place = Place::new();
        let (key, _) = first_version(&place.file);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| assert_eq!(place.store().list_keys().unwrap().len(), 1));
            }
        });
        assert!(is_let_in(&place.store().verifier().unwrap(), &key, 1_001));
    }
}
