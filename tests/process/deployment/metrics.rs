//! The board and the alerts of `deploy/` use series and labels that a server has.
//!
//! Promise: The board and the alerts ask for series and labels that a server with everything configured has.
//! Control: in each file a name and a label misspelt.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::http::Connection;
use crate::program::{Site, project, run_well};
use crate::support::issuer::{AUDIENCE, ISSUER, Signer, claims, jwks};

const PIA: &str = "/api/v1/search/warm-paths?prospectLinkedinId=pia-weiss";
/// The readers of series, each with its minimum number of series.
const READERS: [(&str, usize); 3] = [
    ("deploy/grafana/kith.json", 25),
    ("deploy/prometheus/kith.rules.yml", 15),
    ("deploy/prometheus/kith.rules.test.yml", 15),
];
/// The labels that Prometheus gives every series.
const GIVEN: [&str; 2] = ["instance", "job"];

/// The series of a text by name, with the labels that stand behind it in braces.
type Series = BTreeMap<String, BTreeSet<String>>;

/// The series that `text` names, in any language: words that begin as our metrics do.
fn series(text: &str) -> Series {
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let mut found = Series::new();
    let mut rest = text;
    while let Some(at) = rest.find(is_name) {
        let end = rest[at..].find(|c| !is_name(c)).map_or(rest.len(), |length| at + length);
        let (name, behind) = (&rest[at..end], &rest[end..]);
        rest = behind;
        if name.starts_with("kith_") || name.starts_with("process_") {
            let labels = found.entry(name.to_owned()).or_default();
            if let Some((inside, _)) = behind.strip_prefix('{').and_then(|behind| behind.split_once('}')) {
                labels.extend(label_names(inside));
            }
        }
    }
    found
}

/// The names of labels between braces. No value of a label holds a comma or a brace.
fn label_names(inside: &str) -> impl Iterator<Item = String> {
    let pairs = inside.split(',').filter_map(|pair| pair.split_once(['=', '!']));
    pairs.map(|(name, _)| name.trim().to_owned())
}

/// The series that `wanted` names and `served` lacks.
fn lacking(wanted: &Series, served: &Series) -> Vec<String> {
    let mut lacking = Vec::new();
    for (name, labels) in wanted {
        let Some(known) = served.get(name) else {
            lacking.push(name.clone());
            continue;
        };
        let unknown =
            labels.iter().filter(|&label| !known.contains(label) && !GIVEN.contains(&label.as_str()));
        lacking.extend(unknown.map(|label| format!("{name}{{{label}}}")));
    }
    lacking
}

/// The series of a listener that speaks TLS, which this one does not; the table in docs/monitoring.md is held to it too.
const OF_TLS: &str = "kith_tls_certificate_expiry_timestamp_seconds 1";

/// Everything that is in the metrics of a server with everything configured, after a request of each kind.
fn served() -> Series {
    let site = Site::new();
    fs::copy(project("snapshots/tiny.kith"), site.snapshot("tiny.kith")).unwrap();
    let key = site.create_key("org_tiny", "a");
    let (list, keys) = (site.file("suppressions.txt"), site.file("jwks.json"));
    let asks = site.file("asks.db");
    run_well(&["suppress", "create", "--suppressions", &list]);
    run_well(&["ask", "create", "--asks", &asks]);
    let signer = Signer::ed25519("a");
    fs::write(&keys, jwks(&[signer.jwk()])).unwrap();
    let server = site.serve_in(
        "info",
        &[
            ("KITH_SUPPRESSIONS__FILE", &list),
            ("KITH_ASKS", &asks),
            ("KITH_LIMITS__EDGES_PER_TARGET", "1"),
            ("KITH_LANGUAGE_MODEL__BASE_URL", "http://127.0.0.1:9/v1"),
            ("KITH_LANGUAGE_MODEL__MODEL", "m"),
            ("KITH_OAUTH__JWKS_FILE", &keys),
            ("KITH_OAUTH__ISSUER", ISSUER),
            ("KITH_OAUTH__AUDIENCE", AUDIENCE),
            ("KITH_RATES__REQUESTS_PER_SECOND", "100"),
            ("KITH_MCP__ENABLED", "true"),
        ],
    );
    let mut api = Connection::open(server.api);
    assert_eq!(api.get(PIA, &key).json()["data"]["coverage"]["capped"], true);
    let token = signer.token(&claims());
    assert_eq!(api.get("/api/v1/connections", &token).status, 200);
    // The relational store beside the snapshot is missing, and nobody listens where the provider should be.
    let search = br#"{"query":"software engineers in Berlin","mode":"relational"}"#;
    api.post("/api/v1/search/network", &token, search);
    let call = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_company","arguments":{"query":"a"}}}"#;
    let bearer = format!("Bearer {key}");
    let headers = [("authorization", &*bearer), ("accept", "application/json, text/event-stream")];
    assert_eq!(api.post_with("/mcp", &headers, call).status, 200);
    let metrics = Connection::open(server.admin).send("GET", "/metrics", &[]);
    let text = String::from_utf8(metrics.body).unwrap();
    let lines = text.lines().chain([OF_TLS]);
    let samples: Vec<&str> = lines.filter(|line| !line.starts_with('#')).collect();
    series(&samples.join("\n"))
}

