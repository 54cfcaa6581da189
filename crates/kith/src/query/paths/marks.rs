//! Marks of asks on a path: how often its people are asked, and which preference it breaks.

use crate::model::time::Timestamp;
use crate::query::card::{MemberCard, PersonCard};

/// How often a connector is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConnectorAsks {
    /// Open asks over them.
    pub open: u32,
    /// Asks over them within the cap's period that were not withdrawn.
    pub recent: u32,
    /// When they stop meeting the cap, if they meet it.
    pub cool_until: Option<Timestamp>,
}

/// The asks for a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TargetAsks<'a> {
    /// Open asks about them.
    pub open: u32,
    /// The asker and time of the latest ask that is open or still cools.
    pub latest: Option<(MemberCard<'a>, Timestamp)>,
    /// When they stop cooling, if they cool.
    pub cool_until: Option<Timestamp>,
}

/// A preference that a path breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenPreference<'a> {
    /// The rule: `never` or `through`.
    pub rule: &'static str,
    /// The person through whom a path may go.
    pub through: Option<PersonCard<'a>>,
    /// The last day on which it applies, such as `2026-11-27`.
    pub until: Option<String>,
}

/// The marks on one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathMarks<'a> {
    /// The asks over its connector; on a direct path over the member.
    pub connector: ConnectorAsks,
    /// The asks for the person it leads to.
    pub target: TargetAsks<'a>,
    /// The preference that it breaks, if any.
    pub preference: Option<BrokenPreference<'a>>,
}
