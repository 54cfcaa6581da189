//! `live.keep_changes`: a server answers the changes since the previous generation, like `kith diff` on the two files,
//! and after a restart none from before it.

use std::fs;

use serde_json::Value;

use crate::http::Connection;
use crate::program::{Server, Site, build_tiny, run_well};

const EDITS: [(&str, &str); 2] =
    [("\"to\":\"person_pia\",\"warmness\":70", "\"to\":\"person_pia\",\"warmness\":90"), ("VP Sales", "CRO")];
const KEEPING: [(&str, &str); 1] = [("KITH_LIVE__KEEP_CHANGES", "true")];

/// The generation in service.
fn generation(server: &Server, key: &str) -> u64 {
    let reply = Connection::open(server.api).get("/api/v1/search/people?q=pia", key);
    reply.header("service-generation").unwrap().parse().unwrap()
}

/// The changes since a generation, or the status of a refusal.
fn changes(server: &Server, key: &str, since: u64) -> Result<Vec<Value>, u16> {
    let reply = Connection::open(server.api).get(&format!("/api/v1/changes?since={since}"), key);
    match reply.status {
        200 => Ok(serde_json::from_value(reply.json()["data"]["changes"].take()).unwrap()),
        status => Err(status),
    }
}

fn reload(server: &Server) {
    let reply = Connection::open(server.admin).send("POST", "/admin/reload", &[("content-length", "0")]);
    assert_eq!(reply.status, 200);
}

/// Bytes that the generation before takes.
fn kept_bytes(server: &Server) -> u64 {
    let reply = Connection::open(server.admin).send("GET", "/metrics", &[]);
    let text = String::from_utf8(reply.body).unwrap();
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("kith_network_kept_bytes{organization=\"org_tiny\"} "));
    line.unwrap().parse().unwrap()
}

#[test]
fn a_server_that_keeps_the_generation_before_answers_what_changed_and_nothing_of_before_its_start() {
    let site = Site::new();
    let (tiny, old) = (site.snapshot("tiny.kith"), site.file("old.kith"));
    build_tiny(&tiny, &[]);
    fs::copy(&tiny, &old).unwrap();
    let key = site.create_key("org_tiny", "a");
    let server = site.serve_in("warn", &KEEPING);
    let first = generation(&server, &key);
    assert_eq!((changes(&server, &key, first), kept_bytes(&server)), (Ok(vec![]), 0));
    build_tiny(&tiny, &EDITS);
    reload(&server);
    let second = generation(&server, &key);
    assert_ne!(second, first);
    let printed = run_well(&["diff", &old, tiny.to_str().unwrap(), "--json"]);
    let printed: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((changes(&server, &key, first), printed.len()), (Ok(printed), 2));
    assert!(kept_bytes(&server) > 1_000);
    drop(server);

    // Another snapshot after a restart: the old numbers are gone. A number is of one network: it is the same for the same one, on
    // another server too.
    build_tiny(&tiny, &EDITS[..1]);
    let server = site.serve_in("warn", &KEEPING);
    let third = generation(&server, &key);
    for since in [first, second, 1, 2] {
        assert_eq!(changes(&server, &key, since), Err(410), "{since}");
    }
    build_tiny(&tiny, &EDITS);
    reload(&server);
    assert_eq!(generation(&server, &key), second);
    assert_eq!((changes(&server, &key, first), changes(&server, &key, second)), (Err(410), Ok(vec![])));
    assert_eq!(changes(&server, &key, third).map(|changes| changes.len()), Ok(1), "the control");
    let replica = site.serve_in("warn", &KEEPING);
    assert_eq!(generation(&replica, &key), second);
    drop((server, replica));

    // The control: the same without the key.
    let server = site.serve("warn");
    let first = generation(&server, &key);
    build_tiny(&tiny, &[]);
    reload(&server);
    assert_eq!((changes(&server, &key, first), kept_bytes(&server)), (Err(410), 0));
}
