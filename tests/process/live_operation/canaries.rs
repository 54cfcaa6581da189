//! Nothing that a caller sent and nobody's data stands in the log, in the metrics or in traces.

use std::io::{Read, Write};
use std::net::TcpStream;

use kith::model::dataset::Dataset;

use crate::http::Connection;
use crate::program::{Site, build_tiny};
use crate::support::stub::{Reply, Stub, body_of, http};

/// What callers send wherever they can send anything.
const CANARY: &str = "zanzibarcanary";

/// Every text of a network that tells of somebody.
fn personal(dataset: &Dataset) -> Vec<String> {
    let people = &dataset.people;
    let columns = [&people.names, &people.handles, &people.emails, &people.ids, &dataset.members.user_ids];
    let texts = columns.into_iter().flat_map(|column| column.iter());
    let texts = texts.chain(people.positions.values.iter()).chain(people.cities.values.iter());
    texts.filter(|text| text.len() > 3).map(str::to_lowercase).collect()
}

/// The first of `secrets` that stands in `text`.
fn leaked<'a>(text: &str, secrets: &'a [String]) -> Option<&'a String> {
    let text = text.to_lowercase();
    secrets.iter().find(|secret| text.contains(secret.as_str()))
}

#[test]
fn neither_log_nor_metrics_nor_traces_hold_what_callers_sent_or_who_is_in_the_network() {
    let site = Site::new();
    build_tiny(&site.snapshot("tiny.kith"), &[]);
    let dataset = kith::snapshot::read::load(&site.snapshot("tiny.kith")).unwrap().dataset;
    let key = site.create_key("org_tiny", "canaries");
    let token = site.create_token("org_tiny", dataset.members.user_ids.get(0));
    let mut secrets = personal(&dataset);
    secrets.extend([CANARY.to_owned(), key.to_lowercase(), token.to_lowercase()]);
    assert!(leaked("Bearer zanzibarCANARY", &secrets).is_some(), "the scan sees a canary");

    let runtime = tokio::runtime::Runtime::new().unwrap();
    let collector = runtime.block_on(Stub::start(&[Reply::Bytes(http(200, "", "{}"))]));
    let traces_url = format!("http://{}/v1/traces", collector.address);
    let server = site.serve_in("trace", &[("KITH_TELEMETRY__TRACES_URL", &traces_url)]);
    let mut api = Connection::open(server.api);
    let mut asked = 0;
    for credential in [key.as_str(), token.as_str(), CANARY] {
        for path in [
            format!("/api/v1/search/people?q={CANARY}"),
            format!("/api/v1/people/{CANARY}"),
            "/api/v1/people/person_ana".to_owned(),
            format!("/api/v1/search/warm-paths?prospectName={CANARY}&limit={CANARY}"),
            "/api/v1/search/warm-paths?prospectName=pia%20weiss".to_owned(),
            format!("/api/v1/people/network?name={CANARY}"),
            format!("/{CANARY}?{CANARY}={CANARY}"),
            "/api/v1/search/people?q=ana%40lanternworks".to_owned(),
        ] {
            api.get(&path, credential);
            api.send(
                "DELETE",
                &path,
                &[("x-note", CANARY), ("cookie", CANARY), ("tracestate", CANARY), ("baggage", CANARY)],
            );
            api.send(&CANARY.to_uppercase(), &path, &[]);
            asked += 3;
        }
        for body in [
            format!("{{\"query\":\"people called {CANARY} or Ana Moreira\"}}"),
            format!("{{\"query\":\"x\",\"mode\":\"{CANARY}\"}}"),
            format!("{CANARY}{{"),
        ] {
            api.post("/api/v1/search/network", credential, body.as_bytes());
            asked += 1;
        }
    }
    let traced = asked;
    for broken in [format!("GET /{CANARY} HTTP/1.1\r\n\r\n"), format!("{CANARY}\r\n\r\n")] {
        let mut stream = TcpStream::connect(server.api).unwrap();
        stream.write_all(broken.as_bytes()).unwrap();
        let mut told = String::new();
        let _ = stream.read_to_string(&mut told);
        assert!(told.starts_with("HTTP/1.1 400 "), "{told}");
        asked += 1;
    }
    let metrics = Connection::open(server.admin).send("GET", "/metrics", &[]);
    assert_eq!(metrics.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    let metrics = String::from_utf8(metrics.body).unwrap();
    let told = |line: &str| metrics.lines().any(|told| told.starts_with(line));
    for line in [
        "kith_requests_total{route=\"/api/v1/search/people\",status=\"200\"} ",
        "kith_requests_total{route=\"none\",status=\"400\"} 2",
        "kith_request_duration_seconds_bucket{route=\"/api/v1/people/{id}\",le=\"0.001\"} ",
        "kith_network_people{organization=\"org_tiny\"} ",
        "kith_network_index_bytes{organization=\"org_tiny\"} ",
        "kith_generation 1",
        "kith_reloads_total{result=\"read\"} 1",
        "kith_reload_files_total{outcome=\"loaded\"} 1",
        "kith_reload_last_refused 0",
        "kith_reload_last_success_timestamp_seconds 1",
        "kith_connections ",
    ] {
        assert!(told(line), "{line}: {metrics}");
    }
    let (code, log) = server.stop("TERM");
    assert_eq!(code, Some(0));
    let requests = log.iter().filter(|line| line.contains("\"request_id\"")).count();
    assert_eq!(requests, asked + 1, "every request is in the log, that for the metrics too");
    let text = |request: &Vec<u8>| String::from_utf8(body_of(request).unwrap().to_vec()).unwrap();
    let traces: Vec<_> = collector.seen().requests.iter().map(text).collect();
    let spans: usize = traces.iter().map(|batch| batch.matches("\"kith.request_id\"").count()).sum();
    assert_eq!(spans, traced, "every request that could be read is traced, but for that for the metrics");
    let organization = leaked(&traces[0], &["org_tiny".to_owned()]).is_some();
    assert!(organization, "the scan sees what is in a trace: {}", traces[0]);
    for line in log.iter().map(String::as_str).chain(metrics.lines()).chain(traces.iter().map(String::as_str))
    {
        assert_eq!(leaked(line, &secrets), None, "{line}");
    }
}
