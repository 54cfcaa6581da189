//! The result of a search for warm paths, by number: the target, the paths of the page, and the extent of the search.

use crate::graph::advocacy::AdvocateIx;
use crate::graph::index::GraphIndex;
use crate::model::ix::{CompanyIx, MemberIx, PersonIx};
use crate::model::warmness::{Warmness, three_legs, two_legs};
use crate::query::leg::Leg;
use crate::query::paths::kept::KeptPath;
use crate::query::paths::matched::Matched;
use crate::query::paths::rank::PathPeople;
use crate::query::paths::reasons::PathReason;
use crate::query::paths::request::PathType;
use crate::query::paths::target::Target;

/// The extent of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathCoverage {
    /// The number of people who were targets.
    pub candidates: u32,
    /// Company mode: the maximum number of candidates.
    pub candidates_cap: Option<u32>,
    /// Whether that bound left an employee out.
    pub candidates_capped: bool,
    /// Whether a bound left out an edge of a second-degree path, for any target.
    pub second_degree_capped: bool,
    /// Company mode: employees withheld because an introduction to them was already requested.
    pub excluded_intro_requested: u32,
}

impl PathCoverage {
    /// Whether any bound left something out.
    #[must_use]
    pub fn is_capped(&self) -> bool {
        self.candidates_capped || self.second_degree_capped
    }
}

/// The answer to a request.
#[derive(Clone, Debug)]
pub struct PathAnswer {
    /// The person or company that the request means, if any was found.
    pub target: Option<Target>,
    /// The paths of the page, in the order of their keys (`rank`).
    pub paths: Vec<WarmPath>,
    /// The number of paths within the bounds.
    pub total: u64,
    /// The extent of the search.
    pub coverage: PathCoverage,
    /// How the target was found, if requested.
    pub matched: Option<Matched>,
    /// Why there is no path, or fewer than possible, if requested.
    pub reasons: Option<Vec<PathReason>>,
    /// The nearest people and paths, if requested and the target was not found or has no path.
    pub near: Option<NearTarget>,
    /// Whether the request asked for the evidence of the legs.
    pub wants_evidence: bool,
}

/// The people and paths nearest to a target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NearTarget {
    /// The people whose names are nearest, at most [`crate::limits::NEAR_PEOPLE_MAX`].
    pub people: Vec<PersonIx>,
    /// The firm named, else the person's company.
    pub company: Option<CompanyIx>,
    /// The warmest paths to anybody at that company, at most [`crate::limits::NEAR_PATHS_MAX`].
    pub paths: Vec<WarmPath>,
}

/// The advocate whom a member contacts first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViaAdvocate {
    /// The advocate.
    pub person: PersonIx,
    /// How well the member knows them.
    pub score: Warmness,
}

/// One warm path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarmPath {
    /// Its type.
    pub kind: PathType,
    /// The member the path starts from.
    pub member: MemberIx,
    /// The person who makes the introduction; on a direct path the member.
    pub connector: PersonIx,
    /// The person the path leads to.
    pub target: PersonIx,
    /// The advocate, on a path over an advocate's contact.
    pub via: Option<ViaAdvocate>,
    /// The whole path's score, from 0 to 100.
    pub warmness: u32,
    /// The score from the member to the connector, from 0 to 100; 100 on a direct path.
    pub to_connector: u32,
    /// The edge from the member to the connector; `None` unless the path has exactly one.
    pub first_leg: Option<Leg>,
    /// The edge to the target.
    pub last_leg: Leg,
    /// The number of paths grouped behind it; `None` if paths are not grouped.
    pub alternatives: Option<u64>,
}

impl WarmPath {
    /// The people on the path.
    #[must_use]
    pub fn people(&self, index: &GraphIndex) -> PathPeople {
        PathPeople {
            member: index.data.members.person(self.member),
            via: self.via.map(|via| via.person),
            connector: self.connector,
            target: self.target,
        }
    }

    /// Looks up the legs of the path in `kept`. Costs the incoming near edges of its people.
    #[must_use]
    pub fn look_up(index: &GraphIndex, kept: &KeptPath) -> Self {
        let KeptPath { key, alternatives } = kept;
        let (kind, member) = (key.kind(), key.member());
        let (connector, target) = (key.connector(), key.target());
        let own = index.data.members.person(member);
        let last_leg = match key.last_leg() {
            // An edge that has no score, or the score 0.
            0 => bridge_leg(index, connector, target),
            weight => Leg { from: connector, to: target, score: Warmness::from_coldness(100 - weight as u8) },
        };
        let last = last_leg.score.weight();
        let via = key.advocate().map(|advocate| via_advocate(index, member, advocate));
        let first_leg = match kind {
            PathType::Direct | PathType::AdvocateSecondDegree => None,
            PathType::Advocate | PathType::SecondDegree => Some(member_leg(index, member, own, connector)),
        };
        let (to_connector, warmness) = match (first_leg, via) {
            (Some(first), _) => (first.score.weight(), two_legs(first.score.weight(), last)),
            (None, None) => (100, last),
            (None, Some(via)) => {
                let middle = bridge_leg(index, via.person, connector).score.weight();
                let first = via.score.weight();
                (two_legs(first, middle), three_legs(first, middle, last))
            }
        };
        Self {
            kind,
            member,
            connector,
            target,
            via,
            warmness,
            to_connector,
            first_leg,
            last_leg,
            alternatives: *alternatives,
        }
    }
}

fn via_advocate(index: &GraphIndex, member: MemberIx, advocate: AdvocateIx) -> ViaAdvocate {
    let helped = index.advocacy.helped_by(advocate).iter().find(|helped| helped.member == member);
    let score = helped.map_or(Warmness::UNSCORED, |helped| helped.score);
    ViaAdvocate { person: index.advocacy.person(advocate), score }
}

fn member_leg(index: &GraphIndex, member: MemberIx, from: PersonIx, to: PersonIx) -> Leg {
    let edge = index.near.row(to).members.iter().find(|edge| edge.source == member.0);
    Leg { from, to, score: edge.map_or(Warmness::UNSCORED, |edge| edge.score()) }
}

fn bridge_leg(index: &GraphIndex, from: PersonIx, to: PersonIx) -> Leg {
    let edge = index.near.row(to).bridges.iter().find(|edge| edge.source == from.0);
    Leg { from, to, score: edge.map_or(Warmness::UNSCORED, |edge| edge.score()) }
}
