//! Whom a given person is connected to, warmest first.

use crate::graph::index::GraphIndex;
use crate::model::dataset::AdvocateStatus;
use crate::model::ix::PersonIx;
use crate::query::handle::handle_of;
use crate::query::intro::is_requested;
use crate::query::page::Page;
use crate::query::paths::answer::Leg;
use crate::query::target::find_first_degree_by_name;

/// How the person is named.
#[derive(Clone, Copy, Debug)]
pub enum PersonQuery<'a> {
    /// By name, loosely.
    Name(&'a str),
    /// By handle or profile address.
    Handle(&'a str),
    /// By id.
    Id(&'a str),
}

/// How much of a person's network is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Their connections were imported.
    Synced,
    /// Some were observed.
    Derived,
    /// None is known.
    None,
}

impl Coverage {
    /// The coverage's name in answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Synced => "synced",
            Self::Derived => "derived",
            Self::None => "none",
        }
    }
}

/// The answer.
#[derive(Clone, Debug)]
pub struct PersonNetwork {
    /// Who was asked for.
    pub person: PersonIx,
    /// The edges of the page, warmest first.
    pub edges: Vec<Leg>,
    /// How many edges there are, those withheld left out.
    pub total: u64,
    /// How many were withheld because an introduction was asked for.
    pub excluded: u64,
    /// How much of the network is known.
    pub coverage: Coverage,
}

/// The network of the person that `query` names, who is a member or known by one; nothing where
/// there is nobody such, whoever else there is. A name is sought among those people alone.
///
/// Costs the person's edges.
#[must_use]
pub fn find(
    index: &GraphIndex,
    query: PersonQuery<'_>,
    include_intro_requested: bool,
    page: Page,
) -> Option<PersonNetwork> {
    let person = match query {
        PersonQuery::Name(name) => find_first_degree_by_name(index, name),
        PersonQuery::Handle(handle) => {
            index.inside.find_first_degree_by_handle(&index.data.people.handles, &handle_of(handle))
        }
        PersonQuery::Id(id) => index.inside.find_first_degree(&index.data.people.ids, id),
    }?;
    let row = index.data.edges.out.row(person);
    let is_open = |to: PersonIx| include_intro_requested || !is_requested(index, to);
    let total = row.ends.iter().filter(|&&to| is_open(to)).count();
    let open = row.iter().filter(|&(to, _)| is_open(to));
    let skipped = usize::try_from(page.offset).unwrap_or(usize::MAX);
    let edges = open
        .skip(skipped)
        .take(page.limit as usize)
        .map(|(to, score)| Leg { from: person, to, score })
        .collect();
    Some(PersonNetwork {
        person,
        edges,
        total: total as u64,
        excluded: (row.ends.len() - total) as u64,
        coverage: coverage(index, person),
    })
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
