//! Peers that are slow, idle, too many, or connected when the server stops.
//!
//! Promise: Slow, idle and greedy peers are ended in time, and not before.
//! Control: `axum::serve`, and a deadline that begins anew with each byte: nobody is ended within ten times the
//!   deadline.
//!
//! Promise: If places run out, the connection that waited longest for a request gives way; one peer never has them all.
//! Control: the same connections without the bound; connections that never say that they wait keep everybody out.
//! Also in: `src/front/server/places.rs`, `src/front/server/peers.rs`.

use std::io::{ErrorKind, Read, Write};
use std::iter::repeat;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use kith_server::server::guard::Deadlines;

use crate::http_front::raw::{Front, SHORT, WAIT, answers, bare, read_to_end};

/// A server that has not ended a connection by then does not end it: the longest deadline of [`SHORT`] is 0.9 s.
const BOUND: Duration = Duration::from_secs(6);

/// When the server ended the connection, and what it said; `None` if it did not within [`BOUND`].
type Ended = Option<(Duration, Vec<u16>)>;

/// Reads until the server ends the connection.
fn wait_for_end(mut stream: TcpStream, began: Instant) -> Ended {
    stream.set_read_timeout(Some(BOUND)).unwrap();
    let mut all = Vec::new();
    let end = stream.read_to_end(&mut all).err().map(|error| error.kind());
    let took = began.elapsed();
    if matches!(end, Some(ErrorKind::WouldBlock | ErrorKind::TimedOut)) || took >= BOUND {
        return None;
    }
    Some((took, answers(&all).iter().map(|answer| answer.status).collect()))
}

fn ended(address: SocketAddr, sent: &str) -> Ended {
    let mut stream = TcpStream::connect(address).unwrap();
    let began = Instant::now();
    stream.write_all(sent.as_bytes()).unwrap();
    wait_for_end(stream, began)
}

/// The bytes a waiting peer sends, the expected answer, and the minimum wait.
fn waiting(front: &Front) -> [(&'static str, String, &'static [u16], Duration); 4] {
    let whole = front.request("");
    [
        ("never sends anything", String::new(), &[], SHORT.head),
        ("sends half a head", whole[..40].to_owned(), &[408], SHORT.head),
        ("sends one request and no other", whole.clone(), &[200], SHORT.idle),
        ("sends one and a half", format!("{whole}{}", &whole[..40]), &[200, 408], SHORT.head),
    ]
}

/// Those who wait, beside each other: what became of each.
fn wait_all(front: &Front, address: SocketAddr) -> Vec<Ended> {
    let waiting = waiting(front).map(|(_, sent, _, _)| thread::spawn(move || ended(address, &sent)));
    waiting.into_iter().map(|thread| thread.join().unwrap()).collect()
}

#[test]
fn who_waits_too_long_gets_an_answer_and_is_cut_off() {
    let front = Front::start(SHORT, 100);
    for ((name, _, statuses, least), ended) in
        waiting(&front).into_iter().zip(wait_all(&front, front.address))
    {
        let (took, got) = ended.unwrap_or_else(|| panic!("{name}: not within {BOUND:?}"));
        assert_eq!(got, statuses, "{name}");
        assert!(took >= least.mul_f64(0.9), "{name}: {took:?}");
    }
}

/// Sends a head byte by byte, each sooner than any deadline, until the connection ends or for [`BOUND`].
fn drip(address: SocketAddr) -> Ended {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_nodelay(true).unwrap();
    let (began, reading) = (Instant::now(), stream.try_clone().unwrap());
    let reading = thread::spawn(move || wait_for_end(reading, began));
    let head = "GET /docs HTTP/1.1\r\nHost: kith\r\nX: ".bytes().chain(repeat(b'x'));
    for byte in head {
        if reading.is_finished() || stream.write_all(&[byte]).is_err() {
            break;
        }
        thread::sleep(Duration::from_millis(40));
    }
    reading.join().unwrap()
}

