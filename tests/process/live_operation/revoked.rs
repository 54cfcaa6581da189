//! Revoked keys are refused on the very next request, however it is sent.
//!
//! Promise: A revoked key is refused on the very next request, however it comes.
//! Control: a front that remembers, before the same server: each of the 5 shapes is answered.

use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Instant, SystemTime};

use kith_server::auth::store::CredentialStore;

use crate::http::Connection;
use crate::program::{Server, Site, build_tiny};
use crate::support::scale;

const PATH: &str = "/api/v1/people/person_ana";

/// The ways in which the next request comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    SameConnection,
    NewConnection,
    OtherConnection,
    Pipelined,
    DuringReload,
}

impl Shape {
    const ALL: [Self; 5] = [
        Self::SameConnection,
        Self::NewConnection,
        Self::OtherConnection,
        Self::Pipelined,
        Self::DuringReload,
    ];
}

/// A served network, the connections of a caller, and the store that another process revokes in.
struct Trial {
    _server: Server,
    /// The address that the caller asks.
    api: SocketAddr,
    store: CredentialStore,
    connections: [Connection; 2],
    admin: Connection,
    _site: Site,
}

impl Trial {
    /// The caller asks at the address that `front` gives for the server's.
    fn at(front: impl Fn(SocketAddr) -> SocketAddr) -> Self {
        let site = Site::new();
        build_tiny(&site.snapshot("tiny.kith"), &[]);
        let store = CredentialStore::open(Path::new(&site.credentials())).unwrap();
        let server = site.serve("error");
        let api = front(server.api);
        let connections = [(); 2].map(|()| Connection::open(api));
        let admin = Connection::open(server.admin);
        Self { _server: server, api, store, connections, admin, _site: site }
    }

    /// Runs this many trials, shape after shape; returns how often a revoked key got which status.
    fn tally(&mut self, trials: u64) -> BTreeMap<(Shape, u16), u64> {
        let mut tally = BTreeMap::new();
        for number in 0..trials {
            let shape = Shape::ALL[number as usize % Shape::ALL.len()];
            for status in self.run(shape) {
                *tally.entry((shape, status)).or_default() += 1;
            }
        }
        tally
    }

    /// The statuses that a key gets after it was revoked.
    fn run(&mut self, shape: Shape) -> Vec<u16> {
        let made = self.store.create_key("org_tiny", "trial", SystemTime::now()).unwrap();
        let key = made.secret.reveal().to_owned();
        for connection in &mut self.connections {
            assert_eq!(connection.get(PATH, &key).status, 200, "the key is good before it is revoked");
        }
        if shape == Shape::DuringReload {
            self.admin.begin("POST", "/admin/reload", &[("content-length", "0")]);
        }
        self.store.revoke_key(&made.id, SystemTime::now()).unwrap();
        let [own, other] = &mut self.connections;
        match shape {
            Shape::SameConnection | Shape::DuringReload => {
                let status = own.get(PATH, &key).status;
                if shape == Shape::DuringReload {
                    assert_eq!(self.admin.end().status, 200);
                }
                vec![status]
            }
            Shape::OtherConnection => vec![other.get(PATH, &key).status],
            Shape::NewConnection => vec![Connection::open(self.api).get(PATH, &key).status],
            Shape::Pipelined => {
                let authorization = format!("Bearer {key}");
                for _ in 0..3 {
                    own.begin("GET", PATH, &[("authorization", &authorization)]);
                }
                (0..3).map(|_| own.end().status).collect()
            }
        }
    }
}

#[test]
fn a_revoked_key_is_refused_on_the_very_next_request() {
    let mut trial = Trial::at(|server| server);
    let (began, trials) = (Instant::now(), scale::of(50, 10_000));
    let tally = trial.tally(trials);
    println!("{trials} trials in {:.1} s: {tally:?}", began.elapsed().as_secs_f64());
    assert!(tally.keys().all(|&(_, status)| status == 401), "{tally:?}");
}

/// The control: a front that asks the server once for each credential, and answers the same ever after.
#[test]
fn a_verifier_that_remembers_is_caught() {
    let mut trial = Trial::at(remembering);
    let tally = trial.tally(20);
    println!("control: {tally:?}");
    let caught = |shape| tally.keys().any(|&(of, status)| of == shape && status == 200);
    assert!(Shape::ALL.into_iter().all(caught), "the trial would not see a verdict that is kept: {tally:?}");
}

fn remembering(server: SocketAddr) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let remembered = Arc::new(Mutex::new(HashMap::new()));
    thread::spawn(move || {
        for caller in listener.incoming().map_while(Result::ok) {
            let remembered = Arc::clone(&remembered);
            thread::spawn(move || answer_from_memory(caller, server, &remembered));
        }
    });
    address
}

/// Answers the requests of one caller until they close the connection.
fn answer_from_memory(caller: TcpStream, server: SocketAddr, remembered: &Mutex<HashMap<String, u16>>) {
    let mut server = Connection::open(server);
    let mut caller = BufReader::new(caller);
    let mut head = String::new();
    while caller.read_line(&mut head).is_ok_and(|length| length > 0) {
        if !head.ends_with("\r\n\r\n") {
            continue;
        }
        let credential = head.lines().find_map(|line| line.strip_prefix("authorization: Bearer ")).unwrap();
        let ask = || server.get(PATH, credential).status;
        let status = *remembered.lock().unwrap().entry(credential.to_owned()).or_insert_with(ask);
        let answer = format!("HTTP/1.1 {status} Remembered\r\ncontent-length: 0\r\n\r\n");
        caller.get_mut().write_all(answer.as_bytes()).unwrap();
        head.clear();
    }
}
