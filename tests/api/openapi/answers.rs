//! Thousands of answers against the document: each fits its schema, and together they cover all of it.
//!
//! Promise: `openapi.json` says of each endpoint with a credential that it may answer 429, and how.
//! Control: a document that leaves the 429 out.

mod who;

use std::collections::BTreeMap;
use std::rc::Rc;

use axum::body::Body;
use axum::http::{Method, Request};
use kith::limits::Limits;
use kith_server::rates::{RateSettings, Rates};
use kith_server::search::engine::{Engine, Engines};
use serde_json::{Value, json};

use crate::drawn::{at_least, share};
use crate::openapi::document::{Document, Shown, served_document, since_edited, tiny};
use crate::oracle::random::{
    Dice, random_batch, random_edits, random_network, random_network_search, random_request,
};
use crate::oracle::single_request;
use crate::props::case::{Batch, Case};
use crate::silence::with_silence;
use crate::support::encoding::encoded;
use crate::support::{Answer, Credentials, Served, network_of, project};

const NETWORKS: u64 = 400;
const REQUESTS: usize = 12;
const SEARCHES: usize = 3;
const SEARCH: &str = "/api/v1/search/network";
const BATCH: &str = "/api/v1/search/warm-paths/batch";
const PATHS: &str = "/api/v1/search/warm-paths";
const CHANGES: &str = "/api/v1/changes";
/// Parameters that random requests send now and then, and that must be ignored.
const UNKNOWN: &str = "unknownParameter";

/// Whether a parameter is one of which the document lists true and false, and every other text is taken as false.
fn is_lenient(path: &str, name: &str, value: &str) -> bool {
    let is_one = path == "/api/v1/people/network" && name == "includeIntroRequested";
    is_one && !["true", "false"].contains(&value)
}

/// Answers, each kept because it was the first to show something of the document.
#[derive(Default)]
struct Corpus {
    judged: usize,
    first: BTreeMap<String, Rc<(String, Answer)>>,
}

impl Corpus {
    /// Judges `answer` and keeps it if it shows something new.
    fn take(&mut self, document: &Document, path: &str, answer: Answer) {
        let mut shown = Shown::new();
        if let Err(fault) = document.judge_answer(path, &answer, &mut shown) {
            panic!("{path}: {fault}");
        }
        self.judged += 1;
        shown.retain(|item| !self.first.contains_key(item));
        if !shown.is_empty() {
            let kept = Rc::new((path.to_owned(), answer));
            self.first.extend(shown.into_iter().map(|item| (item, Rc::clone(&kept))));
        }
    }
}

/// Asks any network any valid request.
async fn draw(document: &Document, credentials: &Credentials, corpus: &mut Corpus) {
    for seed in 0..share(NETWORKS) {
        let case = Case::draw(seed, credentials);
        let mut dice = Dice::new(seed);
        for _ in 0..REQUESTS {
            let request = random_request(&case.network, &mut dice);
            let mut params = request.params.clone();
            params.retain(|(name, value)| name != UNKNOWN && !is_lenient(&request.path, name, value));
            document.judge_params(&request.path, &params).unwrap();
            let answer = case.ask(credentials, &request).await;
            corpus.take(document, &request.path, answer);
        }
        for _ in 0..SEARCHES {
            let mut search = random_network_search(&case.network, &mut dice);
            document.judge_body(SEARCH, &search.body).unwrap();
            search.body[UNKNOWN] = seed.into();
            document.judge_body(SEARCH, &search.body).unwrap();
            corpus.take(document, SEARCH, case.search(credentials, &search).await);
        }
        let (caller, body) = random_batch(&case.network, &mut dice);
        let is_right = |target: &Value| single_request(&body, target).is_some();
        if body["targets"].as_array().unwrap().iter().all(is_right) {
            document.judge_body(BATCH, &body).unwrap();
        }
        corpus.take(document, BATCH, case.batch(credentials, &Batch { caller, body }).await);
    }
}

/// Asks each path with a credential that has no request left.
async fn ask_too_often(document: &Document, credentials: &Credentials, corpus: &mut Corpus) {
    let rates = RateSettings::new(Some(0.001), Some(1.0)).unwrap().unwrap();
    let served = tiny(credentials).at_rates(Rates::new(rates));
    let authorization = format!("Bearer {}", credentials.token("org_tiny", "user_ana"));
    let headers = [("authorization", &*authorization)];
    served.ask(Method::GET, PATHS, &headers).await;
    for (template, operation) in document.operations() {
        if !operation["security"].as_array().unwrap().is_empty() {
            let path = template.replace("{id}", "person_dee");
            let answer = served.ask(document.method(&path), &path, &headers).await;
            assert_eq!(answer.status, 429, "{path}");
            corpus.take(document, &path, answer);
        }
    }
    // The control: a document that does not say so is caught.
    let mut silent = document.json.clone();
    silent["paths"][PATHS]["get"]["responses"].as_object_mut().unwrap().remove("429");
    let answer = served.ask(Method::GET, PATHS, &headers).await;
    assert_caught(silent, &(PATHS.to_owned(), answer), "429 left out");
}

