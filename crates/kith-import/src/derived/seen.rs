//! Observations: on one day, one person wrote to another with the owner in copy, or two people met with the owner.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::dates::CalendarDay;
use crate::gather::Gathered;
use crate::identity::address::{is_role, mailbox};
use crate::interaction::{Interaction, Party};
use crate::people::{GONE, ImportedPeople};
use crate::recurrence::RepeatBudget;
use crate::rows::ContactedRow;
use crate::score::event::TieEventKind;

/// Maximum people in an event, including the owner, for all to have met.
const MET_MAX: usize = 5;

/// One observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Sight {
    /// The mailboxes of the two, as numbers in [`Nodes`].
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) day: CalendarDay,
    pub(crate) is_meeting: bool,
    /// The holder whose file has it.
    pub(crate) holder: u32,
    pub(crate) file: u32,
}

/// A person, or a mailbox that belongs to nobody in the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Node {
    Person(u32),
    Mailbox(u32),
}

impl Node {
    pub(crate) fn person(self) -> Option<u32> {
        match self {
            Self::Person(person) => Some(person),
            Self::Mailbox(_) => None,
        }
    }
}

/// The mailboxes of observations, and their rows.
#[derive(Debug, Default)]
pub(crate) struct Nodes {
    pub(crate) mailboxes: Vec<String>,
    numbers: HashMap<String, u32>,
    /// A row with each mailbox, if any.
    rows: Vec<Option<u32>>,
    /// Whether the mailbox is nobody's: a role, a list, or shared.
    nobody: Vec<bool>,
    /// The mailboxes of each holder.
    own: Vec<HashSet<String>>,
}

impl Nodes {
    fn number(&mut self, email: &str) -> u32 {
        let mailbox = mailbox(email);
        if let Some(number) = self.numbers.get(&mailbox) {
            return *number;
        }
        let number = self.mailboxes.len() as u32;
        self.mailboxes.push(mailbox.clone());
        self.numbers.insert(mailbox, number);
        number
    }

    /// The number of the mailbox of `email`, if an observation has it.
    pub(crate) fn find(&self, email: &str) -> Option<u32> {
        self.numbers.get(&mailbox(email)).copied()
    }

    /// Whether `party` is the holder.
    pub(crate) fn is_own(&self, holder: u32, party: &Party) -> bool {
        party.email.as_ref().is_some_and(|email| self.own[holder as usize].contains(&mailbox(email)))
    }

    /// Finds the owner of each mailbox, or marks it as nobody's.
    pub(crate) fn settle(&mut self, gathered: &Gathered, shared: &[Box<str>]) {
        let shared: HashSet<String> = shared.iter().map(|email| mailbox(email)).collect();
        let is_nobody = |mailbox: &String| {
            is_role(mailbox) || shared.contains(mailbox) || gathered.lists.contains(mailbox)
        };
        self.nobody = self.mailboxes.iter().map(is_nobody).collect();
        let mut rows = vec![None; self.mailboxes.len()];
        for (row, of) in gathered.rows.iter().enumerate() {
            for number in of.emails.iter().filter_map(|email| self.find(email)) {
                rows[number as usize].get_or_insert(row as u32);
            }
        }
        self.rows = rows;
    }

    /// The owner of the mailbox `number`; `None` if it is nobody's, or of a person who is not written.
    pub(crate) fn node(&self, number: u32, people: &ImportedPeople) -> Option<Node> {
        if self.nobody[number as usize] {
            return None;
        }
        match self.rows[number as usize].map(|row| people.of_row[row as usize]) {
            None => Some(Node::Mailbox(number)),
            Some(GONE) => None,
            Some(person) => Some(Node::Person(person)),
        }
    }
}

/// The observations in the files of holders who are `asked`, sorted, each once; their mailboxes; and the number of
/// events left out as too many.
pub(crate) fn sights(
    gathered: &Gathered,
    people: &ImportedPeople,
    asked: &[bool],
    as_of: CalendarDay,
) -> (Vec<Sight>, Nodes, usize) {
    let own = (0..asked.len())
        .map(|holder| {
            let rows = match people.holder(holder as u32) {
                GONE => &[][..],
                person => people.rows(person),
            };
            let rows = rows.iter().map(|row| &gathered.rows[*row as usize]);
            rows.flat_map(|row| &row.emails).map(|email| mailbox(email)).collect()
        })
        .collect();
    let (mut sights, mut nodes) = (Vec::new(), Nodes { own, ..Nodes::default() });
    let (mut budget, mut unseen) = (RepeatBudget::default(), 0);
    for row in gathered.contacted.iter().filter(|row| asked[row.holder as usize]) {
        match row.interaction.kind {
            TieEventKind::Mail => see_mail(row, as_of, &mut sights, &mut nodes),
            TieEventKind::Meeting => {
                let is_seen = see_meeting(row, as_of, &mut budget, &mut sights, &mut nodes);
                unseen += usize::from(!is_seen);
            }
            TieEventKind::Message | TieEventKind::Invitation => {}
        }
    }
    sights.sort_unstable();
    sights.dedup();
    (sights, nodes, unseen)
}

/// Observes a mail from another to the owner and others, each in To or Cc.
fn see_mail(row: &ContactedRow, as_of: CalendarDay, sights: &mut Vec<Sight>, nodes: &mut Nodes) {
    let Interaction { from, to, open, at, .. } = &row.interaction;
    let open = &to[..(*open).min(to.len())];
    let (Some(day), Some(sender)) = (at.filter(|day| *day <= as_of), &from.email) else { return };
    let others: Vec<&Arc<Party>> = open.iter().filter(|party| !nodes.is_own(row.holder, party)).collect();
    if open.len() < 2 || others.len() == open.len() || nodes.is_own(row.holder, from) {
        return;
    }
    let sender = nodes.number(sender);
    for email in others.into_iter().filter_map(|party| party.email.as_deref()) {
        let to = nodes.number(email);
        let sight = Sight { from: sender, to, day, is_meeting: false, holder: row.holder, file: row.file };
        sights.extend((to != sender).then_some(sight));
    }
}

/// Observes a small event with the owner: each pair of the others met, on each of its days. Returns `false` if that
/// exceeds the rest of `budget`.
fn see_meeting(
    row: &ContactedRow,
    as_of: CalendarDay,
    budget: &mut RepeatBudget,
    sights: &mut Vec<Sight>,
    nodes: &mut Nodes,
) -> bool {
    let Interaction { from, to, .. } = &row.interaction;
    let all: Vec<&Arc<Party>> = [from].into_iter().chain(to).collect();
    let count = all.len();
    let others: Vec<&Arc<Party>> = all.into_iter().filter(|party| !nodes.is_own(row.holder, party)).collect();
    if !(3..=MET_MAX).contains(&count) || others.len() == count {
        return true;
    }
    let pairs = others.len() * (others.len() - 1);
    let Some(days) = row.interaction.days_within(budget, as_of, pairs) else { return false };
    let emails = others.into_iter().filter_map(|party| party.email.as_deref());
    let others: Vec<u32> = emails.map(|email| nodes.number(email)).collect();
    for day in days {
        for (one, other) in others.iter().flat_map(|one| others.iter().map(move |other| (*one, *other))) {
            let sight =
                Sight { from: one, to: other, day, is_meeting: true, holder: row.holder, file: row.file };
            sights.extend((one != other).then_some(sight));
        }
    }
    true
}
