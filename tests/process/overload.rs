//! More requests than the server can handle, over sockets: each is answered, with 200 or with 503 and `Retry-After`.

use std::thread;

use crate::http::{Connection, Reply};
use crate::program::{Server, Site, run_well};

/// Maximum connections of the trial.
const CONNECTIONS_MAX: usize = 1024;
const CHEAP: &str = "/api/v1/search/people?q=anna&limit=5";

/// A network in which searches take their time, and a key for it.
fn site() -> (Site, String) {
    let (site, folder) = (Site::new(), tempfile::tempdir().unwrap());
    let tables = folder.path().to_str().unwrap();
    run_well(&["generate", tables, "--people", "1000", "--seed", "1", "--org", "org_busy"]);
    run_well(&["build", tables, "--out", site.snapshot("busy.kith").to_str().unwrap()]);
    let key = site.create_key("org_busy", "overload");
    (site, key)
}

/// Sends a long search on each of this many connections at once.
fn search_at_once(server: &Server, key: &str, connections: usize) -> Vec<Reply> {
    let places =
        "people in europe, asia, africa, latin america, scandinavia, middle east, emea, apac, usa, germany";
    let body = serde_json::json!({"query": places}).to_string();
    let api = server.api;
    thread::scope(|scope| {
        let asked: Vec<_> = (0..connections)
            .map(|_| {
                scope.spawn(|| Connection::open(api).post("/api/v1/search/network", key, body.as_bytes()))
            })
            .collect();
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    })
}

/// Whether an answer is what a server gives that has too much to do: the answer itself, or when to come back.
fn is_sound(reply: &Reply) -> bool {
    match reply.status {
        200 => true,
        503 => reply.header("retry-after") == Some("1"),
        _ => false,
    }
}

/// Asks for more and more at once, until some of it is not answered 200; whether all of it was sound, and the server
/// was well afterwards.
fn withstands(server: &Server, key: &str) -> bool {
    let mut connections = 64;
    let replies = loop {
        let replies = search_at_once(server, key, connections);
        if connections == CONNECTIONS_MAX || replies.iter().any(|reply| reply.status != 200) {
            break replies;
        }
        connections *= 2;
    };
    let refused = replies.iter().filter(|reply| reply.status != 200).count();
    assert!(refused > 0 && refused < connections, "{refused} of {connections} refused");
    let is_well = Connection::open(server.api).get(CHEAP, key).status == 200;
    replies.iter().all(is_sound) && is_well
}

#[test]
fn an_overload_is_answered_with_when_to_come_back_and_is_over_at_once() {
    let (site, key) = site();
    assert!(withstands(&site.serve("error"), &key));
    // The control: a server with rates, which answers some of it 429.
    let rates = [("KITH_RATES__REQUESTS_PER_SECOND", "1"), ("KITH_RATES__BURST", "8")];
    assert!(!withstands(&site.serve_in("error", &rates), &key), "it is caught");
}
