//! The memory of connections without a credential, for each kind of attack; that it is released when they end; that
//! connections with a credential have a maximum; and that more connections than file descriptors keep nobody out.
//!
//! Promise: A connection costs at most 20 kB before a credential was accepted, whatever it sends, and its memory comes
//!   back when it ends.
//! Control: of the cost: hyper alone, which keeps its buffers, 30 kB each of a long head that is not complete; of what
//!   comes back: the same program whose threads are kept from looking over their pages (`MIMALLOC_GENERIC_COLLECT`), of
//!   6,000 more than 8 MB and 1 kB of each is still there after 12 s (9,000 on a release build: 33 MB, otherwise 9)
//!
//! Promise: What all connections hold has a bound, bodies and answers included, and requests without a body find room
//!   beside bodies.
//! Control: hyper alone, which takes every body: 154 MiB, none shed.
//! Also in: `src/front/server/budget.rs`, `src/front/server/charged.rs`, `src/front/server/head.rs`.
//!
//! Promise: Neither more connections nor more snapshots than files keep anybody out; each snapshot too many is refused
//!   by name.
//! Control: accept loops that end without a file left, or spin: nobody is answered beside the crowd.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use kith_server::snapshot::read::load;
use kith_server::snapshot::write::write;

use crate::http::Connection;
use crate::live_operation::bare::{HyperAlone, Unaccepted};
use crate::live_operation::crowd::allow_descriptors;
use crate::program::{Server, Site, build_tiny, resident};
use crate::support::scale;

/// Maximum memory of a connection before a credential was accepted, in kilobytes.
const CONNECTION_KB_MAX: u64 = 20;
/// A short body of which the end is missing: hyper is there for the 250 ms in which the rest is awaited.
const SHORT_BODY: &str = "4 kB of a body";
/// Maximum memory of a connection during that time, in kilobytes.
const SHORT_BODY_KB_MAX: u64 = 26;
/// What a server may have more than at its start for other reasons, in kilobytes: threads that come to work, and
/// pages of memory that a few texts keep.
const MARGIN_KB: u64 = 8 << 10;
/// Maximum memory left by an ended connection, in kilobytes: other connections share some of its pages.
const KEPT_KB_MAX: u64 = 1;
/// Maximum memory of 10,000 hostile connections of any kind together, in kilobytes.
const HOSTILE_KB_MAX: u64 = 200 << 10;
/// Maximum memory of all connections together beyond [`CONNECTION_KB_MAX`] of each, in kilobytes.
const BUDGET_KB: u64 = 96 << 10;
/// The longest that a connection takes to come about: the queue of a server that accepts none is full soon.
const CONNECT_MAX: Duration = Duration::from_secs(2);
/// Memory is back before this is over.
const BACK_MAX: Duration = Duration::from_secs(12);
const DOCS: &str = "GET /docs HTTP/1.1\r\nHost: kith\r\nAccept-Encoding: gzip\r\n\r\n";
/// mimalloc gives no page back to the system.
const NOTHING_GIVEN_BACK: (&str, &str) = ("MIMALLOC_PURGE_DELAY", "-1");

/// The bytes that hostile peers send before they fall silent.
fn kinds() -> Vec<(&'static str, String)> {
    let long_head = format!("GET /nowhere HTTP/1.1\r\nHost: kith\r\nX: {}", "a".repeat(16_000));
    vec![
        ("nothing", String::new()),
        ("one 404", "GET /nowhere HTTP/1.1\r\nHost: kith\r\n\r\n".to_owned()),
        ("/docs", DOCS.to_owned()),
        ("a whole long head", format!("{long_head}\r\n\r\n")),
        ("a part of a long head", long_head),
        ("64 kB of a body", search("", 65_000)),
        (SHORT_BODY, search("", 4_000)),
    ]
}

/// A search whose end is missing.
fn search(more: &str, length: usize) -> String {
    let head = "POST /api/v1/search/network HTTP/1.1\r\nHost: kith\r\nContent-Type: application/json\r\n";
    format!("{head}{more}Content-Length: {length}\r\n\r\n{}", " ".repeat(length - 100))
}

/// A server of a trial, in a process of its own.
trait Tried {
    fn address(&self) -> SocketAddr;
    fn resident(&self) -> u64;
}

impl Tried for Server {
    fn address(&self) -> SocketAddr {
        self.api
    }

    fn resident(&self) -> u64 {
        Server::resident(self)
    }
}

impl Tried for HyperAlone {
    fn address(&self) -> SocketAddr {
        self.address
    }