/// Asks for every failure that can be asked for.
async fn fail(document: &Document, credentials: &Credentials, corpus: &mut Corpus) {
    let served = tiny(credentials);
    let key = credentials.key("org_tiny");
    let token = credentials.token("org_tiny", "user_ana");
    let powerless = credentials.token_with("org_tiny", "user_ana", "mcp:write");
    let homeless = credentials.token("org_elsewhere", "user_ana");
    ask_too_often(document, credentials, corpus).await;
    for (template, operation) in document.operations() {
        let path = template.replace("{id}", "person_dee");
        let method = document.method(&path);
        let bearer = |credential: &str| format!("Bearer {credential}");
        corpus.take(document, &path, served.ask(method.clone(), &path, &[]).await);
        corpus.take(document, &path, served.ask(Method::PUT, &path, &[]).await);
        if path == "/api/v1/openapi.json" {
            let headers = [("prefer", "handling=strict")];
            corpus.take(document, &path, served.ask(Method::GET, &format!("{path}?x"), &headers).await);
        }
        if operation["security"].as_array().unwrap().is_empty() {
            continue;
        }
        for credential in [&homeless, &powerless, &key] {
            let headers = [("authorization", &*bearer(credential))];
            corpus.take(document, &path, served.ask(method.clone(), &path, &headers).await);
        }
        let headers = [("authorization", &*bearer(&token)), ("content-type", "application/json")];
        corpus.take(document, &path, served.ask(method, &format!("{path}?%"), &headers).await);
    }
    for (path, bytes) in [(SEARCH, 1 << 17), (BATCH, 1 << 21)] {
        let large = Request::post(path)
            .header("authorization", format!("Bearer {key}"))
            .header("content-type", "application/json")
            .body(Body::from("x".repeat(bytes)));
        corpus.take(document, path, served.send(large.unwrap()).await);
    }
    let written = json!({ "targets": [{ "text": "Nobody" }], "include": ["near"] });
    corpus.take(document, BATCH, served.post(BATCH, &key, &written).await);
    let own = json!({ "scope": "me", "targets": [{ "id": "person_pia" }] });
    corpus.take(document, BATCH, served.post(BATCH, &key, &own).await);
    for (path, query, credential) in [
        ("/api/v1/search/warm-paths", "?prospectName=pia&scope=me", &key),
        ("/api/v1/people/person_sol", "", &key),
        ("/api/v1/people/network", "?personId=person_sol", &key),
        ("/api/v1/connections/second-degree", "?viaConnectorId=person_sol", &token),
        // Cases that random requests rarely reach.
        (PATHS, "?prospectCompany=copper+mill&position=cfo&include=reasons", &key),
        (PATHS, "?prospectCompany=copper+mill&position=nobody&include=reasons", &key),
        (PATHS, "?prospectEmail=pia@coppermill.example&include=match", &key),
        (PATHS, "?prospectId=company_mill&include=match", &key),
        (PATHS, "?prospectName=moreira+ana&include=match,reasons", &key),
        (PATHS, "?prospectName=ana+moreiro&include=match", &key),
        (PATHS, "?prospect=Pia+Weiss+(Copper+Mill),+partner&include=match", &key),
        (PATHS, "?prospect=Pia+Weiss+(Oak+%26+Tide+Advisory)&include=match", &key),
        (PATHS, "?prospect=company_mill&include=match", &key),
        (PATHS, "?prospect=pia@coppermill.example&include=match", &key),
        (PATHS, "?prospect=Pio+linkedin.com/in/nobody&include=match,near", &key),
        (PATHS, "?prospect=Nobody,+coppermill.example&include=match,near", &key),
        (PATHS, "?prospect=Fey+Grosz+(Copper+Mill)&include=match,near", &key),
        (PATHS, "?prospect=Pio+Weisz+(Copper+Mill)&types=direct&include=match,near", &key),
        (PATHS, "?prospectId=person_pia&include=reasons&scope=me&fromUserIds=user_ben", &token),
    ] {
        corpus.take(document, path, served.get(&format!("{path}{query}"), credential).await);
    }
}

/// Asks for changes of every kind, for a page of them, and since a generation that is gone.
async fn change(document: &Document, credentials: &Credentials, corpus: &mut Corpus) {
    let (served, key) = (since_edited(credentials), credentials.key("org_tiny"));
    let now = served.get(&format!("{CHANGES}?since=1&limit=1"), &key).await;
    let now = format!("since={}", now.header("service-generation").unwrap());
    for query in ["since=1&limit=50", "since=1&limit=1", &now, "since=3"] {
        let answer = served.get(&format!("{CHANGES}?{query}"), &key).await;
        corpus.take(document, CHANGES, answer);
    }
}

