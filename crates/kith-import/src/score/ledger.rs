//! Counts messages, invitations, mail and meetings per tie.
//!
//! People are keys here: the keys of an import, or an address if no more is known. After everything was
//! added, [`TieLedger::is_answered`] decides whether an address is a person of its own.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::dates::CalendarDay;
use crate::limits::IMPORT_OTHERS_MAX;
use crate::score::event::{TieEvent, TieEventKind};
use crate::score::evidence::{EvidenceKind, Seen, TieEvidence, newest_of};
use crate::score::tie::{Exchange, InvitedBy, Meetings, Tie};

/// Why an event counts for no tie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uncounted {
    /// The owner of the file is neither sender nor recipient.
    OwnerIsNoParty,
    /// Only the owner takes part.
    OwnerAlone,
    /// More than [`IMPORT_OTHERS_MAX`] others.
    TooManyOthers,
    /// A message or an invitation to several people.
    Group,
}

/// The events between one owner and one other person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TieHistory {
    seen: Vec<Seen>,
}

/// The histories of all ties, by owner and other.
#[derive(Clone, Debug)]
pub struct TieLedger<K> {
    histories: BTreeMap<K, BTreeMap<K, TieHistory>>,
}

impl<K> Default for TieLedger<K> {
    fn default() -> Self {
        Self { histories: BTreeMap::new() }
    }
}

impl<K: Ord + Clone> TieLedger<K> {
    /// Counts an event in a file of `owner`; `source` is the caller's number of the file.
    ///
    /// # Errors
    /// Returns why it counts for no tie.
    pub fn add(&mut self, owner: &K, event: &TieEvent<K>, source: u32) -> Result<(), Uncounted> {
        let is_sent = event.from == *owner;
        if !is_sent && !event.to.contains(owner) {
            return Err(Uncounted::OwnerIsNoParty);
        }
        let parties = event.to.iter().chain([&event.from]);
        let others: BTreeSet<&K> = parties.filter(|party| *party != owner).collect();
        let is_of_two = matches!(event.kind, TieEventKind::Message | TieEventKind::Invitation);
        if others.is_empty() {
            return Err(Uncounted::OwnerAlone);
        }
        if others.len() > IMPORT_OTHERS_MAX {
            return Err(Uncounted::TooManyOthers);
        }
        if is_of_two && others.len() > 1 {
            return Err(Uncounted::Group);
        }
        let kind = EvidenceKind::of(event.kind, is_sent);
        let seen = Seen { kind, day: event.at, source };
        let of_owner = self.histories.entry(owner.clone()).or_default();
        // A message to several people still has one sender: only a meeting is with all of them.
        let is_with_all = is_sent || event.kind == TieEventKind::Meeting;
        for other in others.into_iter().filter(|other| is_with_all || **other == event.from) {
            of_owner.entry(other.clone()).or_default().seen.push(seen);
        }
        Ok(())
    }

    /// Every history, with its owner and the other person.
    pub fn histories(&self) -> impl Iterator<Item = (&K, &K, &TieHistory)> {
        let of = |(owner, others): (_, _)| {
            let others: &BTreeMap<K, TieHistory> = others;
            others.iter().map(move |(other, history)| (owner, other, history))
        };
        self.histories.iter().flat_map(of)
    }

    /// Returns the events between `owner` and `other`, or `None` if there are none.
    #[must_use]
    pub fn history(&self, owner: &K, other: &K) -> Option<&TieHistory> {
        self.histories.get(owner)?.get(other)
    }

    /// Whether an owner wrote mail to `other` and got an answer on the same day or later. Only then does mail make a
    /// person of an address that no other row names.
    #[must_use]
    pub fn is_answered(&self, other: &K) -> bool {
        self.histories.values().filter_map(|others| others.get(other)).any(TieHistory::is_answered)
    }
}

impl TieHistory {
    /// The joined events of all `histories`.
    pub fn of_all<'h>(histories: impl IntoIterator<Item = &'h Self>) -> Cow<'h, Self> {
        let mut histories = histories.into_iter();
        let Some(first) = histories.next() else { return Cow::Owned(Self::default()) };
        histories.fold(Cow::Borrowed(first), |mut all, history| {
            all.to_mut().seen.extend(&history.seen);
            all
        })
    }

    /// Writes the counts to `tie`. Dates after `as_of` count as missing.
    pub fn fill(&self, tie: &mut Tie, as_of: CalendarDay) {
        tie.messages = self.exchange(EvidenceKind::MessageSent, EvidenceKind::MessageReceived, as_of);
        tie.mail = self.exchange(EvidenceKind::MailSent, EvidenceKind::MailReceived, as_of);
        let last = self.days(EvidenceKind::Meeting, as_of).max();
        tie.meetings = Meetings { count: self.count(EvidenceKind::Meeting), last };
        tie.invited_by = match () {
            () if self.count(EvidenceKind::InvitationReceived) > 0 => Some(InvitedBy::Other),
            () if self.count(EvidenceKind::InvitationSent) > 0 => Some(InvitedBy::Owner),
            () => None,
        };
    }

    /// A row of evidence for each kind of event with a day.
    #[must_use]
    pub fn evidence(&self, as_of: CalendarDay) -> Vec<TieEvidence> {
        newest_of(&self.seen, as_of)
    }

    fn exchange(&self, sent: EvidenceKind, received: EvidenceKind, as_of: CalendarDay) -> Exchange {
        let days = || self.days(sent, as_of).chain(self.days(received, as_of));
        let months: BTreeSet<(u16, u8)> = days().map(|day| (day.year, day.month)).collect();
        Exchange {
            sent: self.count(sent),
            received: self.count(received),
            months: u16::try_from(months.len()).unwrap_or(u16::MAX),
            last: days().max(),
        }
    }

    fn count(&self, kind: EvidenceKind) -> u32 {
        u32::try_from(self.seen.iter().filter(|seen| seen.kind == kind).count()).unwrap_or(u32::MAX)
    }

    /// The known days of events of `kind`, none after `as_of`.
    fn days(&self, kind: EvidenceKind, as_of: CalendarDay) -> impl Iterator<Item = CalendarDay> {
        let of_kind = self.seen.iter().filter(move |seen| seen.kind == kind);
        of_kind.filter_map(|seen| seen.day).filter(move |day| *day <= as_of)
    }

    /// Whether mail was sent, and mail came on that day or later.
    fn is_answered(&self) -> bool {
        let of_kind =
            |kind| self.seen.iter().filter(move |seen| seen.kind == kind).filter_map(|seen| seen.day);
        let (first, last) =
            (of_kind(EvidenceKind::MailSent).min(), of_kind(EvidenceKind::MailReceived).max());
        first.zip(last).is_some_and(|(first, last)| first <= last)
    }
}
