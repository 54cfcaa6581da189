//! Failing, hanging or hostile collectors: no answer changes, and a stop completes.
//!
//! Promise: Whatever a collector of traces does, no answer changes and a stop ends in time.
//! Control: a collector that takes everything.
//! Also in: `tests/process/traces/processes.rs`.

use axum::http::StatusCode;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::{Duration, timeout};

use crate::support::stub::{ENDLESS_BYTES, Reply, Stub, http};
use crate::traces::traced::{Traced, collector, spans, taken, url};

/// Only a test that fails waits that long.
const WAIT: Duration = Duration::from_secs(60);
/// As many spans as are sent at once, without waiting for others.
const BATCH: usize = 512;
/// More than wait for a collector at most.
const FLOOD: usize = 4 * 2_048;

/// Sends this many requests, and gets a good answer each time.
async fn ask(traced: &Traced, requests: usize) {
    for request in 0..requests {
        let (status, _) = timeout(WAIT, traced.ask("GET", "/well/x", &[])).await.unwrap();
        assert_eq!(status, StatusCode::OK, "request {request}");
    }
}

/// An answer with a status, and a word of when to come again.
fn status(status: u16) -> Reply {
    Reply::Bytes(http(status, "retry-after: 1\r\n", ""))
}

#[tokio::test]
async fn whatever_a_collector_does_requests_are_answered_and_a_stop_ends() {
    let garbage = Reply::BytesThenClose(b"\x16\x03\x01 zanzibar".to_vec());
    let endless = Reply::Endless(b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n".to_vec());
    let mut cases = JoinSet::new();
    for (named, reply) in [
        ("hangs", Reply::Hang),
        ("speaks no HTTP", garbage),
        ("hangs up", Reply::BytesThenClose(Vec::new())),
        ("resets", Reply::BytesThenReset(Vec::new())),
        ("drips", Reply::Drip(b"HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n".to_vec())),
        ("never ends", endless),
        ("refuses", status(400)),
        ("throttles", status(429)),
        ("fails", status(500)),
    ] {
        cases.spawn(holds_nothing_up(named, reply));
    }
    cases.join_all().await;
}

/// A collector that replies so is asked, is waited for by nobody, and makes nobody read without end.
async fn holds_nothing_up(named: &str, reply: Reply) {
    let collector = Stub::start(&[reply]).await;
    let traced = Traced::start(collector.address, 1.0);
    ask(&traced, BATCH).await;
    let asked = timeout(WAIT, collector.until(|seen| !seen.requests.is_empty())).await;
    assert!(asked.is_ok(), "{named}: a full batch is sent at once");
    ask(&traced, 1).await;
    assert!(timeout(WAIT, traced.exporter.stop()).await.is_ok(), "{named}");
    let poured = collector.seen().endless;
    assert!(poured.iter().all(|&taken| taken < ENDLESS_BYTES), "{named}: {poured:?}");
}

#[tokio::test]
async fn without_a_collector_requests_are_answered_and_a_stop_ends() {
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = nobody.local_addr().unwrap();
    drop(nobody);
    let traced = Traced::start(address, 1.0);
    ask(&traced, BATCH + 1).await;
    assert!(timeout(WAIT, traced.exporter.stop()).await.is_ok());
}

#[tokio::test]
async fn what_does_not_fit_the_queue_is_dropped_and_no_request_waits() {
    let collector = Stub::start(&[Reply::Hang]).await;
    let traced = Traced::start(collector.address, 1.0);
    ask(&traced, FLOOD).await;
    assert!(timeout(WAIT, traced.exporter.stop()).await.is_ok());
    assert!(collector.contacts() <= 2, "the first batch hangs, and others wait behind it");
}

#[tokio::test]
async fn spans_come_through_if_a_collector_fails_for_a_while() {
    for first in [status(503), status(502), Reply::BytesThenClose(Vec::new())] {
        let collector = Stub::start(&[first, taken()]).await;
        let traced = Traced::start(collector.address, 1.0);
        ask(&traced, BATCH).await;
        let seen = timeout(WAIT, collector.until(|seen| seen.requests.len() == 2)).await.unwrap();
        let sent: Vec<_> = spans(&seen).iter().map(|span| span.text("spanId").to_owned()).collect();
        assert!(sent.len() == 2 * BATCH && sent[..BATCH] == sent[BATCH..], "the same spans again");
        traced.exporter.stop().await;
    }
}

#[tokio::test]
async fn a_collector_cannot_send_traces_elsewhere() {
    let elsewhere = collector().await;
    for code in [301, 302, 307, 308] {
        let head = format!("location: {}\r\n", url(elsewhere.address));
        let collector = Stub::start(&[Reply::Bytes(http(code, &head, ""))]).await;
        let traced = Traced::start(collector.address, 1.0);
        ask(&traced, 1).await;
        traced.exporter.stop().await;
        assert_eq!((collector.contacts(), elsewhere.seen().connections), (1, 0), "{code}");
    }
}
