//! What asks say of a path: how often its people are asked, and what it breaks.

use crate::model::time::Timestamp;
use crate::query::card::{MemberCard, PersonCard};

/// How often one is asked who makes introductions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConnectorAsks {
    /// Asks over them that are open.
    pub open: u32,
    /// Asks over them of the last days that were not withdrawn.
    pub recent: u32,
    /// When they no longer meet the cap; `None` if they do not.
    pub cool_until: Option<Timestamp>,
}

/// What was asked of a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TargetAsks<'a> {
    /// Asks about them that are open.
    pub open: u32,
    /// Who asked last, and when: of those that are open, or cool.
    pub latest: Option<(MemberCard<'a>, Timestamp)>,
    /// When they no longer cool; `None` if they do not.
    pub cool_until: Option<Timestamp>,
}

/// A preference that a path breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenPreference<'a> {
    /// What it says: `never` or `through`.
    pub rule: &'static str,
    /// Through whom a path may go.
    pub through: Option<PersonCard<'a>>,
    /// The last day on which it holds, `2026-11-27`.
    pub until: Option<String>,
}

/// What asks say of one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathMarks<'a> {
    /// Of its connector; on a direct path of the member.
    pub connector: ConnectorAsks,
    /// Of the person it leads to.
    pub target: TargetAsks<'a>,
    /// What it breaks.
    pub preference: Option<BrokenPreference<'a>>,
}
