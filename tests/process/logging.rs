//! The log of a server: it delays nothing, loses nothing while it is read, and its settings are checked.
//!
//! Promise: A log that nobody reads delays no answer, no probe and no stop, and each line is read or counted as lost.
//! Control: a server whose answering thread writes its log hangs after some 320 of 2,000 requests; so does a program
//!   whose panics the standard library writes.
//! Also in: `src/observe/stderr/tests.rs`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::http::Connection;
use crate::program::{Site, kith, run_in};

/// So many requests are answered while the log is not read; as many as filled a pipe six times when each thread
/// wrote its own lines.
const REQUESTS: usize = 2_000;
/// The bound of the trial: further requests until lines are dropped.
const REQUESTS_MAX: usize = 40_000;
/// Maximum time of a server's stop.
const STOP_MAX: Duration = Duration::from_secs(20);
/// Says to this program that it is the server of the control.
const SYNCHRONOUS: &str = "KITH_SYNCHRONOUS_SERVER";
/// Says to this program that it is one that panics, and whether its logs are started.
const PANICKING: &str = "KITH_PANICKING";
/// So long nothing comes of a program that hangs.
const HANGS: Duration = Duration::from_secs(2);

/// A program whose stderr is a pipe that is read only as far as the lines with its addresses.
struct Unread {
    child: Child,
    err: Option<ChildStderr>,
    api: SocketAddr,
    admin: SocketAddr,
}

impl Unread {
    fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut err = child.stderr.take().unwrap();
        let mut said = String::new();
        let address = |said: &str, before: &str| {
            said.lines().find_map(|line| line.strip_prefix(before)).map(|rest| rest.parse().unwrap())
        };
        // Byte by byte, so that nothing of the pipe is emptied into a buffer of the test.
        while !(said.contains("admin on ") && said.ends_with('\n')) {
            let mut byte = [0];
            err.read_exact(&mut byte).unwrap();
            said.push(char::from(byte[0]));
        }
        let (api, admin) = (address(&said, "listening on http://"), address(&said, "admin on http://"));
        Self { child, err: Some(err), api: api.unwrap(), admin: admin.unwrap() }
    }

    fn terminate(&self) {
        let kill = format!("kill -TERM {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    }

    /// The exit code, and how long the end took; `None` if it does not end within `most`.
    fn end(&mut self, most: Duration) -> Option<(Option<i32>, Duration)> {
        let began = Instant::now();
        while began.elapsed() < most {
            if let Some(status) = self.child.try_wait().unwrap() {
                return Some((status.code(), began.elapsed()));
            }
            thread::sleep(Duration::from_millis(1));
        }
        None
    }
}

impl Drop for Unread {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends `requests` to `address`, one after the other on one connection; the number of each answer as it comes.
fn ask(address: SocketAddr, requests: usize) -> Receiver<usize> {
    let (answered, answers) = channel();
    thread::spawn(move || {
        let mut connection = Connection::open(address);
        (1..=requests).all(|request| {
            connection.send("GET", "/nowhere", &[]).status == 404 && answered.send(request).is_ok()
        })
    });
    answers
}

/// How many of `requests` are answered before nothing comes for a while.
fn answered(address: SocketAddr, requests: usize) -> usize {
    let answers = ask(address, requests);
    let mut last = 0;
    while let Ok(request) = answers.recv_timeout(HANGS) {
        last = request;
    }
    last
}

fn dropped(admin: SocketAddr) -> usize {
    let metrics = Connection::open(admin).send("GET", "/metrics", &[]);
    let text = String::from_utf8(metrics.body).unwrap();
    let value = text.lines().find_map(|line| line.strip_prefix("kith_log_lines_dropped_total "));
    value.unwrap_or_else(|| panic!("not in {text}")).parse().unwrap()
}

fn unread_site() -> (Site, Unread) {
    let site = Site::new();
    let args = site.serve_args();
    let mut command = kith(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let server = Unread::start(command.env("KITH_LOG", "info"));
    (site, server)
}

#[test]
fn a_log_that_nobody_reads_holds_up_no_answer_and_no_stop() {
    let (_site, mut server) = unread_site();
    assert_eq!(answered(server.api, REQUESTS), REQUESTS);
    let mut asked = REQUESTS;
    while dropped(server.admin) == 0 {
        assert!(asked < REQUESTS_MAX, "{asked} requests, and no line was dropped");
        asked += answered(server.api, REQUESTS);
    }
    assert_eq!(Connection::open(server.admin).send("GET", "/healthz", &[]).status, 200);
    server.terminate();
    let (code, took) = server.end(STOP_MAX).expect("it stops");
    assert_eq!(code, Some(0));
    println!("{asked} requests answered with the log unread; the stop took {took:?}");
}

#[test]
fn once_the_log_is_read_again_one_line_says_how_many_were_lost_and_the_last_one_is_the_stop() {
    let (_site, mut server) = unread_site();
    let mut asked = 0;
    while dropped(server.admin) == 0 {
        assert!(asked < REQUESTS_MAX, "{asked} requests, and no line was dropped");
        asked += answered(server.api, REQUESTS);
    }
    let scrapes = asked / REQUESTS + 1;
    let (sender, lines) = channel();
    let err = BufReader::new(server.err.take().unwrap());
    thread::spawn(move || err.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok()));
    let mut read = Vec::new();
    while !read
        .last()
        .is_some_and(|line: &Value| line["message"].as_str().unwrap().contains("lines were lost"))
    {
        read.push(serde_json::from_str(&lines.recv_timeout(STOP_MAX).unwrap()).unwrap());
    }
    assert_eq!(answered(server.api, 3), 3);
    server.terminate();
    assert_eq!(server.end(STOP_MAX).map(|(code, _)| code), Some(Some(0)));
    let last: Vec<Value> = lines.iter().map(|line| serde_json::from_str(&line).unwrap()).collect();
    assert_eq!(last.last().unwrap()["message"], "stopped", "{last:?}");
    assert!(last.iter().filter(|line| line["status"] == 404).count() >= 3, "{last:?}");

    let lost = read.last().unwrap();
    assert_eq!(lost["level"], "WARN");
    let requests = read.iter().chain(&last).filter(|line| line["request_id"].is_string()).count();
    let lost = usize::try_from(lost["lines"].as_u64().unwrap()).unwrap();
    assert_eq!(requests + lost, asked + scrapes + 3, "each request has a line, or is counted as lost");
}

/// The control: the trial of the first test on a server that writes its log by the thread that answers.
#[test]
fn a_server_that_writes_its_own_log_is_caught() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "logging::synchronous_server", "--nocapture"]).env(SYNCHRONOUS, "1");
    let mut server = Unread::start(command.stdin(Stdio::null()));
    let before = answered(server.api, REQUESTS);
    assert!((1..REQUESTS).contains(&before), "{before} requests are answered");
    assert_eq!(server.end(Duration::ZERO), None, "it hangs");
    println!("the control answered {before} of {REQUESTS} requests");
}

