//! The audit log of a server: creation, revocation and use of credentials, reloads, and changes of the suppression
//! list.
//!
//! Promise: What the audit log promises is there once, whatever the level, by id and with no secret and no name.
//! Control: the same trial with `kith::audit=off`.
//! Also in: `src/cli/logs/tests.rs`.
//!
//! Promise: A request's line names its key or token.
//! Control: a credential that does not hold has none.

use std::fs;
use std::os::unix::fs::MetadataExt;

use serde_json::{Value, json};

use crate::http::Connection;
use crate::program::{Server, Site, build_tiny, project, run_well};

const PIA: &str = "/api/v1/search/warm-paths?prospectLinkedinId=pia-weiss";
/// The name of a key: text of an operator's that no line of the log repeats.
const NAME: &str = "canary kestrelworth";

/// The lines of the audit log among `log`.
fn audited(log: &[String]) -> Vec<Value> {
    let lines = log.iter().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter(|line| line["audit"].is_string()).collect()
}

/// How many of `lines` have each of these fields.
fn count(lines: &[Value], fields: &Value) -> usize {
    let wanted = fields.as_object().unwrap();
    lines.iter().filter(|line| wanted.iter().all(|(name, value)| line[name] == *value)).count()
}

/// The id of the credential that the program lists at this place.
fn listed_id(site: &Site, kind: &str, place: usize) -> String {
    let listed = run_well(&[kind, "list", "--credentials", &site.credentials(), "--json"]);
    let listed: Value = serde_json::from_str(&listed).unwrap();
    listed[place]["id"].as_str().unwrap().to_owned()
}

fn wait_for_reloads(server: &Server, reloads: usize) {
    let wanted = format!("kith_reloads_total{{result=\"read\"}} {reloads}");
    let is_there = || {
        let metrics = Connection::open(server.admin).send("GET", "/metrics", &[]);
        String::from_utf8(metrics.body).unwrap().lines().any(|line| line == wanted)
    };
    assert!((0..10_000).any(|_| is_there()), "{wanted}");
}

/// Does to a server with this `KITH_LOG` all that is audited; its log, and the ids of the key and the token.
fn trial(site: &Site, level: &str) -> (Vec<String>, String, String, Vec<String>) {
    build_tiny(&site.snapshot("tiny.kith"), &[]);
    let list = site.file("list.txt");
    run_well(&["suppress", "create", "--suppressions", &list]);
    let key = site.create_key("org_tiny", NAME);
    let token = site.create_token("org_tiny", "user_cai");
    let (key_id, token_id) = (listed_id(site, "keys", 0), listed_id(site, "tokens", 0));
    let server = site.serve_with(level, &["--suppressions", &list]);
    for credential in [&key, &key, &token] {
        assert_eq!(Connection::open(server.api).get(PIA, credential).status, 200);
    }
    let reload = Connection::open(server.admin).send("POST", "/admin/reload", &[("content-length", "0")]);
    assert_eq!(reload.status, 200);
    server.signal("HUP");
    wait_for_reloads(&server, 3);
    let person = ["--org", "org_tiny", "--linkedin-id", "pia-weiss"];
    run_well(&[&["suppress", "add", "--suppressions", &list], &person[..]].concat());
    assert_eq!(Connection::open(server.api).get(PIA, &key).status, 200);
    for _ in 0..2 {
        run_well(&["keys", "revoke", "--credentials", &site.credentials(), &key_id]);
    }
    assert_eq!(Connection::open(server.api).get(PIA, &key).status, 401);
    let (code, log) = server.stop("TERM");
    assert_eq!(code, Some(0));
    (log, key_id, token_id, vec![key, token])
}

