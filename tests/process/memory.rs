//! Memory of a reload: the estimate is never below the growth of the process, and a snapshot that does not fit beside
//! the one in service is refused by name before it is read. Afterwards, temporary memory is released.
//!
//! Promise: A snapshot that does not fit beside what is in service is refused by name before it is read.
//! Control: the same files without the bound: loaded, and a damaged one is refused for its checksum.
//!
//! Promise: What a load takes is estimated before it, never too low, and at most twice too high.
//! Control: the length of the file, and thirty times that.
//!
//! Promise: What only a load needed is given back to the system within seconds.
//! Control: an allocator that gives nothing back (`MIMALLOC_PURGE_DELAY=-1`)
#![allow(clippy::print_stdout, reason = "what each load takes is measured and printed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use kith_server::live::fit::{Without, memory_for};
use serde_json::Value;

use crate::http::Connection;
use crate::program::{Server, Site, build_tiny, project, run_well};
use crate::support::scale;

const MEGABYTE: u64 = 1 << 20;
/// How far above twice what it takes an estimate may be: the least one is 24 MiB.
const LEAST: u64 = 24 * MEGABYTE;
/// Loads of each snapshot.
const LOADS: u32 = 3;
/// How long a server is left alone after its start before what it grows by is measured.
const SETTLED: Duration = Duration::from_secs(3);
/// Written to a process's `clear_refs`: its peak (`VmHWM`) is what is resident from then on.
const PEAK_ANEW: &str = "5";
const PIA: &str = "/api/v1/search/warm-paths?prospectLinkedinId=pia-weiss&limit=1";

/// The server's memory of the kind `name`, in bytes.
fn held(server: &Server, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.process_id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() * 1024
}

fn reload(server: &Server) -> (u16, Value) {
    let reply = Connection::open(server.admin).send("POST", "/admin/reload", &[("content-length", "0")]);
    (reply.status, reply.json()["results"].take())
}

fn line_of<'a>(results: &'a Value, file: &str) -> &'a Value {
    results.as_array().unwrap().iter().find(|line| line["file"] == file).unwrap()
}

/// The outcome for a server with the tiny network in service that was asked to load another one beside it.
struct Trial {
    other: Value,
    /// The reload's status, and whether the tiny network was answered for after it, in its next version.
    status: u16,
    tiny: (Value, u64),
    /// Whether a server that starts with both answers for the other organization, and for the tiny network.
    after_start: (u16, u16),
    /// Resident with the tiny network in service.
    resident: u64,
}

fn trial(most: Option<u64>, snapshot: &[u8]) -> Trial {
    let site = Site::new();
    let of_tiny = |score: &str| {
        build_tiny(&site.snapshot("tiny.kith"), &[("\"warmness\":40,\"breakdown\":{\"ind", score)]);
    };
    of_tiny("\"warmness\":40,\"breakdown\":{\"ind");
    let (key, other) = (site.create_key("org_tiny", "a"), site.create_key("org_generated", "b"));
    let most = most.unwrap_or(0).to_string();
    let serve = || site.serve_in("info", &[("KITH_SERVICE__MEMORY_MAX_BYTES", &most)]);
    let server = serve();
    let resident = held(&server, "VmRSS:");
    fs::write(site.snapshot("other.kith"), snapshot).unwrap();
    of_tiny("\"warmness\":73,\"breakdown\":{\"ind");
    let (status, results) = reload(&server);
    let warmness =
        || Connection::open(server.api).get(PIA, &key).json()["data"]["paths"][0]["warmness"].clone();
    let tiny = (line_of(&results, "tiny.kith")["outcome"].clone(), warmness().as_u64().unwrap());
    drop(server);
    let server = serve();
    let asked = |key: &str| Connection::open(server.api).get("/api/v1/search/companies?q=a", key).status;
    Trial {
        other: line_of(&results, "other.kith").clone(),
        status,
        tiny,
        after_start: (asked(&other), asked(&key)),
        resident,
    }
}

#[test]
fn a_snapshot_that_does_not_fit_is_refused_by_name_before_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = generated(folder.path(), 15_000, 2_000_000);
    let mut snapshot = fs::read(&path).unwrap();
    // The control: with no bound that it meets, it is loaded, at a reload and at a start.
    let free = trial(None, &snapshot);
    assert_eq!((free.status, &free.other["outcome"], free.after_start), (200, &"loaded".into(), (200, 200)));
    assert_eq!(free.tiny, ("loaded".into(), 73));
    // Another tiny network fits and the other one does not, both by far: what is resident is not the same in two runs, nor
    // while a start makes what all searches share.
    let [tiny, other] =
        [&project("snapshots/tiny.kith"), &path].map(|path| memory_for(path, Without::Some).unwrap());
    assert!(other > tiny + 100 * MEGABYTE, "{tiny} and {other}");
    let most = free.resident + tiny + 50 * MEGABYTE;
    let tight = trial(Some(most), &snapshot);
    assert_eq!((tight.status, &tight.other["outcome"]), (422, &"refused".into()), "{}", tight.other);
    assert_eq!((tight.tiny, tight.after_start), (("loaded".into(), 73), (503, 200)), "what fits is served");
    let reason = tight.other["reason"].as_str().unwrap();
    for part in
        ["other.kith may take", "MiB are left (service.memory_max_bytes)", "raise that bound and reload"]
    {
        assert!(reason.contains(part), "{reason}");
    }
    // A byte of it is damaged, and not one was read to find that out.
    let middle = snapshot.len() / 2;
    snapshot[middle] ^= 1;
    let reason = |trial: Trial| trial.other["reason"].as_str().unwrap().to_owned();
    assert!(reason(trial(Some(most), &snapshot)).contains("it was not read"));
    assert!(reason(trial(None, &snapshot)).contains("checksum"), "the control: without the bound it is read");
}

