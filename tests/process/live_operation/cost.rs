//! System calls of a request, as strace counts them, and the names of threads.
//!
//! Without strace, or without the right to trace a process, nothing is counted.
//!
//! Promise: A request for one person makes no more calls of the system than it needs, and none that waits or wakes but
//!   for its line in the log: neither its credential nor its turn takes a futex if there is no line before it.
//! Control: the same with the credential store behind a link, whose three files are looked at each: 4 `statx`; with its
//!   line in the log: futexes.
//!
//! Promise: The threads that all share have a name of their own.
//! Control: threads that a reload starts without a name keep that of its own.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::http::Connection;
use crate::program::{Server, Site, build_tiny};

/// The requests that are counted.
const REQUESTS: u32 = 1_000;
/// Calls for each request that are no request's own: of threads that look now and then.
const BACKGROUND: f64 = 0.05;

/// A strace of all threads of a server.
struct Counting {
    strace: Child,
    summary: tempfile::NamedTempFile,
}

impl Counting {
    /// Returns `None` if nothing can be counted here.
    fn start(server: &Server) -> Option<Self> {
        let summary = tempfile::NamedTempFile::new().unwrap();
        let mut command = Command::new("strace");
        command.args(["-c", "-f", "-p", &server.process_id().to_string(), "-o"]).arg(summary.path());
        let mut strace = command.stderr(Stdio::piped()).spawn().ok()?;
        let mut said = BufReader::new(strace.stderr.take().unwrap()).lines().map_while(Result::ok);
        // It says so once it has all threads, or why it has none.
        let is_attached = said.any(|line| line.contains("attached"));
        thread::spawn(move || said.for_each(drop));
        is_attached.then_some(Self { strace, summary })
    }

    /// How many calls of each name there were for each of [`REQUESTS`].
    fn end(mut self) -> BTreeMap<String, f64> {
        let interrupt = format!("kill -INT {}", self.strace.id());
        assert!(Command::new("sh").args(["-c", &interrupt]).status().unwrap().success());
        self.strace.wait().unwrap();
        let summary = fs::read_to_string(self.summary.path()).unwrap();
        let row = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let calls: f64 = words.get(3)?.parse().ok()?;
            let name = words.last().filter(|name| **name != "total")?;
            Some(((*name).to_owned(), calls / f64::from(REQUESTS)))
        };
        summary.lines().filter_map(row).collect()
    }
}

/// What a request for one person may cost: reading and answering it, the three files of the credential store and the list
/// of people to forget, and SQLite's lock for a look-up, taken and given back.
const OF_A_REQUEST: [(&str, f64); 5] =
    [("epoll_wait", 2.0), ("recvfrom", 1.0), ("writev", 1.0), ("statx", 4.0), ("fcntl", 2.0)];
/// What its line in the log may cost, if it is written alone: the thread that writes waits and is woken. Now and then
/// the allocator gives pages back.
const OF_ITS_LINE: [(&str, f64); 4] =
    [("write", 1.0), ("clock_nanosleep", 1.0), ("futex", 2.0), ("madvise", 0.2)];

/// The calls that exceed their allowed number.
fn too_many<'a>(calls: &'a BTreeMap<String, f64>, allowed: &[(&str, f64)]) -> Vec<&'a str> {
    let most =
        |name: &str| allowed.iter().find(|(allowed, _)| *allowed == name).map_or(0.0, |(_, most)| *most);
    let over = calls.iter().filter(|(name, calls)| **calls > most(name) + BACKGROUND);
    over.map(|(name, _)| name.as_str()).collect()
}

/// The calls for each request for one person, one after the other on one connection; `None` if nothing can be counted.
fn calls_for_a_person(log_level: &str) -> Option<BTreeMap<String, f64>> {
    let site = Site::new();
    build_tiny(&site.snapshot("tiny.kith"), &[]);
    let key = site.create_key("org_tiny", "counted");
    let server = site.serve(log_level);
    let mut connection = Connection::open(server.api);
    let mut ask = |count| {
        (0..count).for_each(|_| assert_eq!(connection.get("/api/v1/people/person_ana", &key).status, 200));
    };
    // Until what the load left is given back.
    thread::sleep(Duration::from_secs(6));
    ask(100);
    let counting = Counting::start(&server)?;
    ask(REQUESTS);
    let calls = counting.end();
    println!("{calls:?}");
    Some(calls)
}

#[test]
fn a_request_for_one_person_makes_no_call_of_the_system_more_than_is_allowed() {
    let Some(calls) = calls_for_a_person("info") else {
        println!("there is no strace here, or it may trace nothing: not counted");
        return;
    };
    let allowed = [&OF_A_REQUEST[..], &OF_ITS_LINE].concat();
    assert_eq!(too_many(&calls, &allowed), [""; 0], "{calls:?}");
    // The control.
    assert_ne!(too_many(&calls, &OF_A_REQUEST), [""; 0], "{calls:?}");

    // Without a line nothing is left that waits or wakes: neither a credential nor a turn does.
    let without_a_line = calls_for_a_person("warn").unwrap();
    assert_eq!(too_many(&without_a_line, &OF_A_REQUEST), [""; 0], "{without_a_line:?}");
    // The control: with lines there is, if only for some of them: a thread that writes many at once wakes seldom.
    let futexes = |calls: &BTreeMap<String, f64>| calls.get("futex").copied().unwrap_or(0.0);
    assert!(futexes(&calls) > futexes(&without_a_line) + 0.01, "{calls:?}, {without_a_line:?}");
}

/// The names of the threads of a process.
fn threads_of(process: u32) -> Vec<String> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).unwrap().map_while(Result::ok);
    tasks.filter_map(|task| fs::read_to_string(task.path().join("comm")).ok()).collect()
}

/// How many threads of a process have the name of those that reload, as soon as no more than `most` have.
fn named_for_reloads(process: u32, most: usize) -> usize {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let named = threads_of(process).iter().filter(|name| name.trim_end() == "kith-reload").count();
        if named <= most || Instant::now() > deadline {
            return named;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn the_threads_that_all_share_have_a_name_of_their_own() {
    let site = Site::new();
    build_tiny(&site.snapshot("tiny.kith"), &[]);
    let key = site.create_key("org_tiny", "named");
    let server = site.serve("error");
    let reloaded = Connection::open(server.admin).send("POST", "/admin/reload", &[("content-length", "0")]);
    assert_eq!(reloaded.status, 200);
    assert_eq!(Connection::open(server.api).get("/api/v1/search/people?q=an", &key).status, 200);
    assert!(threads_of(server.process_id()).iter().any(|name| name.starts_with("work-")));
    assert_eq!(named_for_reloads(server.process_id(), 0), 0, "none is left when the reload is over");

    // The control: threads that a reload starts without a name have that of its own thread, and stay.
    let start = || rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let reload = thread::Builder::new().name("kith-reload".to_owned()).spawn(start);
    let pool = reload.unwrap().join().unwrap();
    assert_eq!(named_for_reloads(std::process::id(), 1), 2, "they are still there");
    drop(pool);
}
