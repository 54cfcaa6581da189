//! The examples are real answers to an organization of the demo. `UPDATE_EXAMPLES=1` writes them again.
//!
//! Promise: The examples of an operation can be sent together to the demo and find something; answers of a later
//!   version, with further names, fit the document.
//! Control: an example on a parameter that others exclude; the same answers by a document that is closed.
//! Also in: `tests/api/openapi/answers.rs`.

use kith::limits::Limits;
use kith_server::openapi::serve::described;
use kith_server::openapi::table::{Access, Place, Success};
use serde_json::{Value, json};

use crate::changes::documented::fernhollow_on_monday;
use crate::openapi::document::{Document, Shown, only_operation, served_document};
use crate::support::encoding::{encoded, query_string};
use crate::support::{Credentials, Served, network_of, project};

/// The organization of the demo that the examples are of, and the member whose token the demo prints.
const DEMO: (&str, &str) = ("org_fernhollow", "user_f37qch");

/// The demo's organization as generation 2, and as generation 1 what it was on Monday.
fn demo(credentials: &Credentials) -> Served {
    let (monday, friday) = (tempfile::tempdir().unwrap(), project("fixtures/demo/fernhollow"));
    fernhollow_on_monday().write(monday.path());
    Served::since(network_of(monday.path()), network_of(&friday), credentials, Limits::DEFAULT)
}

#[tokio::test]
async fn each_example_is_the_answer_that_is_given_and_fits_its_schema() {
    let document = Document::new(served_document().await);
    let credentials = Credentials::new();
    let served = demo(&credentials);
    let mut examples = 0;
    for endpoint in described() {
        let Success::Json { request, body, answer: example, .. } = endpoint.success else { continue };
        let credential = match endpoint.access {
            Access::User => credentials.token(DEMO.0, DEMO.1),
            _ => credentials.key(DEMO.0),
        };
        let answer = match body {
            None => served.get(request, &credential).await,
            Some(body) => {
                let body: Value = serde_json::from_str(body).unwrap();
                document.judge_body(endpoint.route.path, &body).unwrap();
                served.post(request, &credential, &body).await
            }
        };
        assert_eq!(answer.status, 200, "{request}");
        let path = request.split('?').next().unwrap();
        assert_eq!(document.operation(path).0, endpoint.route.path);
        document.judge_answer(path, &answer, &mut Shown::new()).unwrap();
        let got = String::from_utf8(answer.bytes).unwrap();
        if std::env::var_os("UPDATE_EXAMPLES").is_some() {
            let file = project(&format!("src/answers/openapi/examples/{}.json", endpoint.route.id));
            std::fs::write(file, &got).unwrap();
        } else {
            assert_eq!(got, example, "{}; UPDATE_EXAMPLES=1 writes it anew", endpoint.route.id);
        }
        examples += 1;
    }
    assert!(examples >= 8);
}

/// A company that the member knows ways to.
const TARGET: &str = "prospectCompany=Bramblequay%20Software";

#[tokio::test]
async fn each_parameters_example_finds_something() {
    let credentials = Credentials::new();
    let served = demo(&credentials);
    let token = credentials.token(DEMO.0, DEMO.1);
    let mut examples = 0;
    for endpoint in described() {
        for parameter in endpoint.parameters {
            let Some(example) = parameter.example else { continue };
            if parameter.place == Place::Body {
                let mut body = json!({ "query": "who do we know" });
                body[parameter.name] = example.into();
                let answer = served.post(endpoint.route.path, &token, &body).await.json();
                assert_ne!(answer["data"], json!([]), "{body}: {answer}");
                continue;
            }
            let (name, example) = (parameter.name, encoded(example));
            let path = match name {
                "id" => endpoint.route.path.replace("{id}", &example),
                "fromUserIds" => format!("{}?{name}={example}&{TARGET}", endpoint.route.path),
                _ => format!("{}?{name}={example}", endpoint.route.path),
            };
            let answer = served.get(&path, &token).await;
            assert_eq!(answer.status, 200, "{path}");
            let body = answer.json();
            let entries = [&body["data"], &body["data"]["paths"], &body["data"]["connections"]];
            let is_empty = entries.iter().any(|list| list.as_array().is_some_and(Vec::is_empty));
            assert!(!is_empty, "{path}: {body}");
            examples += 1;
        }
    }
    assert!(examples >= 5);
}

/// The requests that a tool makes which sends the examples and defaults of all parameters together, the answer to
/// which is no success. `needed` are the targets, which have no example: exactly one of several is sent.
async fn refused_together(document: &Value) -> Vec<String> {
    let credentials = Credentials::new();
    let (served, token) = (demo(&credentials), credentials.token(DEMO.0, DEMO.1));
    let mut refused = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        let (method, operation) = only_operation(item);
        if method != "GET" {
            continue;
        }
        let (mut path, mut sent) = (path.clone(), Vec::new());
        for parameter in operation["parameters"].as_array().unwrap() {
            let name = parameter["name"].as_str().unwrap();
            let example = parameter["example"].as_array().map_or(&parameter["example"], |list| &list[0]);
            let value = if example.is_null() { &parameter["schema"]["default"] } else { example };
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            match parameter["in"].as_str().unwrap() {
                _ if value == "null" => {}
                "path" => path = path.replace(&format!("{{{name}}}"), &encoded(&value)),
                _ => sent.push((name.to_owned(), value)),
            }
        }
        let needed = match &*path {
            "/api/v1/search/warm-paths" => TARGET,
            "/api/v1/people/network" => "personId=person_9jzgw7",
            "/api/v1/changes" => "since=1",
            _ => "",
        };
        let request = format!("{path}?{}&{needed}", query_string(&sent));
        let status = served.get(&request, &token).await.status;
        if status != 200 {
            refused.push(format!("{request}: {status}"));
        }
    }
    refused
}

#[tokio::test]
async fn the_examples_of_an_operation_can_be_sent_together() {
    let mut document = served_document().await;
    assert_eq!(refused_together(&document).await, [""; 0]);
    // The control: an example on a parameter that others exclude.
    let parameters = &mut document["paths"]["/api/v1/search/warm-paths"]["get"]["parameters"];
    let name =
        parameters.as_array_mut().unwrap().iter_mut().find(|parameter| parameter["name"] == "prospectName");
    name.unwrap()["example"] = json!("Deepa Reddy");
    assert_eq!(refused_together(&document).await.len(), 1);
}
