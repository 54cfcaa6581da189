//! What connections without a credential cost in memory, of each kind that an attacker may try; that memory is
//! given back when they end; and that there is a bound on what those with one may hold.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::http::Connection;
use crate::live_operation::crowd::allow_descriptors;
use crate::program::{Site, build_tiny, resident};
use crate::support::scale;

/// What a connection may cost before a credential was accepted, in kilobytes.
const CONNECTION_KB_MAX: u64 = 20;
/// What it may cost for the 2 s in which a peer that is refused amid its body is read on, in kilobytes; that comes out
/// of the budget of all.
const UNREAD_KB_MAX: u64 = 48;
/// What a server may have more than at its start for other reasons, in kilobytes: threads that come to work, and
/// pages of memory that a few texts keep.
const MARGIN_KB: u64 = 8 << 10;
/// What all connections may hold together beyond [`CONNECTION_KB_MAX`] of each, in kilobytes.
const BUDGET_KB: u64 = 96 << 10;
const DOCS: &str = "GET /docs HTTP/1.1\r\nHost: kith\r\nAccept-Encoding: gzip\r\n\r\n";

/// What hostile peers send before they fall silent.
fn kinds() -> Vec<(&'static str, String)> {
    let long_head = format!("GET /nowhere HTTP/1.1\r\nHost: kith\r\nX: {}", "a".repeat(16_000));
    vec![
        ("nothing", String::new()),
        ("one 404", "GET /nowhere HTTP/1.1\r\nHost: kith\r\n\r\n".to_owned()),
        ("/docs", DOCS.to_owned()),
        ("a whole long head", format!("{long_head}\r\n\r\n")),
        ("a part of a long head", long_head),
        ("64 kB of a body", search("")),
    ]
}

/// A search of which the end is missing.
fn search(more: &str) -> String {
    let head = "POST /api/v1/search/network HTTP/1.1\r\nHost: kith\r\nContent-Type: application/json\r\n";
    format!("{head}{more}Content-Length: 65000\r\n\r\n{}", " ".repeat(64_900))
}

/// Connects `count` times and sends `bytes` each time, as much as the system takes at once.
fn connect(address: SocketAddr, count: u64, bytes: &str) -> Vec<TcpStream> {
    let open = || {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_nonblocking(true).unwrap();
        if let Err(error) = stream.write_all(bytes.as_bytes()) {
            assert_eq!(error.kind(), ErrorKind::WouldBlock, "{error}");
        }
        stream
    };
    (0..count).map(|_| open()).collect()
}

/// By how many kilobytes a server of `resident` grows over `base` while `count` such connections are open: the
/// most within two seconds.
fn growth(
    address: SocketAddr,
    resident: &dyn Fn() -> u64,
    base: u64,
    count: u64,
    bytes: &str,
) -> (u64, Vec<TcpStream>) {
    let held = connect(address, count, bytes);
    let mut most = 0;
    for _ in 0..8 {
        thread::sleep(Duration::from_millis(250));
        most = most.max(resident());
    }
    (most.saturating_sub(base), held)
}

/// Waits until a server is back at `base`, and for how long; `None` if it does not come to that.
fn returns(resident: &dyn Fn() -> u64, base: u64) -> Option<Duration> {
    let began = Instant::now();
    while resident() > base + MARGIN_KB {
        thread::sleep(Duration::from_millis(100));
        if began.elapsed() > Duration::from_secs(12) {
            return None;
        }
    }
    Some(began.elapsed())
}

/// The kinds that cost too much, and those after which memory does not come back.
fn trial(what: &str, address: SocketAddr, resident: &dyn Fn() -> u64, count: u64) -> [Vec<&'static str>; 2] {
    // What comes to be at first use is no growth.
    drop(connect(address, 20, DOCS));
    thread::sleep(Duration::from_millis(300));
    let base = resident();
    let mut faults = [Vec::new(), Vec::new()];
    for (kind, bytes) in kinds() {
        let (grown, held) = growth(address, resident, base, count, &bytes);
        drop(held);
        let returned = returns(resident, base);
        let each = grown as f64 / count as f64;
        println!("{what}, {count} x {kind}: {each:.1} kB each over {base} kB; back after {returned:.1?}");
        let most = if bytes.starts_with("POST") { UNREAD_KB_MAX } else { CONNECTION_KB_MAX };
        if grown > count * most + MARGIN_KB / 4 {
            faults[0].push(kind);
        }
        if returned.is_none() {
            faults[1].push(kind);
        }
    }
    faults
}

