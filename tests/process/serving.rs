//! `kith serve`: its networks, valid credentials, its log, and its exit.
//!
//! Promise: What is no snapshot is refused without a byte of it in the log or in the answer of a reload.
//! Control: what the log has to say of the file is found in the same test.
//! Also in: `tests/snapshot/container.rs`.

use std::fs;

use serde_json::Value;

use crate::http::Connection;
use crate::program::{Site, build_tiny, project, run_well};

const PIA: &str = "/api/v1/search/warm-paths?prospectLinkedinId=pia-weiss";
/// Revocations that have to hold from the very next request on.
const TRIALS: usize = 200;

fn tiny_site() -> Site {
    let site = Site::new();
    fs::copy(project("snapshots/tiny.kith"), site.snapshot("tiny.kith")).unwrap();
    site
}

#[test]
fn a_good_snapshot_is_served_and_a_bad_one_refused_with_a_log_line() {
    let site = tiny_site();
    let sound = fs::read(project("snapshots/fernhollow.kith")).unwrap();
    fs::write(site.snapshot("fernhollow.kith"), &sound[..sound.len() / 2]).unwrap();
    fs::write(site.snapshot("notes.txt"), "no snapshot").unwrap();
    let (key, other) = (site.create_key("org_tiny", "a"), site.create_key("org_fernhollow", "b"));
    let server = site.serve("info");

    let refused: Vec<&String> =
        server.logged().iter().filter(|line| line.contains("snapshot refused")).collect();
    assert_eq!(refused.len(), 1, "{refused:?}");
    let line: Value = serde_json::from_str(refused[0]).unwrap();
    assert_eq!((&line["level"], &line["file"]), (&"WARN".into(), &"fernhollow.kith".into()));
    assert!(line["reason"].as_str().unwrap().contains("cut off"), "{line}");

    let mut api = Connection::open(server.api);
    let answer = api.get(PIA, &key);
    assert_eq!((answer.status, &answer.json()["data"]["totalCount"]), (200, &17.into()));
    assert_eq!(api.get(PIA, &other).status, 503);
    let mut admin = Connection::open(server.admin);
    for path in ["/healthz", "/readyz"] {
        assert_eq!(admin.send("GET", path, &[]).status, 200, "{path}");
    }
    for (method, path) in [("GET", "/metrics"), ("POST", "/admin/reload")] {
        assert_eq!(api.send(method, path, &[]).status, 404, "the operator's paths are not public");
    }
    assert_eq!(admin.get(PIA, &key).status, 404, "and the API is not on the operator's listener");
}

#[test]
fn a_server_without_a_snapshot_starts_and_says_that_it_is_not_ready() {
    let site = Site::new();
    let key = site.create_key("org_tiny", "a");
    let server = site.serve("info");
    let mut admin = Connection::open(server.admin);
    assert_eq!(admin.send("GET", "/readyz", &[]).status, 503);
    assert_eq!(admin.send("GET", "/healthz", &[]).status, 200);
    assert_eq!(Connection::open(server.api).get(PIA, &key).status, 503);
}

#[test]
fn of_two_files_for_one_organization_at_a_start_both_are_refused_and_named() {
    let site = Site::new();
    build_tiny(&site.snapshot("b.kith"), &[]);
    build_tiny(&site.snapshot("a.kith"), &[("\"warmness\":40,", "\"warmness\":41,")]);
    let key = site.create_key("org_tiny", "a");
    let server = site.serve("info");
    for (file, other) in [("a.kith", "b.kith"), ("b.kith", "a.kith")] {
        let is_it = |line: &&String| {
            line.contains("snapshot refused") && line.contains(&format!("\"file\":\"{file}\""))
        };
        let line: Value = serde_json::from_str(server.logged().iter().find(is_it).unwrap()).unwrap();
        assert_eq!(line["organization"], "org_tiny", "{line}");
        assert!(line["reason"].as_str().unwrap().contains(other), "{line}");
    }
    assert_eq!(Connection::open(server.api).get(PIA, &key).status, 503);
    // The control: one of them alone.
    std::fs::remove_file(site.snapshot("b.kith")).unwrap();
    assert_eq!(Connection::open(server.admin).send("POST", "/admin/reload", &[]).status, 200);
    let answer = Connection::open(server.api).get(PIA, &key).json();
    assert_eq!(answer["data"]["paths"][0]["warmness"], 41);
}

