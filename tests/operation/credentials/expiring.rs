//! Keys that expire: how long they are valid, and stores from before keys could expire.
//!
//! Promise: A key that expires is valid until its expiry and no longer, and not while the clock is before 1970; older
//!   stores, and servers that read them, still work.
//! Control: the look-up of the version before lets the expired key in.
//! Also in: `tests/api/errors/mod.rs`, `src/cli/keys.rs`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::credentials::named;
use kith_server::auth::store::{CredentialStore, Issued};
use kith_server::auth::ttl::Ttl;
use kith_server::auth::verify::Verifier;
use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};

use super::{Place, at, is_let_in, key};

/// A store as version 2 of its tables made it.
const SECOND_VERSION: &str = "
    PRAGMA journal_mode = WAL;
    CREATE TABLE keys (
        id TEXT PRIMARY KEY, hash BLOB NOT NULL UNIQUE, org TEXT NOT NULL, name TEXT NOT NULL,
        created_at INTEGER NOT NULL, last_four TEXT NOT NULL, revoked_at INTEGER, last_used_at INTEGER
    ) STRICT;
    CREATE TABLE tokens (
        id TEXT PRIMARY KEY, hash BLOB NOT NULL UNIQUE, org TEXT NOT NULL, user TEXT NOT NULL,
        scope TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
        last_four TEXT NOT NULL, revoked_at INTEGER, last_used_at INTEGER
    ) STRICT;
    PRAGMA application_id = 0x6b697468;
    PRAGMA user_version = 2;
";

fn expiring(store: &CredentialStore, ttl_seconds: u64) -> Issued {
    store.create_expiring_key("org_a", "test", Ttl::from_seconds(ttl_seconds).unwrap(), at(1_000)).unwrap()
}

/// A way to look whether a key is let in at a time.
type LetIn<'a> = &'a dyn Fn(&Issued, SystemTime) -> bool;

/// Whether keys hold for as long as they should, and no longer.
fn holds_as_it_should(expiring: &Issued, lasting: &Issued, is_let_in: LetIn<'_>) -> bool {
    let before_1970 = UNIX_EPOCH - Duration::from_secs(1);
    let last = at(1_060) - Duration::from_millis(1);
    [(at(1_000), true), (last, true), (at(1_060), false), (at(1 << 33), false), (before_1970, false)]
        .into_iter()
        .all(|(now, holds)| is_let_in(expiring, now) == holds && is_let_in(lasting, now))
}

#[test]
fn a_key_holds_up_to_its_end_and_not_before_1970_and_one_without_an_end_always() {
    let place = Place::new();
    let store = place.store();
    let (short, lasting) = (expiring(&store, 60), key(&store));
    let listed = store.list_keys().unwrap();
    assert_eq!(listed[0].expires_at.map(|at| at.seconds), Some(1_060));
    assert_eq!(listed[1].expires_at, None);
    let verifier = store.verifier().unwrap();
    let by_verifier = |key: &Issued, now| verifier.verify(key.secret.reveal(), now).unwrap().is_some();
    assert!(holds_as_it_should(&short, &lasting, &by_verifier));

    // The control: the look-up of the version before, which knows no end.
    let connection = Connection::open(&place.file).unwrap();
    let find = "SELECT 1 FROM keys WHERE hash = ?1 AND revoked_at IS NULL";
    let by_the_version_before = |key: &Issued, _: SystemTime| {
        connection.prepare(find).unwrap().exists([Sha256::digest(key.secret.reveal()).to_vec()]).unwrap()
    };
    assert!(!holds_as_it_should(&short, &lasting, &by_the_version_before), "it is caught");

    store.revoke_key(&lasting.id, at(1_001)).unwrap().unwrap();
    store.revoke_key(&short.id, at(1_001)).unwrap().unwrap();
    assert!(!is_let_in(&verifier, &short, 1_002) && !is_let_in(&verifier, &lasting, 1_002));
}

/// A store of version 2 with one key, made by hand.
fn second_version(file: &Path) -> Issued {
    let scratch = Place::new();
    let key = key(&scratch.store());
    fs::write(file, "").unwrap();
    fs::set_permissions(file, fs::Permissions::from_mode(0o600)).unwrap();
    let old = Connection::open(file).unwrap();
    old.execute_batch(SECOND_VERSION).unwrap();
    old.execute(
        "INSERT INTO keys VALUES (?1, ?2, 'org_a', 'old', 1000000, 'abcd', NULL, 1000500)",
        params![key.id, Sha256::digest(key.secret.reveal()).to_vec()],
    )
    .unwrap();
    key
}

#[test]
fn a_store_of_the_version_before_is_read_while_another_process_takes_it_up() {
    let place = Place::new();
    let old = second_version(&place.file);
    let before = Verifier::open(&place.file).unwrap();
    assert!(is_let_in(&before, &old, 1_001), "it is read as it is");
    // A server of the version before, with its statement prepared.
    let earlier = Connection::open(&place.file).unwrap();
    let mut find = earlier.prepare("SELECT id FROM keys WHERE hash = ?1 AND revoked_at IS NULL").unwrap();
    let hash = |key: &Issued| Sha256::digest(key.secret.reveal()).to_vec();
    assert!(find.exists([hash(&old)]).unwrap());

    let short = thread::scope(|scope| {
        let reading = scope.spawn(|| (0..2_000).all(|_| is_let_in(&before, &old, 1_001)));
        let short = expiring(&place.store(), 60);
        assert!(reading.join().unwrap(), "the key holds meanwhile");
        short
    });
    for verifier in [&before, &place.store().verifier().unwrap()] {
        assert!(is_let_in(verifier, &old, 1 << 33) && is_let_in(verifier, &short, 1_059));
        assert!(!is_let_in(verifier, &short, 1_060), "who had it open before heeds the end too");
    }
    assert!(find.exists([hash(&old)]).unwrap() && find.exists([hash(&short)]).unwrap());
    let listed = place.store().list_keys().unwrap();
    assert_eq!((&listed[0].of, listed[0].expires_at), (&named("old"), None));
    assert_eq!(listed[0].last_used_at.map(|at| at.nanos), Some(500_000_000));
}

#[test]
fn each_change_is_recorded_once_by_id_with_the_user_who_made_it_and_nothing_secret() {
    let place = Place::new();
    let store = place.store();
    let (first, second) = (key(&store), expiring(&store, 60));
    for _ in 0..2 {
        store.revoke_key(&first.id, at(1_001)).unwrap().unwrap();
    }
    assert_eq!(store.revoke_key("key_unknown", at(1_001)).unwrap(), None);
    let uid = std::os::unix::fs::MetadataExt::uid(&fs::metadata(&place.file).unwrap());
    let connection = Connection::open(&place.file).unwrap();
    let mut changes = connection.prepare("SELECT event, credential, org, by_uid, at FROM changes").unwrap();
    let changes: Vec<(String, String, String, u32, i64)> = changes
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let change = |event: &str, id: &str, at| (event.to_owned(), id.to_owned(), "org_a".to_owned(), uid, at);
    assert_eq!(
        changes,
        [
            change("key.created", &first.id, 1_000_000),
            change("key.created", &second.id, 1_000_000),
            change("key.revoked", &first.id, 1_001_000),
        ]
    );
}
