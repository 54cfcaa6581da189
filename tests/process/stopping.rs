//! A stop beside requests in flight, idle peers and stuck ones: no started request is lost, and the stop completes.
//!
//! Promise: A stop loses no request in flight and ends beside idle and stuck peers.
//! Control: the same stop by SIGKILL: all 16 in flight fail.

use std::fs;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use crate::http::Connection;
use crate::program::{Site, project};

/// Requests that the server works on when the signal comes.
const IN_FLIGHT: usize = 16;
/// Connections of each kind that have nothing to end for.
const OTHERS: usize = 40;
const BODY: &[u8] = b"{\"query\":\"engineers\"}";
/// A stop takes no longer, whatever peers do: heads and bodies that are half sent have ten seconds at other times.
const STOP_MAX: Duration = Duration::from_secs(9);

/// A connection with the head of a search sent, whose body the server has asked for.
fn asked_for_its_body(api: SocketAddr, key: &str) -> TcpStream {
    let mut stream = TcpStream::connect(api).unwrap();
    stream.set_read_timeout(Some(STOP_MAX)).unwrap();
    let head = format!(
        "POST /api/v1/search/network HTTP/1.1\r\nhost: {api}\r\nauthorization: Bearer {key}\r\ncontent-type: \
         application/json\r\ncontent-length: {}\r\nexpect: 100-continue\r\n\r\n",
        BODY.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut said = [0; 25];
    stream.read_exact(&mut said).unwrap();
    assert_eq!(&said, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream
}

/// Sends the body and reads the answer to its end; whether it is a whole 200.
fn is_answered(mut stream: TcpStream) -> bool {
    let mut answer = Vec::new();
    let done = stream.write_all(BODY).and_then(|()| stream.read_to_end(&mut answer));
    let answer = String::from_utf8_lossy(&answer);
    done.is_ok() && answer.starts_with("HTTP/1.1 200 ") && answer.ends_with('}')
}

/// Sends `signal` to a busy server; how many requests in flight failed, the exit code, and how long the end took.
fn stop_by(signal: &str) -> (usize, Option<i32>, Duration) {
    let site = Site::new();
    fs::copy(project("snapshots/tiny.kith"), site.snapshot("tiny.kith")).unwrap();
    let key = site.create_key("org_tiny", "a");
    let server = site.serve("warn");
    let mut idle: Vec<Connection> = (0..OTHERS).map(|_| Connection::open(server.api)).collect();
    for connection in idle.iter_mut().step_by(2) {
        assert_eq!(connection.send("GET", "/healthz", &[]).status, 200);
    }
    let stuck: Vec<TcpStream> = (0..OTHERS)
        .map(|number| match number % 2 {
            0 => asked_for_its_body(server.api, &key),
            _ => {
                let mut half = TcpStream::connect(server.api).unwrap();
                half.write_all(b"GET /healthz HTTP/1.1\r\nhost:").unwrap();
                half
            }
        })
        .collect();
    let in_flight: Vec<TcpStream> = (0..IN_FLIGHT).map(|_| asked_for_its_body(server.api, &key)).collect();
    let (api, began) = (server.api, Instant::now());
    server.signal(signal);
    let is_closed =
        || matches!(TcpStream::connect(api), Err(error) if error.kind() == io::ErrorKind::ConnectionRefused);
    while !is_closed() {
        assert!(began.elapsed() < STOP_MAX, "it goes on listening");
    }
    let failed = in_flight.into_iter().map(is_answered).filter(|is_answered| !is_answered).count();
    let (code, _) = server.ended();
    drop((idle, stuck));
    (failed, code, began.elapsed())
}

#[test]
fn a_stop_loses_nothing_in_flight_and_ends_whatever_peers_do_and_a_kill_loses_it() {
    let (failed, code, took) = stop_by("TERM");
    assert_eq!((failed, code), (0, Some(0)));
    assert!(took <= STOP_MAX, "{took:?}");
    println!("stopped after {took:?}");
    // The control: an end that waits for nobody.
    let (failed, code, _) = stop_by("KILL");
    assert_eq!((failed, code), (IN_FLIGHT, None));
}
