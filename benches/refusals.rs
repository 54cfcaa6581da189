//! Whether timing shows that a person exists: sends a server pairs of requests in random order, one for a stranger
//! outside the network and one for a nonexistent person, and compares their times; then the control, in which the
//! stranger takes 3 us longer. A test, `crates/kith/src/query/hidden.rs`, checks that both do the same work.
//!
//! 20,000 pairs for each question; with `KITH_SCALE=full` 200,000.
//!
//! Promise: Refusing a person outside takes the same time as refusing one who does not exist.
//! Control: 3 us longer.
#![allow(missing_docs, reason = "a program")]
#![allow(dead_code, reason = "of what tests share it uses a part")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a broken assumption should stop it"
)]

#[path = "../tests/process/http.rs"]
mod http;
#[path = "../tests/process/program.rs"]
mod program;
#[path = "../tests/process/live_operation/sample.rs"]
mod sample;
#[path = "../tests/support/mod.rs"]
mod support;

use std::fs::{self, File};
use std::io::Write;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use kith_server::model::column::TextColumn;
use kith_server::model::dataset::People;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::json;
use tempfile::TempDir;

use crate::http::Connection;
use crate::program::{Site, project, run_well};
use crate::sample::Sample;
use crate::support::encoding::encoded;
use crate::support::scale;

const SEED: u64 = 0x7469_6d65;

/// Times `of(true)` and `of(false)` in pairs, in random order; the differences, true minus false, in nanoseconds.
fn differences(pairs: u64, mut of: impl FnMut(bool, u64) -> u64) -> Sample {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let one = |pair: u64| {
        let is_first = random.next_u32() % 2 == 0;
        let [a, b] = [is_first, !is_first].map(|is_first| of(is_first, pair) as i64);
        if is_first { a - b } else { b - a }
    };
    Sample::new((0..pairs).map(one).collect())
}

fn report(what: &str, pairs: u64, sample: &Sample) {
    let (low, high) = sample.median_interval();
    println!(
        "{what}: {pairs} pairs, seed {SEED:#x}: median {} ns, 99 % [{low}, {high}], z {:.2}",
        sample.quantile(0.5),
        sample.sign_z()
    );
}

/// A way to ask for a person: the path before the identifier, and the answer for people outside.
struct Question {
    what: &'static str,
    path: &'static str,
    status: u16,
    called: fn(&People) -> &TextColumn,
    as_user: bool,
}

const QUESTIONS: [Question; 5] = [
    Question {
        what: "people/{id}",
        path: "/api/v1/people/",
        status: 404,
        called: |people| &people.ids,
        as_user: false,
    },
    Question {
        what: "people/network?personId",
        path: "/api/v1/people/network?personId=",
        status: 403,
        called: |people| &people.ids,
        as_user: false,
    },
    Question {
        what: "people/network?linkedinId",
        path: "/api/v1/people/network?linkedinId=",
        status: 403,
        called: |people| &people.handles,
        as_user: false,
    },
    Question {
        what: "people/network?name",
        path: "/api/v1/people/network?name=",
        status: 403,
        called: |people| &people.names,
        as_user: false,
    },
    Question {
        what: "connections/second-degree?viaConnectorId",
        path: "/api/v1/connections/second-degree?viaConnectorId=",
        status: 404,
        called: |people| &people.ids,
        as_user: true,
    },
];

/// Letters of each of a stranger's two words.
const WORD_LETTERS: usize = 8;
const STRANGERS: usize = 200;

/// The demo tables, and strangers whom nobody knows. Their ids, handles and names resemble no others: the cost of a query
/// may depend on similar people inside the network, which reveals nothing.
fn tables_with_strangers() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    for file in fs::read_dir(project("fixtures/demo/harbourlight")).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
    }
    let people = File::options().append(true).open(folder.path().join("people.ndjson.gz")).unwrap();
    let mut rows = GzEncoder::new(people, Compression::fast());
    for _ in 0..STRANGERS {
        let [first, last] = [(); 2].map(|()| word(&mut random));
        let row = json!({"id": format!("person_{first}{last}"), "name": format!("{first} {last}"), "linkedinId": format!("{first}-{last}")});
        writeln!(rows, "{row}").unwrap();
    }
    rows.finish().unwrap();
    folder
}

