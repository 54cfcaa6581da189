//! Two organizations on one server: the many requests of one do not keep those of the other waiting, and
//! what cannot be done soon is told so at once.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::http::Connection;
use crate::live_operation::sample::Sample;
use crate::program::{Site, run_well};

/// What was answered to one organization.
struct Answers {
    good: Sample,
    shed: u64,
}

/// Asks on so many connections at once, each one request after the other with a `pause` between, for so
/// long.
fn ask(
    address: SocketAddr,
    key: &str,
    path: &'static str,
    connections: usize,
    pause: Duration,
    during: Duration,
) -> Answers {
    let (over, shed) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let asking: Vec<_> = (0..connections)
        .map(|_| {
            let (over, shed, key) = (Arc::clone(&over), Arc::clone(&shed), key.to_owned());
            thread::spawn(move || {
                let mut connection = Connection::open(address);
                let mut took = Vec::new();
                while !over.load(Ordering::Relaxed) {
                    let began = Instant::now();
                    let reply = connection.get(path, &key);
                    match reply.status {
                        200 => took.push(began.elapsed().as_nanos() as i64),
                        503 => {
                            assert_eq!(reply.header("retry-after"), Some("1"));
                            shed.fetch_add(1, Ordering::Relaxed);
                            thread::sleep(Duration::from_millis(100));
                        }
                        other => panic!("{path}: {other}"),
                    }
                    thread::sleep(pause);
                }
                took
            })
        })
        .collect();
    thread::sleep(during);
    over.store(true, Ordering::Relaxed);
    let took = asking.into_iter().flat_map(|task| task.join().unwrap()).collect();
    Answers { good: Sample::new(took), shed: shed.load(Ordering::Relaxed) }
}

fn generated(site: &Site, folder: &Path, name: &str, seed: &str) -> String {
    let tables = folder.join(name);
    let organization = format!("org_{name}");
    run_well(&[
        "generate",
        tables.to_str().unwrap(),
        "--people",
        "100000",
        "--seed",
        seed,
        "--org",
        &organization,
    ]);
    let file = site.snapshot(&format!("{name}.kith"));
    run_well(&["build", tables.to_str().unwrap(), "--out", file.to_str().unwrap()]);
    organization
}

#[test]
#[ignore = "builds two networks of 100,000 people and loads both cores for half a minute: for a release build"]
fn one_organization_cannot_starve_another() {
    let (site, folder) = (Site::new(), tempfile::tempdir().unwrap());
    let organizations =
        [("greedy", "1"), ("modest", "2")].map(|(name, seed)| generated(&site, folder.path(), name, seed));
    let [greedy, modest] = organizations.map(|organization| site.create_key(&organization, "fairness"));
    let server = site.serve("error");
    let path = "/api/v1/search/warm-paths?prospectCompany=a";
    let (during, pause) = (Duration::from_secs(10), Duration::from_millis(20));
    let alone = ask(server.api, &modest, path, 1, pause, during);
    let (address, greedy_key) = (server.api, greedy.clone());
    let crowd = thread::spawn(move || {
        ask(address, &greedy_key, path, 200, Duration::ZERO, during + Duration::from_secs(1))
    });
    let beside = ask(server.api, &modest, path, 1, pause, during);
    let crowd = crowd.join().unwrap();
    for (what, answers) in
        [("modest alone", &alone), ("modest beside greedy", &beside), ("greedy on 200 connections", &crowd)]
    {
        let [p50, p99] = [0.5, 0.99].map(|share| answers.good.quantile(share) / 1_000);
        println!("{what}: p50 {p50} us, p99 {p99} us, {} shed", answers.shed);
    }
    assert_eq!(beside.shed, 0, "whoever asks for little is never told to come back");
}
