//! Credentials end to end: their form, and who is let in when. `files` is about the store itself.
//!
//! Promise: No user token is valid while the clock is before 1970.
//! Control: the token in its time; a key.
//! Also in: `tests/operation/forged_tokens/times.rs`.

mod expiring;
mod files;
mod restored;
mod used;

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use kith_server::auth::error::StoreError;
use kith_server::auth::scope::Scopes;
use kith_server::auth::secret::{CredentialKind, Secret, parse};
use kith_server::auth::store::{CredentialOf, CredentialStore, Issued};
use kith_server::auth::ttl::Ttl;
use kith_server::auth::verify::{Principal, Verifier};
use kith_server::cli::keys::KeysCommand;
use tempfile::TempDir;

const BASE62: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A store in a folder of its own.
struct Place {
    folder: TempDir,
    file: PathBuf,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("credentials.db");
        Self { folder, file }
    }

    fn store(&self) -> CredentialStore {
        CredentialStore::open(&self.file).unwrap()
    }

    /// Every file of the folder, in the order of their names.
    fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> =
            fs::read_dir(&self.folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }
}

/// The owner of a key called `name`.
fn named(name: &str) -> CredentialOf {
    CredentialOf::Organization { name: name.to_owned() }
}

fn at(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(seconds)
}

fn key(store: &CredentialStore) -> Issued {
    store.create_key("org_a", "test", at(1_000)).unwrap()
}

fn token(store: &CredentialStore, ttl_seconds: u64) -> Issued {
    let ttl = Ttl::from_seconds(ttl_seconds).unwrap();
    store.create_token("org_a", "user_1", Scopes::READ, ttl, at(1_000)).unwrap()
}

fn is_let_in(verifier: &Verifier, issued: &Issued, seconds: u64) -> bool {
    verifier.verify(issued.secret.reveal(), at(seconds)).unwrap().is_some()
}

// --- shape

#[test]
fn a_credential_is_its_prefix_and_49_base62_characters() {
    for (kind, prefix) in
        [(CredentialKind::OrganizationKey, "service_sk_"), (CredentialKind::UserToken, "service_at_")]
    {
        let secret = Secret::generate(kind).unwrap();
        let body = secret.reveal().strip_prefix(prefix).unwrap();
        assert_eq!(body.len(), 49);
        assert!(body.chars().all(|c| BASE62.contains(c)));
        assert_eq!(parse(secret.reveal()).unwrap().kind(), kind);
    }
}

#[test]
fn every_single_mistyped_character_is_reported_without_a_look_up() {
    for kind in [CredentialKind::OrganizationKey, CredentialKind::UserToken] {
        let secret = Secret::generate(kind).unwrap();
        for place in 0..secret.reveal().len() {
            let (before, rest) = secret.reveal().split_at(place);
            let (right, after) = rest.split_at(1);
            for wrong in (' '..='~').map(String::from).filter(|wrong| wrong != right) {
                assert!(parse(&format!("{before}{wrong}{after}")).is_none(), "{wrong} at {place}");
            }
            assert!(parse(&format!("{before}{after}")).is_none(), "left out at {place}");
            assert!(parse(&format!("{before}{right}{right}{after}")).is_none(), "doubled at {place}");
        }
    }
}

#[test]
fn what_is_no_credential_is_refused_whatever_it_is() {
    let key = Secret::generate(CredentialKind::OrganizationKey).unwrap();
    let key = key.reveal();
    for text in [
        "",
        "service_sk_",
        "service_at_",
        &format!("service_sk_{}", "a".repeat(1 << 20)),
        &format!(" {key}"),
        &format!("{key}\n"),
        &key.replacen("_sk_", "_at_", 1),
        &key.to_uppercase(),
        &format!("service_sk_{}a", "é".repeat(24)),
        &format!("service_sk_{}", "\0".repeat(49)),
    ] {
        assert!(parse(text).is_none(), "{} bytes", text.len());
    }
}

