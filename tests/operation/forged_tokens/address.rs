//! Keys at an address, served by a stub on loopback: when and how often they are fetched, and that a broken answer
//! changes nothing.
//!
//! Promise: Keys that an issuer's address, or file, does not confirm for a day are not in force, and the operator is
//!   shown it.
//! Control: the same keys a moment younger; a file that is there.
//! Also in: `tests/operation/forged_tokens/file.rs`, `tests/operation/probes.rs`, `src/callers/auth/jwt/held.rs`.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use axum::http::StatusCode;
use kith_server::auth::jwt::Issuer;
use kith_server::auth::verify::Verifier;
use kith_server::clock::Clock;
use kith_server::limits::{JWKS_AGE_SECONDS_DEFAULT, JWKS_BYTES_MAX};
use tokio::task::JoinSet;

use crate::forged_tokens::site::Site;
use crate::support::Credentials;
use crate::support::issuer::{Signer, claims, jwks, url_settings};
use crate::support::stub::{Reply, Stub, head_of, http};

/// The pause between two fetches that tokens bring about.
const PAUSE: Duration = Duration::from_secs(10);

/// How long keys are in force if the configuration is silent.
const DAY: Duration = Duration::from_secs(JWKS_AGE_SECONDS_DEFAULT);

/// A clock that stands still until it is set forward.
#[derive(Clone)]
struct SetClock(Arc<Mutex<Instant>>);

impl SetClock {
    fn new() -> Self {
        Self(Arc::new(Mutex::new(Instant::now())))
    }

    fn forward(&self, by: Duration) {
        *self.0.lock().unwrap() += by;
    }

    fn clock(&self) -> Clock {
        let now = Arc::clone(&self.0);
        Arc::new(move || *now.lock().unwrap())
    }
}

/// An issuer whose keys are at a stub, and who asks them of it.
struct Remote {
    stub: Stub,
    clock: SetClock,
    verifier: Verifier,
    _credentials: Credentials,
}

impl Remote {
    /// Has not asked for its keys yet.
    async fn idle(replies: &[Reply]) -> Self {
        let stub = Stub::start(replies).await;
        let clock = SetClock::new();
        let issuer = issuer_at(&stub, &clock);
        let credentials = Credentials::new();
        let verifier = credentials.store.verifier().unwrap().trusting(issuer);
        Self { stub, clock, verifier, _credentials: credentials }
    }

    /// Has taken the first answer, which must be sound and have the key of `signer`.
    async fn holding(signer: &Signer, replies: &[Reply]) -> Self {
        let remote = Self::idle(replies).await;
        assert!(remote.admits(signer).await, "the keys are fetched for the first token");
        assert_eq!(remote.stub.contacts(), 1);
        remote.clock.forward(PAUSE);
        remote
    }

    async fn admits(&self, signer: &Signer) -> bool {
        self.verifier.admit(&signer.token(&claims()), SystemTime::now()).await.unwrap().is_some()
    }

    /// Whether a token is let in by the keys at hand.
    fn knows(&self, signer: &Signer) -> bool {
        self.verifier.verify(&signer.token(&claims()), SystemTime::now()).unwrap().is_some()
    }
}

fn issuer_at(stub: &Stub, clock: &SetClock) -> Issuer {
    let settings = url_settings(&format!("http://{}/keys?set=1", stub.address));
    Issuer::with_clock(&settings, clock.clock()).unwrap()
}

/// The answer with these keys.
fn keys(signers: &[&Signer]) -> Reply {
    let keys: Vec<_> = signers.iter().map(|signer| signer.jwk()).collect();
    Reply::Bytes(http(200, "content-type: application/json\r\n", &jwks(&keys)))
}

#[tokio::test]
async fn an_unknown_kid_has_the_keys_fetched_while_its_request_waits() {
    let (old, new) = (Signer::ed25519("a"), Signer::p256("b"));
    let stub = Stub::start(&[keys(&[&old]), keys(&[&new])]).await;
    let clock = SetClock::new();
    let issuer = issuer_at(&stub, &clock);
    tokio::spawn(issuer.keep_fresh().unwrap());
    stub.until(|seen| seen.requests.len() == 1).await;
    let site = Site::of(issuer);
    assert_eq!(site.status(&old.token(&claims())).await, StatusCode::OK, "joins the fetch at the start");
    assert_eq!(site.status(&new.token(&claims())).await, StatusCode::OK, "the set was changed");
    assert_eq!(site.fault_of_answer(&old.token(&claims()), 401).await, None, "and the old key is gone");
    assert_eq!(stub.contacts(), 2);
    let request = stub.seen().requests[0].clone();
    let head = head_of(&request).unwrap().to_ascii_lowercase();
    assert!(head.starts_with("get /keys?set=1 http/1.1\r\n") && !head.contains("authorization"), "{head}");
}

