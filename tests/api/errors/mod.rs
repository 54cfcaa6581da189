//! Every error of the API: status, code, headers and message, and the order of several.

mod batch;
mod endpoints;
mod network_search;
mod parameters;
mod rates;

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use kith::limits::Limits;
use kith_server::auth::scope::Scopes;
use kith_server::auth::ttl::Ttl;
use serde_json::{Value, json};

use crate::support::{Answer, Credentials, Served, project};

const PATH: &str = "/api/v1/search/warm-paths";
/// A question that is answered with 200.
const GOOD: &str = "/api/v1/search/warm-paths?prospectLinkedinId=pia-weiss";

/// The properties of every error of one kind.
#[derive(Debug)]
struct Kind {
    status: u16,
    code: &'static str,
    /// Those of [`TELLING`] that it carries.
    headers: &'static [(&'static str, &'static str)],
}

/// The headers that say what to do about an error; each kind has its own and no other.
const TELLING: [&str; 3] = ["www-authenticate", "allow", "retry-after"];

const UNKNOWN_PATH: Kind = Kind { status: 404, code: "not_found", headers: &[] };
const WRONG_METHOD: Kind =
    Kind { status: 405, code: "method_not_allowed", headers: &[("allow", "GET,HEAD")] };
const NO_CREDENTIAL: Kind =
    Kind { status: 401, code: "unauthorized", headers: &[("www-authenticate", "Bearer")] };
const BAD_CREDENTIAL: Kind = Kind {
    status: 401,
    code: "unauthorized",
    headers: &[("www-authenticate", "Bearer error=\"invalid_token\"")],
};
const NO_SNAPSHOT: Kind = Kind { status: 503, code: "unavailable", headers: &[] };
const UNAVAILABLE: Kind = Kind { status: 503, code: "unavailable", headers: &[("retry-after", "1")] };
const INSUFFICIENT_SCOPE: Kind = Kind {
    status: 403,
    code: "insufficient_scope",
    headers: &[("www-authenticate", "Bearer error=\"insufficient_scope\", scope=\"mcp:read\"")],
};
const FORBIDDEN_SCOPE: Kind = Kind { status: 403, code: "forbidden_scope", headers: &[] };
const VALIDATION: Kind = Kind { status: 400, code: "validation_error", headers: &[] };
const INTERNAL: Kind = Kind { status: 500, code: "internal_error", headers: &[] };

/// The properties of an error of this kind that `answer` lacks; empty if none.
fn faults(answer: &Answer, kind: &Kind) -> Vec<String> {
    let mut faults = envelope_faults(answer);
    if answer.status.as_u16() != kind.status {
        faults.push(format!("status {} instead of {}", answer.status, kind.status));
    }
    for name in TELLING {
        let expected = kind.headers.iter().find(|(header, _)| *header == name).map(|(_, value)| *value);
        if answer.header(name) != expected {
            faults.push(format!("{name}: {:?} instead of {expected:?}", answer.header(name)));
        }
    }
    let body: Value = serde_json::from_slice(&answer.bytes).unwrap_or_default();
    let sentence = body["error"].as_str().unwrap_or_default();
    if body != json!({ "error": sentence, "code": kind.code }) {
        faults.push(format!("body {body}"));
    }
    if !(sentence.len() > 20 && sentence.ends_with('.') && sentence.contains(' ')) {
        faults.push(format!("no sentence: {sentence:?}"));
    }
    faults
}

/// The properties of every answer that this one lacks.
fn envelope_faults(answer: &Answer) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, expected) in [
        ("content-type", "application/json"),
        ("cache-control", "no-store"),
        ("x-content-type-options", "nosniff"),
    ] {
        if answer.header(name) != Some(expected) {
            faults.push(format!("{name}: {:?} instead of {expected}", answer.header(name)));
        }
    }
    let ids = answer.headers.get_all("service-request-id").iter().count();
    if ids != 1 || answer.header("service-request-id").is_none_or(|id| id.len() < 16) {
        faults.push(format!("{ids} request ids: {:?}", answer.header("service-request-id")));
    }
    faults
}

