//! Valid tokens are let in, whatever other claims they have; without a trusted issuer, none is.

use std::time::SystemTime;

use axum::http::StatusCode;
use kith_server::auth::jwt::Bearer;
use kith_server::auth::scope::Scopes;
use kith_server::limits::TOKEN_BYTES_MAX;
use serde_json::{Map, Value, json};

use crate::forged_tokens::forger::Forger;
use crate::forged_tokens::site::{OTHER_ORGANIZATION, OTHER_USER, Site, issuer_of};
use crate::support::issuer::{AUDIENCE, ORGANIZATION, Signer, USER, claims, jwks, seconds};

/// Changes to a sound header, and to sound claims, that leave the token sound; `null` takes one out.
fn variants() -> Vec<(Value, Value)> {
    let now = seconds(SystemTime::now());
    vec![
        (json!({}), json!({})),
        (json!({ "typ": "AT+JWT" }), json!({})),
        (json!({ "typ": "application/at+jwt" }), json!({})),
        (json!({ "typ": "Application/AT+jwt" }), json!({})),
        (json!({ "typ": "JWT" }), json!({})),
        (json!({ "typ": "jwt" }), json!({})),
        (json!({ "typ": null }), json!({})),
        (json!({}), json!({ "nbf": null })),
        (json!({}), json!({ "scope": ["mcp:read", "openid"] })),
        (json!({}), json!({ "scope": null, "scp": ["mcp:read"] })),
        (json!({}), json!({ "scope": null, "scp": "mcp:read User.Read" })),
        (json!({}), json!({ "typ": "Bearer", "token_use": "access", "azp": "kith" })),
        (json!({ "cty": "x", "x5t": "x", "more": { "a": [1] } }), json!({})),
        (json!({ "kid": null }), json!({})),
        (json!({}), json!({ "aud": [AUDIENCE] })),
        (json!({}), json!({ "aud": ["https://other.example", AUDIENCE, AUDIENCE] })),
        (json!({}), json!({ "exp": now as f64 + 599.5, "nbf": now as f64 - 0.5 })),
        (json!({}), json!({ "exp": now + 31_536_000, "nbf": 0, "iat": null })),
        (json!({}), json!({ "nbf": now + 1, "iat": now + 1 })),
        (json!({}), json!({ "scope": "openid mcp:write  mcp:read" })),
        (
            json!({}),
            json!({ "jti": "\u{e9}\u{1f600}\"\\\n", "more": { "sub": "user_ana", "list": [{ "sub": 1 }] } }),
        ),
    ]
}

fn with(object: Value, changes: &Value) -> Value {
    let mut object: Map<String, Value> = object.as_object().unwrap().clone();
    for (name, value) in changes.as_object().unwrap() {
        match value {
            Value::Null => drop(object.remove(name)),
            value => drop(object.insert(name.clone(), value.clone())),
        }
    }
    Value::Object(object)
}

fn signers() -> [Signer; 3] {
    [Signer::ed25519("a"), Signer::p256("b"), Signer::rsa("c")]
}

#[tokio::test]
async fn sound_tokens_of_the_three_algorithms_are_let_in() {
    let signers = signers();
    let site = Site::trusting(&jwks(&signers.each_ref().map(Signer::jwk)));
    for signer in &signers {
        for (header, changes) in variants() {
            let (header, claims) = (with(signer.header(), &header), with(claims(), &changes));
            let token = signer.signed(header.to_string().as_bytes(), claims.to_string().as_bytes());
            assert_eq!(site.status(&token).await, StatusCode::OK, "{header} {claims}");
        }
        let spaced = format!(" \n{}\r\t", serde_json::to_string_pretty(&claims()).unwrap());
        let escaped = claims().to_string().replace("sub", r"\u0073u\u0062");
        for claims in [spaced, escaped] {
            let token = signer.signed(signer.header().to_string().as_bytes(), claims.as_bytes());
            assert_eq!(site.status(&token).await, StatusCode::OK, "{claims}");
        }
        let long = signer.long_token(&claims(), TOKEN_BYTES_MAX - 6);
        assert!(long.len() <= TOKEN_BYTES_MAX, "{}", long.len());
        assert_eq!(site.status(&long).await, StatusCode::OK, "as long as a token may be");
    }
}

#[tokio::test]
async fn the_forger_s_own_tokens_are_let_in_if_they_are_sound() {
    let forger = Forger::new(1);
    let site = Site::trusting(&forger.jwks());
    for signer in &forger.genuine {
        assert_eq!(site.status(&forger.parts_by(signer).whole()).await, StatusCode::OK, "{}", signer.kid);
    }
    let mut claims = forger.claims();
    claims.insert("sub".to_owned(), OTHER_USER.into());
    claims.insert("org".to_owned(), OTHER_ORGANIZATION.into());
    let token = forger.signer().token(&Value::Object(claims));
    assert_eq!(site.status(&token).await, StatusCode::OK, "a member of the other organization there");
}

#[test]
fn a_token_stands_for_its_user_with_its_scopes() {
    let signer = Signer::ed25519("a");
    let (_folder, issuer) = issuer_of(&jwks(&[signer.jwk()]));
    for (scope, scopes) in [
        ("mcp:read", Scopes::READ),
        ("mcp:write", Scopes::granted_by("mcp:write")),
        ("mcp:read mcp:write x", Scopes::granted_by("mcp:write mcp:read")),
        ("", Scopes::default()),
    ] {
        let token = signer.token(&with(claims(), &json!({ "scope": scope })));
        let bearer = Bearer { org: ORGANIZATION.into(), user: USER.into(), trusts_address: false, scopes };
        assert_eq!(issuer.check(&token, SystemTime::now()), Ok(bearer), "{scope}");
    }
}

#[tokio::test]
async fn keys_and_tokens_of_the_store_are_let_in_beside_an_issuer() {
    let signer = Signer::ed25519("a");
    let site = Site::trusting(&jwks(&[signer.jwk()]));
    let token = site.credentials.token(ORGANIZATION, USER);
    assert_eq!(site.status(&token).await, StatusCode::OK);
    assert_eq!(site.status(&site.credentials.key(ORGANIZATION)).await, StatusCode::FORBIDDEN);
    let (rest, last) = token.split_at(token.len() - 1);
    let mistyped = format!("{rest}{}", if last == "x" { "y" } else { "x" });
    assert_eq!(site.fault_of_answer(&mistyped, 401).await, None);
}

#[tokio::test]
async fn without_an_issuer_no_jwt_is_let_in() {
    let site = Site::without_issuer();
    for signer in signers() {
        assert_eq!(site.fault_of_answer(&signer.token(&claims()), 401).await, None);
    }
}