#[test]
fn keys_are_unique_and_take_every_digit_equally_often_in_every_place() {
    const KEYS: usize = 10_000;
    let keys: HashSet<String> = (0..KEYS)
        .map(|_| Secret::generate(CredentialKind::OrganizationKey).unwrap().reveal().to_owned())
        .collect();
    assert_eq!(keys.len(), KEYS);
    // The first digits of the random number and of the checksum take fewer values: both numbers end
    // between two powers of 62.
    for place in 12..54 {
        let mut counts = [0_u32; 62];
        for key in &keys {
            counts[BASE62.find(char::from(key.as_bytes()[place])).unwrap()] += 1;
        }
        let expected = KEYS as f64 / 62.0;
        let chi_square: f64 =
            counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
        // 61 degrees of freedom: mean 61, deviation 11; beyond 160 by chance once in a hundred million.
        assert!(chi_square < 160.0, "place {place}: {chi_square}");
    }
}

// --- who is let in

#[test]
fn a_credential_names_whom_it_was_made_for() {
    let place = Place::new();
    let store = place.store();
    let verifier = store.verifier().unwrap();
    let (key, token) = (key(&store), token(&store, 60));
    assert_eq!(
        verifier.verify(key.secret.reveal(), at(1_000)).unwrap(),
        Some(Principal::Organization { org: "org_a".into(), key_id: key.id })
    );
    assert_eq!(
        verifier.verify(token.secret.reveal(), at(1_000)).unwrap(),
        Some(Principal::User {
            org: "org_a".into(),
            user: "user_1".into(),
            trusts_address: false,
            scopes: Scopes::READ,
            token_id: Some(token.id)
        })
    );
    let stranger = Secret::generate(CredentialKind::OrganizationKey).unwrap();
    assert_eq!(verifier.verify(stranger.reveal(), at(1_000)).unwrap(), None);
    assert_eq!(verifier.verify("", at(1_000)).unwrap(), None);
}

#[test]
fn a_token_holds_up_to_the_moment_it_expires_and_a_key_forever() {
    let place = Place::new();
    let store = place.store();
    let verifier = store.verifier().unwrap();
    let (key, token) = (key(&store), token(&store, 60));
    for (millis, let_in) in [(0, true), (59_999, true), (60_000, false), (60_001, false), (1 << 40, false)] {
        let now = at(1_000) + Duration::from_millis(millis);
        assert_eq!(verifier.verify(token.secret.reveal(), now).unwrap().is_some(), let_in, "{millis}");
        assert!(verifier.verify(key.secret.reveal(), now).unwrap().is_some());
    }
}

#[test]
fn what_is_created_or_revoked_holds_from_the_next_check_on() {
    let place = Place::new();
    let verifier = place.store().verifier().unwrap();
    let other = place.store();
    for round in 0..25 {
        let (key, token) = (key(&other), token(&other, 60));
        assert!(is_let_in(&verifier, &key, 1_000) && is_let_in(&verifier, &token, 1_000), "{round}");
        other.revoke_key(&key.id, at(1_001)).unwrap().unwrap();
        assert!(!is_let_in(&verifier, &key, 1_001) && is_let_in(&verifier, &token, 1_001), "{round}");
        other.revoke_token(&token.id, at(1_001)).unwrap().unwrap();
        assert!(!is_let_in(&verifier, &token, 1_001), "{round}");
    }
}

#[test]
fn revoking_again_keeps_the_first_time_and_an_unknown_id_is_reported() {
    let place = Place::new();
    let store = place.store();
    let (key, token) = (key(&store), token(&store, 60));
    for seconds in [2_000, 3_000] {
        assert_eq!(store.revoke_key(&key.id, at(seconds)).unwrap().unwrap().seconds, 2_000);
        assert_eq!(store.revoke_token(&token.id, at(seconds)).unwrap().unwrap().seconds, 2_000);
    }
    assert_eq!(store.list_keys().unwrap()[0].revoked_at.unwrap().seconds, 2_000);
    for id in ["", "key_1", &token.id, key.secret.reveal()] {
        assert_eq!(store.revoke_key(id, at(4_000)).unwrap(), None);
    }
    assert_eq!(store.revoke_token(&key.id, at(4_000)).unwrap(), None);
}

