//! The other endpoints: the errors of each, and the callers each refuses.
//!
//! Promise: A caller who may not ask is answered 403, not 503, under any load.
//! Control: the same questions by a caller who may ask them are shed.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::json;

use kith_server::admission::class::Class;

use super::{
    FORBIDDEN_SCOPE, Kind, NO_CREDENTIAL, NO_SNAPSHOT, Tiny, UNKNOWN_PATH, VALIDATION, WRONG_METHOD, check,
};

/// A person asked for is not in the network, or is no contact.
const NOT_FOUND: Kind = UNKNOWN_PATH;
const GENERATION_GONE: Kind = Kind { status: 410, code: "generation_gone", headers: &[] };
const OUTSIDE_NETWORK: Kind = Kind { status: 403, code: "outside_network", headers: &[] };

/// A question of each endpoint that is answered with 200, and whether it takes an organization's key.
const GOOD: [(&str, bool); 8] = [
    ("/api/v1/people/person_pia", true),
    ("/api/v1/search/people?q=pia", true),
    ("/api/v1/search/companies?q=mill", true),
    ("/api/v1/people/network?personId=person_pia", true),
    ("/api/v1/ghost/opportunities", true),
    ("/api/v1/changes?since=1", true),
    ("/api/v1/connections", false),
    ("/api/v1/connections/second-degree", false),
];

#[tokio::test]
async fn every_endpoint_makes_the_same_checks_first() {
    let tiny = Tiny::serve();
    let token = tiny.credentials.token("org_tiny", "user_ana");
    let elsewhere = tiny.credentials.key("org_elsewhere");
    for (path, takes_keys) in GOOD {
        let path = &tiny.since_now(path).await;
        assert_eq!(tiny.served.get(path, &token).await.status, 200, "{path}");
        let with_key = tiny.served.get(path, &tiny.key).await;
        let wrong = format!("{path}{}limit=0&colour=%ff", if path.contains('?') { '&' } else { '?' });
        if takes_keys {
            assert_eq!(with_key.status, 200, "{path}");
        } else {
            check(&with_key, &FORBIDDEN_SCOPE, path);
            check(&tiny.served.get(&wrong, &tiny.key).await, &FORBIDDEN_SCOPE, &wrong);
        }
        check(&tiny.served.ask(Method::POST, &wrong, &[]).await, &WRONG_METHOD, path);
        check(&tiny.served.ask(Method::GET, &wrong, &[]).await, &NO_CREDENTIAL, path);
        check(&tiny.served.get(&wrong, &elsewhere).await, &NO_SNAPSHOT, path);
        check(&tiny.served.get(&wrong, &token).await, &VALIDATION, path);
        let slash = format!("{}/", path.split('?').next().unwrap());
        check(&tiny.served.get(&slash, &token).await, &UNKNOWN_PATH, &slash);
    }
}

