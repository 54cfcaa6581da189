//! Peers that are slow, idle, too many, or there when the server stops.

use std::io::{ErrorKind, Read, Write};
use std::time::{Duration, Instant};

use kith::server::guard::Deadlines;

use crate::http_front::raw::{Front, SHORT, WAIT, answers, read_to_end};

/// When the server ended the connection, and what it said.
fn ended(front: &Front, sent: &[u8]) -> (Duration, Vec<u16>) {
    let mut stream = front.connect();
    let began = Instant::now();
    stream.write_all(sent).unwrap();
    let statuses = answers(&read_to_end(&mut stream)).iter().map(|answer| answer.status).collect();
    (began.elapsed(), statuses)
}

#[test]
fn who_waits_too_long_is_told_so_and_cut_off() {
    let front = Front::start(SHORT, 100);
    let whole = front.request("");
    for (name, sent, statuses, least) in [
        ("never sends anything", String::new(), &[][..], SHORT.head),
        ("sends half a head", whole[..40].to_owned(), &[408], SHORT.head),
        ("sends one request and no other", whole.clone(), &[200], SHORT.idle),
        ("sends one and a half", format!("{whole}{}", &whole[..40]), &[200], SHORT.idle),
    ] {
        let (took, got) = ended(&front, sent.as_bytes());
        assert_eq!(got, statuses, "{name}");
        assert!(took >= least.mul_f64(0.9) && took < WAIT, "{name}: {took:?}");
    }
}

#[test]
fn a_head_that_drips_is_cut_off_as_well() {
    let front = Front::start(SHORT, 100);
    let whole = front.request("");
    let mut stream = front.connect();
    let began = Instant::now();
    for byte in whole.bytes().take(60) {
        if stream.write_all(&[byte]).is_err() {
            break;
        }
        std::thread::sleep(Duration::from_millis(40));
    }
    assert_eq!(answers(&read_to_end(&mut stream))[0].status, 408);
    assert!(began.elapsed() >= SHORT.head);
}

#[test]
fn who_does_not_take_an_answer_is_cut_off() {
    let front = Front::start(SHORT, 100);
    let mut stream = front.connect();
    stream.set_write_timeout(Some(WAIT)).unwrap();
    // Answers of a whole page pile up until no buffer takes more; nor are requests taken any more then.
    let pages = "GET /docs HTTP/1.1\r\nHost: kith\r\n\r\n".repeat(2000);
    let ended = (0..1000).find_map(|_| stream.write_all(pages.as_bytes()).err());
    let kind = ended.map(|error| error.kind());
    assert!(matches!(kind, Some(ErrorKind::ConnectionReset | ErrorKind::BrokenPipe)), "{kind:?}");
}

#[test]
fn connections_beyond_the_bound_are_told_to_come_back() {
    let front = Front::start(Deadlines::DEFAULT, 3);
    let held: Vec<_> = (0..3)
        .map(|_| {
            let mut stream = front.connect();
            stream.write_all(front.request("").as_bytes()).unwrap();
            assert!(stream.read(&mut [0; 16]).unwrap() > 0);
            stream
        })
        .collect();
    let refused = answers(&front.exchange(front.request("").as_bytes()));
    assert_eq!(refused[0].status, 503);
    assert!(refused[0].head.contains("retry-after: 1"), "{refused:?}");
    drop(held);
    let began = Instant::now();
    while answers(&front.exchange(front.request("").as_bytes()))[0].status != 200 {
        assert!(began.elapsed() < WAIT, "a place is never given back");
    }
}

#[test]
fn a_stop_ends_idle_connections_at_once_and_lets_requests_end() {
    let mut front = Front::start(Deadlines::DEFAULT, 100);
    let mut idle = front.connect();
    idle.write_all(front.request("").as_bytes()).unwrap();
    assert!(idle.read(&mut [0; 16]).unwrap() > 0);
    let address = front.address;
    let began = Instant::now();
    front.stop();
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    read_to_end(&mut idle);
    assert!(std::net::TcpStream::connect(address).is_err());
}
