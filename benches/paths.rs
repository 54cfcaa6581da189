//! Path search in person mode and company mode, with the default limits and without, for targets of every kind;
//! compared with a plain petgraph program that does the same walk.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]

mod network;

use std::collections::HashSet;
use std::error::Error;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion};
use kith::limits::Limits;
use kith_server::graph::index::GraphIndex;
use kith_server::model::ix::{CompanyIx, MemberIx, PersonIx};
use kith_server::model::warmness::two_legs;
use kith_server::query::page::Page;
use kith_server::query::paths::answer::PathAnswer;
use kith_server::query::paths::asked_most::AskedMost;
use kith_server::query::paths::found::PathPage;
use kith_server::query::paths::from_set::FromSet;
use kith_server::query::paths::request::{PathExtra, PathRequest, PathType, PathTypes, TargetQuery};
use kith_server::query::paths::{find, find_from, list};
use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

const UNCAPPED: Limits = Limits {
    company_candidates: Limits::MAX,
    edges_per_target: Limits::MAX,
    edges_per_connector: Limits::MAX,
    ..Limits::DEFAULT
};

fn ask(index: &GraphIndex, target: TargetQuery<'_>, types: PathTypes, limits: &Limits) -> PathAnswer {
    let page = Page { limit: 20, offset: 0 };
    let request = PathRequest { types, ..PathRequest::to(target, page) };
    find(index, &request, limits)
}

/// Handles of `people`, skipping people without one.
fn handles<'a>(index: &'a GraphIndex, people: &[PersonIx]) -> Vec<&'a str> {
    people.iter().filter_map(|person| index.data.people.handles.value(person.0)).collect()
}

fn bench_people(criterion: &mut Criterion, index: &GraphIndex) {
    let mut group = criterion.benchmark_group("person");
    group.sample_size(20);
    for (kind, people) in [
        ("anybody", network::anybody(index, 4096)),
        ("well_known", network::well_known(index, 1024)),
        ("hubs", network::hubs(index, 16)),
    ] {
        let handles = handles(index, &people);
        for (bounds, limits) in [("capped", &Limits::DEFAULT), ("uncapped", &UNCAPPED)] {
            let found = |handle: &&str| ask(index, TargetQuery::Handle(handle), PathTypes::ALL, limits);
            let totals: u64 = handles.iter().take(16).map(|handle| found(handle).total).sum();
            assert!(totals > 0, "{kind}: nobody has a path");
            let mut turn = handles.iter().cycle();
            group.bench_function(BenchmarkId::new(kind, bounds), |bencher| {
                bencher.iter(|| turn.next().map(|handle| black_box(found(handle))));
            });
        }
    }
    group.finish();
}

fn bench_companies(criterion: &mut Criterion, index: &GraphIndex) {
    let mut companies: Vec<CompanyIx> = (0..index.data.companies.ids.len() as u32).map(CompanyIx).collect();
    companies.sort_by_key(|&company| std::cmp::Reverse(index.employee_count(company)));
    let middle: Vec<CompanyIx> = companies.iter().copied().skip(companies.len() / 4).take(512).collect();
    companies.truncate(8);
    let mut group = criterion.benchmark_group("company");
    group.sample_size(10);
    for (kind, companies) in [("middling", middle), ("largest", companies)] {
        let names: Vec<&str> =
            companies.iter().map(|company| index.data.companies.names.get(company.0)).collect();
        for (bounds, limits) in [("capped", &Limits::DEFAULT), ("uncapped", &UNCAPPED)] {
            let found = |name: &&str| ask(index, TargetQuery::Company(name), PathTypes::ALL, limits);
            assert!(names.iter().all(|name| found(name).target.is_some()), "{kind}: a company is not found");
            let mut turn = names.iter().cycle();
            group.bench_function(BenchmarkId::new(kind, bounds), |bencher| {
                bencher.iter(|| turn.next().map(|name| black_box(found(name))));
            });
        }
    }
    group.finish();
}

/// Looks people up by id: with the table of ids, compared with a binary search over all ids.
fn bench_ids(criterion: &mut Criterion, index: &GraphIndex) {
    let mut group = criterion.benchmark_group("id");
    let ids = &index.data.people.ids;
    let wanted: Vec<&str> =
        network::anybody(index, 4096).iter().map(|person| index.data.people.ids.get(person.0)).collect();
    assert!(wanted.iter().all(|id| index.find_person(id).map(|person| person.0) == ids.find_sorted(id)));
    let mut turn = wanted.iter().cycle();
    group.bench_function("by_table", |bencher| {
        bencher.iter(|| turn.next().map(|id| black_box(index.find_person(id))));
    });
    let mut turn = wanted.iter().cycle();
    group.bench_function("by_halving", |bencher| {
        bencher.iter(|| turn.next().map(|id| black_box(ids.find_sorted(id))));
    });
    group.finish();
}

