//! A crowd of slow peers: all are cut off in time and cost little memory, and well-behaved peers lose nothing.
//!
//! Promise: Dripping connections are ended in time, cost at most 20 kB each, and nobody else fails.
//! Control: `axum::serve`, which ends none of 200.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::http::Connection;
use crate::live_operation::sample::Sample;
use crate::program::{Site, build_tiny};
use crate::support::scale;

/// Maximum memory of each connection of the crowd, and the server's maximum growth for other reasons, in kilobytes.
const PEER_KB_MAX: u64 = 20;
const MARGIN_KB: u64 = 8 << 10;
/// How long a peer may stay: three times the server's deadline for a head, since a machine that others use answers late.
/// Without a deadline a peer would stay for good.
const CUT_OFF: Duration = Duration::from_secs(30);

/// Connects and drips one byte of a head after the other, until every connection was ended or the time is
/// over, looking `on` after each round; how many are still open then, and how long after it was opened the last
/// was ended.
fn drip(address: SocketAddr, crowd: usize, mut on: impl FnMut()) -> (usize, Duration) {
    let mut open: Vec<(TcpStream, Instant)> = Vec::with_capacity(crowd);
    let (mut to_come, mut longest) = (crowd, Duration::ZERO);
    let began = Instant::now();
    let head = b"GET /docs HTTP/1.1\r\nHost: kith\r\nX: ";
    for round in 0.. {
        for _ in 0..to_come.min(1_000) {
            let Ok(stream) = TcpStream::connect(address) else { break };
            stream.set_nonblocking(true).unwrap();
            open.push((stream, Instant::now()));
            to_come -= 1;
        }
        let byte = [*head.get(round).unwrap_or(&b'x')];
        open.retain_mut(|(stream, opened)| {
            let is_open = stream.write_all(&byte).is_ok()
                && matches!(stream.read(&mut [0; 512]), Err(error) if error.kind() == ErrorKind::WouldBlock);
            if !is_open {
                longest = longest.max(opened.elapsed());
            }
            is_open
        });
        if (to_come == 0 && open.is_empty()) || began.elapsed() > CUT_OFF {
            break;
        }
        on();
        thread::sleep(Duration::from_millis(250));
    }
    (open.len(), longest)
}

/// One request after the other until stopped, a little apart. Returns how long each took.
fn behave(address: SocketAddr, key: String, over: Arc<AtomicBool>) -> Sample {
    let mut connection = Connection::open(address);
    let mut took = Vec::new();
    while !over.load(Ordering::Relaxed) {
        let began = Instant::now();
        assert_eq!(connection.get("/api/v1/people/person_ana", &key).status, 200);
        took.push(began.elapsed().as_nanos() as i64);
        thread::sleep(Duration::from_millis(1));
    }
    Sample::new(took)
}

fn behaving(address: SocketAddr, key: &str, during: impl FnOnce()) -> Sample {
    let over = Arc::new(AtomicBool::new(false));
    let (key, until) = (key.to_owned(), Arc::clone(&over));
    let asking = thread::spawn(move || behave(address, key, until));
    during();
    over.store(true, Ordering::Relaxed);
    asking.join().unwrap()
}

pub(crate) fn allow_descriptors() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let maximum = getrlimit(Resource::Nofile).maximum;
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).unwrap();
}

#[test]
fn slow_connections_are_ended_in_time_cost_little_and_nobody_else_fails() {
    allow_descriptors();
    let site = Site::new();
    build_tiny(&site.snapshot("tiny.kith"), &[]);
    let key = site.create_key("org_tiny", "crowd");
    let server = site.serve("error");
    let crowd = scale::of(500, 10_000);
    let alone = behaving(server.api, &key, || thread::sleep(Duration::from_secs(scale::of(1, 10))));
    let (mut ended, base, mut most) = ((0, Duration::ZERO), server.resident(), 0);
    let beside = behaving(server.api, &key, || {
        ended = drip(server.api, crowd as usize, || most = server.resident().max(most));
    });
    let (still_open, longest) = ended;
    let each = most.saturating_sub(base) / crowd;
    println!(
        "{crowd} dripping connections: {still_open} still open, the last ended after {longest:.1?}, {each} kB each"
    );
    for (what, sample) in [("alone", &alone), ("beside them", &beside)] {
        let [p50, p99, worst] = [0.5, 0.99, 1.0].map(|share| sample.quantile(share) / 1_000);
        println!("who behaves, {what}: p50 {p50} us, p99 {p99} us, worst {worst} us");
    }
    assert_eq!(still_open, 0);
    assert!(most < base + crowd * PEER_KB_MAX + MARGIN_KB, "{most} kB over {base} kB");
}

#[test]
fn an_accept_loop_without_deadlines_is_caught() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    let router = axum::Router::new().fallback(axum::routing::get(async || "ok"));
    runtime.spawn(async { axum::serve(listener, router).await });
    let (still_open, _) = drip(address, 200, || ());
    println!("control: {still_open} of 200 dripping connections still open");
    assert_eq!(still_open, 200);
}