#[tokio::test]
async fn a_stampede_of_unknown_kids_brings_about_one_fetch_in_ten_seconds() {
    let (known, stranger) = (Signer::ed25519("a"), Signer::ed25519("b"));
    let remote = Remote::holding(&known, &[keys(&[&known])]).await;
    for (forward, contacts) in [(0, 2), (0, 2), (9_999, 2), (1, 3), (0, 3), (10_000, 4)] {
        remote.clock.forward(Duration::from_millis(forward));
        let mut stampede = JoinSet::new();
        for _ in 0..100 {
            let (verifier, token) = (remote.verifier.clone(), stranger.token(&claims()));
            stampede.spawn(async move { verifier.admit(&token, SystemTime::now()).await.unwrap() });
        }
        assert!(stampede.join_all().await.iter().all(Option::is_none));
        assert_eq!(remote.stub.contacts(), contacts, "after {forward} ms more");
    }
    assert!(remote.knows(&known));
}

#[tokio::test]
async fn what_no_key_could_save_brings_about_no_fetch() {
    let (known, stranger) = (Signer::ed25519("a"), Signer::ed25519("a"));
    let remote = Remote::holding(&known, &[keys(&[&known])]).await;
    let good = known.token(&claims());
    for token in [
        stranger.token(&claims()),
        good.replacen('.', "..", 1),
        format!("{good}A"),
        "a.b.c".to_owned(),
        String::new(),
        "service_at_x".to_owned(),
        known.signed(br#"{"alg":"HS256","typ":"JWT","kid":"z"}"#, b"{}"),
        known.signed(br#"{"alg":"EdDSA","typ":"id+jwt","kid":"z"}"#, b"{}"),
    ] {
        assert_eq!(remote.verifier.admit(&token, SystemTime::now()).await.unwrap(), None, "{token}");
    }
    assert!(remote.admits(&known).await);
    assert_eq!(remote.stub.contacts(), 1);
}

#[tokio::test]
async fn a_broken_answer_leaves_the_keys_in_use() {
    let (old, new) = (Signer::ed25519("a"), Signer::ed25519("b"));
    let elsewhere = Stub::start(&[keys(&[&new])]).await;
    let set = jwks(&[new.jwk()]);
    let answer = |body: &str| Reply::Bytes(http(200, "", body));
    let whole = http(200, "", &set);
    let to = format!("location: http://{}/keys\r\n", elsewhere.address);
    for (what, reply) in [
        ("a redirect", Reply::Bytes(http(302, &to, ""))),
        ("a redirect for good, with keys", Reply::Bytes(http(308, &to, &set))),
        ("an error with keys", Reply::Bytes(http(500, "", &set))),
        ("no page", Reply::Bytes(http(404, "", &set))),
        ("a part", Reply::Bytes(http(206, "", &set))),
        ("nothing new", Reply::Bytes(b"HTTP/1.1 304 x\r\n\r\n".to_vec())),
        ("an empty body", answer("")),
        ("a page", answer("<html></html>")),
        ("half a set", answer(&set[..set.len() / 2])),
        ("a set and more", answer(&format!("{set}{set}"))),
        ("no list of keys", answer("{}")),
        ("a key twice", answer(&jwks(&[new.jwk(), new.jwk()]))),
        ("a name twice", answer(&set.replacen("\"kty\"", "\"kty\":\"OKP\",\"kty\"", 1))),
        ("too long a body", answer(&format!("{set}{}", " ".repeat(JWKS_BYTES_MAX)))),
        ("an endless body", Reply::Endless(b"HTTP/1.1 200 x\r\n\r\n".to_vec())),
        ("no HTTP", Reply::BytesThenClose(b"SSH-2.0-x\r\n".to_vec())),
        ("a body that breaks off", Reply::BytesThenClose(whole[..whole.len() - 9].to_vec())),
        ("a reset", Reply::BytesThenReset(whole[..whole.len() - 9].to_vec())),
        ("no answer", Reply::BytesThenClose(Vec::new())),
    ] {
        let remote = Remote::holding(&old, &[keys(&[&old]), reply]).await;
        assert!(!remote.admits(&new).await, "{what}");
        assert!(remote.stub.contacts() >= 2, "{what} was fetched");
        assert!(remote.knows(&old), "{what}");
    }
    assert_eq!(elsewhere.contacts(), 0, "redirects are not followed");
}

/// The control: the same change by a sound answer is taken.
#[tokio::test]
async fn a_sound_answer_changes_the_keys_and_an_empty_one_withdraws_all() {
    let (old, new) = (Signer::ed25519("a"), Signer::ed25519("b"));
    let remote = Remote::holding(&old, &[keys(&[&old]), keys(&[&new]), keys(&[])]).await;
    assert!(remote.admits(&new).await && !remote.knows(&old));
    remote.clock.forward(PAUSE);
    assert!(!remote.admits(&old).await);
    assert!(!remote.knows(&old) && !remote.knows(&new), "the empty set is in use");
}

#[tokio::test]
async fn until_the_first_fetch_goes_well_nobody_is_let_in() {
    let signer = Signer::rsa("a");
    let broken = Reply::Bytes(http(503, "", ""));
    let remote = Remote::idle(&[broken, keys(&[&signer])]).await;
    assert!(!remote.admits(&signer).await);
    assert!(!remote.admits(&signer).await, "and it is not asked again at once");
    assert_eq!(remote.stub.contacts(), 1);
    remote.clock.forward(PAUSE);
    assert!(remote.admits(&signer).await);
    assert_eq!(remote.stub.contacts(), 2);
}

#[tokio::test]
async fn a_request_that_waits_for_a_slow_answer_is_refused_in_time_and_no_other_waits() {
    let (known, stranger) = (Signer::ed25519("a"), Signer::ed25519("b"));
    let remote = Remote::holding(&known, &[keys(&[&known]), Reply::Hang]).await;
    let (verifier, token) = (remote.verifier.clone(), stranger.token(&claims()));
    let waiting = tokio::spawn(async move { verifier.admit(&token, SystemTime::now()).await.unwrap() });
    remote.stub.until(|seen| seen.requests.len() == 2).await;
    assert!(!waiting.is_finished());
    assert!(remote.admits(&known).await, "a known key needs no fetch");
    assert!(!waiting.is_finished());
    assert_eq!(waiting.await.unwrap(), None);
}

#[tokio::test]
async fn a_request_that_goes_away_does_not_take_the_fetch_with_it() {
    let (old, new) = (Signer::ed25519("a"), Signer::ed25519("b"));
    let remote = Remote::holding(&old, &[keys(&[&old]), keys(&[&new])]).await;
    let (verifier, token) = (remote.verifier.clone(), new.token(&claims()));
    let gone = tokio::spawn(async move { verifier.admit(&token, SystemTime::now()).await });
    remote.stub.until(|seen| seen.requests.len() == 2).await;
    gone.abort();
    // Joins the fetch if it is still on its way, and starts none if it is not.
    assert!(remote.admits(&new).await);
    assert_eq!(remote.stub.contacts(), 2);
}

/// Keys that were fetched and then cannot be any more, so long ago that they should not be believed.
async fn unreachable_for(age: Duration, signer: &Signer) -> Remote {
    let gone = Reply::BytesThenClose(Vec::new());
    let remote = Remote::holding(signer, &[keys(&[signer]), gone.clone(), gone, keys(&[signer])]).await;
    remote.clock.forward(age - PAUSE);
    remote
}

#[tokio::test]
async fn keys_that_cannot_be_fetched_any_more_are_in_force_for_a_day_and_then_no_jwt_is_accepted() {
    let signer = Signer::ed25519("a");
    let moment = Duration::from_millis(1);
    // The control: the same keys a moment younger.
    let remote = unreachable_for(DAY - moment, &signer).await;
    assert!(remote.admits(&signer).await);
    assert_eq!(remote.stub.contacts(), 1, "they are not asked for");
    assert_eq!(remote.verifier.issuer_keys().map(|keys| (keys.keys, keys.fault())), Some((1, None)));

    let remote = unreachable_for(DAY, &signer).await;
    assert!(!remote.admits(&signer).await && !remote.knows(&signer));
    assert_eq!(remote.stub.contacts(), 2, "a token has them asked for, in vain");
    let status = remote.verifier.issuer_keys().unwrap();
    assert_eq!((status.keys, status.age, status.is_too_old), (0, Some(DAY), true));
    assert!(status.fault().is_some_and(|fault| fault.contains("oauth.jwks_url")));
    remote.clock.forward(PAUSE);
    assert!(!remote.admits(&signer).await, "again in vain");
    // They come back by themselves once the address answers.
    remote.clock.forward(PAUSE);
    assert!(remote.admits(&signer).await && remote.knows(&signer));
    assert_eq!(remote.verifier.issuer_keys().and_then(|keys| keys.fault()), None);
}

#[tokio::test]
async fn a_jwt_that_cannot_be_checked_is_refused_as_any_other_and_keys_of_the_store_hold() {
    let signer = Signer::ed25519("a");
    let stub = Stub::start(&[keys(&[&signer]), Reply::BytesThenClose(Vec::new())]).await;
    let clock = SetClock::new();
    let site = Site::of(issuer_at(&stub, &clock));
    assert_eq!(site.status(&signer.token(&claims())).await, StatusCode::OK);
    clock.forward(DAY);
    assert_eq!(site.fault_of_answer(&signer.token(&claims()), 401).await, None);
    let token = site.credentials.token(crate::support::issuer::ORGANIZATION, crate::support::issuer::USER);
    assert_eq!(site.status(&token).await, StatusCode::OK);
}
