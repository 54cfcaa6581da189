//! `Prefer: handling=strict`: undocumented names are refused with the nearest documented one; every answer confirms the
//! preference; everything else stays the same.
//!
//! Promise: Under `Prefer: handling=strict` a name that the document does not list is refused, with the nearest that it
//!   lists; every answer says that it was followed; all else is answered as before.
//! Control: the same requests without the preference; answers judged by a list with another name.
//! Also in: `src/answers/api/prefer.rs`, `src/answers/openapi/serve.rs`.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{Method, Request};
use kith_server::admission::class::Class;
use kith_server::rates::{RateSettings, Rates};
use serde_json::{Value, json};

use crate::openapi::document::{Document, served_document, tiny};
use crate::oracle::edit_distance;
use crate::oracle::random::{Dice, random_request};
use crate::props::case::Case;
use crate::support::encoding::encoded;
use crate::support::{Answer, Credentials, Served};

const SEARCH: &str = "/api/v1/search/network";
const STRICT: &[&str] = &["handling=strict"];

/// A valid request: its path with the required parameters, and its body.
const GOOD: [(&str, &str, Option<&str>); 11] = [
    ("/api/v1/search/warm-paths", "?prospectCompany=mill", None),
    (SEARCH, "?", Some("{\"query\":\"sales\",\"mode\":\"graph\"")),
    ("/api/v1/search/people", "?q=pia", None),
    ("/api/v1/people/person_pia", "?", None),
    ("/api/v1/people/network", "?personId=person_pia", None),
    ("/api/v1/search/companies", "?q=mill", None),
    ("/api/v1/connections", "?", None),
    ("/api/v1/connections/second-degree", "?", None),
    ("/api/v1/ghost/opportunities", "?", None),
    ("/api/v1/changes", "?since=1", None),
    ("/api/v1/openapi.json", "?", None),
];

/// Sends a request with these lines of `Prefer`.
async fn send(
    served: &Served,
    prefer: &[&str],
    path: &str,
    credential: &str,
    body: Option<String>,
) -> Answer {
    let method = if body.is_some() { Method::POST } else { Method::GET };
    let mut request = Request::builder().method(method).uri(path).header("content-type", "application/json");
    for line in prefer {
        request = request.header("prefer", *line);
    }
    let request = request.header("authorization", format!("Bearer {credential}"));
    served.send(request.body(Body::from(body.unwrap_or_default())).unwrap()).await
}

fn applied(answer: &Answer) -> Vec<&str> {
    let values = answer.headers.get_all("preference-applied").iter();
    values.map(|value| value.to_str().unwrap()).collect()
}

/// Names that `known` does not hold: some nearly, some not at all.
fn unknown(known: &[&str], others: &BTreeSet<String>) -> BTreeSet<String> {
    let mut names = others.clone();
    names.extend(["colour", "", "é", "unknownParameter"].map(str::to_owned));
    for name in known {
        let (first, rest) = name.split_at(1);
        names.extend([
            name[..name.len() - 1].to_owned(),
            format!("{name}s"),
            format!("{}{rest}", first.to_uppercase()),
            format!("{rest}{first}"),
            format!(" {name}"),
        ]);
    }
    names.retain(|name| !known.contains(&name.as_str()));
    names
}

/// Properties that the answers to an unknown name lack.
fn faults(name: &str, kind: &str, known: &[&str], lenient: &Answer, strict: &Answer) -> Vec<String> {
    let mut faults = Vec::new();
    if lenient.status != 200 || !applied(lenient).is_empty() {
        faults.push(format!("without the preference: {} {:?}", lenient.status, applied(lenient)));
    }
    let body: Value = serde_json::from_slice(&strict.bytes).unwrap();
    if (strict.status.as_u16(), &body["code"]) != (400, &"validation_error".into()) {
        faults.push(format!("{}: {body}", strict.status));
    }
    if applied(strict) != STRICT {
        faults.push(format!("applied: {:?}", applied(strict)));
    }
    let fewest = known.iter().map(|known| edit_distance(name, known)).min();
    let nearest = known.iter().filter(|known| Some(edit_distance(name, known)) == fewest);
    let mut sentences: Vec<String> = nearest
        .map(|nearest| format!("a {kind} that is known here, of which {nearest} is the nearest."))
        .collect();
    if known.is_empty() {
        sentences.push(format!("no {kind} here."));
    }
    let said = body["error"].as_str().unwrap_or("");
    let is_named = said.starts_with(&format!("{name} was \"x\"; expected "));
    if !is_named || !sentences.iter().any(|sentence| said.ends_with(sentence)) {
        faults.push(format!("{said}, instead of {sentences:?}"));
    }
    faults
}

