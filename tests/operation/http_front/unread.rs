//! Answers to requests whose body was not read: the connection continues, or the answer announces its end.
//!
//! Promise: A connection goes on behind a body that was not read, or the answer says that it ends.
//! Control: `axum::serve`, which ends it without a word; a body that may come is asked for.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use kith_server::server::guard::Deadlines;

use crate::http_front::raw::{Front, Taken, WAIT, answers, bare, read_to_end};

fn post(credential: &str, length: &str) -> String {
    format!(
        "POST /api/v1/search/network HTTP/1.1\r\nHost: kith\r\nAuthorization: Bearer {credential}\r\n\
         Content-Type: application/json\r\n{length}\r\n"
    )
}

/// Reads one answer: its head, and its body by the length that it says.
fn one(stream: &mut TcpStream) -> Vec<u8> {
    let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
    loop {
        let text = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
        let length: Option<usize> =
            text.split("content-length: ").nth(1).and_then(|rest| rest.split("\r\n").next()?.parse().ok());
        let ends = text.find("\r\n\r\n").filter(|_| !text.starts_with("http/1.1 100"));
        if let (Some(ends), Some(length)) = (ends, length)
            && bytes.len() >= ends + 4 + length
        {
            return bytes;
        }
        match stream.read(&mut part).unwrap() {
            0 => return bytes,
            length => bytes.extend_from_slice(&part[..length]),
        }
    }
}

fn says_close(answer: &Taken) -> bool {
    answer.head.contains("connection: close")
}

/// Whether a request after an answer is answered, or the answer said that none would be.
fn keeps_its_word(stream: &mut TcpStream, answer: &Taken) -> bool {
    let sent = stream.write_all(b"GET /nowhere HTTP/1.1\r\nHost: kith\r\nConnection: close\r\n\r\n");
    let rest = read_to_end(stream);
    if says_close(answer) { rest.is_empty() } else { sent.is_ok() && answers(&rest).len() == 1 }
}

/// Sends the head of a request that is refused, then after a pause in milliseconds its body, and takes the answer.
fn refused(address: SocketAddr, length: &str, body: &str, pause: u64) -> (TcpStream, Taken) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(WAIT)).unwrap();
    stream.set_nodelay(true).unwrap();
    let head = post("bad", length);
    if pause == 0 {
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
    } else {
        stream.write_all(head.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        let _ = stream.write_all(body.as_bytes());
    }
    let bytes = one(&mut stream);
    assert!(bytes.starts_with(b"HTTP/1.1 401"), "{length}: {}", String::from_utf8_lossy(&bytes));
    let answer = answers(&bytes).remove(0);
    (stream, answer)
}

/// The control: `axum::serve` ends a connection behind a body that comes in a packet of its own, without a word.
#[test]
fn a_server_that_ends_a_connection_without_a_word_is_caught() {
    let front = Front::start(Deadlines::DEFAULT, 100);
    for pause in [30, 700] {
        let (mut stream, answer) = refused(bare(&front), "Content-Length: 13\r\n", r#"{"query":"a"}"#, pause);
        assert!(!says_close(&answer) && !keeps_its_word(&mut stream, &answer), "{pause} ms: {answer:?}");
    }
}

#[test]
fn a_connection_goes_on_behind_a_body_that_was_not_read_or_the_answer_says_close() {
    let front = Front::start(Deadlines::DEFAULT, 100);
    let small = r#"{"query":"a"}"#.to_owned();
    let chunked = format!("{:x}\r\n{small}\r\n0\r\n\r\n", small.len());
    let large = "x".repeat(1 << 20);
    for (name, length, body, pause, closes) in [
        ("in one packet", format!("Content-Length: {}\r\n", small.len()), &small, 0, false),
        ("in its own packet", format!("Content-Length: {}\r\n", small.len()), &small, 30, false),
        ("in its own packet, late", format!("Content-Length: {}\r\n", small.len()), &small, 700, true),
        ("in chunks", "Transfer-Encoding: chunked\r\n".to_owned(), &chunked, 30, true),
        ("that is large", format!("Content-Length: {}\r\n", large.len()), &large, 30, true),
        ("that is never sent", "Content-Length: 10\r\n".to_owned(), &String::new(), 0, true),
        (
            "that waits for a word",
            format!("Expect: 100-continue\r\nContent-Length: {}\r\n", small.len()),
            &String::new(),
            0,
            true,
        ),
    ] {
        let (mut stream, answer) = refused(front.address, &length, body, pause);
        assert_eq!(says_close(&answer), closes, "{name}: {answer:?}");
        assert!(keeps_its_word(&mut stream, &answer), "{name}: {answer:?}");
    }
}

#[test]
fn a_body_that_is_too_long_by_its_length_is_refused_before_it_is_asked_for() {
    let front = Front::start(Deadlines::DEFAULT, 100);
    let expecting = |length: usize| {
        let mut stream = front.connect();
        let length = format!("Expect: 100-continue\r\nContent-Length: {length}\r\n");
        stream.write_all(post(&front.key, &length).as_bytes()).unwrap();
        stream
    };
    let mut stream = expecting(70_000);
    let bytes = one(&mut stream);
    assert!(bytes.starts_with(b"HTTP/1.1 413"), "{}", String::from_utf8_lossy(&bytes));
    let answer = answers(&bytes).remove(0);
    assert!(says_close(&answer) && keeps_its_word(&mut stream, &answer), "{answer:?}");
    // The control: one that may come is asked for.
    let mut asked = [0; 12];
    expecting(13).read_exact(&mut asked).unwrap();
    assert_eq!(&asked, b"HTTP/1.1 100");
    // One that is sent all the same is read on, so that its sender gets to read why.
    let body = "x".repeat(70_000);
    let sent = format!("{}{body}", post(&front.key, "Content-Length: 70000\r\n"));
    let answered = answers(&front.exchange(sent.as_bytes()));
    assert_eq!(answered.iter().map(|answer| answer.status).collect::<Vec<_>>(), [413]);
}
