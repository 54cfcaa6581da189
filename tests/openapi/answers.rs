//! Thousands of answers against the document: each fits its schema, and together they show all of it.

use std::collections::BTreeMap;
use std::rc::Rc;

use axum::http::Method;
use serde_json::Value;

use crate::case::Case;
use crate::document::{Document, Shown, served_document, tiny};
use crate::oracle::random::{Dice, random_request};
use crate::support::{Answer, Credentials};

const NETWORKS: u64 = 400;
const REQUESTS: usize = 12;
/// What random requests send now and then, to be ignored.
const UNKNOWN: &str = "unknownParameter";

/// Answers, each kept because it was the first to show something of the document.
#[derive(Default)]
struct Corpus {
    judged: usize,
    first: BTreeMap<String, Rc<(String, Answer)>>,
}

impl Corpus {
    /// Judges `answer` and keeps it where it shows something new.
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
    for seed in 0..NETWORKS {
        let case = Case::draw(seed, credentials);
        let mut dice = Dice::new(seed);
        for _ in 0..REQUESTS {
            let request = random_request(&case.network, &mut dice);
            let mut params = request.params.clone();
            params.retain(|(name, _)| name != UNKNOWN);
            document.judge_params(&request.path, &params).unwrap();
            let answer = case.ask(credentials, &request).await;
            corpus.take(document, &request.path, answer);
        }
    }
}

/// Asks for every failure that can be asked for.
async fn fail(document: &Document, credentials: &Credentials, corpus: &mut Corpus) {
    let served = tiny(credentials);
    let key = credentials.key("org_tiny");
    let token = credentials.token("org_tiny", "user_ana");
    let powerless = credentials.token_with("org_tiny", "user_ana", "mcp:write");
    let homeless = credentials.token("org_elsewhere", "user_ana");
    for (template, operation) in document.operations() {
        let path = template.replace("{id}", "person_dee");
        corpus.take(document, &path, served.ask(Method::GET, &path, &[]).await);
        corpus.take(document, &path, served.ask(Method::POST, &path, &[]).await);
        if operation["security"].as_array().unwrap().is_empty() {
            continue;
        }
        for credential in [&homeless, &powerless, &key] {
            corpus.take(document, &path, served.get(&path, credential).await);
        }
        corpus.take(document, &path, served.get(&format!("{path}?%"), &token).await);
    }
    for (path, query, credential) in [
        ("/api/v1/search/warm-paths", "?prospectName=pia&scope=me", &key),
        ("/api/v1/people/person_sol", "", &key),
        ("/api/v1/people/network", "?personId=person_sol", &key),
        ("/api/v1/connections/second-degree", "?viaConnectorId=person_sol", &token),
    ] {
        corpus.take(document, path, served.get(&format!("{path}{query}"), credential).await);
    }
}

/// What no request can bring about: faults of ours, and too much to do where no network is needed.
fn is_out_of_reach(document: &Document, item: &str) -> bool {
    let (path, status) = item.split_once(' ').unwrap();
    let is_open =
        |path| document.json["paths"][path]["get"]["security"].as_array().is_some_and(Vec::is_empty);
    path.starts_with('/') && (status.starts_with("500") || (status.starts_with("503") && is_open(path)))
}

async fn corpus(document: &Document) -> Corpus {
    let credentials = Credentials::new();
    let mut corpus = Corpus::default();
    draw(document, &credentials, &mut corpus).await;
    fail(document, &credentials, &mut corpus).await;
    corpus
}

#[tokio::test]
async fn answers_fit_the_document_and_show_all_of_it() {
    let document = Document::new(served_document().await);
    let corpus = corpus(&document).await;
    assert!(corpus.judged > 4_000, "only {} answers", corpus.judged);
    let missing: Vec<String> = document
        .showable()
        .into_iter()
        .filter(|item| !corpus.first.contains_key(item) && !is_out_of_reach(&document, item))
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
    let responses = changed["paths"][template]["get"]["responses"].as_object_mut().unwrap();
    responses.retain(|status, _| status == answer.status.as_str());
    let caught = Document::new(changed).judge_answer(path, answer, &mut Shown::new());
    assert!(caught.is_err(), "{change} is not caught");
}