/// The names that the document lists for an operation, those of the query and those of the body.
fn listed<'a>(document: &'a Document, path: &str) -> (Vec<&'a str>, Vec<&'a str>) {
    let parameters = document.operation(path).1["parameters"].as_array().unwrap();
    let of_query = parameters.iter().filter(|parameter| parameter["in"] == "query");
    let fields = document.body_schema(path).map(|schema| schema["properties"].as_object().unwrap());
    (
        of_query.map(|parameter| parameter["name"].as_str().unwrap()).collect(),
        fields.into_iter().flat_map(|fields| fields.keys().map(String::as_str)).collect(),
    )
}

#[tokio::test]
async fn a_name_that_is_not_listed_is_refused_with_the_nearest_that_is() {
    let credentials = Credentials::new();
    let (served, token) = (tiny(&credentials), credentials.token("org_tiny", "user_ana"));
    let document = Document::new(served_document().await);
    let listed = GOOD.map(|(path, ..)| listed(&document, path));
    let all: BTreeSet<String> = listed
        .iter()
        .flat_map(|(query, body)| query.iter().chain(body))
        .map(|name| (*name).to_owned())
        .collect();
    let mut refused = 0;
    let now = served.get("/api/v1/me", &token).await;
    let since = format!("since={}", now.header("service-generation").unwrap());
    for ((path, query, body), (parameters, fields)) in GOOD.iter().zip(&listed) {
        let query = query.replace("since=1", &since);
        for name in unknown(parameters, &all) {
            let path = format!("{path}{query}&{}=x&later=y", encoded(&name));
            let body = body.map(|body| format!("{body}}}"));
            let lenient = send(&served, &[], &path, &token, body.clone()).await;
            let strict = send(&served, STRICT, &path, &token, body).await;
            assert_eq!(faults(&name, "parameter", parameters, &lenient, &strict), [""; 0], "{path}");
            refused += 1;
        }
        let Some(body) = body else { continue };
        for name in unknown(fields, &all) {
            let sent = Some(format!("{body},{}:\"x\",\"later\":1}}", json!(name)));
            let lenient = send(&served, &[], path, &token, sent.clone()).await;
            let mut strict = send(&served, STRICT, path, &token, sent).await;
            // The value of a field is repeated as JSON.
            strict.bytes = String::from_utf8(strict.bytes).unwrap().replace("\\\"x\\\"", "x").into_bytes();
            assert_eq!(faults(&name, "field", fields, &lenient, &strict), [""; 0], "{path} {name}");
            refused += 1;
        }
    }
    assert!(refused > 250, "only {refused} names");
    // The control: the same answers, judged by a list that lacks one name and holds another.
    let path = "/api/v1/search/people?q=pia&limt=x";
    let lenient = send(&served, &[], path, &token, None).await;
    let strict = send(&served, STRICT, path, &token, None).await;
    assert_eq!(faults("limt", "parameter", &["q", "limit"], &lenient, &strict), [""; 0]);
    assert_ne!(faults("limt", "parameter", &["q", "limits"], &lenient, &strict), [""; 0]);
    assert_ne!(faults("limt", "parameter", &["q", "limit"], &strict, &lenient), [""; 0]);
}

#[tokio::test]
async fn every_other_request_is_answered_as_without_the_preference() {
    let credentials = Credentials::new();
    let (mut same, mut refused, mut kinds) = (0, 0, BTreeSet::new());
    for seed in 0..80 {
        let case = Case::draw(seed, &credentials);
        let mut dice = Dice::new(seed);
        for _ in 0..10 {
            let request = random_request(&case.network, &mut dice);
            let lenient = case.ask(&credentials, &request).await;
            let strict = case.ask_strictly(&credentials, &request).await;
            assert_eq!((applied(&lenient), applied(&strict)), (vec![], STRICT.to_vec()), "{request:?}");
            if request.params.iter().any(|(name, _)| name == "unknownParameter") {
                let said = strict.json()["error"].as_str().unwrap_or("").to_owned();
                assert!(
                    strict.status == 400 && said.starts_with("unknownParameter was "),
                    "{request:?}: {said}"
                );
                assert_ne!(lenient.status, 400, "{request:?}");
                refused += 1;
            } else {
                assert_eq!(strict.status, lenient.status, "seed {seed}, {request:?}");
                assert!(strict.bytes == lenient.bytes, "seed {seed}, {request:?}");
                kinds.insert((request.path.split('/').nth(4).map(str::to_owned), strict.status));
                same += 1;
            }
        }
    }
    assert!(same > 500 && refused > 20 && kinds.len() > 4, "{same} {refused} {kinds:?}");
}