/// The expected lines of the audit log in the trial, with their numbers.
fn events(site: &Site, key: &str, token: &str) -> Vec<(usize, Value)> {
    let uid = fs::metadata(site.credentials()).unwrap().uid();
    let who = |id: &str, event: &str| json!({"audit": event, "credential": id, "organization": "org_tiny", "by_uid": uid});
    vec![
        (1, who(key, "key.created")),
        (1, who(token, "token.created")),
        (1, who(key, "key.revoked")),
        (1, json!({"audit": "credential.used", "credential": key})),
        (1, json!({"audit": "credential.used", "credential": token})),
        (1, json!({"audit": "reload.requested", "by": "operator"})),
        (1, json!({"audit": "reload.requested", "by": "SIGHUP"})),
        (1, json!({"audit": "networks.changed", "cause": "snapshots", "generation_after": 1})),
        (1, json!({"audit": "suppressions.taken_up", "entries": 0})),
        (1, json!({"audit": "suppressions.taken_up", "entries": 1})),
        (1, json!({"audit": "suppressions.changed", "organization": "org_tiny", "added": 1, "removed": 0})),
        (1, json!({"audit": "networks.changed", "cause": "suppressions", "generation_after": 2})),
    ]
}

#[test]
fn whatever_the_level_all_that_is_audited_is_there_once_by_id_until_its_target_is_off() {
    // Without a level of its own, the target goes on; the last is the control, the same trial without the log.
    for (level, is_audited) in [("warn", true), ("off", true), ("info,kith::audit=off", false)] {
        let site = Site::new();
        let (log, key, token, secrets) = trial(&site, level);
        let audited = audited(&log);
        for (times, fields) in events(&site, &key, &token) {
            let expected = if is_audited { times } else { 0 };
            assert_eq!(count(&audited, &fields), expected, "{level}: {fields} in {audited:#?}");
        }
        let events = events(&site, &key, &token).len();
        assert_eq!(audited.len(), if is_audited { events } else { 0 }, "{level}: {audited:#?}");
        let by_operator = audited.iter().find(|line| line["by"] == "operator");
        assert!(by_operator.is_none_or(|line| line["peer"].as_str().unwrap().starts_with("127.0.0.1:")));
        for secret in secrets.iter().map(|secret| &secret[11..40]).chain([NAME, "pia-weiss", "user_cai"]) {
            assert!(!log.iter().any(|line| line.contains(secret)), "{level}: {secret} in {log:#?}");
        }
    }
}

#[test]
fn what_changed_while_no_server_ran_is_logged_by_the_next_one_and_by_none_after_it() {
    let site = Site::new();
    fs::copy(project("snapshots/tiny.kith"), site.snapshot("tiny.kith")).unwrap();
    site.create_key("org_tiny", NAME);
    let id = listed_id(&site, "keys", 0);
    run_well(&["keys", "revoke", "--credentials", &site.credentials(), &id]);
    for logged in [1, 0] {
        let (_, log) = site.serve("error").stop("TERM");
        for event in ["key.created", "key.revoked"] {
            let fields = json!({"audit": event, "credential": id});
            assert_eq!(count(&audited(&log), &fields), logged, "{event}: {log:#?}");
        }
    }
}

#[test]
fn the_line_of_a_request_says_by_which_credential_and_of_a_refused_one_nothing() {
    let site = Site::new();
    build_tiny(&site.snapshot("tiny.kith"), &[]);
    let (key, token) = (site.create_key("org_tiny", NAME), site.create_token("org_tiny", "user_cai"));
    let stranger = site.create_token("org_tiny", "user_nobody");
    let revoked = site.create_key("org_tiny", "revoked");
    let [key_id, revoked_id] = [0, 1].map(|place| listed_id(&site, "keys", place));
    let [token_id, stranger_id] = [0, 1].map(|place| listed_id(&site, "tokens", place));
    run_well(&["keys", "revoke", "--credentials", &site.credentials(), &revoked_id]);
    let server = site.serve("info");
    // The stranger is nobody of the network, but the token holds.
    let asked = [(&*key, 200), (&*token, 200), (&*stranger, 401), (&*revoked, 401), ("service_sk_no", 401)];
    for (credential, status) in asked {
        assert_eq!(Connection::open(server.api).get(PIA, credential).status, status);
    }
    let (_, log) = server.stop("TERM");
    let lines = log.iter().filter(|line| line.contains("\"request_id\""));
    let credentials: Vec<Value> =
        lines.map(|line| serde_json::from_str::<Value>(line).unwrap()["credential"].clone()).collect();
    assert_eq!(credentials, [json!(key_id), json!(token_id), json!(stranger_id), Value::Null, Value::Null]);
}
