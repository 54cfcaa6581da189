//! The order of paths, packed so that comparing two paths compares three numbers.

use crate::graph::advocacy::AdvocateIx;
use crate::graph::index::GraphIndex;
use crate::model::ix::{MemberIx, PersonIx};
use crate::query::paths::request::PathType;

/// A path's sort key: tier, warmness descending, last leg descending, member, connector, target, advocate. No two paths
/// have the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PathKey {
    /// From the top, a byte each: 100 less the warmness if it comes first, else 0; type; 100 less the warmness; 100
    /// less the last leg; then the member.
    tier_and_member: u64,
    /// Connector, then target.
    connector_and_target: u64,
    /// The advocate contacted first; 0 on paths without one.
    via: u32,
}

/// The people on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathPeople {
    /// The member the path starts from.
    pub member: PersonIx,
    /// The advocate contacted first.
    pub via: Option<PersonIx>,
    /// The person who makes the introduction; on a direct path the member.
    pub connector: PersonIx,
    /// The person the path leads to.
    pub target: PersonIx,
}

impl PathKey {
    /// The key of a path of type `kind` from `member` over `connector` to `target`.
    #[must_use]
    pub fn new(
        kind: PathType,
        warmness: u32,
        last_leg: u32,
        member: MemberIx,
        connector: PersonIx,
        target: PersonIx,
    ) -> Self {
        let tier_and_member =
            (kind as u64) << 48 | tier_cold(warmness) << 40 | tier_cold(last_leg) << 32 | u64::from(member.0);
        let connector_and_target = u64::from(connector.0) << 32 | u64::from(target.0);
        Self { tier_and_member, connector_and_target, via: 0 }
    }

    /// The least possible key of a path over `connector` to `target` with this type, warmness and last leg.
    #[must_use]
    pub fn floor(
        kind: PathType,
        warmness: u32,
        last_leg: u32,
        connector: PersonIx,
        target: PersonIx,
    ) -> Self {
        Self::new(kind, warmness, last_leg, MemberIx(0), connector, target)
    }

    /// The same path, ordered by warmness before type. Keys of the two orders cannot be compared.
    #[must_use]
    pub fn warmest_first(self) -> Self {
        let cold = self.tier_and_member >> 40 & 0xff;
        Self { tier_and_member: self.tier_and_member | cold << 56, ..self }
    }

    /// The same path, over `advocate`.
    #[must_use]
    pub fn via(self, advocate: AdvocateIx) -> Self {
        Self { via: advocate.0, ..self }
    }

    /// The path's type.
    #[must_use]
    pub fn kind(&self) -> PathType {
        match self.tier_and_member >> 48 & 0xff {
            0 => PathType::Direct,
            1 => PathType::Advocate,
            2 => PathType::SecondDegree,
            _ => PathType::AdvocateSecondDegree,
        }
    }

    /// The path's warmness, from 0 to 100.
    #[must_use]
    pub fn warmness(&self) -> u32 {
        100 - (self.tier_and_member >> 40 & 0xff) as u32
    }

    /// The weight of the path's last leg, from 0 to 100.
    #[must_use]
    pub fn last_leg(&self) -> u32 {
        100 - (self.tier_and_member >> 32 & 0xff) as u32
    }

    /// The member the path starts from.
    #[must_use]
    pub fn member(&self) -> MemberIx {
        MemberIx(self.tier_and_member as u32)
    }

    /// Its connector.
    #[must_use]
    pub fn connector(&self) -> PersonIx {
        PersonIx((self.connector_and_target >> 32) as u32)
    }

    /// Returns the person the path leads to.
    #[must_use]
    pub fn target(&self) -> PersonIx {
        PersonIx(self.connector_and_target as u32)
    }

    /// The people on the path.
    #[must_use]
    pub fn people(&self, index: &GraphIndex) -> PathPeople {
        PathPeople {
            member: index.data.members.person(self.member()),
            via: self.advocate().map(|advocate| index.advocacy.person(advocate)),
            connector: self.connector(),
            target: self.target(),
        }
    }

    /// The advocate, on a path over an advocate's contact.
    #[must_use]
    pub fn advocate(&self) -> Option<AdvocateIx> {
        (self.kind() == PathType::AdvocateSecondDegree).then_some(AdvocateIx(self.via))
    }
}

/// 100 less a score: ascends as warmness descends.
fn tier_cold(score: u32) -> u64 {
    u64::from(100 - score.min(100))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(kind: PathType, warmness: u32, last: u32, ends: [u32; 3], via: u32) -> PathKey {
        let [member, connector, target] = ends;
        PathKey::new(kind, warmness, last, MemberIx(member), PersonIx(connector), PersonIx(target))
            .via(AdvocateIx(via))
    }

    #[test]
    fn keys_order_by_each_part_in_turn() {
        let ascending = [
            key(PathType::Direct, 0, 0, [9, 9, 9], 0),
            key(PathType::Advocate, 100, 1, [9, 9, 9], 0),
            key(PathType::SecondDegree, 80, 10, [9, 9, 9], 0),
            key(PathType::SecondDegree, 79, 90, [9, 9, 9], 0),
            key(PathType::SecondDegree, 79, 89, [1, 9, 9], 0),
            key(PathType::SecondDegree, 79, 89, [2, 3, 9], 0),
            key(PathType::SecondDegree, 79, 89, [2, 4, 1], 0),
            key(PathType::SecondDegree, 79, 89, [2, 4, 2], 0),
            key(PathType::AdvocateSecondDegree, 79, 89, [2, 4, 2], 3),
            key(PathType::AdvocateSecondDegree, 79, 89, [2, 4, 2], 4),
        ];
        assert!(ascending.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn keys_give_back_what_they_were_made_of() {
        let key = key(PathType::AdvocateSecondDegree, 7, 3, [u32::MAX, 5, u32::MAX - 1], 8);
        assert_eq!((key.kind(), key.warmness(), key.last_leg()), (PathType::AdvocateSecondDegree, 7, 3));
        assert_eq!((key.member(), key.connector()), (MemberIx(u32::MAX), PersonIx(5)));
        assert_eq!((key.target(), key.advocate()), (PersonIx(u32::MAX - 1), Some(AdvocateIx(8))));
        let floor =
            |warmness, last| PathKey::floor(key.kind(), warmness, last, PersonIx(5), PersonIx(u32::MAX - 1));
        assert!(floor(7, 3) <= key && floor(6, 100) > key);
        let warmest = key.warmest_first();
        assert_eq!(
            (warmest.kind(), warmest.member(), warmest.target()),
            (key.kind(), key.member(), key.target())
        );
        assert_eq!((warmest.advocate(), warmest.warmness()), (Some(AdvocateIx(8)), 7));
    }

    #[test]
    fn warmest_first_a_worse_type_comes_after_a_better_one_only_if_they_are_as_warm() {
        let ascending = [
            key(PathType::AdvocateSecondDegree, 81, 0, [9, 9, 9], 1),
            key(PathType::Direct, 80, 1, [9, 9, 9], 0),
            key(PathType::SecondDegree, 80, 90, [1, 1, 1], 0),
            key(PathType::SecondDegree, 80, 89, [1, 1, 1], 0),
            key(PathType::Direct, 0, 0, [1, 1, 1], 0),
        ];
        assert!(ascending.windows(2).all(|pair| pair[0].warmest_first() < pair[1].warmest_first()));
    }
}
