//! Only admins can suppress people on the page, with effect from the next request.
//!
//! Promise: An admin whose token may write has people forgotten from the next request on; nobody else does, and no
//!   member and no advocate is.
//! Control: the person is there before, and after each refusal.

use axum::http::Method;
use serde_json::{Value, json};

use crate::explorer::{OWN, Session, log_in, send};
use crate::support::{Answer, Credentials, Served};
use crate::suppression::site::{Site, built, fixture};

const PATH: &str = "/explore/forget";

async fn forget(served: &Served, headers: &[(&str, &str)], people: &Value) -> Answer {
    let headers = [headers, &[("content-type", "application/json")]].concat();
    send(served, Method::POST, PATH, &headers, &json!({ "people": people }).to_string()).await
}

async fn session(served: &Served, credential: &str) -> Session {
    Session::of(&log_in(served, credential).await)
}

#[tokio::test]
async fn an_admin_alone_has_people_forgotten_and_no_member_and_no_advocate() {
    let credentials = Credentials::new();
    let site = Site::of(&[&built(&fixture("fixtures/tiny"))]);
    let served = site.served(&credentials);
    let key = credentials.key("org_tiny");
    let is_there = async || served.get("/api/v1/search/warm-paths?prospectId=person_pia", &key).await.json();
    let before = is_there().await;
    assert!(before["data"]["totalCount"].as_u64().unwrap() > 0, "{before}");
    let token = |user: &str, scope: &str| credentials.token_with("org_tiny", user, scope);
    let pia = json!(["person_pia"]);
    for (credential, status) in [
        (token("user_ana", "mcp:read"), 403),
        (token("user_ben", "mcp:read mcp:write"), 403),
        (key.clone(), 403),
    ] {
        let session = session(&served, &credential).await;
        assert_eq!(forget(&served, &session.own(), &pia).await.status, status);
        let who = send(&served, Method::GET, "/explore/login", &session.own(), "").await.json();
        assert_eq!(who["data"]["forgets"], Value::Null);
    }
    let session = session(&served, &token("user_ana", "mcp:read mcp:write")).await;
    let own = session.own();
    let who = send(&served, Method::GET, "/explore/login", &own, "").await.json();
    assert_eq!(who["data"]["forgets"], true);
    for (headers, people, status) in [
        (&own[1..], &pia, 401),
        (&[OWN][..], &pia, 401),
        (&own[..], &json!([]), 400),
        (&own[..], &json!("person_pia"), 400),
        (&own[..], &json!(["person_pia", "person_nobody"]), 404),
        (&own[..], &json!(["person_pia", "person_ben"]), 409),
    ] {
        let refused = forget(&served, headers, people).await;
        assert_eq!(refused.status, status, "{people} {}", String::from_utf8_lossy(&refused.bytes));
    }
    assert_eq!(is_there().await, before, "the control");
    let answer = forget(&served, &own, &pia).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({ "forgotten": 1, "others": [] })));
    assert_eq!(is_there().await["data"]["prospect"], Value::Null);
    assert_eq!(forget(&served, &own, &pia).await.status, 404, "they are gone");
}

#[tokio::test]
async fn a_list_that_cannot_be_written_is_said_and_nobody_is_forgotten() {
    let credentials = Credentials::new();
    let site = Site::of(&[&built(&fixture("fixtures/tiny"))]);
    let served = site.served(&credentials);
    let token = credentials.token_with("org_tiny", "user_ana", "mcp:read mcp:write");
    let session = session(&served, &token).await;
    // In the place of the list's drafts and lock there is none to be made: the folder is gone from under it.
    let away = site.folder.path().with_extension("away");
    std::fs::rename(site.folder.path(), &away).unwrap();
    let refused = forget(&served, &session.own(), &json!(["person_pia"])).await;
    std::fs::rename(&away, site.folder.path()).unwrap();
    let status = refused.status.as_u16();
    assert!([409, 503].contains(&status), "{status} {}", String::from_utf8_lossy(&refused.bytes));
}
