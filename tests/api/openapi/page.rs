//! The page shows the whole document, and loads nothing else.

use axum::http::Method;
use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use crate::openapi::document::{only_operation, served_document, tiny};
use crate::support::{Answer, Credentials};

async fn page() -> Answer {
    tiny(&Credentials::new()).ask(Method::GET, "/docs", &[]).await
}

#[tokio::test]
async fn the_page_shows_every_operation_parameter_schema_and_field() {
    let page = String::from_utf8(page().await.bytes).unwrap();
    let document = served_document().await;
    let shows = |text: &str| assert!(page.contains(text), "{text}");
    for (path, item) in document["paths"].as_object().unwrap() {
        let (method, operation) = only_operation(item);
        shows(&format!("<b>{method}</b> <code>{path}</code>"));
        shows(&format!("id=\"{}\"", operation["operationId"].as_str().unwrap()));
        for parameter in operation["parameters"].as_array().unwrap() {
            shows(&format!("<code>{}</code>", parameter["name"].as_str().unwrap()));
        }
        let content = &operation["requestBody"]["content"]["application/json"];
        for field in content["schema"]["properties"].as_object().into_iter().flatten() {
            shows(&format!("<code>{}</code>", field.0));
        }
        if let Some(example) = content.get("example") {
            let first = ["query", "targets"].into_iter().find(|field| example.get(field).is_some()).unwrap();
            let quoted = example[first].to_string().replace('"', "&quot;");
            shows(&format!("-d &#39;{{&quot;{first}&quot;:{quoted},"));
        }
    }
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        if name.ends_with("Error") {
            continue;
        }
        shows(&format!("id=\"{name}\""));
        for field in schema["properties"].as_object().unwrap().keys() {
            shows(&format!("<code>{field}</code>"));
        }
    }
    for name in document["components"]["responses"].as_object().unwrap().keys() {
        shows(&format!("id=\"{name}\""));
    }
}

/// The one script of `page`.
fn script_of(page: &str) -> &str {
    assert_eq!(page.matches("<script").count(), 1);
    page.split("<script>").nth(1).unwrap().split("</script>").next().unwrap()
}

#[tokio::test]
async fn the_page_runs_its_own_script_and_no_other() {
    let answer = page().await;
    let policy = answer.header("content-security-policy").unwrap().to_owned();
    let page = String::from_utf8(answer.bytes).unwrap();
    let allows = |script: &str| {
        let hash = BASE64.encode(&Sha256::digest(script.as_bytes()));
        let rule = format!("script-src 'sha256-{hash}';");
        (policy.contains(&rule), rule)
    };
    let (is_allowed, rule) = allows(script_of(&page));
    assert!(is_allowed, "src/answers/openapi/page.js changed: src/answers/openapi/serve.rs needs {rule}");
    // The control: with one letter more it is another script.
    assert!(!allows(&format!("{} ", script_of(&page))).0);
    for rule in [
        "connect-src 'self';",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    ] {
        assert!(policy.contains(rule), "{rule}");
    }
    assert_eq!(policy.matches("unsafe").count(), 1, "the style alone: {policy}");
}

#[tokio::test]
async fn each_example_that_can_be_sent_is_the_request_of_the_document() {
    let page = String::from_utf8(page().await.bytes).unwrap();
    let document = served_document().await;
    let mut count = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        let (method, operation) = only_operation(item);
        let id = format!("id=\"{}\"", operation["operationId"].as_str().unwrap());
        let section = page.split(&id).nth(1).unwrap().split("</section>").next().unwrap();
        let Some(example) = section.split("<details class=\"example\" ").nth(1) else { continue };
        count += 1;
        let attributes = example.split('>').next().unwrap();
        assert!(
            attributes.starts_with(&format!("data-method=\"{method}\" data-request=\"/api/v1/")),
            "{path}"
        );
        assert_eq!(attributes.contains("data-body="), operation.get("requestBody").is_some(), "{path}");
    }
    assert!(count > 9, "{count}");
}

#[tokio::test]
async fn every_link_of_the_page_leads_somewhere_and_no_place_is_there_twice() {
    let page = String::from_utf8(page().await.bytes).unwrap();
    let values = |start: &str| -> Vec<String> {
        page.split(start).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    };
    let mut places = values(" id=\"");
    for link in values("href=\"") {
        let Some(place) = link.strip_prefix('#') else {
            assert!(
                ["api/v1/openapi.json", "explore"].contains(&link.as_str()) || link.starts_with("data:"),
                "{link}"
            );
            continue;
        };
        assert!(places.iter().any(|known| known == place), "{link}");
    }
    places.sort();
    let count = places.len();
    places.dedup();
    assert_eq!((places.len(), count > 40), (count, true));
}

#[tokio::test]
async fn the_page_loads_nothing_and_its_policy_forbids_to() {
    let answer = page().await;
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    let policy = answer.header("content-security-policy").unwrap();
    assert!(
        policy.starts_with("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-"),
        "{policy}"
    );
    let page = String::from_utf8(answer.bytes.clone()).unwrap();
    // The names of XML, which nobody asks for.
    let page = page.replace("http://www.w3.org/2000/svg", "");
    for loads in
        ["<img", "<iframe", " src=", "url(", "@import", "http://", "href=\"http", "onclick", "style=\""]
    {
        assert!(!page.contains(loads), "{loads}");
    }
    assert_eq!(page.matches("<link").count(), 1);
    assert!(page.contains("<link rel=\"icon\" href=\"data:image/svg+xml,"));
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    for element in ["section", "details", "div", "p", "h3", "code", "pre", "span", "a", "nav", "main"] {
        let opened =
            page.matches(&format!("<{element}>")).count() + page.matches(&format!("<{element} ")).count();
        assert_eq!(opened, page.matches(&format!("</{element}>")).count(), "{element}");
    }
}
