//! Keys in a file: a change takes effect with the next request, and a broken file changes nothing.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use axum::http::StatusCode;
use kith_server::auth::jwt::Issuer;
use kith_server::auth::jwt::refusal::Refusal;
use kith_server::limits::{JWKS_AGE_SECONDS_DEFAULT, JWKS_BYTES_MAX, JWKS_KEYS_MAX};
use serde_json::json;
use tempfile::TempDir;

use crate::forged_tokens::site::Site;
use crate::support::issuer::{Signer, claims, file_settings, jwks};
use crate::support::scale;

/// A file of keys.
struct KeyFile {
    folder: TempDir,
    path: PathBuf,
}

impl KeyFile {
    fn of(keys: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = Self { path: folder.path().join("jwks.json"), folder };
        file.write(keys);
        file
    }

    /// Writes into the file as it is.
    fn write(&self, keys: &str) {
        fs::write(&self.path, keys).unwrap();
    }

    /// Puts another file in its place.
    fn replace(&self, keys: &str) {
        let beside = self.folder.path().join("new");
        fs::write(&beside, keys).unwrap();
        fs::rename(beside, &self.path).unwrap();
    }

    fn issuer(&self) -> Issuer {
        Issuer::new(&file_settings(&self.path)).unwrap()
    }
}

fn is_let_in(issuer: &Issuer, signer: &Signer) -> bool {
    issuer.check(&signer.token(&claims()), SystemTime::now()).is_ok()
}

#[tokio::test]
async fn after_a_change_the_very_next_request_goes_by_the_new_keys() {
    let (old, new) = (Signer::ed25519("a"), Signer::p256("b"));
    let (first, second) = (jwks(&[old.jwk()]), jwks(&[new.jwk()]));
    for change in [KeyFile::write, KeyFile::replace] {
        let file = KeyFile::of(&first);
        let site = Site::of(file.issuer());
        let (old, new) = (old.token(&claims()), new.token(&claims()));
        for _ in 0..3 {
            assert_eq!(site.status(&old).await, StatusCode::OK);
            assert_eq!(site.status(&new).await, StatusCode::UNAUTHORIZED);
            change(&file, &second);
            assert_eq!(site.status(&old).await, StatusCode::UNAUTHORIZED);
            assert_eq!(site.status(&new).await, StatusCode::OK);
            change(&file, &first);
        }
    }
}

/// Both sets have as many bytes, and the changes follow each other faster than the time stamps of many a file
/// system can show: there, neither size nor time shows each of them.
#[test]
fn changes_that_look_alike_are_seen_too() {
    let signers = [Signer::ed25519("a"), Signer::ed25519("a")];
    let sets = signers.each_ref().map(|signer| jwks(&[signer.jwk()]));
    assert_eq!(sets[0].len(), sets[1].len());
    let file = KeyFile::of(&sets[0]);
    let issuer = file.issuer();
    for round in 0..scale::of(300, 10_000) as usize {
        let (now, before) = (round % 2, 1 - round % 2);
        file.write(&sets[now]);
        assert!(is_let_in(&issuer, &signers[now]), "round {round}");
        assert!(!is_let_in(&issuer, &signers[before]), "round {round}");
    }
}

#[test]
fn a_file_that_becomes_unsound_leaves_the_keys_in_use_until_it_is_sound_again() {
    let (old, new) = (Signer::ed25519("a"), Signer::ed25519("b"));
    let file = KeyFile::of(&jwks(&[old.jwk()]));
    let issuer = file.issuer();
    let twice = jwks(&[new.jwk(), new.jwk()]);
    let many = jwks(&vec![new.jwk(); JWKS_KEYS_MAX + 1]);
    let long = format!("{}{}", jwks(&[new.jwk()]), " ".repeat(JWKS_BYTES_MAX));
    let half = jwks(&[new.jwk()]);
    for unsound in ["", "{", "[]", r#"{"keys":{}}"#, &half[..half.len() / 2], &twice, &many, &long] {
        file.write(unsound);
        assert!(is_let_in(&issuer, &old) && !is_let_in(&issuer, &new), "{:.60}", unsound);
    }
    fs::remove_file(&file.path).unwrap();
    assert!(is_let_in(&issuer, &old) && !is_let_in(&issuer, &new), "no file");
    fs::create_dir(&file.path).unwrap();
    assert!(is_let_in(&issuer, &old) && !is_let_in(&issuer, &new), "a folder");
    fs::remove_dir(&file.path).unwrap();
    file.write(&jwks(&[new.jwk()]));
    assert!(!is_let_in(&issuer, &old) && is_let_in(&issuer, &new), "sound again");
}