#[test]
fn over_the_wire_head_is_get_without_a_body_and_errors_keep_the_connection() {
    let site = tiny_site();
    let key = site.create_key("org_tiny", "a");
    let server = site.serve("info");
    let mut api = Connection::open(server.api);
    let authorization = format!("Bearer {key}");
    for (path, status) in [(PIA, 200), ("/nowhere", 404), ("/api/v1/search/warm-paths", 400)] {
        let get = api.get(path, &key);
        let head = api.send("HEAD", path, &[("Authorization", &authorization)]);
        assert_eq!((get.status, head.status), (status, status), "{path}");
        assert!(head.body.is_empty() && !get.body.is_empty(), "{path}");
        for name in ["content-length", "content-type", "cache-control"] {
            assert_eq!(head.header(name), get.header(name), "{path}: {name}");
        }
        assert_ne!(head.header("service-request-id"), get.header("service-request-id"));
    }
    let posted = api.send("POST", PIA, &[("content-length", "0")]);
    assert_eq!((posted.status, posted.header("allow")), (405, Some("GET,HEAD")));
}

#[test]
fn keys_and_tokens_made_and_revoked_by_another_process_hold_from_the_next_request_on() {
    let site = tiny_site();
    let credentials = site.credentials();
    site.create_key("org_tiny", "before");
    let server = site.serve("warn");
    let list = |kind: &str| -> Vec<Value> {
        serde_json::from_str(&run_well(&[kind, "list", "--credentials", &credentials, "--json"])).unwrap()
    };

    let keys: Vec<String> =
        (0..TRIALS).map(|trial| site.create_key("org_tiny", &format!("{trial}"))).collect();
    let listed = list("keys");
    // Opened only now: a connection that stays silent while so many keys are made is closed.
    let mut api = Connection::open(server.api);
    for (trial, key) in keys.iter().enumerate() {
        let row = listed.iter().find(|row| row["name"] == *format!("{trial}")).unwrap();
        assert!(key.ends_with(row["lastFour"].as_str().unwrap()));
        assert_eq!(api.get(PIA, key).status, 200, "trial {trial}: a key made while the server runs");
        run_well(&["keys", "revoke", "--credentials", &credentials, row["id"].as_str().unwrap()]);
        let refused = api.get(PIA, key);
        assert_eq!(refused.status, 401, "trial {trial}: the very next request");
        assert_eq!(refused.header("www-authenticate"), Some("Bearer error=\"invalid_token\""));
    }

    let token = site.create_token("org_tiny", "user_cai");
    assert_eq!(api.get(&format!("{PIA}&scope=me"), &token).status, 200);
    let id = list("tokens")[0]["id"].as_str().unwrap().to_owned();
    run_well(&["tokens", "revoke", "--credentials", &credentials, &id]);
    assert_eq!(api.get(&format!("{PIA}&scope=me"), &token).status, 401);
}

#[test]
fn who_sends_too_long_a_body_reads_the_answer_and_may_go_on() {
    let site = tiny_site();
    let key = site.create_key("org_tiny", "a");
    let server = site.serve("warn");
    let path = "/api/v1/search/network";
    for (length, status) in [(64 << 10, 200), ((64 << 10) + 1, 413), (1 << 20, 413), (6 << 20, 413)] {
        let mut body = b"{\"query\":\"engineers\"".to_vec();
        body.resize(length - 1, b' ');
        body.push(b'}');
        let mut api = Connection::open(server.api);
        for _ in 0..2 {
            assert_eq!(api.post(path, &key, &body).status, status, "{length} bytes");
        }
        assert_eq!(api.get(PIA, &key).status, 200, "after {length} bytes");
    }
}