#[tokio::test]
async fn every_answer_says_that_the_preference_was_followed_and_a_refused_name_comes_with_the_parameters() {
    let credentials = Credentials::new();
    let served = tiny(&credentials);
    let (key, token) = (credentials.key("org_tiny"), credentials.token("org_tiny", "user_ana"));
    let powerless = credentials.token_with("org_tiny", "user_ana", "mcp:write");
    let elsewhere = credentials.key("org_elsewhere");
    let paths = "/api/v1/search/warm-paths?colour=blue";
    let (search, large) = (format!("{SEARCH}?colour=blue"), "{".repeat(1 << 17));
    for (path, credential, body, status, code) in [
        ("/api/v1/nowhere?colour=blue", &*key, None, 404, "not_found"),
        (&*search, &key, None, 405, "method_not_allowed"),
        (paths, &key, Some("{}"), 405, "method_not_allowed"),
        (paths, "nonsense", None, 401, "unauthorized"),
        (paths, &elsewhere, None, 503, "unavailable"),
        (paths, &powerless, None, 403, "insufficient_scope"),
        (&format!("{paths}&scope=me"), &key, None, 403, "forbidden_scope"),
        ("/api/v1/connections?colour=blue", &key, None, 403, "forbidden_scope"),
        (&search, &key, Some(&*large), 413, "payload_too_large"),
        (&search, &key, Some("{}"), 400, "validation_error"),
        (paths, &key, None, 400, "validation_error"),
        ("/api/v1/people/person_nobody?colour=blue", &key, None, 400, "validation_error"),
        ("/api/v1/people/person_nobody", &key, None, 404, "not_found"),
        ("/api/v1/people/network?personId=person_nobody", &key, None, 403, "outside_network"),
        ("/api/v1/changes?since=7&colour=blue", &key, None, 400, "validation_error"),
        ("/api/v1/changes?since=7", &key, None, 410, "generation_gone"),
        ("/api/v1/connections", &token, None, 200, ""),
        ("/api/v1/openapi.json", "nonsense", None, 200, ""),
        ("/api/v1/openapi.json?%", "", None, 400, "validation_error"),
    ] {
        let body = body.map(str::to_owned);
        let strict = send(&served, STRICT, path, credential, body.clone()).await;
        let said = strict.json()["code"].as_str().unwrap_or("").to_owned();
        assert_eq!((strict.status.as_u16(), &*said), (status, code), "{path}");
        assert_eq!(applied(&strict), STRICT, "{path}");
        // The control: the same without the preference.
        let lenient = send(&served, &["handling=lenient"], path, credential, body).await;
        assert_eq!(applied(&lenient), [""; 0], "{path}");
    }
    let of_another_type = [("authorization", &*format!("Bearer {key}")), ("prefer", STRICT[0])];
    let answer = served.ask(Method::POST, &search, &of_another_type).await;
    assert_eq!((answer.status.as_u16(), applied(&answer)), (415, STRICT.to_vec()));
    let head = served.ask(Method::HEAD, paths, &of_another_type).await;
    assert_eq!((head.status.as_u16(), applied(&head)), (400, STRICT.to_vec()));

    // Too much to do, and too many requests.
    let admission = &served.state.admission;
    let mut held = Vec::new();
    for _ in 0..admission.threads() / 2 {
        held.push(admission.acquire("org_other", Class::Short).await.unwrap());
    }
    let shed = send(&served, STRICT, paths, &key, None).await;
    assert_eq!((shed.status.as_u16(), applied(&shed)), (503, STRICT.to_vec()));
    held.clear();
    let settings = RateSettings::new(Some(0.001), Some(1.0)).unwrap().unwrap();
    let served = served.at_rates(Rates::new(settings));
    for status in [400, 429] {
        let answer = send(&served, STRICT, paths, &key, None).await;
        assert_eq!((answer.status.as_u16(), applied(&answer)), (status, STRICT.to_vec()));
    }
}

#[tokio::test]
async fn the_first_handling_of_all_lines_counts_and_only_below_the_api() {
    let credentials = Credentials::new();
    let (served, key) = (tiny(&credentials), credentials.key("org_tiny"));
    let path = "/api/v1/people/person_pia?colour=blue";
    for (lines, status) in [
        (&["respond-async, Handling = \"STRICT\"; x"][..], 400),
        (&["wait=10", "handling=strict", "handling=lenient"], 400),
        (&["wait=10", "handling=lenient", "handling=strict"], 200),
        (&["wait=\"10, handling=strict\""], 200),
        (&["wait=10; handling=strict"], 200),
    ] {
        let answer = send(&served, lines, path, &key, None).await;
        assert_eq!(answer.status, status, "{lines:?}");
        assert_eq!(applied(&answer).len(), usize::from(status == 400), "{lines:?}");
    }
    for (path, status) in
        [("/docs?colour=blue", 200), ("/healthz?colour=blue", 200), ("/api/v2/x?colour=blue", 404)]
    {
        let answer = send(&served, STRICT, path, &key, None).await;
        assert_eq!((answer.status.as_u16(), applied(&answer)), (status, vec![]), "{path}");
    }
}
