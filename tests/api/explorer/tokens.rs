//! A member's own tokens on the page: only the member sees and revokes them, and only members signed in at the identity
//! provider create them.

use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use axum::http::Method;
use data_encoding::BASE64;
use kith_server::auth::jwt::Bearer;
use kith_server::auth::scope::Scopes;
use kith_server::auth::session::{SignedIn, Visitor};
use kith_server::auth::sign_in::SignIn;
use kith_server::auth::sign_in::settings::{NamedProvider, SignInSettings};
use kith_server::auth::store::CredentialStore;
use serde_json::json;

use crate::explorer::{OWN, Session, send, session_of, tiny};
use crate::support::{Answer, Credentials, Served};

const ISSUER: &str = "https://idp.example";

/// The tiny network with members' tokens, where people sign in at [`ISSUER`].
fn served() -> (Credentials, Served) {
    let (credentials, served) = tiny();
    let served = served.changed(|state| {
        let store = CredentialStore::open(state.credentials.path()).unwrap();
        state.own_tokens = Some(Arc::new(Mutex::new(store)));
        let named = NamedProvider { issuer: ISSUER, client_id: "kith", ..NamedProvider::default() };
        let settings = SignInSettings::new(&named).unwrap().unwrap();
        state.sign_in = Some(SignIn::new(settings, Arc::clone(state.sessions.as_ref().unwrap())).unwrap());
    });
    (credentials, served)
}

/// The session of a member whom `issuer` vouched for.
fn signed_in(served: &Served, issuer: &str, user: &str, scopes: Scopes) -> Session {
    let bearer = Bearer { org: "org_tiny".into(), user: user.into(), trusts_address: false, scopes };
    let visitor = Visitor::SignedIn(SignedIn { issuer: issuer.to_owned(), bearer });
    let sealer = served.state.sessions.as_ref().unwrap();
    let session = sealer.seal(&visitor, SystemTime::now()).unwrap().unwrap();
    Session { cookie: format!("__Host-kith={}", session.sealed), half: session.half }
}

async fn ask(served: &Served, method: Method, path: &str, session: &Session, body: &str) -> Answer {
    let json = ("content-type", "application/json");
    send(served, method, path, &[&session.own()[..], &[json]].concat(), body).await
}

