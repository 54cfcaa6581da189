//! The history behind a score: connections, messages and meetings with their dates, scored by the rules of an import.

use std::collections::{BTreeSet, HashMap};

use serde_json::value::RawValue;

use kith_import::dates::CalendarDay;
use kith_import::score::breakdown::Scored;
use kith_import::score::event::{TieEvent, TieEventKind};
use kith_import::score::evidence::{EvidenceKind, TieEvidence};
use kith_import::score::ledger::TieLedger;
use kith_import::score::points::score;
use kith_import::score::seen_together::{note, seen_together};
use kith_import::score::tie::{PastCompany, SharedCompany, Tie};
use kith_import::score::weights::Weights;

use crate::dice::{Dice, Share, Stream};
use crate::roles::PlannedRole;
use crate::times::{AS_OF, day_before};
use crate::world::World;

/// The source files of evidence, by number.
pub(crate) const SOURCES: [&str; 4] = ["Connections.csv", "messages.csv", "All mail.mbox", "calendar.ics"];
const CONNECTIONS: u32 = 0;
const MESSAGES: u32 = 1;
const MAIL: u32 = 2;
const CALENDAR: u32 = 3;

/// How closely two people are connected.
struct Closeness {
    /// The share of all ties, in percent.
    share: u32,
    /// Minimum and maximum number of messages.
    messages: (u32, u32),
    /// Maximum number of meetings.
    meetings_max: u32,
    /// Maximum age of the oldest event, in days.
    days_max: u32,
}

/// From people who are only connected to people who write every week.
const CLOSENESS: [Closeness; 4] = [
    Closeness { share: 62, messages: (0, 0), meetings_max: 0, days_max: 1 },
    Closeness { share: 21, messages: (1, 5), meetings_max: 1, days_max: 1_500 },
    Closeness { share: 12, messages: (4, 24), meetings_max: 3, days_max: 700 },
    Closeness { share: 5, messages: (20, 60), meetings_max: 14, days_max: 400 },
];

/// The facts that two people share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alike {
    /// The number of people at the company where both work.
    pub(crate) colleagues: Option<u32>,
    pub(crate) city: bool,
    pub(crate) industry: bool,
}

/// The score of an edge and its reasons. An edge without a score has neither breakdown nor evidence.
#[derive(Default)]
pub(crate) struct ScoredTie {
    pub(crate) warmness: Option<u8>,
    pub(crate) breakdown: Option<Box<RawValue>>,
    pub(crate) evidence: Vec<TieEvidence>,
}

/// Makes the histories of the edges of one network, in the order of the edges.
pub(crate) struct HistoryMaker<'a> {
    world: &'a World<'a>,
    dice: Dice,
    weights: Weights,
    /// Shares of edges with a history: those of members and advocates, then all others.
    shares: [Share; 2],
    /// The members' names, by member number.
    names: &'a [String],
    /// The member number of each person who is a member.
    members: HashMap<u32, u32>,
    /// For each person, the number of a member who knows them, plus one; 0 if none so far.
    known_to: Vec<u32>,
}

impl<'a> HistoryMaker<'a> {
    /// Makes histories for the edges of `world`; `owned` of them are edges of members and advocates. `names` are the
    /// members' names.
    pub(crate) fn new(world: &'a World<'a>, owned: u64, names: &'a [String]) -> Self {
        let (plan, members) = (world.plan, &world.roles.members);
        let of_owners = plan.histories.min(owned);
        let of_others = (plan.histories - of_owners).min(plan.edges - owned);
        Self {
            world,
            dice: Dice::new(plan.seed, Stream::Histories),
            weights: Weights::default(),
            shares: [Share::new(of_owners, owned), Share::new(of_others, plan.edges - owned)],
            names,
            members: members.iter().copied().zip(0..).collect(),
            known_to: vec![0; plan.people as usize],
        }
    }

    /// Scores the edge between two people. `stated` is the score that a list would give; without one, or from a person
    /// to themselves, the edge has no score.
    pub(crate) fn score(&mut self, from: u32, to: u32, alike: Alike, stated: Option<u8>) -> ScoredTie {
        let number = self.members.get(&from).copied();
        if let Some(number) = number {
            self.known_to[to as usize] = number + 1;
        }
        let is_others = self.world.roles.of[from as usize] == PlannedRole::Other;
        let has_history = self.shares[usize::from(is_others)].next(1) > 0;
        let is_seen = is_others && self.known_to[from as usize] > 0 && !self.members.contains_key(&to);
        match stated.filter(|_| from != to) {
            None => ScoredTie::default(),
            Some(stated) if !has_history => self.listed(stated),
            Some(_) if is_seen && self.dice.one_in(3) => self.in_copy(self.known_to[from as usize] - 1),
            Some(_) => self.own(from, to, alike),
        }
    }