#[tokio::test]
async fn each_endpoint_names_the_parameter_what_was_sent_and_what_is_accepted() {
    let tiny = Tiny::serve();
    let token = tiny.credentials.token("org_tiny", "user_ana");
    let (long, id) = ("x".repeat(201), "1 to 200 bytes");
    let (pages, whole) = ("a whole number from 1", "a whole number from 1 to 50");
    let (text, folded, handles) =
        ("1 to 200 characters", "once folded", "exactly one of name, linkedinId, personId");
    let (statuses, sorts) =
        ("visible, saved, accepted, intro_requested, dismissed", "newest, oldest, relevancy");
    for (path, named, sent, accepted) in [
        ("search/people", "q", "missing", folded),
        ("search/people?q=", "q", "missing", folded),
        ("search/people?q=+%09", "q", "missing", folded),
        ("search/people?q=%CC%81", "q", "\"\u{301}\"", folded),
        ("search/people?q=LONG", "q", "xxx", folded),
        ("search/people?q=a&q=b", "q", "\"b\"", "once"),
        ("search/people?q=a&limit=51", "limit", "\"51\"", whole),
        ("search/people?q=a&includeSecondDegree=TRUE", "includeSecondDegree", "\"TRUE\"", "true, false"),
        ("search/people?q=a&includeSecondDegree=", "includeSecondDegree", "\"\"", "true, false"),
        ("search/companies", "q", "missing", folded),
        ("search/companies?q=LONG", "q", "xxx", folded),
        ("search/companies?q=a&page=0", "page", "\"0\"", pages),
        ("search/companies?q=a&page=-1", "page", "\"-1\"", pages),
        ("search/companies?q=a&page=1.0", "page", "\"1.0\"", pages),
        ("search/companies?q=a&page=", "page", "\"\"", pages),
        ("search/companies?q=a&page=1&page=1", "page", "\"1\"", "once"),
        ("search/companies?q=a&limit=0", "limit", "\"0\"", whole),
        ("connections?limit=51", "limit", "\"51\"", whole),
        ("connections?offset=-1", "offset", "\"-1\"", "a whole number from 0"),
        ("connections/second-degree?limit=x", "limit", "\"x\"", whole),
        ("connections/second-degree?viaConnectorId=", "viaConnectorId", "\"\"", id),
        ("connections/second-degree?viaConnectorId=LONG", "viaConnectorId", "xxx", id),
        ("connections/second-degree?viaConnectorId=a&viaConnectorId=b", "viaConnectorId", "\"b\"", "once"),
        ("people/network", "name", "missing", handles),
        ("people/network?name=pia&personId=person_pia", "personId", "\"person_pia\"", handles),
        ("people/network?name=pia&linkedinId=", "linkedinId", "\"\"", handles),
        ("people/network?name=", "name", "missing", text),
        ("people/network?name=LONG", "name", "xxx", text),
        ("people/network?linkedinId=", "linkedinId", "missing", id),
        ("people/network?linkedinId=LONG", "linkedinId", "xxx", id),
        ("people/network?personId=", "personId", "", id),
        ("people/network?personId=LONG", "personId", "xxx", id),
        ("people/network?name=a&name=b", "name", "\"b\"", "once"),
        ("people/network?name=pia&offset=x", "offset", "\"x\"", "a whole number from 0"),
        ("ghost/opportunities?status=open", "status", "\"open\"", statuses),
        ("ghost/opportunities?status=", "status", "\"\"", statuses),
        ("ghost/opportunities?status=saved&status=saved", "status", "\"saved\"", "once"),
        ("ghost/opportunities?sort=Newest", "sort", "\"Newest\"", sorts),
        ("ghost/opportunities?sort=", "sort", "\"\"", sorts),
        ("ghost/opportunities?search=LONG", "search", "xxx", text),
        ("ghost/opportunities?search=", "search", "", text),
        ("ghost/opportunities?offset=1e1", "offset", "\"1e1\"", "a whole number from 0"),
        ("changes", "since", "missing", "Service-Generation"),
        ("changes?since=", "since", "missing", "Service-Generation"),
        ("changes?since=one", "since", "\"one\"", "Service-Generation"),
        ("changes?since=-1", "since", "\"-1\"", "Service-Generation"),
        ("changes?since=1&since=2", "since", "\"2\"", "once"),
        ("changes?since=7&limit=51", "limit", "\"51\"", whole),
        ("changes?since=7&offset=x", "offset", "\"x\"", "a whole number from 0"),
        ("people/person_pia?colour=%zz", "colour", "\"%zz\"", "percent-encoded UTF-8"),
        ("people/%ff", "id", "\"%ff\"", "percent-encoded UTF-8"),
        ("people/person_%zz", "id", "\"person_%zz\"", "percent-encoded UTF-8"),
        ("people/person_pia%", "id", "\"person_pia%\"", "percent-encoded UTF-8"),
        ("people/LONG", "id", "xxx", id),
    ] {
        let path = format!("/api/v1/{}", path.replace("LONG", &long));
        let answer = tiny.served.get(&path, &token).await;
        check(&answer, &VALIDATION, &path);
        let sentence = answer.json()["error"].as_str().unwrap().to_owned();
        for part in [named, sent, accepted] {
            assert!(sentence.contains(part), "{path}: {sentence} lacks {part}");
        }
        assert!(sentence.matches('x').count() < 110, "{path}: {sentence}");
    }
}

#[tokio::test]
async fn who_is_outside_is_as_good_as_nobody() {
    let tiny = Tiny::serve();
    let token = tiny.credentials.token("org_tiny", "user_ana");
    let base = "/api/v1";
    // Sol is outside, zoe does not exist, jon is nobody's contact.
    let mut bodies = BTreeSet::new();
    for path in [
        "/people/person_sol",
        "/people/person_zoe",
        "/people/user_ana",
        "/people/PERSON_PIA",
        "/people/person_pia%20",
        "/connections/second-degree?viaConnectorId=person_sol",
        "/connections/second-degree?viaConnectorId=person_jon",
        "/connections/second-degree?viaConnectorId=person_ana",
        "/connections/second-degree?viaConnectorId=person_zoe",
        "/nowhere",
    ] {
        let answer = tiny.served.get(&format!("{base}{path}"), &token).await;
        check(&answer, &NOT_FOUND, path);
        bodies.insert(answer.bytes);
    }
    assert_eq!(bodies.len(), 1, "not_found has one constant body");

    let mut bodies = BTreeSet::new();
    for query in [
        "personId=person_sol",
        "personId=person_zoe",
        "personId=person_jon",
        "linkedinId=solomiia-bondar",
        "linkedinId=nobody",
        "name=Nobody+Atall",
        "name=%D0%A1%D0%BE%D0%BB%D0%BE%D0%BC%D1%96%D1%8F",
        "name=,",
    ] {
        let path = format!("{base}/people/network?{query}");
        let answer = tiny.served.get(&path, &tiny.key).await;
        check(&answer, &OUTSIDE_NETWORK, &path);
        bodies.insert(answer.bytes);
    }
    assert_eq!(bodies.len(), 1, "outside_network has one constant body");
}