    fn resident(&self) -> u64 {
        resident(self.process_id())
    }
}

/// Connects up to `count` times and sends `bytes` each time, as much as the system takes at once; fewer times if a
/// connection does not come about, since the next ones would wait as long in vain.
fn connect(address: SocketAddr, count: u64, bytes: &str) -> Vec<TcpStream> {
    let open = |_| {
        let mut stream = TcpStream::connect_timeout(&address, CONNECT_MAX).ok()?;
        stream.set_nonblocking(true).unwrap();
        if let Err(error) = stream.write_all(bytes.as_bytes()) {
            assert_eq!(error.kind(), ErrorKind::WouldBlock, "{error}");
        }
        Some(stream)
    };
    (0..count).map_while(open).collect()
}

/// By how many kilobytes a server grows while `count` such connections are open: the most within two seconds.
fn growth(server: &impl Tried, base: u64, count: u64, bytes: &str) -> (u64, Vec<TcpStream>) {
    let held = connect(server.address(), count, bytes);
    assert_eq!(held.len() as u64, count);
    let mut most = 0;
    for _ in 0..8 {
        thread::sleep(Duration::from_millis(250));
        most = most.max(server.resident());
    }
    (most.saturating_sub(base), held)
}

/// Waits until a server that had `count` connections is back at `base`, but for [`KEPT_KB_MAX`] of each, and returns for how
/// long; `None` if it does not come to that.
fn returns(server: &impl Tried, base: u64, count: u64) -> Option<Duration> {
    let began = Instant::now();
    while server.resident() > base + MARGIN_KB + count * KEPT_KB_MAX {
        thread::sleep(Duration::from_millis(100));
        if began.elapsed() > BACK_MAX {
            return None;
        }
    }
    Some(began.elapsed())
}

/// How much a fresh server grows by `count` connections of a kind, in kilobytes, and how long after their end its
/// memory is back.
fn trial(server: &impl Tried, count: u64, (kind, bytes): &(&str, String)) -> (u64, Option<Duration>) {
    // Allocations at first use are not growth.
    drop(connect(server.address(), 20, DOCS));
    thread::sleep(Duration::from_millis(300));
    let base = server.resident();
    let (grown, held) = growth(server, base, count, bytes);
    drop(held);
    let returned = returns(server, base, count);
    let each = grown as f64 / count as f64;
    println!("{count} x {kind}: {each:.1} kB each over {base} kB; back after {returned:.1?}");
    (grown, returned)
}

/// Whether connections of a kind cost too much.
fn is_too_much(kind: &str, grown: u64, count: u64) -> bool {
    let most = if kind == SHORT_BODY { SHORT_BODY_KB_MAX } else { CONNECTION_KB_MAX };
    grown > count * most + MARGIN_KB / 4 || grown > HOSTILE_KB_MAX
}

fn tiny_site() -> Site {
    allow_descriptors();
    let site = Site::new();
    build_tiny(&site.snapshot("tiny.kith"), &[]);
    site
}

#[test]
fn a_connection_without_a_credential_costs_little_and_leaves_nothing() {
    let site = tiny_site();
    let count = scale::of(1_000, 10_000);
    let mut faults = [const { Vec::new() }; 2];
    for kind in kinds() {
        let (grown, returned) = trial(&site.serve("error"), count, &kind);
        if is_too_much(kind.0, grown, count) {
            faults[0].push(kind.0);
        }
        if returned.is_none() {
            faults[1].push(kind.0);
        }
    }
    assert_eq!(faults, [const { Vec::<&str>::new() }; 2], "too much, and not given back");
}

#[test]
fn a_server_that_keeps_its_buffers_is_caught() {
    allow_descriptors();
    let server = HyperAlone::start(Unaccepted::Spins, None);
    let (grown, _) = trial(&server, 1_000, &kinds()[4]);
    assert!(is_too_much("", grown, 1_000), "{grown} kB");
}

/// The control of what is given back: the same program, whose allocator keeps all pages.
#[test]
fn a_server_that_keeps_what_connections_left_is_caught() {
    let site = tiny_site();
    let server = site.serve_in("error", &[NOTHING_GIVEN_BACK]);
    assert_eq!(trial(&server, 6_000, &kinds()[4]).1, None);
}

/// The outcome of unfinished bodies.
#[derive(Debug)]
struct Bodies {
    grown: u64,
    /// How many were answered 503, to come back later.
    shed: u64,
    /// The number answered otherwise.
    others: u64,
    /// Whether another request was answered beside them.
    is_answered_beside: bool,
}

