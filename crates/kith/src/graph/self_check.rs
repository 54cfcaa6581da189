//! An independent check of a fresh index before it answers anybody: does it find what went in?
//!
//! It is cheap beside building the index, and no proof: it catches an index that is badly wrong. A fault is reported by
//! row numbers, never by the rows' content.

use std::fmt;

use crate::graph::index::GraphIndex;
use crate::graph::near_edge::NearEdge;
use crate::model::dataset::Dataset;
use crate::model::ix::{MemberIx, PersonIx};
use crate::model::text::plain;

/// Maximum number of people and of edges to look up; every member is looked up.
const SAMPLES_MAX: usize = 1_000;
/// Maximum number of handles and of addresses of one person to look up.
const ALIASES_MAX: usize = 10;

/// Row counts of the tables an index is built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// People.
    pub people: usize,
    /// Companies.
    pub companies: usize,
    /// Members.
    pub members: usize,
    /// Advocate rows.
    pub advocates: usize,
    /// Intro requests.
    pub intro_requests: usize,
    /// Ghost opportunities.
    pub opportunities: usize,
    /// Edges.
    pub edges: usize,
}

/// A fault of an index that must not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelfCheckError {
    /// Its row counts differ from those of the tables.
    Counts {
        /// The row counts of the tables.
        expected: Counts,
        /// Its own.
        got: Counts,
    },
    /// It does not find this member's person.
    Member(u32),
    /// It does not find this person by one of their texts.
    Person(u32),
    /// It does not find this edge, by position among the outgoing ones, from the other side.
    Edge(usize),
}

impl Counts {
    /// Counts the rows of `dataset`.
    #[must_use]
    pub fn of(dataset: &Dataset) -> Self {
        Self {
            people: dataset.people.len(),
            companies: dataset.companies.ids.len(),
            members: dataset.members.len(),
            advocates: dataset.advocates.len(),
            intro_requests: dataset.intro_requests.people.len(),
            opportunities: dataset.opportunities.ids.len(),
            edges: dataset.edges.out.ends.len(),
        }
    }
}

/// Checks that `index` answers for the tables with `expected` rows. Costs some look-ups per member, and for a bounded
/// number of people and edges.
///
/// # Errors
/// Returns the first look-up that fails.
pub fn check(index: &GraphIndex, expected: Counts) -> Result<(), SelfCheckError> {
    let got = Counts::of(&index.data);
    if got != expected {
        return Err(SelfCheckError::Counts { expected, got });
    }
    all(0..got.members as u32, |row| knows_member(index, MemberIx(row)), SelfCheckError::Member)?;
    let people = sample(got.people).map(|row| row as u32);
    all(people, |row| finds_person(index, PersonIx(row)), SelfCheckError::Person)?;
    all(sample(got.edges), |place| finds_edge(index, place), SelfCheckError::Edge)
}

/// Returns the first of `rows` that is not `sound`, as an error.
fn all<R: Copy>(
    mut rows: impl Iterator<Item = R>,
    sound: impl Fn(R) -> bool,
    error: impl Fn(R) -> SelfCheckError,
) -> Result<(), SelfCheckError> {
    rows.find(|&row| !sound(row)).map_or(Ok(()), |row| Err(error(row)))
}

/// Positions spread evenly over `0..count`, including the first and the last.
fn sample(count: usize) -> impl Iterator<Item = usize> {
    let step = count.div_ceil(SAMPLES_MAX).max(1);
    (0..count).step_by(step).chain(count.checked_sub(1))
}

fn knows_member(index: &GraphIndex, member: MemberIx) -> bool {
    let person = index.data.members.person(member);
    index.find_user(index.data.members.user_ids.get(member.0)) == Some(member)
        && (person.0 as usize) < index.data.people.len()
        && index.near.standing(person).member == Some(member)
        && index.near.is_first_degree(person)
}

fn finds_person(index: &GraphIndex, person: PersonIx) -> bool {
    let people = &index.data.people;
    let (handles, emails) = (people.handle_texts(), people.email_texts());
    let by_handle = |handle| index.person_handles.find_all(handles, handle).any(|row| row == person.0);
    let by_email = |email| index.person_emails.find_all(emails, email).any(|row| row == person.0);
    index.find_person(people.ids.get(person.0)) == Some(person)
        && index.person_names().equal(&plain(people.names.get(person.0))).any(|row| row == person.0)
        && handles.of(person).take(ALIASES_MAX).filter(|text| !text.is_empty()).all(by_handle)
        && emails.of(person).take(ALIASES_MAX).filter(|text| !text.is_empty()).all(by_email)
}

/// Whether the outgoing edge at `place` is found from its target, if it is a near edge.
fn finds_edge(index: &GraphIndex, place: usize) -> bool {
    let from = PersonIx(index.data.edges.out.offsets.row_of(place));
    let row = index.data.edges.out.row(from);
    let Some((to, score)) = row.iter().nth(place - row.start) else { return false };
    let (near, member) = (index.near.row(to), index.near.standing(from).member);
    let has =
        |edges: &[NearEdge], source| edges.iter().any(|edge| edge.source == source && edge.score() == score);
    let is_near = !index.near.is_first_degree(from) || has(near.bridges, from.0);
    is_near && member.is_none_or(|member| has(near.members, member.0))
}

impl fmt::Display for SelfCheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the index of it fails its self-check (")?;
        match self {
            Self::Counts { expected, got } => write!(f, "it has {got} and the snapshot {expected}")?,
            Self::Member(row) => write!(f, "member {row} is not known as a person")?,
            Self::Person(row) => write!(f, "person {row} is not found")?,
            Self::Edge(place) => write!(f, "edge {place} is not found from its other side")?,
        }
        write!(f, "); this is a fault of the program: report it")
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} people, {} companies, {} members, {} advocate rows, {} intro requests, {} opportunities, {} edges",
            self.people,
            self.companies,
            self.members,
            self.advocates,
            self.intro_requests,
            self.opportunities,
            self.edges
        )
    }
}

impl std::error::Error for SelfCheckError {}
