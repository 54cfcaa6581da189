//! Whether a person's own mail shows that they know another: they wrote, and were answered.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::correspondents::MailAnswered;
use crate::dates::CalendarDay;
use crate::derived::seen::{Node, Nodes};
use crate::derived::view::Known;
use crate::interaction::Party;
use crate::score::event::TieEventKind;

/// A mail between a holder and another person.
#[derive(Debug)]
struct Mail {
    is_sent: bool,
    day: CalendarDay,
    /// Everybody on it.
    parties: Vec<u32>,
}

/// The mail of holders with people of observations.
pub(crate) struct KnownMail<'a> {
    known: &'a Known<'a>,
    nodes: &'a Nodes,
    /// Mail by the holder's person, then by the other person.
    of: HashMap<u32, BTreeMap<u32, Vec<Mail>>>,
}

impl<'a> KnownMail<'a> {
    pub(super) fn new(known: &'a Known<'a>, nodes: &'a Nodes) -> Self {
        Self { known, nodes, of: HashMap::new() }
    }

    /// Whether the mail of `from` shows that they wrote to `to` and were answered, on the same day or later, in mail
    /// with none of `owners`. `None` if none of it is among the files, or it may not be read.
    pub(crate) fn is_known(&mut self, from: u32, to: u32, owners: &BTreeSet<u32>) -> Option<bool> {
        let holder = self.known.standing(from)?;
        if !(self.known.has_mail(holder)
            && self.known.plan.derives
            && self.known.plan.holders[holder].derives)
        {
            return None;
        }
        if !self.of.contains_key(&from) {
            let mail = self.read(holder as u32, from);
            self.of.insert(from, mail);
        }
        let mut exchange = MailAnswered::default();
        for mail in self.of[&from].get(&to).into_iter().flatten() {
            if !mail.parties.iter().any(|party| owners.contains(party)) {
                exchange.add(mail.is_sent, Some(mail.day));
            }
        }
        Some(exchange.is_answered())
    }

    fn read(&self, holder: u32, own: u32) -> BTreeMap<u32, Vec<Mail>> {
        let mut found: BTreeMap<u32, Vec<Mail>> = BTreeMap::new();
        let person = |party: &Arc<Party>| {
            let number = self.nodes.find(party.email.as_deref()?)?;
            self.nodes.node(number, self.known.people).and_then(Node::person)
        };
        let is_own = |party: &Arc<Party>| self.nodes.is_own(holder, party);
        let rows = self.known.gathered.contacted.iter();
        for row in rows.filter(|row| row.holder == holder && row.interaction.kind == TieEventKind::Mail) {
            let (from, to) = (&row.interaction.from, &row.interaction.to);
            let Some(day) = row.interaction.at.filter(|day| *day <= self.known.as_of) else { continue };
            let parties: Vec<u32> = [from].into_iter().chain(to).filter_map(person).collect();
            let is_sent = is_own(from);
            let others: Vec<u32> = if is_sent {
                to.iter().filter_map(person).collect()
            } else if to.iter().any(is_own) {
                person(from).into_iter().collect()
            } else {
                Vec::new()
            };
            for other in others.into_iter().filter(|other| *other != own) {
                found.entry(other).or_default().push(Mail { is_sent, day, parties: parties.clone() });
            }
        }
        found
    }
}
