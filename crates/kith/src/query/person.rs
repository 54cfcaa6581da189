//! One person from the organization's view: degree, warmness, and requested introductions.

use std::cmp::Reverse;

use crate::graph::index::GraphIndex;
use crate::graph::near_edge::NearEdge;
use crate::graph::requested::AskedFor;
use crate::model::ix::{MemberIx, PersonIx};
use crate::model::named::named;
use crate::model::time::Timestamp;
use crate::query::card::{Employer, MemberCard, PersonCard};
use crate::query::evidence::{EdgeReasons, EvidenceEntry};
use crate::query::leg::Leg;

/// The distance of a person of the organization's network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Degree {
    /// A member, or known by one.
    First,
    /// Known by a person of first degree.
    Second,
}

named! {
    /// Both, the nearer one first.
    Degree { First = "first", Second = "second" }
}

/// The warmest edge to a person; edges without a score are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarmestEdge<'a> {
    /// Its score, from 0 to 100.
    pub score: u8,
    /// The breakdown of the score, compact JSON, if there is one.
    pub breakdown: Option<&'a str>,
}

/// The intro request that annotates a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntroAnnotation<'a> {
    /// The status of the request, as it came.
    pub status: &'a str,
    /// The name of the member who asked.
    pub requested_by: &'a str,
    /// When they asked.
    pub requested_at: Timestamp,
}

/// An optional part of an answer about one person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PersonExtra {
    /// The evidence of the score of the warmest edge.
    Evidence,
    /// The members who know them.
    Ties,
}

named! {
    /// All of them.
    PersonExtra { Evidence = "evidence", Ties = "ties" }
}

/// The answer about one person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonProfile<'a> {
    /// The person, by id and name.
    pub person: PersonCard<'a>,
    /// The city they live in.
    pub city: Option<&'a str>,
    /// The company they work for.
    pub employer: Option<Employer<'a>>,
    /// The number of connections they state.
    pub connections_count: Option<u64>,
    /// Their degree.
    pub degree: Degree,
    /// First degree only: the warmest edge from a member.
    pub warmest: Option<WarmestEdge<'a>>,
    /// The reasons for its score as sentences; empty if there are none.
    pub signals: EdgeReasons<'a>,
    /// The evidence of its score, if requested; empty if there is none.
    pub evidence: Vec<EvidenceEntry<'a>>,
    /// The members who know them, if requested.
    pub ties: Option<Vec<MemberTie<'a>>>,
    /// The introduction that the organization already requested.
    pub intro: Option<IntroAnnotation<'a>>,
}

/// A member who knows a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberTie<'a> {
    /// The member.
    pub member: MemberCard<'a>,
    /// The score, from 0 to 100.
    pub warmness: Option<u8>,
    /// The first and the last time in the evidence, if there is any.
    pub between: Option<(Timestamp, Timestamp)>,
}

/// The members with an edge to `person`, warmest first, unscored last, then by user id; empty for a person of second
/// degree. Costs two binary searches in the table of evidence for each.
#[must_use]
pub fn ties(index: &GraphIndex, person: PersonIx) -> Vec<MemberTie<'_>> {
    let evidence = &index.data.evidence;
    let mut edges: Vec<_> = index.near.row(person).members.iter().collect();
    edges.sort_unstable_by_key(|edge| (Reverse(edge.score().score()), edge.source));
    let tie = |edge: &NearEdge| {
        let member = MemberIx(edge.source);
        let rows = evidence.rows_of(index.data.members.person(member), person);
        // Newest first.
        let at = &evidence.at[rows];
        MemberTie {
            member: MemberCard::of(index, member),
            warmness: edge.score().score(),
            between: at.last().copied().zip(at.first().copied()),
        }
    };
    edges.into_iter().map(tie).collect()
}

/// Returns the person with this id, or `None` if nobody of first or second degree has it. People outside are not looked
/// at: a look-up of one takes the same steps as one of nobody.
#[must_use]
pub fn find<'a>(index: &'a GraphIndex, id: &str) -> Option<PersonProfile<'a>> {
    find_with(index, id, &[])
}