/// The program of the control, in its own process: answers each request 404, and logs it before.
#[test]
fn synchronous_server() {
    if std::env::var_os(SYNCHRONOUS).is_none() {
        return;
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let mut err = std::io::stderr();
    write!(err, "listening on http://{address}\nadmin on http://{address}\n").unwrap();
    let (stream, _) = listener.accept().unwrap();
    let mut peer = stream.try_clone().unwrap();
    for line in BufReader::new(stream).lines().map_while(Result::ok).filter(String::is_empty) {
        writeln!(err, "{line}{}", "x".repeat(200)).unwrap();
        peer.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n").unwrap();
    }
}

/// Whether a program that panics many times with its stderr unread comes to its end, with logs started or without.
fn outlives_panics(logs: &str) -> bool {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "logging::panicking", "--nocapture"]).env(PANICKING, logs);
    command.env_remove("RUST_BACKTRACE").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (sender, lines) = channel();
    let out = BufReader::new(child.stdout.take().unwrap());
    thread::spawn(move || out.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok()));
    let mut comes_to_its_end = false;
    while let (false, Ok(line)) = (comes_to_its_end, lines.recv_timeout(HANGS)) {
        comes_to_its_end = line.contains("at its end");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    comes_to_its_end
}

#[test]
fn a_panic_holds_nothing_up_either_and_one_that_the_standard_library_writes_does() {
    assert!(outlives_panics("started"));
    assert!(!outlives_panics("none"), "the control hangs");
}

/// The program of the test above, in its own process.
#[test]
fn panicking() {
    let Ok(logs) = std::env::var(PANICKING) else { return };
    let _logs = (logs == "started").then(|| kith_server::cli::logs::start_json(None).unwrap());
    for _ in 0..REQUESTS {
        let _ = std::panic::catch_unwind(|| panic!("{}", "x".repeat(200)));
    }
    println!("at its end");
}