#[test]
fn the_board_and_the_alerts_ask_for_series_that_there_are() {
    let served = served();
    for (file, least) in READERS {
        let text = fs::read_to_string(project(file)).unwrap();
        // In JSON the quotes of a label's value are escaped.
        let wanted = series(&text.replace("\\\"", "\""));
        assert_eq!(lacking(&wanted, &served), <[String; 0]>::default(), "{file}");
        assert!(wanted.len() >= least, "{file}: only {} series were found", wanted.len());
        // The controls: a name and a label of the same text, misspelt.
        let misspelt = text.replace("kith_requests_total", "kith_request_total").replace("status", "state");
        assert_eq!(lacking(&series(&misspelt), &served), ["kith_request_total"], "{file}");
        let mislabelled = text.replace("status", "state").replace("\\\"", "\"");
        assert_eq!(lacking(&series(&mislabelled), &served), ["kith_requests_total{state}"], "{file}");
    }
}

/// The parts of `board` that Grafana would refuse or display wrongly.
fn faults_of_board(board: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let (mut ids, mut places) = (BTreeSet::new(), BTreeSet::new());
    let variables = board["templating"]["list"].as_array().unwrap();
    let variables: BTreeSet<String> =
        variables.iter().map(|variable| format!("${}", variable["name"].as_str().unwrap())).collect();
    for panel in board["panels"].as_array().unwrap() {
        let title = panel["title"].as_str().unwrap_or("a panel without a title");
        if !ids.insert(panel["id"].as_u64().unwrap()) {
            faults.push(format!("{title}: an id twice"));
        }
        let grid = |side: &str| panel["gridPos"][side].as_u64().unwrap();
        for place in (0..grid("w")).flat_map(|x| (0..grid("h")).map(move |y| (x, y))) {
            if !places.insert((grid("x") + place.0, grid("y") + place.1)) || grid("x") + place.0 >= 24 {
                faults.push(format!("{title}: its place is taken"));
                break;
            }
        }
        for target in panel["targets"].as_array().into_iter().flatten() {
            let expression = target["expr"].as_str().unwrap();
            let named = expression.split('$').skip(1).map(|rest| {
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
                format!("${}", &rest[..end])
            });
            let unknown = named.filter(|name| !variables.contains(name) && !name.starts_with("$__"));
            faults.extend(unknown.map(|name| format!("{title}: there is no variable {name}")));
            if !expression.contains("instance=~\"$instance\"") {
                faults.push(format!("{title}: not of the chosen instances"));
            }
        }
    }
    faults
}

#[test]
fn the_panels_of_the_board_have_places_and_variables_of_their_own() {
    let text = fs::read_to_string(project("deploy/grafana/kith.json")).unwrap();
    let mut board: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(faults_of_board(&board), <[String; 0]>::default());
    // The control.
    let first = board["panels"].as_array().unwrap().iter().position(|panel| panel["targets"].is_array());
    let panel = &mut board["panels"][first.unwrap()];
    panel["targets"][0]["expr"] = "kith_connections{instance=\"$instanc\"}".into();
    assert_eq!(faults_of_board(&board).len(), 2, "{:?}", faults_of_board(&board));
}
