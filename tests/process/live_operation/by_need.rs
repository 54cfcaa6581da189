//! More organizations than memory: a server with a budget for a quarter of its networks answers like one with all of
//! them.
//!
//! Promise: With a budget for a quarter of its networks a server fails no request; one that cannot be loaded again is
//!   503, with `Retry-After`, alone.
//! Control: the same requests to a server that holds all: no load there, and more memory by a third of all indexes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use kith_generate::plan::Plan;
use kith_generate::write::write_tables;
use kith_server::auth::store::CredentialStore;
use kith_server::limits::LOAD_RETRY_AFTER;
use kith_server::snapshot::write::write;
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;

use crate::http::Connection;
use crate::program::{Server, Site};
use crate::support::scale;

const QUESTION: &str = "/api/v1/search/people?q=an&limit=5";
const CONNECTIONS: usize = 16;
/// So many requests are sent each second, unless `KITH_REQUESTS_A_SECOND` says another number.
const A_SECOND: u32 = 400;
/// Memory is compared without huge pages, of which the system may make more at any time.
const NO_HUGE_PAGES: (&str, &str) = ("MIMALLOC_ALLOW_THP", "0");
/// Networks differ by their people, so that an answer shows whose it is.
const VARIANTS: u32 = 4;

fn organization(rank: usize) -> String {
    format!("org_{rank:04}")
}

/// Adds this many snapshots to the service, and returns a key for each.
fn prepare(site: &Site, organizations: usize) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let variants: Vec<_> = (0..VARIANTS)
        .map(|variant| {
            let tables = folder.path().join(variant.to_string());
            fs::create_dir(&tables).unwrap();
            write_tables(&Plan::sized(200 + 20 * variant, 2_000), &tables).unwrap();
            read_folder(&tables, &Silent).unwrap().dataset
        })
        .collect();
    let store = CredentialStore::open(Path::new(&site.credentials())).unwrap();
    let put = |rank: usize| {
        let mut dataset = variants[rank % variants.len()].clone();
        dataset.organization.id = organization(rank);
        write(&site.snapshot(&format!("{}.kith", organization(rank))), &dataset).unwrap();
        let issued = store.create_key(&organization(rank), "test", SystemTime::now()).unwrap();
        issued.secret.reveal().to_owned()
    };
    (0..organizations).map(put).collect()
}

/// The sum of a metric over all its labels.
fn metric(server: &Server, name: &str) -> u64 {
    let text = String::from_utf8(Connection::open(server.admin).send("GET", "/metrics", &[]).body).unwrap();
    let of_it = text.lines().filter_map(|line| line.strip_prefix(name));
    let values = of_it.filter(|rest| rest.starts_with(['{', ' '])).filter_map(|rest| rest.rsplit(' ').next());
    values.map(|value| value.parse::<f64>().unwrap() as u64).sum()
}

/// Ranks drawn by Zipf's law: the second is asked for half as often as the first, the third a third as often.
fn drawn(organizations: usize, requests: usize, seed: u64) -> Vec<usize> {
    let mut sums = Vec::with_capacity(organizations);
    let mut sum = 0.0;
    for rank in 1..=organizations {
        sum += 1.0 / rank as f64;
        sums.push(sum);
    }
    let mut state = seed;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = (state >> 11) as f64 / (1_u64 << 53) as f64 * sum;
        sums.partition_point(|&below| below < at).min(organizations - 1)
    };
    (0..requests).map(|_| draw()).collect()
}

fn a_second() -> u32 {
    std::env::var("KITH_REQUESTS_A_SECOND").map_or(A_SECOND, |number| number.parse().unwrap())
}