impl Bodies {
    const COUNT: u64 = 2_000;

    fn are_bounded(&self) -> bool {
        self.grown < BUDGET_KB + Self::COUNT * CONNECTION_KB_MAX
            && self.others == 0
            && (1..Self::COUNT).contains(&self.shed)
            && self.is_answered_beside
    }
}

fn bodies(server: &impl Tried, key: &str) -> Bodies {
    let beside = || Connection::open(server.address()).get("/api/v1/people/person_ana", key).status == 200;
    assert!(beside());
    let base = server.resident();
    let bytes = search(&format!("Authorization: Bearer {key}\r\n"), 65_000);
    let (grown, mut held) = growth(server, base, Bodies::COUNT, &bytes);
    let mut bodies = Bodies { grown, shed: 0, others: 0, is_answered_beside: beside() };
    for stream in &mut held {
        let mut part = [0; 2048];
        let Ok(length) = stream.read(&mut part) else { continue };
        let answer = String::from_utf8_lossy(&part[..length]);
        let is_shed = answer.starts_with("HTTP/1.1 503 ")
            && answer.contains("retry-after: 1\r\n")
            && answer.contains("connection: close\r\n");
        *if is_shed { &mut bodies.shed } else { &mut bodies.others } += 1;
    }
    println!("{} bodies over {base} kB: {bodies:?}", Bodies::COUNT);
    bodies
}

#[test]
fn bodies_of_callers_have_a_bound_together_and_others_are_answered_meanwhile() {
    let site = tiny_site();
    let key = site.create_key("org_tiny", "bodies");
    let bodies = bodies(&site.serve("error"), &key);
    assert!(bodies.are_bounded(), "{bodies:?}");
}

/// The control: nothing bounds what bodies hold together.
#[test]
fn a_server_that_takes_every_body_is_caught() {
    allow_descriptors();
    let bodies = bodies(&HyperAlone::start(Unaccepted::Spins, None), "none");
    assert!(!bodies.are_bounded(), "{bodies:?}");
}

/// Whether a newcomer is answered within a second.
fn answers(address: SocketAddr) -> bool {
    let Ok(mut stream) = TcpStream::connect_timeout(&address, Duration::from_secs(1)) else { return false };
    stream.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
    let asked = stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: kith\r\n\r\n");
    asked.is_ok() && matches!(stream.read(&mut [0; 16]), Ok(length) if length > 0)
}

/// How many of a crowd get a connection to a server that may have fewer files, and whether newcomers are answered beside
/// them and after them.
fn outlives_a_crowd(address: SocketAddr) -> (usize, bool, bool) {
    let held = connect(address, 600, "");
    thread::sleep(Duration::from_millis(300));
    let (crowd, beside) = (held.len(), answers(address));
    drop(held);
    thread::sleep(Duration::from_millis(500));
    (crowd, beside, answers(address))
}

#[test]
fn more_connections_than_files_keep_nobody_out() {
    let site = tiny_site();
    let server = site.serve_with_files("error", 256, &[]);
    assert_eq!(outlives_a_crowd(server.api), (600, true, true));
}

#[test]
fn more_snapshots_than_files_keep_nobody_out() {
    let site = tiny_site();
    let mut dataset = load(&site.snapshot("tiny.kith")).unwrap().dataset;
    for number in 0..400 {
        dataset.organization.id = format!("org_{number}");
        write(&site.snapshot(&format!("{number}.kith")), &dataset).unwrap();
    }
    let server = site.serve_with_files("error", 256, &[("KITH_LIVE__BUDGET_BYTES", "1000000000")]);
    assert_eq!(outlives_a_crowd(server.api), (600, true, true));
    let report = Connection::open(server.admin).send("POST", "/admin/reload", &[]).body;
    let refused = String::from_utf8(report).unwrap().matches("is one too many").count();
    assert_eq!(refused, 401 - 256 / 4, "each snapshot beyond a quarter of the files is named");
}

/// The controls: accept loops that end if there are no files left, or that try again at once.
#[test]
fn servers_that_are_out_of_files_are_caught() {
    allow_descriptors();
    for unaccepted in [Unaccepted::Ends, Unaccepted::Spins] {
        let server = HyperAlone::start(unaccepted, Some(256));
        let (crowd, beside, after) = outlives_a_crowd(server.address);
        println!("{unaccepted:?}: {crowd} connected, answered beside them {beside}, after them {after}");
        assert!(!beside && (!after || matches!(unaccepted, Unaccepted::Spins)), "{unaccepted:?}");
    }
}