#[test]
fn settings_of_the_environment_that_cannot_be_meant_are_refused_at_start() {
    let site = Site::new();
    let args = site.serve_args();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    for (name, value, said) in [
        (
            "KITH_LOG",
            "inof",
            "KITH_LOG says \"inof\"; it takes a level (off, error, warn, info, debug, trace)",
        ),
        ("KITH_LOG", "kith::live", "KITH_LOG says \"kith::live\""),
        (
            "KITH_SUPPRESSIONS_FILE",
            "/list",
            "KITH_SUPPRESSIONS_FILE is no setting; KITH_SUPPRESSIONS__FILE is",
        ),
        ("KITH_LIMIT__BRIDGES", "7", "KITH_LIMIT__BRIDGES is no setting; KITH_LIMITS__BRIDGES is"),
    ] {
        let ended = run_in(&args, &[(name, value)]);
        assert_eq!(ended.code, Some(1), "{name}={value}");
        assert!(ended.err.starts_with("kith: ") && ended.err.contains(said), "{name}={value}: {}", ended.err);
    }
    assert_eq!(run_in(&["demo"], &[("KITH_LOG", "inof")]).code, Some(1));
}

#[test]
fn a_blank_level_is_the_default_and_a_strange_variable_is_warned_of_by_name_alone() {
    let site = Site::new();
    std::fs::write(site.snapshot("broken.kith"), "no snapshot").unwrap();
    let environment =
        [("KITH_FRUIT", "canary"), ("KITH_SERVICE_HOST", "10.0.0.1"), ("KITH_PORT", "tcp://10.0.0.1:80")];
    for level in ["", " ", "kiht=off"] {
        let (code, log) = site.serve_in(level, &environment).stop("TERM");
        assert_eq!(code, Some(0));
        let warnings = log.iter().filter(|line| line.contains("\"WARN\"")).collect::<Vec<_>>();
        assert_eq!(warnings.len(), 3, "{level:?}: {log:#?}");
        assert!(warnings[0].contains("\"variable\":\"KITH_FRUIT\""), "{level:?}: {log:#?}");
        assert!(warnings[1].contains("snapshot refused"), "{level:?}: {log:#?}");
        assert!(warnings[2].contains("no network is in service"), "{level:?}: {log:#?}");
        assert!(!log.iter().any(|line| line.contains("canary") || line.contains("10.0.0.1")), "{log:#?}");
        assert!(log.last().unwrap().contains("\"message\":\"stopped\""), "{level:?}: {log:#?}");
    }
}

#[test]
fn metrics_say_which_program_this_is_and_what_it_takes() {
    let site = Site::new();
    let server = site.serve("info");
    let metrics = Connection::open(server.admin).send("GET", "/metrics", &[]);
    let text = String::from_utf8(metrics.body).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let build = text.lines().find(|line| line.starts_with("kith_build_info{")).unwrap();
    assert!(build.contains(&format!("version=\"{version}\"")) && build.ends_with(" 1"), "{build}");
    assert!(build.contains("snapshot_format=\""), "{build}");
    let model = build.split("model=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(model.len() == 64 && model.bytes().all(|byte| byte.is_ascii_hexdigit()), "{build}");
    for name in
        ["process_resident_memory_bytes", "process_open_fds", "process_max_fds", "process_start_time_seconds"]
    {
        assert!(text.contains(&format!("# TYPE {name} gauge\n{name} ")), "{name} in {text}");
    }
    assert!(text.contains("# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total "), "{text}");
}

#[test]
fn a_line_shows_what_nobody_would_see_in_a_name_as_escapes_and_leaves_the_rest() {
    let site = Site::new();
    let name = "Weiß\u{7f}\u{202e}\u{61c}\u{e0041}نمی\u{200c}خواهم.kith";
    std::fs::write(site.snapshot(name), "no snapshot").unwrap();
    let shown = "Weiß\\u007f\\u202e\\u061c\\udb40\\udc41نمی\u{200c}خواهم.kith";
    let (_, log) = site.serve_in("info", &[]).stop("TERM");
    let line = log.iter().find(|line| line.contains("snapshot refused")).unwrap();
    assert!(line.contains(shown), "{line}");
    assert_eq!(serde_json::from_str::<Value>(line).unwrap()["file"], name);
}
