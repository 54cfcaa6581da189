//! Tokens as identity providers issue them, each with its settings.
//!
//! Promise: An access token of a common provider lets its member in: by user id, by an address that was verified, or by
//!   what the table of members says that the provider calls them.
//! Control: the same token with an address that nobody verified, of two members, or of nobody; its ID token.

use std::fs;
use std::sync::Arc;

use axum::http::StatusCode;
use kith_server::auth::jwt::Issuer;
use kith_server::auth::jwt::settings::NamedClaims;
use serde_json::{Map, Value, json};

use crate::forged_tokens::site::PATH;
use crate::support::issuer::{AUDIENCE, ISSUER, ORGANIZATION, Signer, file_settings, jwks, seconds};
use crate::support::{Credentials, Served, network_of, project};

/// Cai's id at a provider.
const EXTERNAL: &str = "00u1a2b3c4D5e6F7g8h9";

/// The tiny network, whose member Cai has an external id.
fn network() -> kith_server::live::network::LiveNetwork {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(project("fixtures/tiny")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    let table = folder.path().join("members.ndjson");
    let text = fs::read_to_string(&table).unwrap();
    let with = format!("\"userId\":\"user_cai\",\"externalId\":\"{EXTERNAL}\"");
    fs::write(&table, text.replace("\"userId\":\"user_cai\"", &with)).unwrap();
    network_of(folder.path())
}

/// The claims of a provider: those that all have, and `own`.
fn claims(own: Value) -> Value {
    let now = seconds(std::time::SystemTime::now());
    let mut claims: Map<String, Value> =
        json!({ "iss": ISSUER, "aud": AUDIENCE, "exp": now + 600, "iat": now }).as_object().unwrap().clone();
    claims.extend(own.as_object().unwrap().clone());
    Value::Object(claims)
}

async fn status(header: &Value, own: Value, named: NamedClaims<'_>) -> StatusCode {
    let signer = Signer::rsa("k1");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jwks.json");
    fs::write(&file, jwks(&[signer.jwk()])).unwrap();
    let issuer = Issuer::new(&file_settings(&file).naming(&named).unwrap()).unwrap();
    let credentials = Credentials::new();
    let verifier = credentials.store.verifier().unwrap().trusting(issuer);
    let served = Served::verifying(&[Arc::new(network())], verifier);
    let token = signer.signed(header.to_string().as_bytes(), claims(own).to_string().as_bytes());
    served.get(PATH, &token).await.status
}

#[tokio::test]
async fn the_access_token_of_a_common_provider_lets_its_member_in() {
    let of_one = NamedClaims { organization: ORGANIZATION, scopes: "mcp:read", ..NamedClaims::default() };
    let by = |user_claim| NamedClaims { user_claim, ..of_one };
    let trusted = NamedClaims { trusts_address: true, ..by("email") };
    let (typed, plain) =
        (json!({ "alg": "RS256", "kid": "k1", "typ": "JWT" }), json!({ "alg": "RS256", "kid": "k1" }));
    let access = json!({ "alg": "RS256", "kid": "k1", "typ": "at+jwt" });
    let cai = "cai@oaktide.example";
    let (ok, out, forbidden) = (StatusCode::OK, StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN);
    for (provider, header, own, named, expected) in [
        // Google: no nbf, an address that was verified.
        ("Google", &typed, json!({ "sub": "1102", "email": cai, "email_verified": true }), by("email"), ok),
        ("Google, not verified", &typed, json!({ "email": cai, "email_verified": false }), by("email"), out),
        ("Google, silent", &typed, json!({ "email": cai }), by("email"), out),
        ("Google, trusted", &typed, json!({ "email": cai }), trusted, ok),
        (
            "Google, a stranger",
            &typed,
            json!({ "email": "x@y.example", "email_verified": true }),
            by("email"),
            out,
        ),
        // Entra: scp as a text, oid.
        (
            "Entra",
            &typed,
            json!({ "oid": EXTERNAL, "scp": "mcp:read User.Read", "ver": "2.0" }),
            by("oid"),
            ok,
        ),
        (
            "Entra, another scope",
            &typed,
            json!({ "oid": EXTERNAL, "scp": "User.Read" }),
            by("oid"),
            forbidden,
        ),
        // Okta: scp as a list.
        ("Okta", &plain, json!({ "sub": EXTERNAL, "scp": ["mcp:read", "openid"], "uid": "u" }), of_one, ok),
        // Auth0: at+jwt, scope as a text.
        ("Auth0", &access, json!({ "sub": "auth0|6", "scope": "mcp:read" }), of_one, out),
        ("Auth0, mapped", &access, json!({ "sub": "user_cai", "scope": "mcp:read" }), of_one, ok),
        // Keycloak: claims that say what they are.
        (
            "Keycloak",
            &typed,
            json!({ "sub": EXTERNAL, "typ": "Bearer", "azp": "kith", "scope": "mcp:read" }),
            of_one,
            ok,
        ),
        ("Keycloak, ID", &typed, json!({ "sub": EXTERNAL, "typ": "ID", "scope": "mcp:read" }), of_one, out),
        // Cognito: no typ, token_use.
        (
            "Cognito",
            &plain,
            json!({ "sub": EXTERNAL, "token_use": "access", "scope": "mcp:read" }),
            of_one,
            ok,
        ),
        ("Cognito, ID", &plain, json!({ "sub": EXTERNAL, "token_use": "id" }), of_one, out),
        ("an ID token", &typed, json!({ "sub": EXTERNAL, "nonce": "n" }), of_one, out),
        (
            "its own organization",
            &typed,
            json!({ "sub": "user_cai", "org": "org_nowhere" }),
            of_one,
            StatusCode::SERVICE_UNAVAILABLE,
        ),
        ("no organization at all", &typed, json!({ "sub": "user_cai" }), NamedClaims::default(), out),
        (
            "no scope at all",
            &typed,
            json!({ "sub": "user_cai", "org": ORGANIZATION }),
            NamedClaims::default(),
            forbidden,
        ),
    ] {
        assert_eq!(status(header, own.clone(), named).await, expected, "{provider}: {own}");
    }
}