/// As keys of an address: the file is gone, and was last seen a day ago.
#[test]
fn keys_of_a_file_that_is_gone_are_in_force_for_a_day() {
    let signer = Signer::ed25519("a");
    let file = KeyFile::of(&jwks(&[signer.jwk()]));
    let now = Arc::new(Mutex::new(Instant::now()));
    let clock = {
        let now = Arc::clone(&now);
        Arc::new(move || *now.lock().unwrap())
    };
    let issuer = Issuer::with_clock(&file_settings(&file.path), clock).unwrap();
    let forward = |seconds| *now.lock().unwrap() += Duration::from_secs(seconds);
    let check = || issuer.check(&signer.token(&claims()), SystemTime::now()).map(drop);
    // The control: while it is there, it is looked at with each token.
    forward(10 * JWKS_AGE_SECONDS_DEFAULT);
    assert_eq!(check(), Ok(()));
    fs::remove_file(&file.path).unwrap();
    forward(JWKS_AGE_SECONDS_DEFAULT - 1);
    assert_eq!(check(), Ok(()));
    forward(1);
    assert_eq!(check(), Err(Refusal::OldKeys));
    assert!(issuer.keys_status().fault().is_some_and(|fault| fault.contains("oauth.jwks_file")));
    file.write(&jwks(&[signer.jwk()]));
    assert_eq!(check(), Ok(()));
}

#[test]
fn a_file_without_keys_withdraws_all() {
    let signer = Signer::ed25519("a");
    let file = KeyFile::of(&jwks(&[signer.jwk()]));
    let issuer = file.issuer();
    assert!(is_let_in(&issuer, &signer));
    for empty in [jwks(&[]), jwks(&[json!({ "kty": "oct", "k": "AAAA" })])] {
        file.write(&empty);
        let token = signer.token(&claims());
        assert_eq!(issuer.check(&token, SystemTime::now()), Err(Refusal::UnknownKey), "{empty}");
    }
}

#[test]
fn a_key_that_is_marked_as_unfit_is_withdrawn() {
    let signer = Signer::ed25519("a");
    let file = KeyFile::of(&jwks(&[signer.jwk()]));
    let issuer = file.issuer();
    for (member, value) in
        [("use", json!("enc")), ("key_ops", json!(["sign"])), ("d", json!("AAAA")), ("alg", json!("ES256"))]
    {
        file.write(&jwks(&[signer.jwk()]));
        assert!(is_let_in(&issuer, &signer), "{member}");
        let mut jwk = signer.jwk();
        jwk[member] = value;
        file.write(&jwks(&[jwk]));
        assert!(!is_let_in(&issuer, &signer), "{member}");
    }
}

#[test]
fn at_start_a_file_that_cannot_be_taken_is_an_error_that_names_it_and_the_fault() {
    let signer = Signer::ed25519("a");
    let mut private = signer.jwk();
    private["d"] = "canary".into();
    let long = format!("{}{}", jwks(&[signer.jwk()]), " ".repeat(JWKS_BYTES_MAX));
    for (content, said) in [
        ("", "not a JWKS"),
        (r#"{"canary":[]}"#, "not a JWKS"),
        (r#"{"keys":[],"keys":[]}"#, "no name twice"),
        (&jwks(&[]), "no Ed25519, P-256 or RSA key"),
        (&jwks(&[private]), "no Ed25519, P-256 or RSA key"),
        (&jwks(&[signer.jwk(), signer.jwk()]), "the same kid and algorithm"),
        (&jwks(&vec![signer.jwk(); JWKS_KEYS_MAX + 1]), "more than 100 keys"),
        (&long, "more than 1048576 bytes"),
    ] {
        let file = KeyFile::of(content);
        let error = Issuer::new(&file_settings(&file.path)).unwrap_err().to_string();
        let path = file.path.to_str().unwrap();
        assert!(error.contains(said) && error.contains(path) && !error.contains("canary"), "{error}");
    }
    let folder = tempfile::tempdir().unwrap();
    for (path, said) in [(folder.path().join("absent"), "not found"), (folder.path().to_owned(), "invalid")] {
        let error = Issuer::new(&file_settings(&path)).unwrap_err().to_string();
        assert!(error.contains(said) && error.contains(path.to_str().unwrap()), "{error}");
    }
}
