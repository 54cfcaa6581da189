//! The examples are what the tiny network really answers. `UPDATE_EXAMPLES=1` writes them anew.

use kith::openapi::serve::described;
use kith::openapi::table::{Access, Place, Success};
use serde_json::{Value, json};

use crate::openapi::document::{Document, Shown, served_document, tiny};
use crate::support::{Credentials, encoded, project};

#[tokio::test]
async fn each_example_is_the_answer_that_is_given_and_fits_its_schema() {
    let document = Document::new(served_document().await);
    let credentials = Credentials::new();
    let served = tiny(&credentials);
    let mut examples = 0;
    for endpoint in described() {
        let Success::Json { request, body, answer: example, .. } = endpoint.success else { continue };
        let credential = match endpoint.access {
            Access::User => credentials.token("org_tiny", "user_ana"),
            _ => credentials.key("org_tiny"),
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
            let file = project(&format!("src/openapi/examples/{}.json", endpoint.route.id));
            std::fs::write(file, &got).unwrap();
        } else {
            assert_eq!(got, example, "{}; UPDATE_EXAMPLES=1 writes it anew", endpoint.route.id);
        }
        examples += 1;
    }
    assert!(examples >= 8);
}

#[tokio::test]
async fn each_parameters_example_finds_something() {
    let credentials = Credentials::new();
    let served = tiny(&credentials);
    let token = credentials.token("org_tiny", "user_ana");
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
                "prospectNameAt" => format!("{}?{name}={example}&prospectName=pia", endpoint.route.path),
                "position" => format!("{}?{name}={example}&prospectCompany=mill", endpoint.route.path),
                "fromUserIds" => format!("{}?{name}={example}&prospectName=pia", endpoint.route.path),
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
    assert!(examples >= 8);
}