#[test]
fn a_head_that_drips_is_cut_off_as_well() {
    let front = Front::start(SHORT, 100);
    let (took, statuses) = drip(front.address).expect("it is cut off");
    assert_eq!(statuses, [408]);
    assert!(took >= SHORT.head.mul_f64(0.9), "{took:?}");
}

/// A server whose deadline for a head begins anew with each byte.
fn patient_with_each_byte() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for caller in listener.incoming() {
            let mut caller = caller.unwrap();
            caller.set_read_timeout(Some(SHORT.head)).unwrap();
            while caller.read(&mut [0]).is_ok_and(|length| length > 0) {}
        }
    });
    address
}

/// The controls: servers without deadlines, and with one that begins anew.
#[test]
fn servers_that_end_nobody_are_caught() {
    let front = Front::start(SHORT, 100);
    let bare = bare(&front);
    let dripping = [bare, patient_with_each_byte()].map(|address| thread::spawn(move || drip(address)));
    let refusing = thread::spawn(move || refuse_answers(bare));
    assert_eq!(wait_all(&front, bare), [const { None }; 4]);
    for dripping in dripping {
        assert_eq!(dripping.join().unwrap(), None);
    }
    assert_eq!(
        refusing.join().unwrap(),
        Some(ErrorKind::WouldBlock),
        "it waits for as long as the peer does"
    );
}

/// Asks and never reads, until the server ends the connection or for [`BOUND`] takes nothing more; how that ended.
fn refuse_answers(address: SocketAddr) -> Option<ErrorKind> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_write_timeout(Some(BOUND)).unwrap();
    // Answers of a whole page pile up until no buffer takes more; nor are requests taken any more then.
    let pages = "GET /docs HTTP/1.1\r\nHost: kith\r\n\r\n".repeat(2000);
    let ended = (0..1000).find_map(|_| stream.write_all(pages.as_bytes()).err());
    ended.map(|error| error.kind())
}

#[test]
fn who_does_not_take_an_answer_is_cut_off() {
    let front = Front::start(SHORT, 100);
    let kind = refuse_answers(front.address);
    assert!(matches!(kind, Some(ErrorKind::ConnectionReset | ErrorKind::BrokenPipe)), "{kind:?}");
}

#[test]
fn connections_beyond_the_bound_are_asked_to_come_back() {
    let front = Front::start(Deadlines::DEFAULT, 3);
    let search = front.request("Content-Type: application/json\r\nContent-Length: 2\r\n");
    let search = search.replace("GET /api/v1/people/person_ana", "POST /api/v1/search/network");
    let held: Vec<_> = (0..3)
        .map(|_| {
            let mut stream = front.connect();
            // Its body does not come: the request is under way.
            stream.write_all(search.as_bytes()).unwrap();
            stream
        })
        .collect();
    // A head takes no time on loopback.
    std::thread::sleep(Duration::from_millis(300));
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

#[test]
fn who_waits_longest_makes_room_for_a_newcomer() {
    let front = Front::start(Deadlines::DEFAULT, 3);
    let ask = |stream: &mut std::net::TcpStream| {
        stream.write_all(front.request("").as_bytes()).unwrap();
        let mut part = [0; 4096];
        let length = stream.read(&mut part).unwrap();
        // An answer is out a moment before its connection says that it waits again.
        thread::sleep(Duration::from_millis(300));
        part[..length].starts_with(b"HTTP/1.1 200 ")
    };
    let mut held = [(); 3].map(|()| front.connect());
    for stream in &mut held {
        assert!(ask(stream));
    }
    // The first has asked again since, so that the second is the one that has waited longest.
    assert!(ask(&mut held[0]));
    let mut newcomers = Vec::new();
    for _ in 0..2 {
        let mut stream = front.connect();
        assert!(ask(&mut stream), "a newcomer gets no place");
        newcomers.push(stream);
    }
    let [first, second, third] = &mut held;
    assert!(read_to_end(second).is_empty() && read_to_end(third).is_empty());
    assert!(ask(first));
}
