//! When a token is valid, to the second, by a clock that the test sets.
//!
//! Promise: No JWT is valid for longer than configured, or than 100 years.
//! Control: an `exp` at the bound.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use kith_server::auth::jwt::refusal::Refusal;
use kith_server::limits::JWT_LIFE_SECONDS_DEFAULT;
use serde_json::json;

use crate::forged_tokens::site::issuer_of;
use crate::support::issuer::{Signer, claims_at, jwks};

/// Seconds since 1970 at which every token here is checked.
const NOW: u64 = 1_800_000_000;

#[test]
fn a_token_holds_from_nbf_up_to_exp_with_five_seconds_at_both_ends() {
    let signer = Signer::ed25519("a");
    let (_folder, issuer) = issuer_of(&jwks(&[signer.jwk()]));
    let now = NOW as f64;
    let expired = Err(Refusal::Expired);
    let not_yet = Err(Refusal::NotYet);
    let issued = Err(Refusal::IssuedAt);
    let long = Err(Refusal::LongLived);
    let furthest = NOW + JWT_LIFE_SECONDS_DEFAULT;
    for (claim, value, checked) in [
        ("exp", json!(NOW + 1), Ok(())),
        ("exp", json!(NOW), Ok(())),
        ("exp", json!(NOW - 4), Ok(())),
        ("exp", json!(now - 4.999), Ok(())),
        ("exp", json!(NOW - 5), expired),
        ("exp", json!(now - 5.001), expired),
        ("exp", json!(NOW - 6), expired),
        ("exp", json!(furthest + 5), Ok(())),
        ("exp", json!(furthest + 6), long),
        ("exp", json!(9_999_999_999_u64), long),
        ("exp", json!(i64::MAX), long),
        ("exp", json!(u64::MAX), long),
        ("exp", json!(1e19), long),
        ("exp", json!(1e300), long),
        ("nbf", json!(NOW), Ok(())),
        ("nbf", json!(NOW + 5), Ok(())),
        ("nbf", json!(now + 5.001), not_yet),
        ("nbf", json!(NOW + 6), not_yet),
        ("nbf", json!(0), Ok(())),
        ("nbf", json!(-1), Ok(())),
        ("nbf", json!(now - 0.5), Ok(())),
        ("iat", json!(NOW + 5), Ok(())),
        ("iat", json!(now + 5.001), issued),
        ("iat", json!(NOW + 6), issued),
        ("iat", json!(0), Ok(())),
    ] {
        let mut claims = claims_at(NOW);
        claims[claim] = value.clone();
        let token = signer.token(&claims);
        assert_eq!(issuer.check(&token, at(NOW)).map(drop), checked, "{claim} {value}");
    }
}

#[test]
fn parts_of_a_second_count() {
    let signer = Signer::ed25519("a");
    let (_folder, issuer) = issuer_of(&jwks(&[signer.jwk()]));
    let token = signer.token(&claims_at(NOW));
    for (millis, holds) in
        [(0, false), (4_999, false), (5_000, true), (10_000, true), (614_999, true), (615_000, false)]
    {
        let now = at(NOW - 10) + Duration::from_millis(millis);
        assert_eq!(issuer.check(&token, now).is_ok(), holds, "{millis}");
    }
}

#[test]
fn a_clock_before_1970_lets_nobody_in() {
    let signer = Signer::ed25519("a");
    let (_folder, issuer) = issuer_of(&jwks(&[signer.jwk()]));
    let before = UNIX_EPOCH - Duration::from_secs(1);
    assert_eq!(issuer.check(&signer.token(&claims_at(NOW)), before), Err(Refusal::NotYet));
}

fn at(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(seconds)
}