#[test]
fn sigterm_and_sigint_end_the_server_with_0_and_close_idle_connections() {
    for signal in ["TERM", "INT"] {
        let site = tiny_site();
        let key = site.create_key("org_tiny", "a");
        let server = site.serve("info");
        let (mut used, mut unused) = (Connection::open(server.api), Connection::open(server.api));
        let mut operator = Connection::open(server.admin);
        assert_eq!((used.get(PIA, &key).status, operator.send("GET", "/healthz", &[]).status), (200, 200));
        let address = server.api;
        let (code, _) = server.stop(signal);
        assert_eq!(code, Some(0), "SIG{signal}");
        assert!(used.is_closed() && unused.is_closed() && operator.is_closed(), "SIG{signal}");
        assert!(std::net::TcpStream::connect(address).is_err(), "SIG{signal}: it accepts no more");
    }
}

#[test]
fn logs_name_every_request_by_its_id_and_hold_nothing_that_was_asked() {
    for level in ["info", "debug"] {
        let site = tiny_site();
        // As long as the header of a snapshot, so that it is read: a link among the snapshots may lead anywhere.
        let other = "Canary Kestrelworth, canary@example.com\n".repeat(20);
        fs::write(site.snapshot("broken.kith"), other).unwrap();
        let (key, token) =
            (site.create_key("org_tiny", "canary-key"), site.create_token("org_tiny", "user_ana"));
        let unknown = "service_sk_canary0000000000000000000000000000000000000";
        let server = site.serve(level);
        let mut api = Connection::open(server.api);
        let mut admin = Connection::open(server.admin);
        let mut ids = Vec::new();
        for (path, credential) in [
            ("/api/v1/search/warm-paths?prospectName=Canary+Kestrelworth", key.as_str()),
            ("/api/v1/search/warm-paths?prospectName=Pia%20Wei%C3%9F", &token),
            ("/api/v1/search/warm-paths?prospectLinkedinId=pia-weiss&limit=canary", &key),
            ("/api/v1/search/warm-paths?prospectCompany=Copper+Mill&fromUserIds=user_canary", &key),
            ("/api/v1/search/warm-paths?canary=%ff", &key),
            ("/api/v1/search/people?q=canary", &key),
            ("/api/v1/people/person_canary", &token),
            ("/canary/Kestrelworth", unknown),
            (PIA, unknown),
        ] {
            let reply = api.get(path, credential);
            ids.push(reply.header("service-request-id").unwrap().to_owned());
        }
        let reloaded = admin.send("POST", "/admin/reload", &[("content-length", "0")]);
        let said = String::from_utf8_lossy(&reloaded.body).into_owned();
        assert_eq!(reloaded.status, 422);
        assert!(said.contains("is no snapshot") && !said.contains("anary"), "{said}");
        let (code, logs) = server.stop("TERM");
        assert_eq!(code, Some(0));

        let logs = logs.join("\n");
        for id in &ids {
            assert_eq!(logs.matches(id.as_str()).count(), 1, "{level}: one line for each request\n{logs}");
        }
        for said in ["is no snapshot", "\"route\":\"/api/v1/search/warm-paths\"", "broken.kith", "request_id"]
        {
            assert!(logs.contains(said), "{level}: {said} is not in the log\n{logs}");
        }
        let (key_middle, token_middle) = (&key[12..30], &token[12..30]);
        for canary in ["anary", "estrelworth", "ia-weiss", "Pia", "Wei", "opper", key_middle, token_middle] {
            assert!(!logs.contains(canary), "{level}: {canary} is in the log\n{logs}");
        }
        assert!(!logs.contains("service_sk_") && !logs.contains("service_at_"), "{level}: a credential");
    }
}
