//! Requests that are not HTTP/1.1, or ambiguous: each gets a well-formed answer or none, and never two.
//!
//! Promise: Whatever is sent, the answer is well-formed and the connection ends.
//! Control: a server that closes one connection in ten, or each, without an answer; the router behind `axum::serve`.
//! Also in: `tests/operation/http_front/mutants.rs`.

use std::net::SocketAddr;

use kith_server::live::networks::Networks;
use kith_server::live::report::Status;

use crate::http_front::raw::{Front, answers, bare, closing_silently, exchange, in_shape};

/// The bytes sent, and the statuses that come back before the connection ends.
fn corpus(key: &str) -> Vec<(&'static str, Vec<u8>, Vec<u16>)> {
    let host = "Host: kith\r\n";
    let get = format!("GET /docs HTTP/1.1\r\n{host}\r\n");
    let post = |fields: &str, body: &str| {
        format!(
            "POST /api/v1/search/network HTTP/1.1\r\n{host}Authorization: Bearer {key}\r\n\
             Content-Type: application/json\r\n{fields}\r\n{body}"
        )
    };
    let search = r#"{"query":"engineers"}"#;
    let chunked = format!("{:x}\r\n{search}\r\n0\r\n\r\n", search.len());
    let long = "a".repeat(40 << 10);
    let many: String = (0..101).map(|number| format!("x-{number}: 1\r\n")).collect();
    let cases: Vec<(&'static str, String, Vec<u16>)> = vec![
        ("a sound request", get.clone(), vec![200]),
        ("two sound requests", format!("{get}{get}"), vec![200, 200]),
        ("no Host", "GET /docs HTTP/1.1\r\n\r\n".into(), vec![400]),
        ("no Host in HTTP/1.0", "GET /docs HTTP/1.0\r\n\r\n".into(), vec![200]),
        ("two Hosts", format!("GET /docs HTTP/1.1\r\n{host}{host}\r\n"), vec![400]),
        ("two Hosts that differ", format!("GET /docs HTTP/1.1\r\n{host}Host: other\r\n\r\n"), vec![400]),
        ("a Host with a path", "GET /docs HTTP/1.1\r\nHost: a/b\r\n\r\n".into(), vec![400]),
        ("a Host with a user", "GET /docs HTTP/1.1\r\nHost: a@b\r\n\r\n".into(), vec![400]),
        ("white space in a Host", "GET /docs HTTP/1.1\r\nHost: a b\r\n\r\n".into(), vec![400]),
        ("a bad request ends a pipeline", format!("GET /docs HTTP/1.1\r\n\r\n{get}"), vec![400]),
        ("a sound request before garbage", format!("{get}\u{1}\u{2}\r\n\r\n"), vec![200, 400]),
        ("garbage", "\u{1}\u{2}\u{3}\r\n\r\n".into(), vec![400]),
        ("a TLS greeting", "\u{16}\u{3}\u{1}\u{0}\u{2}\u{1}\r\n\r\n".into(), vec![400]),
        ("no version", "GET /docs\r\n\r\n".into(), vec![400]),
        ("version 0.9", format!("GET /docs HTTP/0.9\r\n{host}\r\n"), vec![400]),
        ("version 2.0", format!("GET /docs HTTP/2.0\r\n{host}\r\n"), vec![400]),
        ("version 1.2", format!("GET /docs HTTP/1.2\r\n{host}\r\n"), vec![400]),
        ("a blank before the target", format!("GET  /docs HTTP/1.1\r\n{host}\r\n"), vec![400]),
        ("a NUL in the target", format!("GET /do\0cs HTTP/1.1\r\n{host}\r\n"), vec![400]),
        ("a NUL in a value", format!("GET /docs HTTP/1.1\r\n{host}x: a\0b\r\n\r\n"), vec![400]),
        ("a blank before a colon", format!("GET /docs HTTP/1.1\r\n{host}x : 1\r\n\r\n"), vec![400]),
        ("a folded line", format!("GET /docs HTTP/1.1\r\n{host}x: 1\r\n y\r\n\r\n"), vec![400]),
        ("a line without a colon", format!("GET /docs HTTP/1.1\r\n{host}x\r\n\r\n"), vec![400]),
        ("an empty name", format!("GET /docs HTTP/1.1\r\n{host}: 1\r\n\r\n"), vec![400]),
        ("a bare carriage return", format!("GET /docs HTTP/1.1\r\n{host}x: a\rb\r\n\r\n"), vec![400]),
        ("a head too long", format!("GET /docs HTTP/1.1\r\n{host}x: {long}\r\n\r\n"), vec![431]),
        ("a target too long", format!("GET /{long} HTTP/1.1\r\n{host}\r\n"), vec![431]),
        ("too many headers", format!("GET /docs HTTP/1.1\r\n{host}{many}\r\n"), vec![431]),
        ("a length that is no number", post("Content-Length: x\r\n", search), vec![400]),
        ("a length with a sign", post("Content-Length: +21\r\n", search), vec![400]),
        ("a negative length", post("Content-Length: -1\r\n", search), vec![400]),
        ("two lengths", post("Content-Length: 21\r\nContent-Length: 22\r\n", search), vec![400]),
        ("a length beyond numbers", post("Content-Length: 99999999999999999999999\r\n", search), vec![400]),
        ("a length beyond the body", post("Content-Length: 99\r\n", search), vec![400]),
        ("a chunked body", post("Transfer-Encoding: chunked\r\n", &chunked), vec![200]),
        (
            "nothing is read behind a length and an encoding",
            post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", &format!("{chunked}{get}")),
            vec![200],
        ),
        (
            "nor in the other order",
            post("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", &format!("{chunked}{get}")),
            vec![200],
        ),
        ("an unknown encoding", post("Transfer-Encoding: bogus\r\n", &chunked), vec![400]),
        ("chunked not last", post("Transfer-Encoding: chunked, gzip\r\n", &chunked), vec![400]),
        (
            "chunks in HTTP/1.0",
            post("Transfer-Encoding: chunked\r\n", &chunked).replace("1.1", "1.0"),
            vec![400],
        ),
        ("a chunk of no length", post("Transfer-Encoding: chunked\r\n", "x\r\n\r\n"), vec![400]),
        (
            "a chunk beyond numbers",
            post("Transfer-Encoding: chunked\r\n", "fffffffffffffffff\r\n"),
            vec![400],
        ),
        ("half a head", "GET /docs HT".into(), vec![]),
        ("nothing", String::new(), vec![]),
        ("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".into(), vec![400]),
        (
            "a sound request before that preface",
            format!("{get}PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
            vec![200, 400],
        ),
        ("an asterisk", format!("OPTIONS * HTTP/1.1\r\n{host}\r\n"), vec![404]),
        ("a whole address", format!("GET http://kith/docs HTTP/1.1\r\n{host}\r\n"), vec![200]),
        ("a tunnel", "CONNECT kith:443 HTTP/1.1\r\nHost: kith:443\r\n\r\n".into(), vec![404]),
        ("an own method", format!("BREW /docs HTTP/1.1\r\n{host}\r\n"), vec![405]),
        ("an expectation", post("Expect: 100-continue\r\nContent-Length: 21\r\n", search), vec![200]),
    ];
    cases.into_iter().map(|(name, text, statuses)| (name, text.into_bytes(), statuses)).collect()
}

/// The names of those that are not answered as they should be.
fn wrong(corpus: &[(&'static str, Vec<u8>, Vec<u16>)], address: SocketAddr) -> Vec<String> {
    let wrong = |(name, bytes, statuses): &(&'static str, Vec<u8>, Vec<u16>)| {
        let came = exchange(address, bytes);
        let got = in_shape(&came).map(|taken| taken.iter().map(|answer| answer.status).collect());
        (got.as_ref() != Ok(statuses)).then(|| format!("{name}: {got:?}"))
    };
    corpus.iter().filter_map(wrong).collect()
}

#[test]
fn whatever_is_sent_is_answered_in_shape_and_the_connection_ends() {
    let front = Front::start(kith_server::server::guard::Deadlines::DEFAULT, 100);
    assert_eq!(wrong(&corpus(&front.key), front.address), [""; 0]);
}

/// The controls: a server that closes every connection without an answer, and one whose answers below the router
/// are those of hyper.
#[test]
fn a_server_that_closes_silently_and_one_out_of_shape_are_caught() {
    let front = Front::start(kith_server::server::guard::Deadlines::DEFAULT, 100);
    let corpus = corpus(&front.key);
    let owed = corpus.iter().filter(|(_, _, statuses)| !statuses.is_empty()).count();
    assert_eq!(wrong(&corpus, closing_silently(front.address, 1)).len(), owed);
    let out_of_shape = wrong(&corpus, bare(&front));
    assert!(out_of_shape.len() > 10, "{out_of_shape:?}");
}

#[test]
fn an_answer_below_the_router_says_what_to_do_and_is_counted() {
    let front = Front::start(kith_server::server::guard::Deadlines::DEFAULT, 100);
    for (bytes, code, word) in [
        (&b"nonsense\r\n\r\n"[..], "validation_error", "HTTP/1.1"),
        (
            &format!("GET / HTTP/1.1\r\nhost: a\r\nx: {}\r\n\r\n", "a".repeat(40 << 10)).into_bytes(),
            "headers_too_large",
            "16384 bytes",
        ),
    ] {
        let taken = answers(&front.exchange(bytes));
        assert!(taken[0].head.contains("connection: close"), "{taken:?}");
        assert!(taken[0].body.contains(code) && taken[0].body.contains(word), "{taken:?}");
    }
    let service = &front.served.state;
    let said =
        String::from_utf8(service.metrics.write(&Networks::default(), &Status::default()).unwrap()).unwrap();
    assert!(said.contains("kith_requests_total{route=\"none\",status=\"431\"} 1\n"), "{said}");
}
