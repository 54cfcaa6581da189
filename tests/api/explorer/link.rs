//! The link of `kith open` logs in once, in time, for the page alone, and contains no credential.

use std::time::{Instant, SystemTime};

use axum::http::Method;
use kith_server::auth::link::LoginLink;
use kith_server::auth::scope::Scopes;
use kith_server::auth::ttl::Ttl;
use kith_server::limits::{LINK_GUESSES_MAX, LINK_LIFETIME};
use serde_json::json;

use crate::explorer::{OWN, Session, send, tiny};
use crate::support::{Answer, Credentials, Served};

const PATH: &str = "/explore/login";
const JSON: (&str, &str) = ("content-type", "application/json");

/// A service with a link until `ends` to a token of Ana's, its code, and the token.
fn linked(credentials: &Credentials, ends: Instant) -> (Served, String, String) {
    let (scopes, ttl) = (Scopes::granted_by("mcp:read"), Ttl::from_seconds(86_400).unwrap());
    let issued =
        credentials.store.create_token("org_tiny", "user_ana", scopes, ttl, SystemTime::now()).unwrap();
    let token = issued.secret.reveal().to_owned();
    let (link, code) = LoginLink::new(issued.secret, ends).unwrap();
    let served = crate::openapi::document::tiny(credentials);
    (served.changed(|state| state.login_link = Some(link)), code, token)
}

async fn post(served: &Served, headers: &[(&str, &str)], body: &str) -> Answer {
    send(served, Method::POST, PATH, headers, body).await
}

/// Sends `code` as the page does; whether it logged in.
async fn enter(served: &Served, code: &str) -> bool {
    let answer = post(served, &[OWN, JSON], &json!({ "code": code }).to_string()).await;
    let is_in = answer.status == 200;
    assert!(is_in || answer.status == 401, "{}", answer.status);
    assert_eq!(answer.header("set-cookie").is_some(), is_in);
    is_in
}

#[tokio::test]
async fn a_link_logs_in_as_its_member_once_and_shows_no_credential() {
    let credentials = Credentials::new();
    let (served, code, token) = linked(&credentials, Instant::now() + LINK_LIFETIME);
    assert!(!code.contains("service_") && !token.contains(&code));
    let body = json!({ "code": code }).to_string();
    let answer = post(&served, &[OWN, JSON], &body).await;
    assert_eq!(
        (answer.status.as_u16(), &answer.json()["data"]["member"]["userId"]),
        (200, &json!("user_ana"))
    );
    let (text, set) = (
        String::from_utf8_lossy(&answer.bytes).into_owned(),
        answer.header("set-cookie").unwrap().to_owned(),
    );
    for secret in [&code, &token] {
        assert!(!text.contains(secret.as_str()) && !set.contains(secret.as_str()), "{text} {set}");
    }
    // The cookie is a session as any other: the API knows who asks.
    let session = Session::of(&answer);
    let mine = send(&served, Method::GET, "/api/v1/connections", &session.own(), "").await;
    assert_eq!(mine.status, 200);
    for _ in 0..2 {
        let again = post(&served, &[OWN, JSON], &body).await;
        assert_eq!((again.status.as_u16(), again.header("set-cookie")), (401, None), "used twice");
        assert!(!String::from_utf8_lossy(&again.bytes).contains(&code));
    }
    let mine = send(&served, Method::GET, "/api/v1/connections", &session.own(), "").await;
    assert_eq!(mine.status, 200, "the session goes on");
}

#[tokio::test]
async fn a_link_ends_with_its_time_and_after_guesses_and_no_other_site_can_use_it() {
    let credentials = Credentials::new();
    let (served, code, _) = linked(&credentials, Instant::now());
    assert!(!enter(&served, &code).await, "after its time");
    // The control of all of these: it is good at the end of each.
    let (served, code, _) = linked(&credentials, Instant::now() + LINK_LIFETIME);
    let good = json!({ "code": code }).to_string();
    let both = json!({ "code": code, "credential": "service_sk_x" }).to_string();
    let twice = format!("{{\"code\":\"{code}\",\"code\":\"{code}\"}}");
    for (headers, body, status) in [
        (&[JSON][..], &*good, 400),
        (&[JSON, ("sec-fetch-site", "same-site")], &good, 400),
        (&[JSON, ("sec-fetch-site", "cross-site")], &good, 400),
        (&[JSON, ("sec-fetch-site", "none")], &good, 400),
        (&[OWN, ("content-type", "text/plain")], &good, 415),
        (&[OWN, JSON], &both, 400),
        (&[OWN, JSON], &twice, 400),
        (&[OWN, JSON], "{\"code\":1}", 400),
        (&[OWN, JSON], "{\"code\":\"canary\"}", 401),
    ] {
        let answer = post(&served, headers, body).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("set-cookie")),
            (status, None),
            "{headers:?} {body}"
        );
        let said = String::from_utf8_lossy(&answer.bytes).into_owned();
        assert!(!said.contains(&code) && !said.contains("canary"), "{said}");
    }
    for query in [format!("/explore?code={code}"), format!("{PATH}?code={code}")] {
        assert_eq!(send(&served, Method::GET, &query, &[OWN], "").await.header("set-cookie"), None);
    }
    let bearer = format!("Bearer {code}");
    let header = [("authorization", bearer.as_str())];
    assert_eq!(send(&served, Method::GET, "/api/v1/connections", &header, "").await.status, 401);
    assert!(enter(&served, &code).await, "the control");
    for (guesses, is_good) in [(LINK_GUESSES_MAX - 1, true), (LINK_GUESSES_MAX, false)] {
        let (served, code, _) = linked(&credentials, Instant::now() + LINK_LIFETIME);
        for guess in 0..guesses {
            assert!(!enter(&served, &format!("{guess}{}", &code[2..])).await);
        }
        assert_eq!(enter(&served, &code).await, is_good, "{guesses} guesses");
    }
}

#[tokio::test]
async fn a_server_without_a_link_takes_no_code_and_a_link_ends_with_its_credential() {
    let (credentials, served) = tiny();
    let (other, code, _) = linked(&credentials, Instant::now() + LINK_LIFETIME);
    assert!(!enter(&served, &code).await);
    assert!(enter(&other, &code).await, "the control");
    let (served, code, token) = linked(&credentials, Instant::now() + LINK_LIFETIME);
    let list = credentials.store.list_tokens().unwrap();
    let mine = list.iter().find(|stored| token.ends_with(&stored.last_four)).unwrap();
    credentials.store.revoke_token(&mine.id, SystemTime::now()).unwrap();
    assert!(!enter(&served, &code).await, "revoked before it was used");
}
