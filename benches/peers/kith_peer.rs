//! kith as a library in the asking process, like SQLite: a peer of `run.py`.
//!
//!     kith_peer SNAPSHOT FILE SECONDS
//!
//! The file contains a question per line; people, companies and members are numbered in the order of their ids, as in
//! an index. A window is computed each time; kept windows are not used.
#![allow(clippy::print_stdout, reason = "its answers go there")]

mod timed;

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use kith::limits::Limits;
use kith_server::graph::index::GraphIndex;
use kith_server::model::ix::MemberIx;
use kith_server::query::connections::reach;
use kith_server::query::page::Page;
use kith_server::query::paths::find;
use kith_server::query::paths::request::{PathRequest, PathType, TargetQuery};
use kith_server::query::people_search::search;
use kith_server::query::person::Degree;
use kith_server::snapshot::read::load;
use timed::{Answer, PAGE, Question};

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const FIRST: Page = Page { limit: PAGE as u32, offset: 0 };
/// None of the peers limits the edges of a connector.
const LIMITS: Limits = Limits { edges_per_connector: Limits::MAX, ..Limits::DEFAULT };

fn paths(index: &GraphIndex, target: TargetQuery<'_>) -> Answer {
    let is_company = target.is_company();
    let request = PathRequest {
        types: [PathType::SecondDegree].into_iter().collect(),
        include_intro_requested: is_company,
        ..PathRequest::to(target, FIRST)
    };
    let found = find(index, &request, &LIMITS);
    let rows = found.paths.iter().map(|path| {
        let row =
            [path.warmness, path.last_leg.score.weight(), path.member.0, path.connector.0, path.target.0];
        row.into_iter().take(if is_company { 5 } else { 4 }).map(i64::from).collect()
    });
    (Some(found.total), rows.collect())
}

fn window(index: &GraphIndex, member: u32) -> Answer {
    let found = reach(index, MemberIx(member), None, FIRST, &LIMITS);
    let (total, people) = found.map(|found| (found.total, found.people)).unzip();
    let rows = people.into_iter().flatten().map(|reached| {
        vec![i64::from(reached.score.coldness()), i64::from(reached.person.0), i64::from(reached.bridge.0)]
    });
    (total, rows.collect())
}

fn substring(index: &GraphIndex, text: &str) -> Answer {
    let found = search(index, text, PAGE, Degree::Second);
    (None, found.iter().map(|person| vec![i64::from(person.0)]).collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [snapshot, file, seconds] = &arguments[..] else {
        println!("usage: kith_peer SNAPSHOT FILE SECONDS");
        return Ok(());
    };
    let time = Duration::from_secs_f64(seconds.parse()?);
    let index = GraphIndex::build(load(Path::new(snapshot))?.dataset);
    let lines = std::fs::read_to_string(file)?;
    let numbers = |kind: &str| -> Result<Vec<Question<u32>>, Box<dyn Error>> {
        let of_kind = lines.lines().filter_map(|line| line.strip_prefix(kind)?.strip_prefix(' '));
        of_kind.map(|number| number.parse().map(|it: u32| (it.into(), it)).map_err(Into::into)).collect()
    };
    let people = &index.data.people.ids;
    timed::run("person", &numbers("person")?, time, |&it| {
        paths(&index, TargetQuery::PersonId(people.get(it)))
    })?;
    let companies = &index.data.companies.ids;
    timed::run("company", &numbers("company")?, time, |&it| {
        paths(&index, TargetQuery::CompanyId(companies.get(it)))
    })?;
    timed::run("window", &numbers("window")?, time, |&it| window(&index, it))?;
    let texts = lines.lines().filter_map(|line| line.strip_prefix("substring "));
    let texts: Vec<Question<&str>> = texts.map(|text| (text.into(), text)).collect();
    timed::run("substring", &texts, time, |text| substring(&index, text))
}
