//! The first path to a person in the order of `sort=warmness`, from every member and of every type.

use crate::graph::index::GraphIndex;
use crate::limits::Limits;
use crate::model::ix::PersonIx;
use crate::query::card::{MemberCard, PersonCard};
use crate::query::page::Page;
use crate::query::paths::from_set::FromSet;
use crate::query::paths::kept::KeptPaths;
use crate::query::paths::rank::PathKey;
use crate::query::paths::request::{PathRequest, PathSort, PathType, PathTypes, TargetQuery};
use crate::query::paths::walk::Walk;

/// Only the first path is needed.
const FIRST: Page = Page { limit: 1, offset: 0 };
const NOBODY: TargetQuery<'_> = TargetQuery::PersonId("");

/// The warmest path to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarmestPath<'a> {
    /// The path's score, from 0 to 100.
    pub warmness: u32,
    /// Its type.
    pub kind: PathType,
    /// The member the path starts from.
    pub from: MemberCard<'a>,
    /// The person who makes the introduction; on a direct path the member.
    pub connector: PersonCard<'a>,
}

/// Finds the warmest paths to many people of one network.
#[derive(Debug)]
pub struct WarmestPaths<'a> {
    index: &'a GraphIndex,
    limits: &'a Limits,
    from: FromSet,
}

impl<'a> WarmestPaths<'a> {
    /// The best paths from every member of `index`, within `limits`.
    #[must_use]
    pub fn new(index: &'a GraphIndex, limits: &'a Limits) -> Self {
        Self { index, limits, from: FromSet::new(index, None) }
    }

    /// The warmest path to `person`, if any. Costs a walk, as [`find`](crate::query::paths::find) does.
    #[must_use]
    pub fn to(&self, person: PersonIx) -> Option<WarmestPath<'a>> {
        self.key_to(person).map(|key| self.look_up(key))
    }

    /// Like [`Self::to`], by key.
    #[must_use]
    pub fn key_to(&self, person: PersonIx) -> Option<PathKey> {
        // The person is already known, so the target of the request is ignored.
        let request = PathRequest { sort: PathSort::Warmness, ..PathRequest::to(NOBODY, FIRST) };
        let mut walk =
            Walk::new(self.index, &self.from, PathTypes::ALL, self.limits, KeptPaths::new(&request));
        walk.walk_targets(&[person]);
        let (kept, ..) = walk.finish();
        kept.first().map(|path| path.key)
    }

    /// Looks up the path with `key`, which must come from [`Self::key_to`].
    #[must_use]
    pub fn look_up(&self, key: PathKey) -> WarmestPath<'a> {
        WarmestPath {
            warmness: key.warmness(),
            kind: key.kind(),
            from: MemberCard::of(self.index, key.member()),
            connector: PersonCard::of(self.index, key.connector()),
        }
    }
}
