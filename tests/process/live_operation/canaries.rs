//! The log, the metrics and traces contain neither callers' input nor personal data.
//!
//! Promise: Log, metrics and traces contain neither what callers sent nor who is in the network.
//! Control: a server whose organization has a canary for its id: found in all three.
//! Also in: `tests/process/traces/parents.rs`.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;

use kith_server::model::dataset::Dataset;

use crate::http::Connection;
use crate::program::{Server, Site, build_tiny};
use crate::support::stub::{Reply, Stub, body_of, http};

/// The texts that callers send in every possible position.
const CANARY: &str = "zanzibarcanary";

/// Every text of a network that says something about a person.
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

/// Asks for everything there is, well and badly; how many requests those were.
fn ask_everything(server: &Server, credentials: [&str; 3]) -> usize {
    let mut api = Connection::open(server.api);
    let mut asked = 0;
    for credential in credentials {
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
    asked
}

/// A few metrics that must be there, or nothing was looked at.
fn expected_metrics(organization: &str) -> [String; 11] {
    [
        "kith_requests_total{route=\"/api/v1/search/people\",status=\"200\"} ".to_owned(),
        "kith_requests_total{route=\"none\",status=\"400\"} 2".to_owned(),
        "kith_request_duration_seconds_bucket{route=\"/api/v1/people/{id}\",le=\"0.001\"} ".to_owned(),
        format!("kith_network_people{{organization=\"{organization}\"}} "),
        format!("kith_network_index_bytes{{organization=\"{organization}\"}} "),
        "kith_generation 1".to_owned(),
        "kith_reloads_total{result=\"read\"} 1".to_owned(),
        "kith_reload_files_total{outcome=\"loaded\"} 1".to_owned(),
        "kith_reload_last_refused 0".to_owned(),
        "kith_reload_last_success_timestamp_seconds 1".to_owned(),
        "kith_connections ".to_owned(),
    ]
}

/// Asks a server whose organization has this id for everything there is, and looks for secrets in its log,
/// metrics and traces. Gives each line that holds one, by where it was found.
fn leaks(organization: &str) -> BTreeMap<&'static str, Vec<String>> {
    let site = Site::new();
    build_tiny(&site.snapshot("tiny.kith"), &[("org_tiny", organization)]);
    let dataset = kith_server::snapshot::read::load(&site.snapshot("tiny.kith")).unwrap().dataset;
    let key = site.create_key(organization, "canaries");
    let token = site.create_token(organization, dataset.members.user_ids.get(0));
    let mut secrets = personal(&dataset);
    secrets.extend([CANARY.to_owned(), key.to_lowercase(), token.to_lowercase()]);

    let runtime = tokio::runtime::Runtime::new().unwrap();
    let collector = runtime.block_on(Stub::start(&[Reply::Bytes(http(200, "", "{}"))]));
    let traces_url = format!("http://{}/v1/traces", collector.address);
    let server = site.serve_in("trace", &[("KITH_TELEMETRY__TRACES_URL", &traces_url)]);
    let traced = ask_everything(&server, [&key, &token, CANARY]);
    let mut asked = traced;
    for broken in [format!("GET /{CANARY} HTTP/1.1\r\n\r\n"), format!("{CANARY}\r\n\r\n")] {
        let mut stream = TcpStream::connect(server.api).unwrap();
        stream.write_all(broken.as_bytes()).unwrap();
        let mut said = String::new();
        let _ = stream.read_to_string(&mut said);
        assert!(said.starts_with("HTTP/1.1 400 "), "{said}");
        asked += 1;
    }
    let metrics = Connection::open(server.admin).send("GET", "/metrics", &[]);
    assert_eq!(metrics.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    let metrics = String::from_utf8(metrics.body).unwrap();
    for line in expected_metrics(organization) {
        assert!(metrics.lines().any(|said| said.starts_with(&line)), "{line}: {metrics}");
    }
    let (code, log) = server.stop("TERM");
    assert_eq!(code, Some(0));
    let requests = log.iter().filter(|line| line.contains("\"request_id\"")).count();
    assert_eq!(requests, asked + 1, "every request is in the log, that for the metrics too");
    let text = |request: &Vec<u8>| String::from_utf8(body_of(request).unwrap().to_vec()).unwrap();
    let traces: Vec<_> = collector.seen().requests.iter().map(text).collect();
    let spans: usize = traces.iter().map(|batch| batch.matches("\"kith.request_id\"").count()).sum();
    assert_eq!(spans, traced, "every request that could be read is traced, but for that for the metrics");
    let found = |lines: &mut dyn Iterator<Item = &str>| -> Vec<String> {
        lines.filter(|line| leaked(line, &secrets).is_some()).map(str::to_owned).collect()
    };
    BTreeMap::from([
        ("log", found(&mut log.iter().map(String::as_str))),
        ("metrics", found(&mut metrics.lines())),
        ("traces", found(&mut traces.iter().map(String::as_str))),
    ])
}

#[test]
fn neither_log_nor_metrics_nor_traces_hold_what_callers_sent_or_who_is_in_the_network() {
    let leaks = leaks("org_tiny");
    assert!(leaks.values().all(Vec::is_empty), "{leaks:?}");
}

/// The control: a server whose organization has a canary for its id, which it writes into all three.
#[test]
fn a_server_that_writes_a_canary_is_caught_in_the_log_the_metrics_and_the_traces() {
    let leaks = leaks(&format!("org_{CANARY}"));
    assert!(leaks.values().all(|lines| !lines.is_empty()), "{leaks:?}");
}