#[tokio::test]
async fn who_signed_in_makes_a_token_that_holds_until_it_is_taken_back() {
    let (_credentials, served) = served();
    let ana = signed_in(&served, ISSUER, "user_ana", Scopes::READ);
    let made = ask(&served, Method::POST, "/explore/tokens", &ana, r#"{"days":7}"#).await.json();
    let token = made["token"].as_str().unwrap();
    assert_eq!(served.get("/api/v1/connections", token).await.status, 200);
    let list = ask(&served, Method::GET, "/explore/tokens", &ana, "").await.json();
    assert_eq!((&list["makes"], &list["tokens"][0]["id"]), (&json!(true), &made["id"]));
    let path = format!("/explore/tokens/{}", made["id"].as_str().unwrap());
    for (method, path, body, status) in [
        (Method::POST, "/explore/tokens", r#"{"days":7,"write":true}"#, 403),
        (Method::POST, "/explore/tokens", r#"{"days":91}"#, 400),
        (Method::POST, "/explore/tokens", "{}", 400),
        (Method::DELETE, "/explore/tokens/tok_nobody", "", 404),
        (Method::DELETE, &path, "", 200),
        (Method::DELETE, &path, "", 404),
    ] {
        assert_eq!(ask(&served, method, path, &ana, body).await.status, status, "{path} {body}");
    }
    assert_eq!(served.get("/api/v1/connections", token).await.status, 401);
    let list = ask(&served, Method::GET, "/explore/tokens", &ana, "").await.json();
    assert_eq!(list["tokens"], json!([]));
}

#[tokio::test]
async fn a_member_sees_and_revokes_no_tokens_but_their_own() {
    let (credentials, served) = served();
    let (ana, ben) = (credentials.token("org_tiny", "user_ana"), credentials.token("org_tiny", "user_ben"));
    let session = session_of(&served, &ben).await;
    let theirs = credentials.store.list_tokens().unwrap();
    let of = |last_four: &str| theirs.iter().find(|it| it.last_four == last_four).unwrap().id.clone();
    let list = ask(&served, Method::GET, "/explore/tokens", &session, "").await.json();
    assert_eq!(list["tokens"].as_array().unwrap().len(), 1);
    let path = format!("/explore/tokens/{}", of(&ana[ana.len() - 4..]));
    assert_eq!(ask(&served, Method::DELETE, &path, &session, "").await.status, 404);
    assert_eq!(served.get("/api/v1/connections", &ana).await.status, 200, "it holds");
    let made = ask(&served, Method::POST, "/explore/tokens", &session, r#"{"days":7}"#).await;
    assert_eq!((made.status.as_u16(), &list["makes"]), (403, &json!(false)), "a token makes none");
    let key = session_of(&served, &credentials.key("org_tiny")).await;
    assert_eq!(ask(&served, Method::GET, "/explore/tokens", &key, "").await.status, 403);
    let own = format!("/explore/tokens/{}", of(&ben[ben.len() - 4..]));
    assert_eq!(send(&served, Method::DELETE, &own, &[OWN], "").await.status, 401, "without the session");
    assert_eq!(ask(&served, Method::DELETE, &own, &session, "").await.status, 200);
    assert_eq!(ask(&served, Method::GET, "/explore/tokens", &session, "").await.status, 401);
}

#[tokio::test]
async fn a_session_of_another_provider_or_of_who_is_no_member_opens_nothing() {
    let (_credentials, served) = served();
    for (issuer, user, status) in
        [(ISSUER, "user_ana", 200), ("https://other.example", "user_ana", 401), (ISSUER, "user_nobody", 401)]
    {
        let session = signed_in(&served, issuer, user, Scopes::READ);
        assert_eq!(ask(&served, Method::GET, "/api/v1/connections", &session, "").await.status, status);
    }
    let ana = signed_in(&served, ISSUER, "user_ana", Scopes::READ);
    let without = served.changed(|state| state.sign_in = None);
    assert_eq!(ask(&without, Method::GET, "/api/v1/connections", &ana, "").await.status, 401, "turned off");
}

#[tokio::test]
async fn a_token_of_the_feed_is_made_there_if_there_are_feeds_and_is_for_that_alone() {
    let (_credentials, served) = served();
    let ana = signed_in(&served, ISSUER, "user_ana", Scopes::READ);
    let make =
        async |served: &Served, body: &str| ask(served, Method::POST, "/explore/tokens", &ana, body).await;
    assert_eq!(make(&served, r#"{"days":7,"feed":true}"#).await.status, 403, "there are none");
    let served = served.changed(|state| state.has_feeds = true);
    assert_eq!(make(&served, r#"{"days":7,"feed":true,"write":true}"#).await.status, 400);
    let made = make(&served, r#"{"days":90,"feed":true}"#).await.json();
    let token = made["token"].as_str().unwrap();
    let fetch = async || {
        let basic = format!("Basic {}", BASE64.encode(format!("ana:{token}").as_bytes()));
        served.ask(Method::GET, "/explore/feed/news.atom", &[("authorization", &basic)]).await.status.as_u16()
    };
    assert_eq!((fetch().await, served.get("/api/v1/connections", token).await.status.as_u16()), (200, 403));
    let list = ask(&served, Method::GET, "/explore/tokens", &ana, "").await.json();
    assert_eq!(list["tokens"][0]["scope"], "feed");
    let path = format!("/explore/tokens/{}", made["id"].as_str().unwrap());
    assert_eq!(ask(&served, Method::DELETE, &path, &ana, "").await.status, 200);
    assert_eq!(fetch().await, 401);
}