/// Asks for each organization drawn, [`a_second`] in all; of each answer its rank, status and time. A request waits for the one
/// before it on its connection, which is not in its time: how long another organization's load takes is not in it.
fn ask(server: &Server, keys: &[String], requests: usize) -> Vec<(usize, u16, Duration)> {
    let address = server.api;
    let (began, a_second) = (Instant::now(), a_second());
    thread::scope(|scope| {
        let of_one = |connection: usize| {
            scope.spawn(move || {
                let mut open = Connection::open(address);
                let ranks = drawn(keys.len(), requests / CONNECTIONS, connection as u64);
                let mut answer = |(count, rank): (usize, usize)| {
                    let before = (count * CONNECTIONS + connection) as u32;
                    let due = began + Duration::from_secs(1) * before / a_second;
                    thread::sleep(due.saturating_duration_since(Instant::now()));
                    let sent = Instant::now();
                    let reply = open.get(QUESTION, &keys[rank]);
                    (rank, reply.status, sent.elapsed())
                };
                (0..).zip(ranks).map(&mut answer).collect::<Vec<_>>()
            })
        };
        let threads: Vec<_> = (0..CONNECTIONS).map(of_one).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

/// The median and the 99th percentile.
fn percentiles(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort_unstable();
    (times[times.len() / 2], times[times.len() * 99 / 100])
}

/// The answers to the question, by organization.
fn answers(server: &Server, keys: &[String]) -> BTreeMap<usize, serde_json::Value> {
    let mut open = Connection::open(server.api);
    let answer = |(rank, key): (usize, &String)| {
        let mut json = open.get(QUESTION, key).json();
        json["meta"].take();
        (rank, json)
    };
    keys.iter().enumerate().map(answer).collect()
}

#[test]
fn a_server_with_a_budget_for_a_quarter_of_its_networks_fails_no_request() {
    let organizations = scale::of(240, 2_000) as usize;
    // For 10 s, or 250.
    let requests = (u64::from(a_second()) * scale::of(10, 250)) as usize;
    // The most popular networks are requested so often that they stay in memory.
    let most_popular = scale::of(1, 10) as usize;
    let site = Site::new();
    let keys = prepare(&site, organizations);
    let all = site.serve_in("warn", &[NO_HUGE_PAGES]);
    let bytes = metric(&all, "kith_network_index_bytes");
    let budget = bytes / 4;
    let budget_bytes = ("KITH_LIVE__BUDGET_BYTES", &*budget.to_string());
    let some = site.serve_in("warn", &[NO_HUGE_PAGES, budget_bytes]);
    for (name, server) in [("all in memory", &all), ("a quarter", &some)] {
        let mut open = Connection::open(server.api);
        keys[..most_popular].iter().for_each(|key| assert_eq!(open.get(QUESTION, key).status, 200));
        let asked = ask(server, &keys, requests);
        assert!(asked.iter().all(|&(_, status, _)| status == 200), "{name}");
        let warm =
            asked.iter().filter(|&&(rank, ..)| rank < most_popular).map(|&(_, _, took)| took).collect();
        let ((p50, p99), (all50, all99)) =
            (percentiles(warm), percentiles(asked.iter().map(|&(_, _, took)| took).collect()));
        println!(
            "{name}: {} answers, the {most_popular} most popular p50 {p50:?} p99 {p99:?}, all p50 {all50:?} p99 {all99:?}, {} kB",
            asked.len(),
            server.resident()
        );
    }
    let (loads, let_go) = (metric(&some, "kith_need_loads_total"), metric(&some, "kith_need_let_go_total"));
    let (used, late) = (metric(&some, "kith_need_used_bytes"), metric(&some, "kith_need_late_total"));
    println!("{loads} loads, {let_go} let go, {used} of {budget} bytes of {bytes}");
    // The control: it is the budget that was tried, and not a server that holds all.
    assert!(
        loads as usize > organizations / 2 && let_go as usize > organizations,
        "{loads} loads, {let_go} let go"
    );
    assert!(used <= budget && late == 0, "{used} of {budget} bytes, {late} late");
    assert_eq!(metric(&all, "kith_need_loads_total"), 0);
    assert!(
        some.resident() * 1024 + bytes / 3 < all.resident() * 1024,
        "not a third of what all take is saved"
    );
    assert_eq!(answers(&some, &keys), answers(&all, &keys));
}

#[test]
fn a_network_that_cannot_be_loaded_again_is_answered_503_until_a_reload_puts_a_sound_one_in_place() {
    let site = Site::new();
    let keys = prepare(&site, 6);
    let bytes = metric(&site.serve("warn"), "kith_network_index_bytes");
    let budget = bytes / 6 * 5 / 2;
    let mut server = site.serve_in("warn", &[("KITH_LIVE__BUDGET_BYTES", &budget.to_string())]);
    let path = site.snapshot("org_0000.kith");
    let whole = fs::read(&path).unwrap();
    let ask = |server: &Server, rank: usize| {
        let reply = Connection::open(server.api).get(QUESTION, &keys[rank]);
        (reply.status, reply.header("service-generation").map(str::to_owned))
    };
    let others = |server: &Server| (1..6).for_each(|rank| assert_eq!(ask(server, rank).0, 200));
    let reload = |server: &Server| {
        let length = [("content-length", "0")];
        Connection::open(server.admin).send("POST", "/admin/reload", &length).json()["results"].take()
    };
    let readiness = |server: &Server| Connection::open(server.admin).send("GET", "/readyz", &[]).status;

    let first = ask(&server, 0);
    assert_eq!((first.0, first.1.is_some()), (200, true));
    others(&server);
    assert_eq!(ask(&server, 0), first, "what is loaded again is of the same generation");
    others(&server);
    // A sound file that takes the name of the one in service counts from a reload on.
    fs::copy(site.snapshot("org_0001.kith"), site.file("draft")).unwrap();
    fs::rename(site.file("draft"), &path).unwrap();
    assert_eq!(ask(&server, 0), first);
    fs::write(site.file("draft"), &whole).unwrap();
    fs::rename(site.file("draft"), &path).unwrap();
    assert!(reload(&server).as_array().unwrap().iter().all(|file| file["outcome"] == "unchanged"));
    assert_eq!(ask(&server, 0), first);
    others(&server);

    // One that is written over is lost with the network.
    for damaged in [false, true] {
        fs::write(&path, &whole[..whole.len() - usize::from(damaged)]).unwrap();
        let reply = Connection::open(server.api).get(QUESTION, &keys[0]);
        let expected = if damaged { (503, Some("1")) } else { (200, None) };
        assert_eq!((reply.status, reply.header("retry-after")), expected);
        others(&server);
    }
    assert_eq!(readiness(&server), 200);
    let line = server.wait_for_log(|line| line.contains("could not be loaded again"));
    assert!(line.contains("org_0000.kith") && line.contains("\"organization\":\"org_0000\""), "{line}");
    assert_eq!(reload(&server)[0]["outcome"], "refused");
    assert_eq!(ask(&server, 0).0, 503);
    others(&server);
    fs::write(site.file("draft"), &whole).unwrap();
    fs::rename(site.file("draft"), &path).unwrap();
    assert_eq!(reload(&server)[0]["outcome"], "unchanged");
    thread::sleep(LOAD_RETRY_AFTER);
    assert_eq!(ask(&server, 0), first);
    assert_eq!(server.stop("TERM").0, Some(0));
}