#[track_caller]
fn check(answer: &Answer, kind: &Kind, what: &str) {
    let body = String::from_utf8_lossy(&answer.bytes);
    assert_eq!(faults(answer, kind), [""; 0], "{what}: {body}");
}

/// The tiny network, and who may ask about it.
struct Tiny {
    credentials: Credentials,
    served: Served,
    key: String,
}

impl Tiny {
    fn serve() -> Self {
        let credentials = Credentials::new();
        let served = Served::folders(&[&project("fixtures/tiny")], &credentials, Limits::DEFAULT);
        let key = credentials.key("org_tiny");
        Self { credentials, served, key }
    }

    /// `path` with `since=1` as since the generation in service.
    async fn since_now(&self, path: &str) -> String {
        let now = self.served.get("/api/v1/me", &self.key).await;
        path.replace("since=1", &format!("since={}", now.header("service-generation").unwrap()))
    }

    async fn with_key(&self, query: &str) -> Answer {
        self.served.get(&format!("{PATH}?{query}"), &self.key).await
    }

    /// The sentence of the validation error that `query` is answered with.
    async fn refusal(&self, query: &str) -> String {
        let answer = self.with_key(query).await;
        check(&answer, &VALIDATION, query);
        answer.json()["error"].as_str().unwrap().to_owned()
    }
}

#[tokio::test]
async fn a_credential_that_does_not_hold_gets_the_same_body_whatever_is_wrong_with_it_and_none_another() {
    let tiny = Tiny::serve();
    let store = &tiny.credentials.store;
    let (now, day) = (SystemTime::now(), Ttl::from_seconds(86_400).unwrap());
    let revoked_key = store.create_key("org_tiny", "gone", now).unwrap();
    store.revoke_key(&revoked_key.id, now).unwrap();
    let revoked_token = store.create_token("org_tiny", "user_ana", Scopes::READ, day, now).unwrap();
    store.revoke_token(&revoked_token.id, now).unwrap();
    let before = now - Duration::from_secs(86_401);
    let expired = store.create_token("org_tiny", "user_ana", Scopes::READ, day, before).unwrap();
    let expired_key = store.create_expiring_key("org_tiny", "over", day, before).unwrap();
    let stranger = Credentials::new().key("org_tiny");
    let left = tiny.credentials.token("org_tiny", "user_zoe");
    let good = format!("Bearer {}", tiny.key);
    let bearer = |credential: &str| vec![("authorization", format!("Bearer {credential}"))];
    let swapped = if tiny.key.ends_with('a') { "b" } else { "a" };

    let (mut bodies, mut names) = (BTreeSet::new(), BTreeSet::new());
    for (what, headers, kind) in [
        ("nothing", vec![], NO_CREDENTIAL),
        ("an empty header", vec![("authorization", String::new())], NO_CREDENTIAL),
        ("the scheme alone", vec![("authorization", "Bearer ".into())], NO_CREDENTIAL),
        ("another header", vec![("x-api-key", tiny.key.clone())], NO_CREDENTIAL),
        ("another scheme", vec![("authorization", format!("Basic {}", tiny.key))], BAD_CREDENTIAL),
        ("no scheme", vec![("authorization", tiny.key.clone())], BAD_CREDENTIAL),
        ("two headers", vec![("authorization", good.clone()), ("authorization", good)], BAD_CREDENTIAL),
        ("two credentials", bearer(&format!("{0} {0}", tiny.key)), BAD_CREDENTIAL),
        ("neither key nor token", bearer("letmein"), BAD_CREDENTIAL),
        ("a prefix alone", bearer("service_sk_"), BAD_CREDENTIAL),
        ("a key cut short", bearer(&tiny.key[..tiny.key.len() - 1]), BAD_CREDENTIAL),
        ("a key grown", bearer(&format!("{}a", tiny.key)), BAD_CREDENTIAL),
        ("a mistyped key", bearer(&format!("{}{swapped}", &tiny.key[..tiny.key.len() - 1])), BAD_CREDENTIAL),
        ("a key of another store", bearer(&stranger), BAD_CREDENTIAL),
        ("a revoked key", bearer(revoked_key.secret.reveal()), BAD_CREDENTIAL),
        ("a revoked token", bearer(revoked_token.secret.reveal()), BAD_CREDENTIAL),
        ("an expired key", bearer(expired_key.secret.reveal()), BAD_CREDENTIAL),
        ("an expired token", bearer(expired.secret.reveal()), BAD_CREDENTIAL),
        ("a token of no member", bearer(&left), BAD_CREDENTIAL),
        ("no ASCII", bearer("sérvice_sk_x"), BAD_CREDENTIAL),
        ("a JWT", bearer("eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c2VyX2FuYSJ9."), BAD_CREDENTIAL),
    ] {
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let answer = tiny.served.ask(Method::GET, GOOD, &headers).await;
        check(&answer, &kind, what);
        names.insert(answer.headers.keys().map(|name| name.as_str().to_owned()).collect::<Vec<_>>());
        bodies.insert((kind.headers, answer.bytes));
    }
    assert_eq!(bodies.len(), 2, "one body for whatever was sent, and one for nothing");
    assert_eq!(names.len(), 1, "unauthorized has the same headers always: {names:?}");
    // The control: a good credential's answer has one header more.
    let good = tiny.served.get(GOOD, &tiny.key).await;
    assert!(
        good.headers.contains_key("service-generation")
            && !names.iter().flatten().any(|name| name == "service-generation")
    );
    assert_eq!(tiny.served.get(GOOD, &tiny.key).await.status, 200, "the key holds");
}

