//! A store restored from an earlier copy: credentials revoked after the copy stay revoked.
//!
//! Promise: Revoked credentials stay revoked if an earlier copy of the store is put back, and the log says so.
//! Control: without the file beside the store both credentials hold again.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use kith_server::auth::error::StoreError;
use kith_server::auth::store::{CredentialStore, Issued};

use super::{Place, at, is_let_in, key, token};

/// A store whose copy from before two revocations was put back, with the file of revocations beside it or without.
struct Restored {
    place: Place,
    revoked: [Issued; 2],
    holding: Issued,
}

impl Restored {
    fn new() -> Self {
        let place = Place::new();
        let store = place.store();
        let (holding, one, other) = (key(&store), key(&store), token(&store, 10_000));
        let copy = fs::read(&place.file).unwrap();
        store.revoke_key(&one.id, at(2_000)).unwrap().unwrap();
        store.revoke_token(&other.id, at(2_001)).unwrap().unwrap();
        drop(store);
        fs::write(&place.file, copy).unwrap();
        Self { place, revoked: [one, other], holding }
    }

    fn revocations(&self) -> PathBuf {
        self.place.folder.path().join("credentials.db-revoked")
    }

    /// How many were revoked again at the next start, and whether each of the two and the third are let in then.
    fn started(&self) -> (usize, [bool; 2], bool) {
        let store = self.place.store();
        let verifier = store.verifier().unwrap();
        let is_let_in = |issued: &Issued| is_let_in(&verifier, issued, 3_000);
        (store.revoked_again(), self.revoked.each_ref().map(is_let_in), is_let_in(&self.holding))
    }
}

#[test]
fn what_was_revoked_stays_revoked_if_an_earlier_copy_of_the_store_is_put_back() {
    let restored = Restored::new();
    assert_eq!(restored.started(), (2, [false; 2], true));
    assert_eq!(restored.started(), (0, [false; 2], true), "said once");
    let times = restored.place.store().list_keys().unwrap().into_iter().map(|key| key.revoked_at);
    assert_eq!(times.flatten().map(|time| time.seconds).collect::<Vec<_>>(), [2_000], "since when it was");

    // The control: without the file beside it the store revives both, and no word of it.
    let restored = Restored::new();
    fs::remove_file(restored.revocations()).unwrap();
    assert_eq!(restored.started(), (0, [true; 2], true));
}

#[test]
fn a_store_without_the_file_gets_one_and_lines_that_are_none_say_nothing() {
    let place = Place::new();
    let store = place.store();
    let revoked = key(&store);
    store.revoke_key(&revoked.id, at(2_000)).unwrap();
    drop(store);
    let file = place.folder.path().join("credentials.db-revoked");
    let line = format!("\n{} 2000000\n", revoked.id);
    assert_eq!(fs::read_to_string(&file).unwrap(), line);
    fs::remove_file(&file).unwrap();
    drop(place.store());
    assert_eq!(fs::read_to_string(&file).unwrap(), line, "as one of an earlier version");

    let holding = key(&place.store());
    let mut torn = fs::OpenOptions::new().append(true).open(&file).unwrap();
    write!(torn, "\nkey_nobody 1\n\u{0}\n{} soon\n{} 5", holding.id, holding.id).unwrap();
    let store = place.store();
    assert_eq!(store.revoked_again(), 0);
    assert!(is_let_in(&store.verifier().unwrap(), &holding, 3_000));
    store.revoke_key(&holding.id, at(2_500)).unwrap();
    assert!(
        fs::read_to_string(&file).unwrap().ends_with(&format!("5\n{} 2500000\n", holding.id)),
        "on a line of its own"
    );
}

#[test]
fn a_file_of_revocations_that_cannot_be_read_stops_the_start() {
    let restored = Restored::new();
    fs::remove_file(restored.revocations()).unwrap();
    fs::create_dir(restored.revocations()).unwrap();
    let refused = CredentialStore::open_existing(&restored.place.file).err();
    assert!(
        matches!(&refused, Some(StoreError::Io { path, .. }) if *path == restored.revocations()),
        "{refused:?}"
    );
}
