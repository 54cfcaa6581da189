//! The cost of asks for each question, in instructions: the same requests to the same network, without asks and with
//! 100,000, in one run of valgrind's callgrind.
//!
//!     CARGO_PROFILE_BENCH_LTO=off cargo bench --bench asked
//!
//! A thousand of the asks are open, about people in none of the requests: the answers must be equal, and are compared.
//! Needs valgrind. As a test, each request is sent once.
#![allow(missing_docs, reason = "a program")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    unreachable_pub,
    reason = "a broken assumption should stop it"
)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::{env, fs};

use kith_generate::plan::Plan;
use kith_generate::write::write_tables;
use kith_server::ask_file::file;
use kith_server::ask_file::service::{AskService, AskSettings};
use rusqlite::{Connection, params};
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};

use crate::support::{Credentials, Served, network_of};

const ORG: &str = "org_generated";
const ASKS: usize = 100_000;
/// A thousand of them are open, about the last people.
const OPEN_EVERY: usize = 100;
/// Requests per question.
const TIMES: usize = 40;
/// The environment variable that marks the measured run of this program.
const MEASURED: &str = "KITH_ASKED_MEASURED";

/// A question: its path with `{}` for an id, and the two functions that ask it, separate so that callgrind counts each
/// by itself.
struct Question {
    name: &'static str,
    path: &'static str,
    of_companies: bool,
    ask: [AskFn; 2],
}

type AskFn = fn(&Runtime, &Served, &str, &[String]) -> Vec<Vec<u8>>;

fn ask_all(runtime: &Runtime, served: &Served, key: &str, paths: &[String], salt: u32) -> Vec<Vec<u8>> {
    black_box(salt);
    let ask = |path: &String| runtime.block_on(served.get(path, key)).bytes;
    paths.iter().map(ask).collect()
}

macro_rules! question {
    ($name:ident, $path:literal, $of_companies:literal, $salt:literal) => {{
        mod $name {
            use super::*;
            #[inline(never)]
            pub fn without(runtime: &Runtime, served: &Served, key: &str, paths: &[String]) -> Vec<Vec<u8>> {
                ask_all(runtime, served, key, paths, 2 * $salt)
            }
            #[inline(never)]
            pub fn with(runtime: &Runtime, served: &Served, key: &str, paths: &[String]) -> Vec<Vec<u8>> {
                ask_all(runtime, served, key, paths, 2 * $salt + 1)
            }
        }
        Question {
            name: stringify!($name),
            path: $path,
            of_companies: $of_companies,
            ask: [$name::without, $name::with],
        }
    }};
}

fn questions() -> [Question; 8] {
    [
        question!(person, "/api/v1/people/{}", false, 1),
        question!(paths, "/api/v1/search/warm-paths?prospectId={}", false, 2),
        question!(company, "/api/v1/search/warm-paths?prospectId={}", true, 3),
        question!(contacts, "/api/v1/people/network?personId={}", false, 4),
        question!(people, "/api/v1/search/people?q={}", false, 5),
        question!(companies, "/api/v1/search/companies?q={}", false, 6),
        question!(opportunities, "/api/v1/ghost/opportunities?limit=20", false, 7),
        question!(me, "/api/v1/me", false, 8),
    ]
}

/// Writes the asks as rows: this bench does not measure their rules.
fn write_asks(path: &Path, users: &[String], people: &[String]) {
    file::create(path).unwrap();
    let mut connection = Connection::open(path).unwrap();
    let writing = connection.transaction().unwrap();
    for number in 0..ASKS {
        let (ask, user) = (format!("ask_{number:022}"), &users[number % users.len()]);
        let is_open = number % OPEN_EVERY == 0;
        // Everybody is a connector; the last hundred people are targets.
        let (connector, person) = (&people[number % people.len()], &people[people.len() - 1 - number % 100]);
        let insert = r#"INSERT INTO events (org, id, ask, at, kind, "user", name, person, connector)
            VALUES (?1, ?2, ?3, '2026-10-01T00:00:00.000Z', ?4, ?5, 'N', ?6, ?7)"#;
        let write = |event: String, kind: &str, people: Option<(&String, &String)>| {
            let (person, connector) = people.unzip();
            writing.execute(insert, params![ORG, event, ask, kind, user, person, connector]).unwrap();
        };
        write(format!("event_a{number:021}"), "asked", Some((person, connector)));
        if !is_open {
            write(format!("event_b{number:021}"), "declined", None);
        }
    }
    writing.commit().unwrap();
}

fn measure() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("tables");
    fs::create_dir(&tables).unwrap();
    write_tables(&Plan::sized(3_000, 30_000), &tables).unwrap();
    let ids = |table: &str, field: &str| -> Vec<String> {
        let text = fs::read_to_string(tables.join(table)).unwrap();
        let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        rows.map(|row| row[field].as_str().unwrap().to_owned()).collect()
    };
    let (people, users) = (ids("people.ndjson", "id"), ids("members.ndjson", "userId"));
    let companies = ids("companies.ndjson", "id");
    let asks = folder.path().join("asks.db");
    write_asks(&asks, &users, &people);
    let credentials = Credentials::new();
    let key = credentials.key(ORG);
    let serve = || Served::networks([network_of(&tables)], &credentials, kith::limits::Limits::DEFAULT);
    let service = Arc::new(AskService::open(AskSettings::of(&asks)).unwrap());
    let served = [serve(), serve().changed(|state| state.asks = Some(service))];
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    for Question { name, path, of_companies, ask } in questions() {
        let ids = if of_companies { &companies } else { &people };
        let letters = ["a", "e", "li", "an", "er"].map(str::to_owned);
        let ids = if path.ends_with("q={}") { &letters[..] } else { &ids[..TIMES] };
        let paths: Vec<String> =
            (0..TIMES).map(|number| path.replace("{}", &ids[number % ids.len()])).collect();
        // Everything that is built once is built before the measurement.
        for served in &served {
            ask_all(&runtime, served, &key, &paths[..1], 0);
        }
        let [without, with] = [0, 1].map(|which| ask[which](&runtime, &served[which], &key, &paths));
        let differing = without.iter().zip(&with).filter(|(one, other)| one != other).count();
        println!("{name}: {differing} of {TIMES} answers differ");
    }
}

fn main() {
    let flags: Vec<String> = env::args().collect();
    if env::var_os(MEASURED).is_some() || !flags.iter().any(|flag| flag == "--bench") {
        return measure();
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("counts");
    let mut valgrind = Command::new("valgrind");
    valgrind.args([
        "--tool=callgrind",
        "--dump-instr=no",
        &format!("--callgrind-out-file={}", out.display()),
    ]);
    let ended = valgrind.arg(env::current_exe().unwrap()).env(MEASURED, "1").status().unwrap();
    assert!(ended.success(), "valgrind ended with {ended}");
    let listed =
        Command::new("callgrind_annotate").args(["--inclusive=yes", "--threshold=100"]).arg(&out).output();
    let listed = String::from_utf8(listed.unwrap().stdout).unwrap();
    let count = |function: String| -> f64 {
        let line =
            listed.lines().find(|line| line.contains(&function)).unwrap_or_else(|| panic!("no {function}"));
        line.split_whitespace().next().unwrap().replace(',', "").parse().unwrap()
    };
    println!("{:15} {:>12} {:>12} {:>7}", "a request", "without", "with", "ratio");
    for Question { name, .. } in questions() {
        let [without, with] =
            ["without", "with"].map(|which| count(format!("{name}::{which} ")) / TIMES as f64);
        println!("{name:15} {without:>12.0} {with:>12.0} {:>7.3}", with / without);
    }
}