/// Asks for the changes between random networks, and for what is near in them.
async fn draw_changes(document: &Document, credentials: &Credentials, corpus: &mut Corpus) {
    for seed in 0..60 {
        let tables = random_network(seed);
        let later = random_edits(&tables, 40, &mut Dice::new(seed));
        let [old, new] = [tables, later].map(|tables| {
            let folder = tempfile::tempdir().unwrap();
            tables.write(folder.path());
            network_of(folder.path())
        });
        let key = credentials.key(&new.index.data.organization.id);
        let token =
            credentials.token(&new.index.data.organization.id, new.index.data.members.user_ids.get(0));
        let name = encoded(new.index.data.people.names.get(0));
        let served = Served::since(old, new, credentials, Limits::DEFAULT);
        let answer = served.get(&format!("{CHANGES}?since=1&limit=50"), &key).await;
        corpus.take(document, CHANGES, answer);
        // The nearest names at a company that does not exist.
        let near = format!("{PATHS}?prospectName={name}&prospectNameAt=zzqx&include=near");
        corpus.take(document, PATHS, served.get(&near, &key).await);
        who::ask(document, &served, (&key, &token), corpus).await;
    }
}

/// Searches by every engine, and by those that are left if the first is not in service. Gives what the
/// document says of engines and nothing here can show: an engine that cannot answer for want of its store,
/// and automatic mode beginning with another engine than the first.
async fn search_by_each_engine(
    document: &Document,
    credentials: &Credentials,
    corpus: &mut Corpus,
) -> Vec<String> {
    let network = || [network_of(&project("fixtures/tiny"))];
    let key = credentials.key("org_tiny");
    let (every, mut out_of_reach) = (tiny(credentials), Vec::new());
    for (place, engine) in Engine::ALL.into_iter().enumerate() {
        let body = json!({ "query": "engineers", "mode": engine.mode() });
        let answer = every.post(SEARCH, &key, &body).await;
        if answer.status == 400 {
            out_of_reach.push(format!("SearchMeta.backend is \"{}\"", engine.backend()));
        }
        if place > 0 {
            out_of_reach.push(format!("Fallback.from is \"{}\"", engine.backend()));
        }
        corpus.take(document, SEARCH, answer);
    }
    let rest: Engines = Engine::ALL.into_iter().skip(1).collect();
    let rest = Served::with_engines(network(), credentials, Limits::DEFAULT, rest);
    corpus.take(document, SEARCH, rest.post(SEARCH, &key, &json!({ "query": "engineers" })).await);
    out_of_reach
}

/// Asks why people fit: terms of every kind, fields of every name, and every way to fit.
async fn explain(document: &Document, credentials: &Credentials, corpus: &mut Corpus) {
    let (served, key) = (tiny(credentials), credentials.key("org_tiny"));
    for query in [
        "heads of finance",
        "executives",
        "partners in Denmark",
        "machinery manufacturing companies",
        "at Copper Mill in Porto",
        "named Pia",
        "mechanical enginers",
        "software, not in Portugal",
        "zzgrub",
        "who used to work at Quayside Health",
        "companies with 51 to 200 employees",
        "best connected",
        "the warmest contacts",
        "who have we already asked for an intro",
        "friends of Hal Itō",
        "who of us knows Gus Ødegård",
    ] {
        let body = json!({ "query": query, "include": ["understood"], "limit": 50 });
        document.judge_body(SEARCH, &body).unwrap();
        corpus.take(document, SEARCH, served.post(SEARCH, &key, &body).await);
    }
    let folder = tempfile::tempdir().unwrap();
    with_silence(folder.path());
    let served = Served::folders(&[folder.path()], credentials, Limits::DEFAULT);
    let body = json!({ "query": "not spoken to for a year", "include": ["understood"] });
    corpus.take(document, SEARCH, served.post(SEARCH, &key, &body).await);
}

/// Errors that no request can cause: our own faults, and overload without a network.
fn is_out_of_reach(document: &Document, item: &str) -> bool {
    let (path, status) = item.split_once(' ').unwrap();
    let is_open = |path| document.operation(path).1["security"].as_array().is_some_and(Vec::is_empty);
    path.starts_with('/') && (status.starts_with("500") || (status.starts_with("503") && is_open(path)))
}

/// Answers of every kind, and what the document says that cannot be shown here.
async fn corpus(document: &Document) -> (Corpus, Vec<String>) {
    let credentials = Credentials::new();
    let mut corpus = Corpus::default();
    draw(document, &credentials, &mut corpus).await;
    fail(document, &credentials, &mut corpus).await;
    change(document, &credentials, &mut corpus).await;
    draw_changes(document, &credentials, &mut corpus).await;
    who::ask_the_least(document, &credentials, &mut corpus).await;
    explain(document, &credentials, &mut corpus).await;
    let out_of_reach = search_by_each_engine(document, &credentials, &mut corpus).await;
    (corpus, out_of_reach)
}

