//! A walk that skips connectors by their briefs gives the same paths, totals and flags as one that reads every row, on
//! random networks.
//!
//! Promise: A walk that passes over connectors by what is kept of them beside their edges finds the same paths, totals
//!   and flags as one that reads every row.
//! Control: six ways to keep less of them, in the same trial.
//! Also in: `tests/api/props/mod.rs`.

use super::*;
use crate::graph::brief::Brief;
use crate::graph::index::GraphIndex;
use crate::model::ix::{CompanyIx, MemberIx, PersonIx};
use crate::sketch::dataset;

const PEOPLE: u64 = 26;
const NETWORKS: u64 = 60;
const REQUESTS: u64 = 60;

/// Knuth's generator: a number below `bound`, from the high bits.
fn below(state: &mut u64, bound: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % bound
}

/// A dense network: four members, two of them advocates, other advocates, and one company.
fn text(dice: &mut u64) -> String {
    let mut text = String::from("member p0, p1, p2, p3\n");
    for advocate in [3, 2, 4, 5, 6, 7] {
        let of = [below(dice, 2), 2 + below(dice, 2)];
        let others = of.into_iter().filter(|member| *member != advocate);
        others.for_each(|member| text += &format!("advocate p{advocate} of p{member}\n"));
    }
    for from in 0..PEOPLE {
        for to in 0..PEOPLE {
            if from != to && below(dice, 4) == 0 {
                let score = below(dice, 130);
                let arrow = if score <= 100 { format!("-{score}->") } else { "->".to_owned() };
                text += &format!("p{from} {arrow} p{to}\n");
            }
        }
    }
    let employees = (0..PEOPLE).filter(|_| below(dice, 3) == 0);
    employees.for_each(|person| text += &format!("p{person} @ acme\n"));
    text + "company acme (industry: Steel)\nintro to p9 by p1\n"
}

/// A request to a person, or to anyone at the company, with bounds that are often met.
fn drawn(index: &GraphIndex, dice: &mut u64) -> (Target, PathRequest<'static>, Limits) {
    let target = match below(dice, 3) {
        0 => Target::Company(CompanyIx(0)),
        _ => Target::Person(PersonIx(below(dice, index.data.people.len() as u64) as u32)),
    };
    let types = match below(dice, 3) {
        0 => PathType::ALL.into_iter().filter(|_| below(dice, 2) == 0).collect(),
        _ => PathTypes::ALL,
    };
    let page = Page { limit: 1 + below(dice, 4) as u32, offset: below(dice, 3) };
    let from = (below(dice, 4) == 0).then(|| vec![MemberIx(below(dice, 4) as u32)]);
    let request = PathRequest {
        from,
        types,
        sort: PathSort::ALL[below(dice, 2) as usize],
        group_by: [None, None, Some(GroupBy::Connector), Some(GroupBy::Target)][below(dice, 4) as usize],
        include_intro_requested: below(dice, 2) == 0,
        ..PathRequest::to(TargetQuery::PersonId(""), page)
    };
    let bound = |dice: &mut u64, most| if below(dice, 2) == 0 { 1 + below(dice, most) as u32 } else { 500 };
    let limits = Limits {
        company_candidates: bound(dice, 9),
        edges_per_target: bound(dice, 9),
        edges_per_connector: bound(dice, 3),
        ..Limits::DEFAULT
    };
    (target, request, limits)
}

/// Counts the drawn requests with other answers if the briefs of the index are `changed`, and the edges saved by the
/// unchanged ones.
fn differences(changed: impl Fn(Brief) -> Brief) -> (u64, i64) {
    let (mut others, mut saved) = (0, 0);
    for seed in 0..NETWORKS {
        let mut dice = seed;
        let text = text(&mut dice);
        let index = GraphIndex::build(dataset(&text));
        let mut other = GraphIndex::build(dataset(&text));
        other.snapshot_mut().near.change_briefs(&changed);
        for _ in 0..REQUESTS {
            let (target, request, limits) = drawn(&index, &mut dice);
            let id = match target {
                Target::Person(person) => index.data.people.ids.get(person.0),
                Target::Company(company) => index.data.companies.ids.get(company.0),
            };
            let target = match target {
                Target::Person(_) => TargetQuery::PersonId(id),
                Target::Company(_) => TargetQuery::CompanyId(id),
            };
            let request = PathRequest { target, ..request };
            let answered = |index: &GraphIndex| {
                let before = crate::model::reads::so_far();
                let answer = find(index, &request, &limits);
                let rows = crate::model::reads::so_far() - before;
                ((answer.paths, answer.total, answer.coverage), rows as i64)
            };
            let ((one, rows), (two, other_rows)) = (answered(&index), answered(&other));
            others += u64::from(one != two);
            saved += other_rows - rows;
        }
    }
    (others, saved)
}

#[test]
fn a_walk_by_briefs_finds_what_one_that_reads_every_row_finds() {
    let (others, saved) = differences(|_| Brief::MORE);
    assert_eq!(others, 0);
    assert!(saved > 10_000, "{saved} rows");
    // The controls: briefs that omit a part of their content.
    for (what, changed) in [
        ("paths", (|brief| Brief { paths: brief.paths.saturating_sub(1), ..brief }) as fn(Brief) -> Brief),
        ("members", |brief| Brief { members: brief.members.min(1), paths: brief.paths.min(1), ..brief }),
        ("advocates", |brief| Brief { advocates: 0, paths_over_advocates: 0, ..brief }),
        ("paths over them", |brief| Brief { paths_over_advocates: 0, ..brief }),
        ("how warm those are", |brief| Brief { warmest_over_advocates: 0, ..brief }),
        ("how warm the others are", |brief| match brief.warmest() {
            Some(_) => Brief { warmest: 0, ..brief },
            None => brief,
        }),
    ] {
        let (others, _) = differences(changed);
        assert!(others > 0, "{what}");
    }
}