#[tokio::test]
async fn a_path_and_an_id_that_nothing_has_say_what_is_wrong_with_them() {
    let tiny = Tiny::serve();
    let ask = async |path: &str| {
        let answer = tiny.served.get(path, &tiny.key).await;
        check(&answer, &UNKNOWN_PATH, path);
        answer.json()["error"].as_str().unwrap().to_owned()
    };
    for (path, says) in [
        ("/api/v1//me", "a slash too many"),
        ("/api/v1/people//person_pia", "a slash too many"),
        ("/api/v1/api/v1/me", "/api/v1 twice"),
        ("/api/v1/m%65", "percent-encoded"),
        ("/api/v1/me/", "ends with a slash"),
        ("/v1/me", "begin with /api/v1/"),
        ("/api/v1/people/pia-weiss", "begins with person_"),
    ] {
        let said = ask(path).await;
        assert!(said.contains(says), "{path}: {said}");
    }
    // The control: of nobody of an id it is not said why, and the same of people outside.
    assert_eq!(ask("/api/v1/people/person_nobody").await, ask("/api/v1/people/user_ana").await);
    let body = "{\"query\": \"a\",\n \"limit\": }";
    let request = axum::http::Request::post("/api/v1/search/network")
        .header("authorization", format!("Bearer {}", tiny.key))
        .header("content-type", "application/json");
    let answer = tiny.served.send(request.body(body.into()).unwrap()).await;
    check(&answer, &VALIDATION, body);
    assert!(
        answer.json()["error"].as_str().unwrap().contains("from line 2, column 11 on"),
        "{}",
        answer.json()
    );
}

