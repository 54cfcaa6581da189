//! The program: traces go only where the configuration says, and none are lost at a stop.

use serde_json::json;

use crate::http::Connection;
use crate::program::{Server, Site, build_tiny};
use crate::support::stub::{CANARY, Reply, Stub, head_of, http};
use crate::traces::traced::{attributes, bodies, collector, spans, taken, url};

const URL: &str = "KITH_TELEMETRY__TRACES_URL";

/// Serves the tiny network in a process with this environment.
fn serve(environment: &[(&str, &str)]) -> (Site, Server) {
    let site = Site::new();
    build_tiny(&site.snapshot("tiny.kith"), &[]);
    let server = site.serve_in("trace", environment);
    (site, server)
}

/// Asks once for what there is not.
fn ask(server: &Server) {
    assert_eq!(Connection::open(server.api).send("GET", "/nowhere", &[]).status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_spans_are_sent_at_a_stop_and_those_of_the_operator_and_of_probes_are_none() {
    let collector = collector().await;
    let (_site, server) = serve(&[(URL, &url(collector.address))]);
    ask(&server);
    for listener in [server.api, server.admin] {
        assert_eq!(Connection::open(listener).send("GET", "/healthz", &[]).status, 200);
    }
    assert_eq!(server.stop("TERM").0, Some(0));
    let spans = spans(&collector.seen());
    let names: Vec<_> = spans.iter().map(|span| span.text("name")).collect();
    assert_eq!(names, ["GET"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_hangs_holds_no_stop_up_for_longer_than_its_bound() {
    let collector = Stub::start(&[Reply::Hang]).await;
    let (_site, server) = serve(&[(URL, &url(collector.address))]);
    ask(&server);
    let (code, log) = server.stop("TERM");
    assert_eq!((code, collector.contacts()), (Some(0), 1));
    let said = |text: &str| log.iter().filter(|line| line.contains(text)).count();
    assert_eq!(said("the last traces may be lost"), 1, "{log:?}");
    assert_eq!(said("did not answer within"), 0, "the stop's bound is the shorter one: {log:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_fails_is_reported_once_and_not_in_its_words() {
    let failing = Reply::Bytes(http(503, "", CANARY));
    for (replies, again) in [(vec![failing.clone()], 0), (vec![failing.clone(), failing, taken()], 1)] {
        let collector = Stub::start(&replies).await;
        let (_site, server) = serve(&[(URL, &url(collector.address))]);
        ask(&server);
        let (code, log) = server.stop("TERM");
        assert!(code == Some(0) && collector.contacts() > 2, "{log:?}");
        let said = |text: &str| log.iter().filter(|line| line.contains(text)).count();
        assert_eq!(
            (said("traces cannot be exported"), said("the collector answered 503")),
            (1, 1),
            "{log:?}"
        );
        assert_eq!((said("traces are exported again"), said(CANARY)), (again, 0), "{log:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_address_nobody_is_contacted() {
    let collector = collector().await;
    let address = url(collector.address);
    let named = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", address.as_str()),
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", &address),
        ("OTEL_TRACES_EXPORTER", "otlp"),
        (URL, " "),
    ];
    let (_site, server) = serve(&named);
    ask(&server);
    assert_eq!(server.stop("TERM").0, Some(0));
    assert_eq!(collector.seen().connections, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_environment_of_opentelemetry_names_the_service_and_lets_it_in_and_no_more() {
    let (collector, elsewhere) = (collector().await, collector().await);
    let (ours, other) = (url(collector.address), url(elsewhere.address));
    let (_site, server) = serve(&[
        (URL, &ours),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", &other),
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", &other),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
        ("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip"),
        ("OTEL_EXPORTER_OTLP_TIMEOUT", "0"),
        ("OTEL_TRACES_SAMPLER", "always_off"),
        ("OTEL_BSP_MAX_QUEUE_SIZE", "0"),
        ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "0"),
        ("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "0"),
        ("OTEL_SDK_DISABLED", "true"),
        ("HTTP_PROXY", &other),
        ("http_proxy", &other),
        ("OTEL_EXPORTER_OTLP_HEADERS", "x-let-in=zanzibar"),
        ("OTEL_RESOURCE_ATTRIBUTES", "service.name=hidden,deployment.environment.name=test"),
        ("OTEL_SERVICE_NAME", "kith-east"),
    ]);
    ask(&server);
    let (code, log) = server.stop("TERM");
    assert_eq!((code, elsewhere.seen().connections), (Some(0), 0));
    let seen = collector.seen();
    assert_eq!((spans(&seen).len(), seen.requests.len()), (1, 1));
    assert_eq!(spans(&seen)[0].attributes.len(), 3, "all of an answer without a route");
    assert!(head_of(&seen.requests[0]).unwrap().contains("x-let-in: zanzibar"));
    let resource = attributes(&bodies(&seen)[0]["resourceSpans"][0]["resource"]["attributes"]);
    for (name, value) in [("service.name", "kith-east"), ("deployment.environment.name", "test")] {
        assert_eq!(resource.get(name), Some(&json!({ "stringValue": value })), "{resource:?}");
    }
    assert!(!log.iter().any(|line| line.contains("zanzibar")), "what lets in is not logged: {log:?}");
}

#[test]
fn traces_that_cannot_be_sent_stop_the_start() {
    let site = Site::new();
    let config = site.file("kith.toml");
    std::fs::write(&config, "[telemetry]\nsample_ratio = 0.1\n").unwrap();
    let args = site.serve_args();
    let args: Vec<_> = args.iter().map(String::as_str).chain(["--config", &config]).collect();
    let ended = crate::program::run(&args);
    assert_ne!(ended.code, Some(0));
    assert!(ended.err.contains("telemetry.traces_url is missing"), "{}", ended.err);
}