fn word(random: &mut ChaCha8Rng) -> String {
    (0..WORD_LETTERS).map(|_| char::from(b'a' + (random.next_u32() % 26) as u8)).collect()
}

/// A served demo network, a key and a token for it, and the people outside.
struct Place {
    _site: Site,
    _server: crate::program::Server,
    connection: Connection,
    key: String,
    token: String,
    people: People,
    outside: Vec<u32>,
}

impl Place {
    fn new() -> Self {
        let site = Site::new();
        let tables = tables_with_strangers();
        let file = site.snapshot("harbourlight.kith");
        run_well(&["build", tables.path().to_str().unwrap(), "--out", file.to_str().unwrap()]);
        let dataset = kith_server::snapshot::read::load(&file).unwrap().dataset;
        let organization = &dataset.organization.id;
        let key = site.create_key(organization, "timing");
        let token = site.create_token(organization, dataset.members.user_ids.get(0));
        let server = site.serve("error");
        let mut connection = Connection::open(server.api);
        let people = dataset.people;
        let is_stranger = |&row: &u32| {
            let path = format!("/api/v1/people/{}", people.ids.get(row));
            people.ids.get(row).len() == "person_".len() + 2 * WORD_LETTERS
                && people.names.get(row).len() == 2 * WORD_LETTERS + 1
                && connection.get(&path, &key).status == 404
        };
        let outside: Vec<u32> = (0..people.len() as u32).filter(is_stranger).collect();
        assert!(outside.len() >= STRANGERS, "{} people outside", outside.len());
        Self { _site: site, _server: server, connection, key, token, people, outside }
    }

    /// Pairs of addresses: one for a person outside, and one for a nonexistent person that differs in one letter.
    fn addresses(&mut self, question: &Question) -> Vec<[String; 2]> {
        let column = (question.called)(&self.people);
        let called = self.outside.iter().map(|&row| column.get(row));
        let pairs = called.map(|text| [text.to_owned(), nobody_like(text, column)]);
        let pairs = pairs.map(|pair| pair.map(|text| format!("{}{}", question.path, encoded(&text))));
        let mut pairs: Vec<_> = pairs.collect();
        pairs.retain(|pair| pair.iter().all(|path| self.ask(question, path) == question.status));
        assert!(pairs.len() > 10, "{}: {} pairs", question.what, pairs.len());
        pairs
    }

    fn ask(&mut self, question: &Question, path: &str) -> u16 {
        let credential = if question.as_user { &self.token } else { &self.key };
        self.connection.get(path, credential).status
    }

    /// The time of a refusal, in nanoseconds, with `longer` added.
    fn time(&mut self, question: &Question, path: &str, longer: Duration) -> u64 {
        let began = Instant::now();
        let status = self.ask(question, path);
        let until = Instant::now() + longer;
        while Instant::now() < until {
            std::hint::spin_loop();
        }
        let took = began.elapsed();
        assert_eq!(status, question.status, "{path}");
        took.as_nanos() as u64
    }
}

/// A name that nobody has and that differs from `text` only in its last letter.
fn nobody_like(text: &str, column: &TextColumn) -> String {
    let others = ('a'..='z').map(|letter| format!("{}{letter}", &text[..text.len() - 1]));
    others.into_iter().find(|other| column.iter().all(|called| called != other)).unwrap()
}

/// Compares this many pairs, in which the stranger's request takes `longer`.
fn compare(place: &mut Place, question: &Question, pairs: u64, longer: Duration) -> Sample {
    let addresses = place.addresses(question);
    differences(pairs, |exists, pair| {
        let [somebody, nobody] = &addresses[pair as usize % addresses.len()];
        if exists {
            place.time(question, somebody, longer)
        } else {
            place.time(question, nobody, Duration::ZERO)
        }
    })
}

fn main() {
    let mut place = Place::new();
    let pairs = scale::of(20_000, 200_000);
    for question in &QUESTIONS {
        report(question.what, pairs, &compare(&mut place, question, pairs, Duration::ZERO));
    }
    let control = compare(&mut place, &QUESTIONS[0], pairs / 10, Duration::from_micros(3));
    report("control: 3 us longer", pairs / 10, &control);
}