#[tokio::test]
async fn of_several_errors_the_first_in_the_contracts_order_is_reported() {
    let tiny = Tiny::serve();
    let credentials = &tiny.credentials;
    let (get, post) = (Method::GET, Method::POST);
    let key = Some(tiny.key.clone());
    let bad = Some("service_sk_bad".to_owned());
    let elsewhere = Some(credentials.key("org_elsewhere"));
    let write_elsewhere = Some(credentials.token_with("org_elsewhere", "user_ana", "mcp:write"));
    let write = Some(credentials.token_with("org_tiny", "user_ana", "mcp:write"));
    let write_left = Some(credentials.token_with("org_tiny", "user_zoe", "mcp:write"));
    let read = Some(credentials.token("org_tiny", "user_ana"));
    let all_wrong = format!("{PATH}?scope=me&limit=0&prospectName=%&fromUserIds=user_zoe");
    for (method, path, credential, kind) in [
        (&post, "/api/v1/nowhere?limit=0", &None, UNKNOWN_PATH),
        (&get, "/api/v1/nowhere", &None, UNKNOWN_PATH),
        (&get, "/", &key, UNKNOWN_PATH),
        (&get, "/api/v1/search/warm-paths/?prospectName=Pia", &key, UNKNOWN_PATH),
        (&get, "/api/v1//search/warm-paths?prospectName=Pia", &key, UNKNOWN_PATH),
        (&get, "/api/v1/search/Warm-Paths?prospectName=Pia", &key, UNKNOWN_PATH),
        (&get, "/api/v2/search/warm-paths?prospectName=Pia", &key, UNKNOWN_PATH),
        (&post, "/admin/reload", &key, UNKNOWN_PATH),
        (&get, "/metrics", &key, UNKNOWN_PATH),
        (&post, &all_wrong, &None, WRONG_METHOD),
        (&Method::PUT, &all_wrong, &key, WRONG_METHOD),
        (&Method::DELETE, GOOD, &key, WRONG_METHOD),
        (&Method::PATCH, GOOD, &key, WRONG_METHOD),
        (&Method::OPTIONS, GOOD, &key, WRONG_METHOD),
        (&get, &all_wrong, &None, NO_CREDENTIAL),
        (&get, &all_wrong, &bad, BAD_CREDENTIAL),
        (&get, &all_wrong, &elsewhere, NO_SNAPSHOT),
        (&get, &all_wrong, &write_elsewhere, NO_SNAPSHOT),
        (&get, &all_wrong, &write_left, BAD_CREDENTIAL),
        (&get, &all_wrong, &write, INSUFFICIENT_SCOPE),
        (&get, &all_wrong, &key, FORBIDDEN_SCOPE),
        (&get, &format!("{PATH}?scope=me"), &key, FORBIDDEN_SCOPE),
        (&get, &format!("{GOOD}&scope=me"), &key, FORBIDDEN_SCOPE),
        (&get, &format!("{GOOD}&scope=me&scope=me"), &key, VALIDATION),
        (&get, &all_wrong, &read, VALIDATION),
        (&get, &format!("{PATH}?prospectName=Nobody+Atall&limit=0"), &key, VALIDATION),
        (&get, &format!("{GOOD}&scope=me&limit=51"), &read, VALIDATION),
    ] {
        let authorization = credential.as_ref().map(|credential| format!("Bearer {credential}"));
        let headers: Vec<(&str, &str)> =
            authorization.iter().map(|it| ("authorization", it.as_str())).collect();
        let answer = tiny.served.ask(method.clone(), path, &headers).await;
        check(&answer, &kind, &format!("{method} {path}"));
    }
}

#[tokio::test]
async fn head_answers_as_get_without_the_body() {
    let tiny = Tiny::serve();
    let authorization = format!("Bearer {}", tiny.key);
    for (path, with_key) in
        [(GOOD, true), (GOOD, false), ("/api/v1/nowhere", true), ("/api/v1/search/warm-paths?limit=x", true)]
    {
        let headers = if with_key { vec![("authorization", authorization.as_str())] } else { vec![] };
        let get = tiny.served.ask(Method::GET, path, &headers).await;
        let head = tiny.served.ask(Method::HEAD, path, &headers).await;
        assert_eq!(head.status, get.status, "{path}");
        assert!(head.bytes.is_empty() && !get.bytes.is_empty(), "{path}");
        for name in get.headers.keys().filter(|name| *name != "service-request-id") {
            assert_eq!(head.header(name.as_str()), get.header(name.as_str()), "{path}: {name}");
        }
    }
}