/// A batch of a hundred targets in one request compared with a hundred requests, in process: shows the value of the
/// shared set-up, with the match and the reasons, three paths each, from forty members of the organization.
fn bench_batch(criterion: &mut Criterion, index: &GraphIndex) {
    let mut group = criterion.benchmark_group("hundred_targets");
    group.sample_size(20);
    let people = network::anybody(index, 4096);
    let from: Vec<MemberIx> =
        (0..index.data.members.len() as u32).step_by(12).take(40).map(MemberIx).collect();
    let request = |person: &PersonIx, from: Option<&Vec<MemberIx>>| PathRequest {
        from: from.cloned(),
        extras: [PathExtra::Match, PathExtra::Reasons].into_iter().collect(),
        ..PathRequest::to(
            TargetQuery::PersonId(index.data.people.ids.get(person.0)),
            Page { limit: 3, offset: 0 },
        )
    };
    let mut turn = people.chunks_exact(100).cycle();
    group.bench_function("one_batch", |bencher| {
        bencher.iter(|| {
            let shared = FromSet::new(index, Some(&from));
            let mut asked = AskedMost::default();
            for person in turn.next().into_iter().flatten() {
                let found = find_from(index, &shared, &request(person, None), &Limits::DEFAULT);
                asked.count(&found.paths);
                black_box(PathPage::of(index, &found));
            }
            black_box(asked.first(index, 50).len())
        });
    });
    let mut turn = people.chunks_exact(100).cycle();
    group.bench_function("hundred_requests", |bencher| {
        bencher.iter(|| {
            for person in turn.next().into_iter().flatten() {
                black_box(list(index, &request(person, Some(&from)), &Limits::DEFAULT));
            }
        });
    });
    group.finish();
}

/// The network in petgraph's own graph, as in a program without its own index.
fn in_petgraph(index: &GraphIndex) -> DiGraph<(), u8> {
    let mut graph = DiGraph::with_capacity(index.data.people.len(), index.data.edges.out.ends.len());
    for _ in 0..index.data.people.len() {
        graph.add_node(());
    }
    for person in 0..index.data.people.len() as u32 {
        for (end, score) in index.data.edges.out.row(PersonIx(person)).iter() {
            graph.add_edge(NodeIndex::new(person as usize), NodeIndex::new(end.0 as usize), score.to_byte());
        }
    }
    graph
}

/// The start points of paths, and the (connector, member) pairs of an advocate and a member they help.
struct Roles {
    members: HashSet<usize>,
    advocacies: HashSet<(usize, usize)>,
}

impl Roles {
    fn of(index: &GraphIndex) -> Self {
        let members = index.data.members.people.iter().map(|person| person.0 as usize).collect();
        let pairs = index.advocacy.iter().flat_map(|(advocate, person)| {
            let helped = index.advocacy.helped_by(advocate).iter();
            helped.map(move |helped| (person.0 as usize, index.data.members.person(helped.member).0 as usize))
        });
        Self { members, advocacies: pairs.collect() }
    }
}

/// Second-degree paths to `target`, warmest first, by walking petgraph's graph without limits.
fn plain_walk(graph: &DiGraph<(), u8>, roles: &Roles, target: PersonIx) -> (u64, Vec<u32>) {
    let weight = |byte: u8| if byte <= 100 { u32::from(byte) } else { 0 };
    let mut found = Vec::new();
    let target = NodeIndex::new(target.0 as usize);
    for last in graph.edges_directed(target, Direction::Incoming) {
        let connector = last.source().index();
        if roles.members.contains(&connector) {
            continue;
        }
        for first in graph.edges_directed(last.source(), Direction::Incoming) {
            let member = first.source().index();
            if roles.members.contains(&member) && !roles.advocacies.contains(&(connector, member)) {
                found.push(two_legs(weight(*first.weight()), weight(*last.weight())));
            }
        }
    }
    found.sort_unstable_by(|a, b| b.cmp(a));
    let total = found.len() as u64;
    found.truncate(20);
    (total, found)
}

/// Asks both the same question: second-degree paths without limits, the twenty warmest.
fn bench_beside_petgraph(criterion: &mut Criterion, index: &GraphIndex) {
    let types: PathTypes = [PathType::SecondDegree].into_iter().collect();
    let is_plain = |person: &PersonIx| {
        index.data.people.handles.value(person.0).is_some() && index.near.standing(*person).member.is_none()
    };
    let people: Vec<PersonIx> = network::well_known(index, 2048)
        .into_iter()
        .filter(is_plain)
        .filter(|person| index.data.edges.into.edge_count(*person) < 5_000)
        .take(256)
        .collect();
    let graph = in_petgraph(index);
    let roles = Roles::of(index);
    let engine = |person: &PersonIx| {
        let handle = index.data.people.handles.get(person.0);
        ask(index, TargetQuery::Handle(handle), types, &UNCAPPED)
    };
    for person in people.iter().take(16) {
        let (total, warmest) = plain_walk(&graph, &roles, *person);
        let answer = engine(person);
        assert_eq!(answer.total, total, "the two walks disagree");
        assert_eq!(answer.paths.iter().map(|path| path.warmness).collect::<Vec<_>>(), warmest);
    }
    let mut group = criterion.benchmark_group("second_degree_uncapped");
    let mut turn = people.iter().cycle();
    group.bench_function("kith", |bencher| {
        bencher.iter(|| turn.next().map(|person| black_box(engine(person))))
    });
    let mut turn = people.iter().cycle();
    group.sample_size(10);
    group.bench_function("petgraph", |bencher| {
        bencher.iter(|| turn.next().map(|person| black_box(plain_walk(&graph, &roles, *person))));
    });
    group.finish();
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = Criterion::default().configure_from_args();
    let index = network::index()?;
    bench_people(&mut criterion, &index);
    bench_companies(&mut criterion, &index);
    bench_ids(&mut criterion, &index);
    bench_batch(&mut criterion, &index);
    bench_beside_petgraph(&mut criterion, &index);
    criterion.final_summary();
    Ok(())
}
