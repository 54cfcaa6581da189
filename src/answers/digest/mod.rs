//! What is new since the snapshot before, for `kith digest` and for the feed of the page: its sections, and the feed as Atom.
//!
//! Promise: A digest says who came within reach, what became of the targets, who moved, who went quiet, who may be there twice
//!   and which asks wait, each with how many there are in all; without a snapshot before, everything is new.
//! Control: the digest of a snapshot with itself, which has nothing new.
//! Also in: `tests/process/shell/weekly.rs`, `tests/api/explorer/feed.rs`.

use std::cmp::Reverse;
use std::collections::HashSet;

use crate::digest::section::{DigestSection, FirstOf, SHOWN_MAX};
use crate::graph::index::GraphIndex;
use crate::model::ix::MemberIx;
use crate::model::time::Timestamp;
use crate::query::changes::{Change, ChangeKind, Comparison, NotedChange};
use crate::query::members::data_as_of;
use crate::query::quiet::{QUIET_DAYS, QuietTie, quiet_ties};

mod atom;
pub(crate) mod cells;
pub(crate) mod doubles;
pub(crate) mod section;

/// The newest time in the tables of both snapshots, and the sections.
pub(crate) struct News<'a> {
    pub(crate) index: &'a GraphIndex,
    /// The newest time of the earlier ones; `None` if there are none, or no time is in them.
    pub(crate) since: Option<Timestamp>,
    pub(crate) sections: Vec<DigestSection<'a>>,
}

impl News<'_> {
    /// Whose it is, and from when to when.
    pub(crate) fn title(&self) -> String {
        let name = &self.index.data.organization.name;
        let day = |at: Timestamp| at.to_rfc3339_ms()[..10].to_owned();
        match (self.since.map(day), data_as_of(self.index).map(day)) {
            (Some(since), Some(until)) => format!("{name}: what is new from {since} to {until}"),
            (_, Some(until)) => format!("{name}: what is known on {until}"),
            _ => format!("{name}: what is new"),
        }
    }
}

/// Changes by what a digest does with them, each with how many there are in all: the warmest paths first.
pub(crate) struct FoundChanges<'a> {
    pub(crate) reachable: FirstOf<Change<'a>>,
    pub(crate) of_paths: FirstOf<Change<'a>>,
    pub(crate) moved: FirstOf<Change<'a>>,
}

const fn is_move(kind: ChangeKind) -> bool {
    matches!(kind, ChangeKind::Position | ChangeKind::Company)
}

impl<'a> FoundChanges<'a> {
    /// The changes of `noted`, which `comparison` noted, but for those that `is_left_out` names. Costs two walks for each that
    /// is shown.
    pub(crate) fn of(
        comparison: &Comparison<'a>,
        noted: &[NotedChange],
        is_left_out: &dyn Fn(&NotedChange) -> bool,
    ) -> Self {
        let wanted: [fn(ChangeKind) -> bool; 3] =
            [|kind| kind == ChangeKind::Reachable, |kind| !is_move(kind), is_move];
        let [reachable, of_paths, moved] = wanted.map(|is_wanted| {
            let fits = |change: &&NotedChange| is_wanted(change.kind()) && !is_left_out(change);
            let mut found: Vec<NotedChange> = noted.iter().filter(fits).copied().collect();
            let total = found.len();
            // Stable: of equally warm ones the first by id stay.
            found.sort_by_key(|change| Reverse(change.warmness()));
            found.truncate(SHOWN_MAX);
            FirstOf::of(comparison.look_up(&found).collect(), total)
        });
        Self { reachable, of_paths, moved }
    }
}

/// The ties of `member`, or of all members, that are quiet in `new` and were not in `old`.
pub(crate) fn newly_quiet<'a>(
    old: Option<&GraphIndex>,
    new: &'a GraphIndex,
    member: Option<MemberIx>,
) -> FirstOf<QuietTie<'a>> {
    let ends = |tie: &QuietTie<'_>| (tie.member.id.to_owned(), tie.person.id.to_owned());
    let of = |old: &GraphIndex| -> HashSet<_> {
        let same = member.map(|member| old.find_user(new.data.members.user_ids.get(member.0)));
        match same {
            Some(None) => HashSet::new(),
            same => quiet_ties(old, same.flatten(), QUIET_DAYS).iter().map(ends).collect(),
        }
    };
    let before = old.map(of).unwrap_or_default();
    let mut ties = quiet_ties(new, member, QUIET_DAYS);
    ties.retain(|tie| !before.contains(&ends(tie)));
    let total = ties.len();
    FirstOf::of(ties, total)
}
