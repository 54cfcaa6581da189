//! The from-set: the members that paths may start from, and their advocates.

use fixedbitset::FixedBitSet;

use crate::graph::advocacy::AdvocateIx;
use crate::graph::index::GraphIndex;
use crate::graph::near::Standing;
use crate::model::ix::MemberIx;

/// The from-set of a request.
#[derive(Debug)]
pub struct FromSet {
    /// `None` if the set is every member.
    chosen: Option<Chosen>,
    is_empty: bool,
}

#[derive(Debug)]
struct Chosen {
    members: FixedBitSet,
    /// The accepted advocates of those members.
    advocates: FixedBitSet,
}

impl FromSet {
    /// The set of `members`, or of every member if `None`. Costs the members' advocates.
    #[must_use]
    pub fn new(index: &GraphIndex, members: Option<&[MemberIx]>) -> Self {
        let Some(list) = members else {
            return Self { chosen: None, is_empty: index.data.members.is_empty() };
        };
        let mut members = FixedBitSet::with_capacity(index.data.members.len());
        let mut advocates = FixedBitSet::with_capacity(index.advocacy.len());
        for &member in list {
            members.insert(member.0 as usize);
            let helpers = index.advocacy.advocates_of(member);
            helpers.for_each(|advocate| advocates.insert(advocate.0 as usize));
        }
        Self { is_empty: list.is_empty(), chosen: Some(Chosen { members, advocates }) }
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Whether the set has every member.
    #[must_use]
    pub fn is_everybody(&self) -> bool {
        self.chosen.is_none()
    }

    /// Whether `member` is in the set.
    #[must_use]
    pub fn contains(&self, member: MemberIx) -> bool {
        self.chosen.as_ref().is_none_or(|chosen| chosen.members.contains(member.0 as usize))
    }

    /// Whether a person with `standing` is a member in the set.
    #[must_use]
    pub fn contains_standing(&self, standing: Standing) -> bool {
        standing.member.is_some_and(|member| self.contains(member))
    }

    /// Whether `advocate` helps a member in the set.
    #[must_use]
    pub fn has_advocate(&self, advocate: AdvocateIx) -> bool {
        self.chosen.as_ref().is_none_or(|chosen| chosen.advocates.contains(advocate.0 as usize))
    }
}