#[tokio::test]
async fn a_generation_that_is_not_kept_is_gone() {
    let tiny = Tiny::serve();
    let mut bodies = BTreeSet::new();
    for since in ["0", "2", "18446744073709551615"] {
        let path = format!("/api/v1/changes?since={since}");
        let answer = tiny.served.get(&path, &tiny.key).await;
        check(&answer, &GENERATION_GONE, &path);
        bodies.insert(answer.bytes);
    }
    assert_eq!(bodies.len(), 1, "generation_gone has one constant body");
}

#[tokio::test]
async fn on_people_network_anything_but_the_literal_true_means_false() {
    let tiny = Tiny::serve();
    let path = "/api/v1/people/network?personId=person_cai&includeIntroRequested=";
    for (value, excluded) in [("true", 0), ("false", 1), ("TRUE", 1), ("1", 1), ("", 1)] {
        let answer = tiny.served.get(&format!("{path}{value}"), &tiny.key).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.json()["data"]["excludedIntroRequested"]),
            (200, &excluded.into())
        );
    }
}

#[tokio::test]
async fn past_the_end_is_an_empty_list() {
    let tiny = Tiny::serve();
    let token = tiny.credentials.token("org_tiny", "user_ana");
    for (path, list) in [
        ("search/companies?q=mill&page=18446744073709551615", ""),
        ("search/companies?q=nowhere", ""),
        ("search/people?q=nobody", ""),
        ("connections?offset=18446744073709551615", "connections"),
        ("connections/second-degree?offset=99", "connections"),
        ("people/network?personId=person_pia&offset=99", "connections"),
        ("ghost/opportunities?offset=99", "opportunities"),
        ("changes?since=1&offset=99", "changes"),
    ] {
        let answer = tiny.served.get(&tiny.since_now(&format!("/api/v1/{path}")).await, &token).await;
        assert_eq!(answer.status, 200, "{path}");
        let data = answer.json()["data"].clone();
        let list = if list.is_empty() { &data } else { &data[list] };
        assert_eq!(list, &serde_json::json!([]), "{path}");
    }
}

#[tokio::test]
async fn a_request_is_shed_after_the_checks_of_who_asks_and_one_with_a_body_after_it_was_read() {
    let tiny = Tiny::serve();
    let admission = &tiny.served.state.admission;
    let mut held = Vec::new();
    for _ in 0..admission.threads() / 2 {
        held.push(admission.acquire("org_other", Class::Short).await.unwrap());
    }
    let token = tiny.credentials.token("org_tiny", "user_ana");
    let without_scope = tiny.credentials.token_with("org_tiny", "user_ana", "nothing");
    let path = "/api/v1/connections";
    let paths = "/api/v1/search/warm-paths?prospectName=pia&limit=0";
    for (path, credential, status) in [
        (path, "nonsense", 401),
        (path, &without_scope, 403),
        (path, &tiny.key, 403),
        (path, &token, 503),
        ("/api/v1/connections/second-degree", &tiny.key, 403),
        ("/api/v1/connections/second-degree", &token, 503),
        (&format!("{paths}&scope=me"), &tiny.key, 403),
        (&format!("{paths}&scope=me"), &token, 503),
        (paths, &tiny.key, 503),
        ("/api/v1/connections?limit=0", &token, 503),
        ("/api/v1/changes?since=7", &tiny.key, 503),
    ] {
        assert_eq!(tiny.served.get(path, credential).await.status, status, "{path} {status}");
    }
    let path = "/api/v1/search/network";
    for (body, status) in [(json!({ "query": "" }), 400), (json!({ "query": "sales" }), 503)] {
        assert_eq!(tiny.served.post(path, &token, &body).await.status, status, "{body}");
    }
    held.clear();
    assert_eq!(tiny.served.get("/api/v1/connections", &token).await.status, 200);
    assert_eq!(tiny.served.post(path, &token, &json!({ "query": "sales" })).await.status, 200);
}
