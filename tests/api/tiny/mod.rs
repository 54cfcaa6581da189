//! Golden answers for the tiny network: the tables worked out by hand in `fixtures/tiny/README.md`, the oracle and the
//! service agree.
//!
//! A golden is a whole body, with the order of its fields and the digits of its numbers, only broken into lines.
//! `UPDATE_GOLDEN=1 cargo test --test api tiny::the_service` writes them again; review the change like code.

mod cases;
mod readme;

use std::collections::BTreeSet;
use std::fs;

use cases::{CASES, Case};
use kith::limits::Limits;
use serde_json::Value;

use crate::oracle::{Caller, Mistake, Network, Rules, Tables, same_answer};
use crate::support::encoding::query_string;
use crate::support::{Credentials, Served, project};

/// The tiny network as the engine and the oracle see it.
struct Tiny {
    credentials: Credentials,
    tables: Tables,
}

impl Tiny {
    fn read() -> Self {
        Self { credentials: Credentials::new(), tables: Tables::read(&project("fixtures/tiny")) }
    }

    fn oracle(&self) -> Network {
        Network::from_tables(&self.tables)
    }

    /// The body that the service answers `case` with.
    async fn body(&self, case: &Case) -> Vec<u8> {
        let folder = project("fixtures/tiny");
        let served = Served::folders(&[&folder], &self.credentials, limits(case));
        let credential = match case.caller() {
            Caller::Organization => self.credentials.key("org_tiny"),
            Caller::User(user) => self.credentials.token("org_tiny", &user),
        };
        let path = format!("/api/v1/search/warm-paths?{}", query_string(&case.params()));
        let answer = served.get(&path, &credential).await;
        assert_eq!(answer.status, 200, "{}: {}", case.golden, String::from_utf8_lossy(&answer.bytes));
        answer.bytes
    }
}

fn limits(case: &Case) -> Limits {
    let caps = case.caps();
    let bound = |bound| u32::try_from(bound).unwrap();
    Limits {
        company_candidates: bound(caps.company_candidates),
        edges_per_target: bound(caps.edges_per_target),
        edges_per_connector: bound(caps.edges_per_connector),
        ..Limits::DEFAULT
    }
}

fn data(body: &[u8]) -> Value {
    let body: Value = serde_json::from_slice(body).unwrap();
    assert_eq!(body.as_object().unwrap().len(), 1, "data stands alone");
    body["data"].clone()
}

#[tokio::test]
async fn the_service_answers_with_the_goldens() {
    let tiny = Tiny::read();
    let mut differing = Vec::new();
    for case in CASES {
        let file = project("tests/golden").join(format!("{}.json", case.golden));
        let got = in_lines(&tiny.body(case).await);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&file, &got).unwrap();
        }
        if fs::read_to_string(&file).unwrap_or_default() != got {
            differing.push(case.golden);
        }
    }
    assert_eq!(differing, [""; 0], "UPDATE_GOLDEN=1 writes them anew; git diff shows what changed");
}

#[test]
fn every_golden_is_some_cases_and_no_two_cases_share_one() {
    let expected: BTreeSet<String> = CASES.iter().map(|case| format!("{}.json", case.golden)).collect();
    assert_eq!(expected.len(), CASES.len());
    let names = fs::read_dir(project("tests/golden")).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.map(|name| name.into_string().unwrap()).collect::<BTreeSet<String>>(), expected);
}

#[tokio::test]
async fn the_oracle_agrees_with_every_golden() {
    let tiny = Tiny::read();
    let oracle = tiny.oracle();
    for case in CASES {
        let expected = oracle.warm_paths(&case.caller(), &case.params(), &case.caps());
        let golden = fs::read(project("tests/golden").join(format!("{}.json", case.golden))).unwrap();
        if let Err(difference) = same_answer(&data(&golden), &expected) {
            panic!("{}: {difference}", case.golden);
        }
    }
}

/// The control: an engine that broke one of these rules would not answer with the goldens.
#[test]
fn each_broken_rule_is_caught_by_a_golden() {
    let tiny = Tiny::read();
    let right = tiny.oracle();
    let uncaught: Vec<Mistake> = Mistake::WARM_PATHS
        .into_iter()
        .filter(|&mistake| {
            let broken = Network::from_tables_by(Rules::with(mistake), &tiny.tables);
            let answer = |network: &Network, case: &Case| {
                network.warm_paths(&case.caller(), &case.params(), &case.caps())
            };
            CASES.iter().all(|case| same_answer(&answer(&broken, case), &answer(&right, case)).is_ok())
        })
        .collect();
    assert_eq!(uncaught, [], "these broken rules were not caught");
}

/// Compact JSON broken into lines, its fields and numbers as they are.
fn in_lines(body: &[u8]) -> String {
    let (mut out, mut depth, mut in_string, mut escaped) = (String::new(), 0, false, false);
    let text = std::str::from_utf8(body).unwrap();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let closes_empty = matches!((c, rest.peek()), ('{', Some('}')) | ('[', Some(']')));
        match c {
            _ if in_string => out.push(c),
            '{' | '[' if closes_empty => out.extend([c, rest.next().unwrap()]),
            '{' | '[' => {
                depth += 1;
                out.push(c);
                new_line(&mut out, depth);
            }
            '}' | ']' => {
                depth -= 1;
                new_line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            _ => out.push(c),
        }
        in_string ^= c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
    }
    out.push('\n');
    out
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.push_str(&"  ".repeat(depth));
}
