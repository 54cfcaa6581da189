//! The observations of each pair of people. Those of all owners are added up, and each day counts once.

use std::collections::{BTreeMap, BTreeSet};

use crate::dates::CalendarDay;
use crate::derived::known::KnownMail;
use crate::derived::seen::{Node, Nodes, Sight};
use crate::derived::view::Known;
use crate::people::GONE;
use crate::score::evidence::{EvidenceKind, TieEvidence};
use crate::score::seen_together::note;
use crate::ties::sources;

/// Minimum number of days on which one wrote, or both met.
const DAYS_MIN: usize = 2;

/// An observed pair of people.
#[derive(Debug)]
pub(crate) struct DerivedPair {
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Whether each wrote to the other.
    pub(crate) is_both: bool,
    /// Days on which either wrote to the other; only `from` to `to` unless both wrote.
    pub(crate) wrote: usize,
    /// Days on which they met.
    pub(crate) met: usize,
    /// Days of either kind, each once.
    pub(crate) days: usize,
    pub(crate) last: CalendarDay,
    pub(crate) owners: BTreeSet<u32>,
    /// Whether the mail of `from` shows that they know `to`; `None` without mail to check.
    pub(crate) known: Option<bool>,
}

impl Known<'_> {
    /// The pairs of `sights`, between people who are known or, by `nodes`, may become so.
    pub(super) fn pairs(&self, sights: &[Sight], nodes: &Nodes) -> Pairs {
        let sources = sources(self.gathered);
        let mut pairs = Pairs::default();
        for sight in sights {
            let [from, to] = [sight.from, sight.to].map(|text| nodes.node(text, self.people));
            let owner = self.people.holder(sight.holder);
            let (Some(from), Some(to)) = (from, to) else { continue };
            if owner != GONE && from != to && from.person() != Some(owner) && to.person() != Some(owner) {
                pairs.add((from, to), sight, owner, sources[sight.file as usize]);
            }
        }
        if let Some(from) = self.plan.kept_from(self.as_of) {
            pairs.keep_from(from);
        }
        pairs
    }

    /// Whether an edge leads from one of `pair` to the other, whatever else is known of them.
    pub(super) fn is_tie(
        &self,
        pair: &SeenPair,
        back: Option<&SeenPair>,
        from: u32,
        to: Option<u32>,
    ) -> bool {
        let sees = |holder: &u32| self.ties.has(*holder, from);
        let is_allowed = !self.is_no_source(from) && to.is_none_or(|to| !self.is_member(to));
        is_allowed && pair.is_enough(back) && pair.holders.iter().any(sees)
    }
}

#[derive(Debug, Default)]
pub(crate) struct Pairs {
    pub(crate) all: BTreeMap<(Node, Node), SeenPair>,
}

/// The observations from one person to another.
#[derive(Debug, Default)]
pub(crate) struct SeenPair {
    pub(crate) wrote: BTreeSet<CalendarDay>,
    pub(crate) met: BTreeSet<CalendarDay>,
    /// The holders who saw it.
    pub(crate) holders: BTreeSet<u32>,
    pub(super) owners: BTreeSet<u32>,
    /// The last observation of each kind.
    pub(super) last_wrote: Option<Last>,
    pub(super) last_met: Option<Last>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Last {
    day: CalendarDay,
    source: std::cmp::Reverse<u32>,
    holder: std::cmp::Reverse<u32>,
}

impl Pairs {
    pub(crate) fn add(&mut self, between: (Node, Node), sight: &Sight, owner: u32, source: u32) {
        let pair = self.all.entry(between).or_default();
        let (days, last) = if sight.is_meeting {
            (&mut pair.met, &mut pair.last_met)
        } else {
            (&mut pair.wrote, &mut pair.last_wrote)
        };
        days.insert(sight.day);
        let (source, holder) = (std::cmp::Reverse(source), std::cmp::Reverse(sight.holder));
        *last = (*last).max(Some(Last { day: sight.day, source, holder }));
        pair.holders.insert(sight.holder);
        pair.owners.insert(owner);
    }

    /// Removes the pairs without an observation on `from` or later.
    fn keep_from(&mut self, from: CalendarDay) {
        let is_old = |((one, other), pair): (&(Node, Node), &SeenPair)| {
            let days = pair.days(self.all.get(&(*other, *one)));
            days.last().is_none_or(|last| *last < from).then_some((*one, *other))
        };
        let old: Vec<(Node, Node)> = self.all.iter().filter_map(is_old).collect();
        old.iter().for_each(|pair| drop(self.all.remove(pair)));
    }
}

impl SeenPair {
    /// Whether it is enough for an edge; `back` has the observations in the other direction.
    pub(crate) fn is_enough(&self, back: Option<&Self>) -> bool {
        self.is_both(back) || self.wrote.len() >= DAYS_MIN || self.met.len() >= DAYS_MIN
    }

    /// Whether each wrote to the other.
    pub(crate) fn is_both(&self, back: Option<&Self>) -> bool {
        !self.wrote.is_empty() && back.is_some_and(|back| !back.wrote.is_empty())
    }

    /// The days on which one wrote to the other: in both directions if both wrote.
    fn days_written(&self, back: Option<&Self>) -> BTreeSet<CalendarDay> {
        let back = back.filter(|_| self.is_both(back)).into_iter().flat_map(|back| &back.wrote);
        self.wrote.iter().chain(back).copied().collect()
    }

    /// The days of either kind.
    pub(crate) fn days(&self, back: Option<&Self>) -> BTreeSet<CalendarDay> {
        let mut days = self.days_written(back);
        days.extend(&self.met);
        days
    }

    pub(crate) fn line(
        &self,
        (from, to): (u32, u32),
        back: Option<&Self>,
        known: &mut KnownMail<'_>,
    ) -> DerivedPair {
        let is_both = self.is_both(back);
        let of_back = back.filter(|_| is_both).into_iter().flat_map(|back| &back.owners);
        let owners: BTreeSet<u32> = self.owners.iter().chain(of_back).copied().collect();
        let days = self.days(back);
        DerivedPair {
            from,
            to,
            is_both,
            wrote: self.days_written(back).len(),
            met: self.met.len(),
            days: days.len(),
            last: days.last().copied().unwrap_or(CalendarDay { year: 1970, month: 1, day: 1 }),
            known: known.is_known(from, to, &owners),
            owners,
        }
    }

    /// The rows of evidence; `name` returns a holder's name.
    pub(crate) fn evidence<'n>(
        &self,
        back: Option<&Self>,
        name: impl Fn(u32) -> &'n str,
    ) -> Vec<TieEvidence> {
        let written_days = self.days_written(back);
        let back = back.filter(|_| self.is_both(back));
        let last_wrote = self.last_wrote.max(back.and_then(|back| back.last_wrote));
        let row = |kind, days: &BTreeSet<CalendarDay>, last: Option<Last>| {
            let (last, first) = (last?, days.first()?);
            let all: BTreeSet<u32> =
                self.holders.iter().chain(back.into_iter().flat_map(|back| &back.holders)).copied().collect();
            let more = all.len().saturating_sub(1);
            let note = note(kind, days.len(), *first, name(last.holder.0), more);
            Some(TieEvidence { kind, at: last.day, source: last.source.0, note })
        };
        let wrote = row(EvidenceKind::InCopy, &written_days, last_wrote);
        let met = row(EvidenceKind::MetWith, &self.met, self.last_met);
        wrote.into_iter().chain(met).collect()
    }
}
