//! The log-in accepts a credential from the page alone, repeats none of it, and sets a cookie for nobody else.
//!
//! Promise: The log-in takes a credential from the page alone, repeats none of it, and sets no cookie for anybody else.
//! Control: the same body from the page.

use axum::http::Method;
use serde_json::json;

use crate::explorer::{OWN, log_in, send, session_of, tiny};

const PATH: &str = "/explore/login";
const JSON: (&str, &str) = ("content-type", "application/json");

#[tokio::test]
async fn the_log_in_answers_who_it_is_and_sets_a_cookie_that_holds_no_credential() {
    let (credentials, served) = tiny();
    let (key, token) = (credentials.key("org_tiny"), credentials.token("org_tiny", "user_ana"));
    for (credential, is_member) in [(&key, false), (&token, true)] {
        let answer = log_in(&served, credential).await;
        let data = &answer.json()["data"];
        assert_eq!(data["organization"]["id"], "org_tiny");
        assert_eq!(data["member"]["userId"].as_str(), is_member.then_some("user_ana"));
        assert_eq!(answer.json()["links"], false, "links log in to the demo alone");
        assert_eq!(answer.json()["proxied"], false);
        let set = answer.header("set-cookie").unwrap();
        assert!(
            set.starts_with("__Host-kith=") && set.contains("HttpOnly") && !set.contains(credential.as_str())
        );
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        let session = session_of(&served, credential).await;
        let who = send(&served, Method::GET, PATH, &session.own(), "").await;
        let mut expected = answer.json();
        expected.as_object_mut().unwrap().remove("half");
        assert_eq!(who.json(), expected);
    }
    let out = send(&served, Method::DELETE, PATH, &[OWN], "").await;
    assert_eq!(out.status, 204);
    assert!(out.header("set-cookie").unwrap().contains("Max-Age=0"));
}

#[tokio::test]
async fn a_log_out_ends_the_session_for_its_copies_too_and_no_other_session() {
    let (credentials, served) = tiny();
    let token = credentials.token("org_tiny", "user_ana");
    let (session, other) = (session_of(&served, &token).await, session_of(&served, &token).await);
    let mut statuses = Vec::new();
    for (headers, method) in [
        (&session.own()[..], Method::GET),
        // Neither another port of the host, which has the cookie alone, nor one who has the half alone ends it.
        (&[OWN, session.own()[1]], Method::DELETE),
        (&[OWN, session.own()[2]], Method::DELETE),
        (&session.own(), Method::GET),
        (&session.own(), Method::DELETE),
        (&session.own(), Method::GET),
        (&other.own(), Method::GET),
    ] {
        let path = if method == Method::GET { "/api/v1/connections" } else { PATH };
        statuses.push(send(&served, method, path, headers, "").await.status.as_u16());
    }
    assert_eq!(statuses, [200, 204, 204, 200, 204, 401, 200]);
}

#[tokio::test]
async fn whatever_else_is_sent_to_the_log_in_sets_nothing_and_is_not_repeated() {
    let (credentials, served) = tiny();
    let key = credentials.key("org_tiny");
    let good = json!({ "credential": key }).to_string();
    let twice = format!("{{\"credential\":\"{key}\",\"credential\":\"{key}\"}}");
    let spread = json!({ "credential": format!("{key}\r\nx: y") }).to_string();
    let long = json!({ "credential": "canary".repeat(1_000) }).to_string();
    let cross = ("sec-fetch-site", "cross-site");
    for (method, headers, body, status) in [
        (Method::POST, &[JSON][..], &*good, 400),
        (Method::POST, &[JSON, cross], &good, 400),
        (Method::POST, &[JSON, ("sec-fetch-site", "same-site")], &good, 400),
        (Method::POST, &[JSON, ("sec-fetch-site", "none")], &good, 400),
        (Method::POST, &[JSON, OWN, cross], &good, 400),
        (Method::POST, &[OWN], &good, 415),
        (Method::POST, &[OWN, ("content-type", "text/plain")], &good, 415),
        (Method::POST, &[OWN, ("content-type", "application/x-www-form-urlencoded")], &good, 415),
        (Method::POST, &[OWN, JSON], "", 400),
        (Method::POST, &[OWN, JSON], "{}", 400),
        (Method::POST, &[OWN, JSON], "{\"credential\":1}", 400),
        (Method::POST, &[OWN, JSON], "{\"credential\":\" \"}", 400),
        (Method::POST, &[OWN, JSON], "service_sk_canary", 400),
        (Method::POST, &[OWN, JSON], "{\"credential\":\"service_sk_canary\"", 400),
        (Method::POST, &[OWN, JSON], &twice, 400),
        (Method::POST, &[OWN, JSON], &long, 400),
        (Method::POST, &[OWN, JSON], &spread, 401),
        (Method::POST, &[OWN, JSON], "{\"credential\":\"service_sk_canary\"}", 401),
        (Method::DELETE, &[], "", 400),
        (Method::DELETE, &[cross], "", 400),
        (Method::PUT, &[OWN, JSON], &good, 405),
        // A link that logs in: none does.
        (Method::GET, &[OWN], "", 200),
    ] {
        let answer = send(&served, method.clone(), PATH, headers, body).await;
        let said = String::from_utf8_lossy(&answer.bytes).into_owned();
        assert_eq!(answer.status, status, "{method} {headers:?} {body}: {said}");
        assert!(!said.contains("canary") && !said.contains(&key), "{said}");
        assert_eq!(answer.header("set-cookie"), None, "{method} {headers:?} {body}");
    }
    // The control.
    let answer = send(&served, Method::POST, PATH, &[OWN, JSON], &good).await;
    assert!(answer.status == 200 && answer.header("set-cookie").is_some());
    // A proxy may add the header to every request: that is a log-in too, and sets nothing.
    let bearer = format!("Bearer {key}");
    let answer = send(&served, Method::GET, PATH, &[OWN, ("authorization", &bearer)], "").await;
    assert_eq!(answer.json()["data"]["organization"]["id"], "org_tiny");
    assert_eq!(answer.json()["proxied"], true);
    assert_eq!(answer.header("set-cookie"), None);
    // A credential that a proxy adds is reported as proxied.
    let answer = send(&served, Method::GET, PATH, &[OWN, ("authorization", "Bearer x")], "").await;
    assert_eq!(
        (answer.status.as_u16(), &answer.json()),
        (200, &json!({"links": false, "opened": false, "proxied": true, "data": null}))
    );
    let answer = send(&served, Method::GET, "/explore?credential=x", &[OWN], "").await;
    assert_eq!(answer.header("set-cookie"), None);
}