    /// The score that a list states. Lists have no dates, and so no evidence.
    pub(crate) fn listed(&self, stated: u8) -> ScoredTie {
        // A weight of 0 would not be an entry of the breakdown.
        self.scored(&Tie { listed_weight: Some(stated.max(1)), ..Tie::default() }, Vec::new())
    }

    /// The score from the files of `from`.
    fn own(&mut self, from: u32, to: u32, alike: Alike) -> ScoredTie {
        let ledger = self.events(from, to, alike.colleagues.is_some());
        let dice = &mut self.dice;
        let mut tie = Tie {
            is_connected: true,
            connected_on: Some(day_before(dice.between(30, 4_400))),
            current_company: alike.colleagues.map(|people| SharedCompany { people: Some(people) }),
            is_accelerator_shared: dice.one_in(18),
            is_city_shared: alike.city,
            is_industry_shared: alike.industry,
            ..Tie::default()
        };
        if dice.one_in(9) {
            let company = dice.pick(&self.world.companies);
            let (name, people) = (company.name.clone(), Some(company.employees));
            tie.past_company = Some(PastCompany { name, months: dice.between(2, 48) as u16, people });
        }
        let mut evidence = Vec::from_iter(TieEvidence::of_connection(&tie, CONNECTIONS, AS_OF));
        if let Some(history) = ledger.history(&from, &to) {
            history.fill(&mut tie, AS_OF);
            evidence.extend(history.evidence(AS_OF));
        }
        self.scored(&tie, evidence)
    }

    /// Draws the messages, the meetings and the invitation between two people.
    fn events(&mut self, from: u32, to: u32, is_colleague: bool) -> TieLedger<u32> {
        let dice = &mut self.dice;
        let mut thrown = dice.below(100);
        let mut level = 0;
        while thrown >= CLOSENESS[level].share {
            thrown -= CLOSENESS[level].share;
            level += 1;
        }
        let closer = usize::from(is_colleague && dice.one_in(2));
        let close = &CLOSENESS[(level + closer).min(CLOSENESS.len() - 1)];
        let (wrote, met) =
            (dice.between(close.messages.0, close.messages.1), dice.below(close.meetings_max + 1));
        let (kind, source) = match dice.below(2) {
            0 => (TieEventKind::Message, MESSAGES),
            _ => (TieEventKind::Mail, MAIL),
        };
        let newest = dice.below(close.days_max / 2 + 1);
        let sent = dice.between(20, 80);
        let mut ledger = TieLedger::default();
        let mut add = |kind, source, is_sent, days| {
            let (sender, recipient) = if is_sent { (from, to) } else { (to, from) };
            let event = TieEvent { kind, from: sender, to: vec![recipient], at: Some(day_before(days)) };
            let added = ledger.add(&from, &event, source);
            debug_assert_eq!(added, Ok(()), "the owner is a party, and there is one other");
        };
        for _ in 0..wrote {
            add(kind, source, dice.percent(sent), newest + dice.below(close.days_max - newest));
        }
        for _ in 0..met {
            add(TieEventKind::Meeting, CALENDAR, dice.one_in(2), dice.below(close.days_max));
        }
        if dice.one_in(8) {
            add(TieEventKind::Invitation, CONNECTIONS, dice.one_in(2), dice.between(30, 4_400));
        }
        ledger
    }

    /// The score of two people whose only link is a mail with a member in copy.
    fn in_copy(&mut self, member: u32) -> ScoredTie {
        let dice = &mut self.dice;
        let days: BTreeSet<CalendarDay> =
            (0..dice.between(2, 9)).map(|_| day_before(dice.below(1_100))).collect();
        let (Some(first), Some(last)) = (days.first(), days.last()) else { return ScoredTie::default() };
        let kind = EvidenceKind::InCopy;
        let note = note(kind, days.len(), *first, &self.names[member as usize], 0);
        let evidence = vec![TieEvidence { kind, at: *last, source: MAIL, note }];
        // A single day is enough only in both directions.
        let is_both = days.len() == 1 || dice.percent(40);
        ScoredTie::new(&seen_together(days, is_both, AS_OF, &self.weights), &Tie::default(), evidence)
    }

    fn scored(&self, tie: &Tie, evidence: Vec<TieEvidence>) -> ScoredTie {
        ScoredTie::new(&score(tie, AS_OF, &self.weights), tie, evidence)
    }
}

impl ScoredTie {
    fn new(scored: &Scored, tie: &Tie, evidence: Vec<TieEvidence>) -> Self {
        let breakdown = RawValue::from_string(scored.breakdown(tie)).ok();
        Self { warmness: Some(scored.warmness), breakdown, evidence }
    }
}
