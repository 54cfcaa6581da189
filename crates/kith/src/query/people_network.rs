//! The people a given person is connected to, warmest first.

use std::cmp::Reverse;

use crate::graph::index::GraphIndex;
use crate::model::dataset::AdvocateStatus;
use crate::model::ix::PersonIx;
use crate::model::named::named;
use crate::query::card::PersonCard;
use crate::query::evidence::EdgeReasons;
use crate::query::handle::handle_of;
use crate::query::leg::Leg;
use crate::query::name_match::Candidates;
use crate::query::page::Page;
use crate::query::paths::found::FoundMatch;
use crate::query::paths::matched::Matched;
use crate::query::paths::target::{MatchedBy, Target};
use crate::query::person::{annotation, is_requested};

/// A way to name a person.
#[derive(Clone, Copy, Debug)]
pub enum PersonQuery<'a> {
    /// By name, loosely.
    Name(&'a str),
    /// By handle or profile address.
    Handle(&'a str),
    /// By id.
    Id(&'a str),
}

/// The known part of a person's network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Their connections were imported.
    Synced,
    /// Some were observed.
    Derived,
    /// None is known.
    None,
}

named! {
    /// All three, the most complete first.
    Coverage { Synced = "synced", Derived = "derived", None = "none" }
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonNetwork<'a> {
    /// The requested person.
    pub person: PersonCard<'a>,
    /// The people of the page, warmest first.
    pub connections: Vec<Connection<'a>>,
    /// The number of edges, without those withheld.
    pub total: u64,
    /// The number withheld because an introduction was already requested.
    pub excluded: u64,
    /// The known part of the network.
    pub coverage: Coverage,
}

/// A connection of the named person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection<'a> {
    /// The person, by id and name.
    pub person: PersonCard<'a>,
    /// The city they live in.
    pub city: Option<&'a str>,
    /// The country they live in.
    pub country: Option<&'a str>,
    /// How well the two know each other, from 0 to 100.
    pub warmness: Option<u8>,
    /// The reasons for the score as sentences; empty if there are none.
    pub signals: EdgeReasons<'a>,
    /// The status of the intro request to them; people already asked for are listed only on request.
    pub intro_status: Option<&'a str>,
}

impl<'a> Connection<'a> {
    fn of(index: &'a GraphIndex, leg: Leg) -> Self {
        Self {
            person: PersonCard::of(index, leg.to),
            city: index.data.people.cities.value(leg.to.0),
            country: index.data.people.countries.value(leg.to.0),
            warmness: leg.score.score(),
            signals: leg.reasons(index).signals,
            intro_status: annotation(index, leg.to).map(|intro| intro.status),
        }
    }
}

/// The network of the person that `query` names, who must be a member or known by one. `None` if there is no such
/// person, even if `query` fits a person outside: names are looked up only among the people inside.
///
/// Costs the person's edges.
#[must_use]
pub fn find<'a>(
    index: &'a GraphIndex,
    query: PersonQuery<'_>,
    include_intro_requested: bool,
    page: Page,
) -> Option<PersonNetwork<'a>> {
    let person = match query {
        PersonQuery::Name(name) => find_first_degree_by_name(index, name),
        PersonQuery::Handle(handle) => {
            index.inside.find_first_degree_by_handle(&index.data.people, &handle_of(handle))
        }
        PersonQuery::Id(id) => index.inside.find_first_degree(&index.data.people.ids, id),
    }?;
    let row = index.data.edges.out.row(person);
    let is_open = |to: PersonIx| include_intro_requested || !is_requested(index, to);
    let total = row.ends.iter().filter(|&&to| is_open(to)).count();
    let open = row.iter().filter(|&(to, _)| is_open(to));
    let skipped = usize::try_from(page.offset).unwrap_or(usize::MAX);
    let connections = open
        .skip(skipped)
        .take(page.limit as usize)
        .map(|(to, score)| Connection::of(index, Leg { from: person, to, score }))
        .collect();
    Some(PersonNetwork {
        person: PersonCard::of(index, person),
        connections,
        total: total as u64,
        excluded: (row.ends.len() - total) as u64,
        coverage: coverage(index, person),
    })
}

/// How `query` finds its person, and which others of first degree it may mean. For a name, costs a matching for each of
/// their names with the query's rarest word.
#[must_use]
pub fn matched<'a>(index: &'a GraphIndex, query: PersonQuery<'_>) -> FoundMatch<'a> {
    let (by, people) = find_all_alike(index, query).unzip();
    FoundMatch::of(index, &Matched::among(by, people.unwrap_or_default().into_iter().map(Target::Person)))
}

/// The people of first degree that `query` may mean, all by the kind of match of the first.
fn find_all_alike(index: &GraphIndex, query: PersonQuery<'_>) -> Option<(MatchedBy, Vec<PersonIx>)> {
    match query {
        PersonQuery::Name(name) => {
            let person = |place: u32| index.inside.first_degree[place as usize];
            let weight = |place| index.edge_count(person(place));
            let candidates = Candidates { names: index.inside.names(), weight: &weight, among: None };
            let (class, _) = candidates.find(name)?;
            let people = candidates.all_in(class, name).into_iter().map(person);
            Some((MatchedBy::Name(class), people.collect()))
        }
        PersonQuery::Handle(handle) => {
            let handle = handle_of(handle);
            let rows = index.person_handles.find_all(index.data.people.handle_texts(), &handle);
            let people = rows.map(PersonIx).filter(|&person| index.near.is_first_degree(person));
            let mut people: Vec<PersonIx> = people.collect();
            people.sort_unstable_by_key(|&person| (Reverse(index.edge_count(person)), person));
            Some((MatchedBy::Handle, people))
        }
        PersonQuery::Id(id) => {
            let person = index.inside.find_first_degree(&index.data.people.ids, id)?;
            Some((MatchedBy::Id, vec![person]))
        }
    }
}

/// The person of first degree whose name matches `name` best; ties go to the most edges, then the lesser id. No other
/// names are looked at.
fn find_first_degree_by_name(index: &GraphIndex, name: &str) -> Option<PersonIx> {
    let person = |place: u32| index.inside.first_degree[place as usize];
    let weight = |place| index.edge_count(person(place));
    Candidates { names: index.inside.names(), weight: &weight, among: None }
        .find(name)
        .map(|(_, place)| person(place))
}

fn coverage(index: &GraphIndex, person: PersonIx) -> Coverage {
    let member = index.near.standing(person).member;
    let as_member = member.is_some_and(|member| index.data.members.synced_at[member.0 as usize].is_some());
    let rows = &index.data.advocates;
    let first = rows.partition_point(|row| row.person < person);
    let as_advocate = rows[first..]
        .iter()
        .take_while(|row| row.person == person)
        .any(|row| row.status == AdvocateStatus::Accepted && row.synced_at.is_some());
    match (as_member || as_advocate, index.data.edges.out.edge_count(person)) {
        (true, _) => Coverage::Synced,
        (false, 0) => Coverage::None,
        (false, _) => Coverage::Derived,
    }
}