#[tokio::test]
async fn answers_fit_the_document_and_show_all_of_it() {
    let document = Document::new(served_document().await);
    let (corpus, out_of_reach) = corpus(&document).await;
    assert!(corpus.judged > at_least(4_000), "only {} answers", corpus.judged);
    let missing: Vec<String> = document
        .showable()
        .into_iter()
        .filter(|item| !corpus.first.contains_key(item))
        .filter(|item| !is_out_of_reach(&document, item) && !out_of_reach.contains(item))
        .collect();
    assert_eq!(missing, [""; 0], "the document says so, and no answer shows it");
    each_changed_field_is_caught(&document, &corpus);
}

/// The control: without any one field, or with any one field required that is not, the document no
/// longer fits what is answered.
fn each_changed_field_is_caught(document: &Document, corpus: &Corpus) {
    let mut changes = 0;
    for (name, schema) in document.json["components"]["schemas"].as_object().unwrap() {
        if name.ends_with("Error") || schema["additionalProperties"] != false {
            continue;
        }
        for field in schema["properties"].as_object().unwrap().keys() {
            let mut changed = document.json.clone();
            let properties = &mut changed["components"]["schemas"][name]["properties"];
            properties.as_object_mut().unwrap().remove(field);
            let seen = &corpus.first[&format!("{name}.{field} is there")];
            assert_caught(changed, seen, &format!("{name} without {field}"));
            changes += 1;
            if schema["required"].as_array().unwrap().contains(&Value::from(field.as_str())) {
                continue;
            }
            let mut changed = document.json.clone();
            let required = &mut changed["components"]["schemas"][name]["required"];
            required.as_array_mut().unwrap().push(Value::from(field.as_str()));
            let seen = &corpus.first[&format!("{name}.{field} is left out")];
            assert_caught(changed, seen, &format!("{name} with {field} required"));
            changes += 1;
        }
    }
    assert!(changes > 100, "only {changes} changes");
}

fn assert_caught(mut changed: Value, seen: &(String, Answer), change: &str) {
    let (path, answer) = seen;
    // Only what is asked for is kept: compiling the whole document for each change takes long.
    let paths = changed["paths"].as_object_mut().unwrap();
    let template = if paths.contains_key(path) { path.as_str() } else { "/api/v1/people/{id}" };
    paths.retain(|kept, _| kept == template);
    changed["components"]["responses"] = Value::Object(serde_json::Map::new());
    let (_, operation) = changed["paths"][template].as_object_mut().unwrap().iter_mut().next().unwrap();
    let responses = operation["responses"].as_object_mut().unwrap();
    responses.retain(|status, _| status == answer.status.as_str());
    let caught = Document::new(changed).judge_answer(path, answer, &mut Shown::new());
    assert!(caught.is_err(), "{change} is not caught");
}

/// Puts a name that no version has into every object of `value` that is described by name.
fn add_everywhere(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.values_mut().for_each(add_everywhere);
            fields.insert("addedLater".to_owned(), json!(7));
        }
        Value::Array(items) => items.iter_mut().for_each(add_everywhere),
        _ => {}
    }
}

#[tokio::test]
async fn an_answer_of_a_later_version_with_further_names_fits_the_document() {
    let json = served_document().await;
    let credentials = Credentials::new();
    let (served, token) = (tiny(&credentials), credentials.token("org_tiny", "user_ana"));
    let (open, closed) = (Document::as_served(json.clone()), Document::new(json));
    for path in [
        "/api/v1/search/warm-paths?prospectName=pia&include=match,reasons",
        "/api/v1/search/warm-paths?prospectCompany=mill",
        "/api/v1/people/person_pia",
        "/api/v1/people/network?personId=person_pia",
        "/api/v1/search/people?q=a",
        "/api/v1/search/companies?q=a",
        "/api/v1/connections",
        "/api/v1/connections/second-degree",
        "/api/v1/ghost/opportunities",
        "/api/v1/search/people",
    ] {
        let mut answer = served.get(path, &token).await;
        let path = path.split('?').next().unwrap();
        assert_eq!(closed.judge_answer(path, &answer, &mut Shown::new()), Ok(()), "{path}");
        let mut body = answer.json();
        add_everywhere(&mut body);
        answer.bytes = body.to_string().into_bytes();
        assert_eq!(open.judge_answer(path, &answer, &mut Shown::new()), Ok(()), "{path}");
        // The control: our own tests are not so lenient.
        assert!(closed.judge_answer(path, &answer, &mut Shown::new()).is_err(), "{path}");
    }
}
