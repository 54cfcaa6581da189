//! Two organizations on one server: slow searches of one do not delay the small requests of the other.
//!
//! The control, and the same at many other sizes, is in `tests/operation/fairness`, in simulated time.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::http::Connection;
use crate::live_operation::sample::Sample;
use crate::program::{Site, run_well};
use crate::support::scale;

/// The pause between two requests of the modest organization.
const PAUSE: Duration = Duration::from_millis(5);
/// On how many connections it asks in turn, so that a slow answer holds up none of the next ones.
const MODEST_CONNECTIONS: u32 = 32;

/// The answers to one organization.
#[derive(Debug, Default)]
struct Answers {
    took: Vec<i64>,
    shed: u32,
}

impl Answers {
    fn add(&mut self, status: u16, took: Duration) {
        match status {
            200 => self.took.push(took.as_nanos() as i64),
            503 => self.shed += 1,
            other => panic!("{other}"),
        }
    }

    fn of(parts: Vec<thread::JoinHandle<Self>>) -> Self {
        parts.into_iter().fold(Self::default(), |mut all, part| {
            let part = part.join().unwrap();
            all.took.extend(part.took);
            all.shed += part.shed;
            all
        })
    }

    fn print(&self, what: &str) {
        let sample = Sample::new(self.took.clone());
        let [p50, p99] = [0.5, 0.99].map(|share| sample.quantile(share) / 1_000);
        println!("{what}: {} answered, p50 {p50} us, p99 {p99} us, {} shed", self.took.len(), self.shed);
    }
}

/// Sends this many small requests at an even pace, independent of earlier answers.
fn ask_modestly(address: SocketAddr, key: &str, requests: u32) -> Answers {
    let began = Instant::now() + PAUSE;
    let connections = (0..MODEST_CONNECTIONS).map(|first| {
        let key = key.to_owned();
        thread::spawn(move || {
            let mut connection = Connection::open(address);
            let mut answers = Answers::default();
            for number in (first..requests).step_by(MODEST_CONNECTIONS as usize) {
                let due = began + PAUSE * number;
                thread::sleep(due.saturating_duration_since(Instant::now()));
                let reply = connection.get("/api/v1/search/people?q=anna&limit=5", &key);
                answers.add(reply.status, due.elapsed());
            }
            answers
        })
    });
    Answers::of(connections.collect())
}

/// Searches on so many connections for what takes long, each time again once it is answered, until it is `over`.
fn ask_greedily(address: SocketAddr, key: &str, connections: usize, over: &Arc<AtomicBool>) -> Answers {
    let places =
        "people in europe, asia, africa, latin america, scandinavia, middle east, emea, apac, usa, germany";
    let bodies: Arc<Vec<_>> = Arc::new(
        ["auto", "graph", "relational"]
            .into_iter()
            .flat_map(|mode| {
                [places.to_owned(), "\u{fdfa}".repeat(1000)]
                    .map(|query| json!({ "query": query, "mode": mode }).to_string())
            })
            .collect(),
    );
    let connections = (0..connections).map(|first| {
        let (key, over, bodies) = (key.to_owned(), Arc::clone(over), Arc::clone(&bodies));
        thread::spawn(move || {
            let mut connection = Connection::open(address);
            let mut answers = Answers::default();
            for body in bodies.iter().cycle().skip(first) {
                if over.load(Ordering::Relaxed) {
                    break;
                }
                let began = Instant::now();
                let reply = connection.post("/api/v1/search/network", &key, body.as_bytes());
                answers.add(reply.status, began.elapsed());
                if reply.status == 503 {
                    thread::sleep(Duration::from_millis(100));
                }
            }
            answers
        })
    });
    Answers::of(connections.collect())
}

fn generated(site: &Site, folder: &Path, name: &str, people: &str) -> String {
    let (tables, organization) = (folder.join(name), format!("org_{name}"));
    let (tables, file) = (tables.to_str().unwrap(), site.snapshot(&format!("{name}.kith")));
    run_well(&["generate", tables, "--people", people, "--seed", "1", "--org", &organization]);
    run_well(&["build", tables, "--out", file.to_str().unwrap()]);
    organization
}

#[test]
fn one_organization_cannot_starve_another() {
    let (people, requests) = (scale::of(3_000, 300_000).to_string(), scale::of(200, 1_000) as u32);
    let (site, folder) = (Site::new(), tempfile::tempdir().unwrap());
    let organizations = [("greedy", people.as_str()), ("modest", "1000")]
        .map(|(name, people)| generated(&site, folder.path(), name, people));
    let [greedy, modest] = organizations.map(|organization| site.create_key(&organization, "fairness"));
    let server = site.serve("error");
    ask_modestly(server.api, &modest, requests).print("modest alone");
    for connections in [4, scale::of(8, 200) as usize] {
        let over = Arc::new(AtomicBool::new(false));
        let crowd = thread::spawn({
            let (address, key, over) = (server.api, greedy.clone(), Arc::clone(&over));
            move || ask_greedily(address, &key, connections, &over)
        });
        thread::sleep(Duration::from_millis(200));
        let beside = ask_modestly(server.api, &modest, requests);
        over.store(true, Ordering::Relaxed);
        let crowd = crowd.join().unwrap();
        beside.print("modest beside greedy");
        crowd.print(&format!("greedy on {connections} connections"));
        assert_eq!(
            (beside.shed, beside.took.len()),
            (0, requests as usize),
            "beside {connections} connections"
        );
        assert!(!crowd.took.is_empty(), "the greedy one is answered too");
    }
}