/// What a server without a network grows by at most while it loads the snapshot: the most of some loads, since which thread
/// works on what is not the same in two of them, nor what the allocator keeps for each.
fn growth(snapshot: &Path) -> u64 {
    let sites: Vec<_> = (0..LOADS).map(|_| Site::new()).collect();
    let servers: Vec<_> = sites.iter().map(|site| site.serve("warn")).collect();
    // A start makes what all searches share: a load that began before the allocator gives that memory back would take it.
    thread::sleep(SETTLED);
    let growths = sites.iter().zip(&servers).map(|(site, server)| growth_of_one(site, server, snapshot));
    growths.max().unwrap()
}

/// What the `server` of the `site` grows by at most while it loads the snapshot. What it took before does not count.
fn growth_of_one(site: &Site, server: &Server, snapshot: &Path) -> u64 {
    fs::write(format!("/proc/{}/clear_refs", server.process_id()), PEAK_ANEW).unwrap();
    let before = held(server, "VmRSS:");
    fs::copy(snapshot, site.snapshot("it.kith")).unwrap();
    let (status, results) = reload(server);
    assert_eq!(status, 200, "{results}");
    held(server, "VmHWM:") - before
}

/// A generated network of this many people, as a snapshot in `folder`.
fn generated(folder: &Path, people: u64, edges: u64) -> PathBuf {
    let (tables, snapshot) = (folder.join("tables"), folder.join(format!("{people}.kith")));
    let (people, edges) = (people.to_string(), edges.to_string());
    run_well(&["generate", tables.to_str().unwrap(), "--people", &people, "--edges", &edges]);
    run_well(&["build", tables.to_str().unwrap(), "--out", snapshot.to_str().unwrap()]);
    fs::remove_dir_all(tables).unwrap();
    snapshot
}

#[test]
fn what_a_load_takes_is_reported_before_it_and_is_never_more() {
    let folder = tempfile::tempdir().unwrap();
    let mut snapshots: Vec<PathBuf> =
        ["tiny", "fernhollow", "harbourlight"].map(|name| project(&format!("snapshots/{name}.kith"))).into();
    let (people, edges) = (scale::of(5_000, 300_000), scale::of(150_000, 4_000_000));
    snapshots.push(generated(folder.path(), people, edges));
    let measured: Vec<_> = snapshots.iter().map(|path| (path, growth(path))).collect();
    let faults = |estimate: &dyn Fn(&Path) -> u64| -> Vec<String> {
        let of = |&(path, growth): &(&PathBuf, u64)| {
            let said = estimate(path);
            println!("{}: {said} bytes estimated, grew by {growth}", path.display());
            let is_sound = said >= growth && said <= 2 * growth + LEAST;
            (!is_sound).then(|| format!("{}: {said} bytes estimated, grew by {growth}", path.display()))
        };
        measured.iter().filter_map(of).collect()
    };
    let found = faults(&|path| memory_for(path, Without::Nobody).unwrap());
    assert!(found.is_empty(), "{found:?}");
    // The controls: by the length of the file alone it is too little, by thirty times that too much or too little.
    let length = |path: &Path| fs::metadata(path).unwrap().len();
    assert_eq!(faults(&length).len(), measured.len());
    assert!(!faults(&|path| 30 * length(path)).is_empty());
    for path in &snapshots {
        let [all, some] = [Without::Nobody, Without::Some].map(|without| memory_for(path, without).unwrap());
        assert!(all < some && some <= all + length(path), "tables that are in memory twice for a while");
    }
}

/// The most by which what is resident falls below its peak within `time` after a start with the snapshot, and the time it took
/// to fall by `enough`, if it did.
fn given_back(
    snapshot: &Path,
    environment: &[(&str, &str)],
    time: Duration,
    enough: u64,
) -> (u64, Option<Duration>) {
    let site = Site::new();
    fs::copy(snapshot, site.snapshot("it.kith")).unwrap();
    let server = site.serve_in("warn", environment);
    let (began, mut most) = (Instant::now(), 0);
    while began.elapsed() < time {
        most = held(&server, "VmHWM:").saturating_sub(held(&server, "VmRSS:")).max(most);
        if most >= enough {
            return (most, Some(began.elapsed()));
        }
        thread::sleep(Duration::from_millis(100));
    }
    (most, None)
}

#[test]
fn what_only_a_load_needed_is_given_back_within_seconds() {
    let folder = tempfile::tempdir().unwrap();
    // Large enough for twice as much as has to be given back.
    let snapshot = generated(folder.path(), 5_000, 600_000);
    let enough = 6 * MEGABYTE;
    let (most, after) = given_back(&snapshot, &[], Duration::from_secs(30), enough);
    println!("{most} bytes given back, so many after {after:?}");
    assert!(after.is_some(), "{most} bytes given back");
    // The control: an allocator that gives nothing back, for longer than all rounds take.
    let keeps = [("MIMALLOC_PURGE_DELAY", "-1")];
    let (most, after) = given_back(&snapshot, &keeps, Duration::from_secs(8), enough);
    println!("{most} bytes given back by one that keeps all");
    assert_eq!(after, None, "{most} bytes given back");
}