/// Like [`find`], with the requested `extras`.
#[must_use]
pub fn find_with<'a>(index: &'a GraphIndex, id: &str, extras: &[PersonExtra]) -> Option<PersonProfile<'a>> {
    let person = index.inside.find(&index.data.people.ids, id)?;
    let degree = degree(index, person)?;
    let leg = match degree {
        Degree::First => warmest_member_leg(index, person).filter(|leg| leg.score.score().is_some()),
        Degree::Second => None,
    };
    let reasons = leg.map(|leg| (leg.score.score(), leg.reasons(index)));
    let warmest = reasons
        .as_ref()
        .and_then(|(score, reasons)| Some(WarmestEdge { score: (*score)?, breakdown: reasons.breakdown }));
    let evidence = leg.filter(|_| extras.contains(&PersonExtra::Evidence)).map(|leg| leg.evidence(index));
    Some(PersonProfile {
        person: PersonCard::of(index, person),
        city: index.data.people.cities.value(person.0),
        employer: Employer::of(index, person),
        connections_count: index.data.people.connections_count(person),
        degree,
        warmest,
        signals: reasons.map_or_else(EdgeReasons::default, |(_, reasons)| reasons.signals),
        evidence: evidence.unwrap_or_default(),
        ties: extras.contains(&PersonExtra::Ties).then(|| ties(index, person)),
        intro: annotation(index, person),
    })
}

/// Returns the degree of `person`, or `None` if they are outside the network.
#[must_use]
pub fn degree(index: &GraphIndex, person: PersonIx) -> Option<Degree> {
    if index.near.is_first_degree(person) {
        return Some(Degree::First);
    }
    let bridges = index.near.row(person).bridges;
    bridges.iter().any(|edge| index.near.is_first_degree(PersonIx(edge.source))).then_some(Degree::Second)
}

/// Returns the warmest edge to `person`, who is of `degree`, from the people one step nearer: from members
/// to first degree, from first degree to second. `None` if no such edge has a score.
#[must_use]
pub fn warmest_edge(index: &GraphIndex, person: PersonIx, degree: Degree) -> Option<WarmestEdge<'_>> {
    match degree {
        Degree::First => warmest_from_members(index, person),
        Degree::Second => warmest_from_first_degree(index, person),
    }
}

fn warmest_from_members(index: &GraphIndex, person: PersonIx) -> Option<WarmestEdge<'_>> {
    scored(index, warmest_member_leg(index, person)?)
}

/// The warmest edge from a member to `person`, ties by the member's person.
fn warmest_member_leg(index: &GraphIndex, person: PersonIx) -> Option<Leg> {
    let edge = index.near.row(person).members.first()?;
    let from = index.data.members.person(MemberIx(edge.source));
    Some(Leg { from, to: person, score: edge.score() })
}

/// The warmest edge from a person of first degree to `person`.
fn warmest_from_first_degree(index: &GraphIndex, person: PersonIx) -> Option<WarmestEdge<'_>> {
    let bridges = index.near.row(person).bridges;
    let edge = bridges.iter().find(|edge| index.near.is_first_degree(PersonIx(edge.source)))?;
    scored(index, Leg { from: PersonIx(edge.source), to: person, score: edge.score() })
}

fn scored(index: &GraphIndex, leg: Leg) -> Option<WarmestEdge<'_>> {
    Some(WarmestEdge { score: leg.score.score()?, breakdown: leg.breakdown(index) })
}

/// The user ids of the members with an edge to `person`, ascending.
#[must_use]
pub fn known_by(index: &GraphIndex, person: PersonIx) -> Vec<&str> {
    let mut members: Vec<u32> = index.near.row(person).members.iter().map(|edge| edge.source).collect();
    members.sort_unstable();
    members.into_iter().map(|member| index.data.members.user_ids.get(member)).collect()
}

/// The status of a requested introduction.
const ACTIVE: &str = "ACTIVE";

/// Returns the intro request to show for `person`: the latest, or `None` if there is none. Costs a binary
/// search if there is one.
#[must_use]
pub fn annotation(index: &GraphIndex, person: PersonIx) -> Option<IntroAnnotation<'_>> {
    if !is_requested(index, person) {
        return None;
    }
    let requests = &index.data.intro_requests;
    let row = index.intro_requests_to(person).next();
    let of_table = row.map(|row| {
        let asked = AskedFor { at: requests.requested_at[row], by: requests.requested_by[row] };
        (asked, requests.statuses.get(row as u32))
    });
    let of_asks = index.requested.latest_ask(person).map(|asked| (asked, ACTIVE));
    let (asked, status) = of_table.max(of_asks)?;
    let requested_by = MemberCard::of(index, asked.by).name;
    Some(IntroAnnotation { status, requested_by, requested_at: asked.at })
}

/// Whether the organization requested an introduction to `person`.
#[must_use]
pub fn is_requested(index: &GraphIndex, person: PersonIx) -> bool {
    index.requested.has(person)
}