#[test]
fn a_connection_without_a_credential_costs_little_and_leaves_nothing() {
    allow_descriptors();
    let site = Site::new();
    build_tiny(&site.snapshot("tiny.kith"), &[]);
    let server = site.serve("error");
    let count = scale::of(1_000, 10_000);
    let faults = trial("kith", server.api, &|| server.resident(), count);
    assert_eq!(faults, [const { Vec::<&str>::new() }; 2], "too much, and not given back");
}

#[test]
fn bodies_of_callers_have_a_bound_together_and_others_are_answered_meanwhile() {
    allow_descriptors();
    let site = Site::new();
    build_tiny(&site.snapshot("tiny.kith"), &[]);
    let key = site.create_key("org_tiny", "bodies");
    let server = site.serve("error");
    assert_eq!(Connection::open(server.api).get("/api/v1/people/person_ana", &key).status, 200);
    let (base, count) = (server.resident(), 1_500);
    let bytes = search(&format!("Authorization: Bearer {key}\r\n"));
    let (grown, mut held) = growth(server.api, &|| server.resident(), base, count, &bytes);
    assert_eq!(Connection::open(server.api).get("/api/v1/people/person_ana", &key).status, 200);
    let mut shed = 0;
    for stream in &mut held {
        let mut part = [0; 2048];
        let Ok(length) = stream.read(&mut part) else { continue };
        let answer = String::from_utf8_lossy(&part[..length]);
        assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
        assert!(
            answer.contains("retry-after: 1\r\n") && answer.contains("connection: close\r\n"),
            "{answer}"
        );
        shed += 1;
    }
    println!("{count} bodies: {} kB each over {base} kB, {shed} shed", grown / count);
    assert!(shed > 0 && shed < count, "{shed}");
    assert!(grown < BUDGET_KB + count * CONNECTION_KB_MAX, "{grown} kB");
}

/// hyper alone, as connections were served before: its buffers stay for as long as they are open.
#[test]
#[ignore = "the server of the control: run by it, and never ends"]
fn hyper_alone() {
    use hyper_util::rt::TokioIo;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        println!("address {}", listener.local_addr().unwrap());
        loop {
            let Ok((stream, _)) = listener.accept().await else { continue };
            let service = hyper::service::service_fn(async |_| {
                let page = axum::body::Body::from(vec![b'x'; 20_000]);
                Ok::<_, std::convert::Infallible>(axum::http::Response::new(page))
            });
            let connection = hyper::server::conn::http1::Builder::new()
                .max_header_size(32 << 10)
                .max_buf_size(64 << 10)
                .serve_connection(TokioIo::new(stream), service);
            tokio::spawn(async move { drop(connection.await) });
        }
    });
}

/// Runs [`hyper_alone`] in a process of its own, and `trial` with its address and process.
fn with_hyper_alone<T>(trial: impl FnOnce(SocketAddr, u32) -> T) -> T {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "live_operation::memory::hyper_alone", "--ignored", "--nocapture"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let address = lines.into_iter().find_map(|line| Some(line.split_once("address ")?.1.parse().unwrap()));
    let process = child.id();
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| trial(address.unwrap(), process)));
    child.kill().unwrap();
    child.wait().unwrap();
    outcome.unwrap()
}

#[test]
fn a_server_that_keeps_its_buffers_is_caught() {
    allow_descriptors();
    let grown = with_hyper_alone(|address, process| {
        let base = resident(process);
        let long = &kinds()[4];
        growth(address, &|| resident(process), base, 1_000, &long.1).0
    });
    println!("control: {} kB each", grown / 1_000);
    assert!(grown > 1_000 * CONNECTION_KB_MAX + MARGIN_KB / 4, "{grown} kB");
}

/// Whether a newcomer is answered within a second.
fn answers(address: SocketAddr) -> bool {
    let Ok(mut stream) = TcpStream::connect_timeout(&address, Duration::from_secs(1)) else { return false };
    stream.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
    let asked = stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: kith\r\n\r\n");
    asked.is_ok() && matches!(stream.read(&mut [0; 16]), Ok(length) if length > 0)
}

/// Whether newcomers are answered beside more connections than the server may have files, and after them.
fn outlives_a_crowd(address: SocketAddr) -> (bool, bool) {
    let held = connect(address, 600, "");
    thread::sleep(Duration::from_millis(300));
    let beside = answers(address);
    drop(held);
    thread::sleep(Duration::from_millis(500));
    (beside, answers(address))
}

#[test]
fn more_connections_than_files_keep_nobody_out() {
    allow_descriptors();
    let site = Site::new();
    build_tiny(&site.snapshot("tiny.kith"), &[]);
    let server = site.serve_with_files("error", 256);
    assert_eq!(outlives_a_crowd(server.api), (true, true));
}