#[tokio::test]
async fn every_answer_has_a_request_id_of_its_own_that_no_caller_can_choose() {
    let tiny = Tiny::serve();
    let authorization = format!("Bearer {}", tiny.key);
    let sent =
        [("authorization", authorization.as_str()), ("service-request-id", "req_chosen_by_the_caller")];
    let mut ids = BTreeSet::new();
    let paths = [GOOD, "/api/v1/nowhere", "/api/v1/search/warm-paths?limit=x"];
    for method in [Method::GET, Method::HEAD, Method::POST] {
        for path in paths.iter().cycle().take(30) {
            let answer = tiny.served.ask(method.clone(), path, &sent).await;
            ids.insert(answer.header("service-request-id").unwrap().to_owned());
        }
    }
    assert_eq!(ids.len(), 90);
    assert!(!ids.contains("req_chosen_by_the_caller"));
}

/// Nothing by design leads here; a store that was taken away is what comes nearest.
#[tokio::test]
async fn an_error_of_ours_says_nothing_but_the_request_id() {
    let credentials = Credentials::new();
    let served = Served::folders(&[&project("fixtures/tiny")], &credentials, Limits::DEFAULT);
    let key = credentials.key("org_tiny");
    assert_eq!(served.get(GOOD, &key).await.status, 200);
    drop(credentials);
    let answer = served.get(GOOD, &key).await;
    check(&answer, &INTERNAL, "a store that is gone");
    let body = String::from_utf8_lossy(&answer.bytes).into_owned();
    assert!(body.contains("Service-Request-Id"), "{body}");
    for leaked in ["credentials", "/", ".db", "service_sk_", "pia"] {
        assert!(!body.contains(leaked), "{leaked}: {body}");
    }
}

/// The control: the checks above detect each fault of an error.
#[tokio::test]
async fn each_thing_an_error_can_lack_is_caught() {
    let tiny = Tiny::serve();
    let right = |answer: &Answer| Answer {
        status: answer.status,
        headers: answer.headers.clone(),
        bytes: answer.bytes.clone(),
    };
    let answer = tiny.served.ask(Method::GET, GOOD, &[]).await;
    assert_eq!(faults(&right(&answer), &NO_CREDENTIAL), [""; 0]);

    let drop_header = |name: &'static str| move |answer: &mut Answer| drop(answer.headers.remove(name));
    let set = |name: &'static str, value: &'static str| {
        move |answer: &mut Answer| {
            answer.headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
    };
    let body = |text: &'static str| move |answer: &mut Answer| answer.bytes = text.into();
    type Change = Box<dyn Fn(&mut Answer)>;
    let changes: [(&str, Change); 12] = [
        ("status", Box::new(|answer| answer.status = StatusCode::FORBIDDEN)),
        ("challenge", Box::new(drop_header("www-authenticate"))),
        ("challenge's error", Box::new(set("www-authenticate", "Bearer error=\"invalid_token\""))),
        ("allow", Box::new(set("allow", "GET,HEAD"))),
        ("retry", Box::new(set("retry-after", "1"))),
        ("id", Box::new(drop_header("service-request-id"))),
        ("type", Box::new(set("content-type", "text/plain"))),
        ("caching", Box::new(drop_header("cache-control"))),
        ("all headers", Box::new(|answer| answer.headers = HeaderMap::new())),
        ("body", Box::new(body("unauthorized"))),
        ("code", Box::new(body(r#"{"error":"Send a valid credential, please.","code":"not_found"}"#))),
        ("more", Box::new(body(r#"{"error":"Send a valid credential.","code":"unauthorized","path":"x"}"#))),
    ];
    for (what, change) in changes {
        let mut wrong = right(&answer);
        change(&mut wrong);
        assert!(!faults(&wrong, &NO_CREDENTIAL).is_empty(), "{what}");
    }
    let sentence = tiny.refusal("prospectName=Pia&limit=0").await;
    assert!(!sentence.contains("offset") && !sentence.contains("\"1\""), "{sentence}");
}
