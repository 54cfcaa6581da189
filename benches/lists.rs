//! The second-degree window, for every member in turn and for one with thousands of contacts, and a lower bound of its
//! cost.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]

mod network;

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::hint::black_box;

use criterion::Criterion;
use fixedbitset::FixedBitSet;
use kith::limits::Limits;
use kith_server::graph::index::GraphIndex;
use kith_server::model::dataset::Dataset;
use kith_server::model::ix::{MemberIx, PersonIx};
use kith_server::prepare::edges::{EdgeRow, build};
use kith_server::query::connections::{SecondDegree, reach};
use kith_server::query::page::Page;

/// Contacts of the largest member; no member of the generated network comes near.
const CONTACTS: usize = 5_000;
const HUB: MemberIx = MemberIx(0);
const FIRST_PAGE: Page = Page { limit: 20, offset: 0 };

/// Gives [`HUB`] [`CONTACTS`] contacts, with the scores of other people's edges.
fn add_contacts(dataset: &mut Dataset) -> Result<(), Box<dyn Error>> {
    let hub = dataset.members.person(HUB);
    let (out, breakdowns) = (&dataset.edges.out, &dataset.edges.breakdowns);
    let mut rows = Vec::with_capacity(out.ends.len() + CONTACTS);
    for from in (0..dataset.people.len() as u32).map(PersonIx) {
        let row = out.row(from);
        let edges = (row.start..).zip(row.iter());
        rows.extend(edges.map(|(place, (to, score))| {
            let breakdown = breakdowns.get(place);
            EdgeRow { from, to, score, breakdown }
        }));
    }
    let mut known: HashSet<PersonIx> = out.row(hub).ends.iter().copied().chain([hub]).collect();
    let wanted = CONTACTS + 1 - known.len();
    // Edges far apart, and more than needed: many lead to the same people.
    let spread = rows.iter().step_by((rows.len() / (4 * CONTACTS)).max(1));
    let others: Vec<EdgeRow> = spread.filter(|row| known.insert(row.to)).copied().collect();
    rows.extend(others.into_iter().take(wanted).map(|row| EdgeRow { from: hub, ..row }));
    dataset.edges = build(dataset.people.len(), rows, &[])?.0;
    Ok(())
}

/// The window by its definition: the warmest edge to each person, ties to the earlier bridge.
fn plain_window(index: &GraphIndex, member: MemberIx) -> (u64, Vec<(u8, PersonIx, PersonIx)>) {
    let (own, limits) = (index.data.members.person(member), Limits::DEFAULT);
    let contacts = index.data.edges.out.row(own).ends;
    let known: HashSet<PersonIx> = contacts.iter().copied().chain([own]).collect();
    let fewer = (limits.bridges * limits.edges_per_bridge) as usize / contacts.len().max(1);
    let most = fewer.max(limits.edges_per_bridge as usize);
    let mut edges_left = u64::from(limits.bridges) * u64::from(limits.edges_read_per_bridge);
    let mut listing = 0;
    let mut warmest: HashMap<u32, (u8, usize)> = HashMap::new();
    for (place, &bridge) in contacts.iter().enumerate() {
        if listing == limits.bridges || edges_left == 0 {
            break;
        }
        let row = index.data.edges.out.row(bridge);
        let readable = row.ends.len().min(limits.edges_read_per_bridge as usize).min(edges_left as usize);
        edges_left -= readable as u64;
        let others = row.iter().take(readable).filter(|(person, _)| !known.contains(person)).take(most);
        let others: Vec<_> = others.collect();
        listing += u32::from(!others.is_empty());
        for (person, score) in others {
            let way = (score.coldness(), place);
            warmest.entry(person.0).and_modify(|held| *held = way.min(*held)).or_insert(way);
        }
    }
    let people =
        warmest.iter().map(|(&person, &(coldness, place))| (coldness, PersonIx(person), contacts[place]));
    let mut people: Vec<_> = people.collect();
    people.sort_unstable_by_key(|&(coldness, person, _)| (coldness, person.0));
    (people.len() as u64, people)
}

fn check(index: &GraphIndex, member: MemberIx, page: Page, found: &SecondDegree) {
    let (total, people) = plain_window(index, member);
    assert_eq!(found.total, total, "{member:?}");
    let found = found.people.iter().map(|it| (it.score.coldness(), it.person, it.bridge));
    let expected = people.into_iter().skip(page.offset as usize).take(page.limit as usize);
    assert!(found.eq(expected), "{member:?}: another window");
}

/// The ends of the edges in the window of `member`, in storage order.
fn ends_in_window(index: &GraphIndex, member: MemberIx) -> impl Iterator<Item = PersonIx> {
    let (out, limits) = (&index.data.edges.out, Limits::DEFAULT);
    let bridges = out.row(index.data.members.person(member)).ends.iter().take(limits.bridges as usize);
    bridges
        .flat_map(move |&bridge| out.row(bridge).ends.iter().take(limits.edges_per_bridge as usize))
        .copied()
}

/// The lower bound of a window: reading its edges, and counting the distinct people at their ends.
fn bench_floor(criterion: &mut Criterion, index: &GraphIndex) {
    let members: Vec<MemberIx> = (0..index.data.members.len() as u32).map(MemberIx).collect();
    let mut group = criterion.benchmark_group("second_degree_floor");
    let mut turn = members.iter().cycle();
    group.bench_function("edges_read", |bencher| {
        let read = |member| ends_in_window(index, member).fold(0, |all, person| all ^ person.0);
        bencher.iter(|| turn.next().map(|&member| black_box(read(member))));
    });
    let mut turn = members.iter().cycle();
    group.bench_function("people_counted", |bencher| {
        let count = |member| {
            let mut seen = FixedBitSet::with_capacity(index.data.people.len());
            ends_in_window(index, member).filter(|person| !seen.put(person.0 as usize)).count()
        };
        bencher.iter(|| turn.next().map(|&member| black_box(count(member))));
    });
    group.finish();
}

fn bench_second_degree(criterion: &mut Criterion, index: &GraphIndex) {
    let find = |member, page| reach(index, member, None, page, &Limits::DEFAULT);
    let members: Vec<MemberIx> = (0..index.data.members.len() as u32).map(MemberIx).collect();
    let mut group = criterion.benchmark_group("second_degree");
    let deep = Page { offset: 2_000, ..FIRST_PAGE };
    for (kind, members, page) in [
        ("every_member", &members[..], FIRST_PAGE),
        ("hub", &[HUB], FIRST_PAGE),
        ("hub_page_101", &[HUB], deep),
    ] {
        for &member in members.iter().take(8) {
            let found = find(member, page);
            assert!(found.as_ref().is_some_and(|found| found.total > 0), "{kind}: {member:?} has no window");
            found.iter().for_each(|found| check(index, member, page, found));
        }
        let mut turn = members.iter().cycle();
        group.bench_function(kind, |bencher| {
            bencher.iter(|| turn.next().map(|&member| black_box(find(member, page))));
        });
    }
    group.finish();
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = Criterion::default().configure_from_args();
    let mut dataset = network::dataset()?;
    add_contacts(&mut dataset)?;
    let index = GraphIndex::build(dataset);
    assert_eq!(index.data.edges.out.edge_count(index.data.members.person(HUB)) as usize, CONTACTS);
    bench_second_degree(&mut criterion, &index);
    bench_floor(&mut criterion, &index);
    criterion.final_summary();
    Ok(())
}
