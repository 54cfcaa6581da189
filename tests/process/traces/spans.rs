//! The content of a span about a request: exactly the listed attributes.
//!
//! Promise: A span holds what is listed and nothing else, and goes only where the configuration says.
//! Control: a span with a canary.
//! Also in: `tests/process/traces/parents.rs`, `tests/process/traces/processes.rs`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::http::Method;
use kith_server::api::layers::REQUEST_ID;
use kith_server::api::traces::Traces;
use serde_json::{Value, json};

use crate::support::{Credentials, Served, network_of, project};
use crate::traces::traced::{Traced, attributes, bodies, collector, exporter, spans};

/// Span kinds and statuses, as OTLP numbers them.
const SERVER: u64 = 2;
const ERROR: u64 = 2;

/// The expected attributes of a span, from all its attributes.
fn expected(method: &str, status: u16, more: &[(&str, Value)]) -> BTreeMap<String, Value> {
    let always = [
        ("http.request.method", json!({ "stringValue": method })),
        ("http.response.status_code", json!({ "intValue": status.to_string() })),
    ];
    let all = always.into_iter().chain(more.iter().cloned());
    all.map(|(name, value)| (name.to_owned(), value)).collect()
}

fn text(text: &str) -> Value {
    json!({ "stringValue": text })
}

#[tokio::test]
async fn each_answer_is_one_span_with_the_attributes_listed_and_no_other() {
    let collector = collector().await;
    let traced = Traced::start(collector.address, 1.0);
    let (well, yes) = ("/well/{id}", json!({ "boolValue": true }));
    let cases = [
        ("GET", "/well/zanzibar?q=zanzibar", "GET /well/{id}", 200, "GET", vec![("http.route", text(well))]),
        ("HEAD", "/well/zanzibar", "HEAD /well/{id}", 200, "HEAD", vec![("http.route", text(well))]),
        ("POST", "/well/zanzibar", "POST /well/{id}", 405, "POST", vec![("http.route", text(well))]),
        ("ZANZIBAR", "/well/x", "HTTP /well/{id}", 405, "_OTHER", vec![("http.route", text(well))]),
        ("get", "/well/x", "HTTP /well/{id}", 405, "_OTHER", vec![("http.route", text(well))]),
        ("GET", "/zanzibar", "GET", 404, "GET", vec![]),
        ("ZANZIBAR", "/zanzibar", "HTTP", 404, "_OTHER", vec![]),
        (
            "GET",
            "/capped",
            "GET /capped",
            200,
            "GET",
            vec![("http.route", text("/capped")), ("kith.capped", yes)],
        ),
        (
            "GET",
            "/panics",
            "GET /panics",
            500,
            "GET",
            vec![("http.route", text("/panics")), ("error.type", text("500"))],
        ),
        (
            "GET",
            "/slow",
            "GET /slow",
            503,
            "GET",
            vec![("http.route", text("/slow")), ("error.type", text("503"))],
        ),
    ];
    let mut ids = Vec::new();
    for (method, path, _, status, ..) in &cases {
        let (said, headers) = traced.ask(method, path, &[("user-agent", "zanzibar")]).await;
        assert_eq!(said.as_u16(), *status, "{method} {path}");
        ids.push(headers[REQUEST_ID].to_str().unwrap().to_owned());
    }
    traced.exporter.stop().await;
    let spans = spans(&collector.seen());
    assert_eq!(spans.len(), cases.len());
    for ((span, id), (_, path, name, status, method, more)) in spans.iter().zip(&ids).zip(&cases) {
        let mut wanted = expected(method, *status, more);
        wanted.insert("kith.request_id".to_owned(), text(id));
        assert_eq!(span.attributes, wanted, "{path}");
        assert_eq!((span.text("name"), &span.whole["kind"]), (*name, &json!(SERVER)), "{path}");
        let is_error = span.whole["status"]["code"] == json!(ERROR);
        assert_eq!(is_error, *status >= 500, "{path}: {}", span.whole);
        assert_eq!((span.text("traceId").len(), span.text("spanId").len()), (32, 16), "{path}");
        for nothing in ["parentSpanId", "traceState", "events", "links"] {
            let is_empty = |value: &Value| value.is_null() || value == "" || value == &json!([]);
            assert!(is_empty(&span.whole[nothing]), "{path}: {}", span.whole);
        }
    }
}

#[tokio::test]
async fn a_span_lasts_from_the_request_to_its_answer() {
    let collector = collector().await;
    let traced = Traced::start(collector.address, 1.0);
    let since_1970 = || SystemTime::UNIX_EPOCH.elapsed().unwrap();
    let before = since_1970();
    traced.ask("GET", "/slow", &[]).await;
    let after = since_1970();
    traced.exporter.stop().await;
    let span = spans(&collector.seen()).remove(0);
    let (start, end) = (span.nanoseconds("startTimeUnixNano"), span.nanoseconds("endTimeUnixNano"));
    assert!(before.as_nanos() <= start + 1_000_000 && end <= after.as_nanos(), "{}", span.whole);
    assert!(end - start >= Duration::from_millis(20).as_nanos(), "{}", span.whole);
}

#[tokio::test]
async fn a_span_says_whose_network_answered_and_of_which_generation() {
    let collector = collector().await;
    let exporter = exporter(collector.address, 1.0);
    let traces = Arc::new(Traces::new(exporter.tracer()));
    let credentials = Credentials::new();
    let key = credentials.key("org_tiny");
    let served = Served::tracing(network_of(&project("fixtures/tiny")), &credentials, traces);
    let bearer = format!("Bearer {key}");
    let mut now = None;
    for credential in [bearer.as_str(), "Bearer nobody"] {
        let answer =
            served.ask(Method::GET, "/api/v1/people/person_ana", &[("authorization", credential)]).await;
        now = now.or(answer.header("service-generation").map(str::to_owned));
    }
    exporter.stop().await;
    let seen = collector.seen();
    let spans = spans(&seen);
    let said = |span: usize, name: &str| spans[span].attributes.get(name).cloned();
    assert_eq!(said(0, "http.response.status_code"), Some(json!({ "intValue": "200" })));
    assert_eq!(said(0, "kith.organization"), Some(text("org_tiny")));
    let generation = said(0, "kith.generation").unwrap()["intValue"].as_str().unwrap().to_owned();
    assert_eq!(Some(generation), now);
    assert_eq!(said(1, "http.response.status_code"), Some(json!({ "intValue": "401" })));
    assert_eq!((said(1, "kith.organization"), said(1, "kith.generation")), (None, None));
    let resource = attributes(&bodies(&seen)[0]["resourceSpans"][0]["resource"]["attributes"]);
    assert_eq!(resource.get("service.name"), Some(&text("kith")), "{resource:?}");
    assert_eq!(resource.get("service.version"), Some(&text(env!("CARGO_PKG_VERSION"))), "{resource:?}");
}
