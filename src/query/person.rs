//! One person as the organization sees them: how near they are, and how warm.

use crate::graph::index::GraphIndex;
use crate::model::ix::{MemberIx, PersonIx};
use crate::model::warmness::Warmness;

/// How near somebody of the organization's network is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Degree {
    /// A member, or known by one.
    First,
    /// Known by somebody of first degree.
    Second,
}

impl Degree {
    /// The degree's name in answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }
}

/// An edge that tells how warm a person is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarmestEdge {
    /// Who knows the person.
    pub from: PersonIx,
    /// How well.
    pub score: Warmness,
}

/// How near `person` is; nothing for somebody outside the network.
#[must_use]
pub fn degree(index: &GraphIndex, person: PersonIx) -> Option<Degree> {
    if index.near.is_first_degree(person) {
        return Some(Degree::First);
    }
    let bridges = index.near.row(person).bridges;
    bridges.iter().any(|edge| index.near.is_first_degree(PersonIx(edge.source))).then_some(Degree::Second)
}

/// The warmest edge from a member to `person`, ties by the member's person; nothing where every one
/// is unscored.
#[must_use]
pub fn warmest_from_members(index: &GraphIndex, person: PersonIx) -> Option<WarmestEdge> {
    let edge = index.near.row(person).members.first().filter(|edge| edge.score().score().is_some())?;
    Some(WarmestEdge { from: index.data.members.person(MemberIx(edge.source)), score: edge.score() })
}

/// The warmest edge from somebody of first degree to `person`; nothing where every one is unscored.
#[must_use]
pub fn warmest_from_first_degree(index: &GraphIndex, person: PersonIx) -> Option<WarmestEdge> {
    let bridges = index.near.row(person).bridges;
    let edge = bridges.iter().find(|edge| index.near.is_first_degree(PersonIx(edge.source)))?;
    let warmest = WarmestEdge { from: PersonIx(edge.source), score: edge.score() };
    warmest.score.score().is_some().then_some(warmest)
}

/// The members with an edge to `person`, by user id.
#[must_use]
pub fn known_by(index: &GraphIndex, person: PersonIx) -> Vec<MemberIx> {
    let mut members: Vec<MemberIx> =
        index.near.row(person).members.iter().map(|edge| MemberIx(edge.source)).collect();
    members.sort_unstable();
    members
}