#[test]
fn threads_that_check_while_keys_come_and_go_never_see_a_wrong_answer() {
    let place = Place::new();
    let store = place.store();
    let verifier = store.verifier().unwrap();
    let (kept, gone, token) = (key(&store), key(&store), token(&store, 60));
    store.revoke_key(&gone.id, at(1_001)).unwrap();
    let (done, checks) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    assert!(is_let_in(&verifier, &kept, 1_002));
                    assert!(!is_let_in(&verifier, &gone, 1_002));
                    assert!(is_let_in(&verifier, &token, 1_002));
                    checks.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for _ in 0..25 {
            let fresh = key(&store);
            assert!(is_let_in(&verifier, &fresh, 1_002));
            store.revoke_key(&fresh.id, at(1_002)).unwrap();
            assert!(!is_let_in(&verifier, &fresh, 1_002));
        }
        done.store(true, Ordering::Relaxed);
    });
    assert!(checks.into_inner() > 0);
}

#[test]
fn a_verifier_outlives_the_store_it_came_from_and_sees_later_ones() {
    let place = Place::new();
    let store = place.store();
    let (first, verifier) = (key(&store), store.verifier().unwrap());
    drop(store);
    assert!(is_let_in(&verifier, &first, 1_000));
    place.store().revoke_key(&first.id, at(1_001)).unwrap();
    assert!(!is_let_in(&verifier, &first, 1_001));
}

#[test]
fn nobody_is_let_in_while_a_file_of_the_store_is_removed_or_replaced() {
    for suffix in ["", "-wal", "-shm"] {
        for replaced in [false, true] {
            let place = Place::new();
            let store = place.store();
            let (issued, verifier) = (key(&store), store.verifier().unwrap());
            assert!(is_let_in(&verifier, &issued, 1_000));
            let file = place.folder.path().join(format!("credentials.db{suffix}"));
            let aside = place.folder.path().join("aside");
            fs::rename(&file, &aside).unwrap();
            if replaced {
                fs::write(&file, "").unwrap();
            }
            let refused = verifier.verify(issued.secret.reveal(), at(1_000));
            assert!(matches!(refused, Err(StoreError::Replaced { .. })), "{suffix} {refused:?}");
            // Requests without a look-up need no store.
            assert_eq!(verifier.verify("service_sk_1", at(1_000)).unwrap(), None);
            fs::rename(&aside, &file).unwrap();
            assert!(is_let_in(&verifier, &issued, 1_000), "the very same file is back");
        }
    }
}

#[test]
fn a_link_that_leads_elsewhere_is_a_replaced_store() {
    let (first, second) = (Place::new(), Place::new());
    let link = first.folder.path().join("link");
    symlink(&first.file, &link).unwrap();
    let issued = key(&first.store());
    drop(second.store());
    let verifier = Verifier::open(&link).unwrap();
    assert!(is_let_in(&verifier, &issued, 1_000));
    fs::remove_file(&link).unwrap();
    symlink(&second.file, &link).unwrap();
    let refused = verifier.verify(issued.secret.reveal(), at(1_000));
    assert!(matches!(refused, Err(StoreError::Replaced { .. })), "{refused:?}");
}

// --- the command line; what it prints is tested where it is written

#[test]
fn commands_work_on_the_store_a_server_has_open() {
    let place = Place::new();
    let store = place.store();
    let (issued, verifier) = (key(&store), store.verifier().unwrap());
    drop(store);
    let revoke = |id: &str| KeysCommand::Revoke { credentials: place.file.clone(), id: id.to_owned() }.run();
    assert!(is_let_in(&verifier, &issued, 1_000));
    revoke(&issued.id).unwrap();
    assert!(!is_let_in(&verifier, &issued, 1_000));
    let unknown = revoke("key_unknown").unwrap_err().to_string();
    assert!(unknown.contains("key_unknown"), "{unknown}");
}

#[test]
fn no_token_holds_while_the_clock_is_before_1970() {
    let place = Place::new();
    let store = place.store();
    let (key, expired) = (key(&store), token(&store, 60));
    let verifier = store.verifier().unwrap();
    let before = UNIX_EPOCH - Duration::from_secs(1);
    assert_eq!(verifier.verify(expired.secret.reveal(), before).unwrap(), None);
    // Controls: the token in its time, and a key, which has no end.
    assert!(verifier.verify(expired.secret.reveal(), at(1_001)).unwrap().is_some());
    assert!(verifier.verify(key.secret.reveal(), before).unwrap().is_some());
}
