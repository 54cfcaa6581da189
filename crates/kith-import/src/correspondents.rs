//! People known only from mail: a holder wrote to an address and got an answer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::dates::CalendarDay;
use crate::gather::Gathered;
use crate::identity::address::is_role;
use crate::identity::name::{PersonName, agree};
use crate::interaction::{InteractionKind, Party};
use crate::plan::ImportPlan;
use crate::rows::{ImportedRow, RowKind};

/// The mail between an owner and an address.
#[derive(Default)]
struct Mailed<'a> {
    exchange: MailAnswered,
    /// The address's names, with how often each occurs.
    names: BTreeMap<&'a str, u32>,
}

/// The mail between two, reduced to whether one wrote and was answered.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MailAnswered {
    first_sent: Option<CalendarDay>,
    last_received: Option<CalendarDay>,
}

impl MailAnswered {
    /// Adds a mail of the day `day`; ignores one without a day.
    pub(crate) fn add(&mut self, is_sent: bool, day: Option<CalendarDay>) {
        if is_sent {
            self.first_sent = self.first_sent.into_iter().chain(day).min();
        } else {
            self.last_received = self.last_received.max(day);
        }
    }

    /// Whether a mail was answered, on its day or later.
    pub(crate) fn is_answered(self) -> bool {
        self.first_sent.zip(self.last_received).is_some_and(|(sent, received)| sent <= received)
    }
}

/// The further addresses of each holder, by position: addresses with the holder's name that, in the holder's own mail,
/// write to others only, like sent messages.
pub(crate) fn aliases(plan: &ImportPlan, gathered: &Gathered) -> Vec<BTreeSet<Box<str>>> {
    let names: Vec<PersonName> = plan.holders.iter().map(|holder| PersonName::parse(&holder.name)).collect();
    let mut found = vec![BTreeSet::new(); plan.holders.len()];
    for row in gathered.contacted.iter().filter(|row| row.interaction.kind == InteractionKind::Mail) {
        let (from, to) = (&row.interaction.from, &row.interaction.to);
        let (name, own) = (&names[row.holder as usize], &plan.holders[row.holder as usize].emails);
        let is_known = |party: &Arc<Party>| party.email.as_ref().is_some_and(|email| own.contains(email));
        let is_called_so = || {
            let other = PersonName::parse(&from.name);
            name.key().is_some() && name.key() == other.key() && agree(name, &other)
        };
        let Some(email) = from.email.as_deref().filter(|email| !is_role(email)) else { continue };
        if !is_known(from) && !to.is_empty() && !to.iter().any(is_known) && is_called_so() {
            found[row.holder as usize].insert(email.into());
        }
    }
    found
}

/// A row for each address that a holder wrote to and that answered on the same day or later.
pub(crate) fn correspondents(gathered: &Gathered) -> Vec<ImportedRow> {
    let mut mailed: BTreeMap<(u32, &str), Mailed<'_>> = BTreeMap::new();
    for row in gathered.contacted.iter().filter(|row| row.interaction.kind == InteractionKind::Mail) {
        let own = &gathered.rows[row.holder as usize].emails;
        let is_own = |party: &Arc<Party>| {
            party.email.as_deref().is_some_and(|email| own.iter().any(|it| **it == *email))
        };
        let (from, to) = (&row.interaction.from, &row.interaction.to);
        let is_sent = is_own(from);
        if !is_sent && !to.iter().any(is_own) {
            continue;
        }
        let others: Vec<&Arc<Party>> = if is_sent { to.iter().collect() } else { vec![from] };
        for other in others.into_iter().filter(|other| !is_own(other)) {
            let Some(email) = other.email.as_deref().filter(|email| !is_role(email)) else { continue };
            let known = mailed.entry((row.holder, email)).or_default();
            known.exchange.add(is_sent, row.interaction.at);
            if !other.name.is_empty() && !other.name.contains('@') {
                *known.names.entry(&other.name).or_default() += 1;
            }
        }
    }
    let row = |((holder, email), mailed): ((u32, &str), Mailed<'_>)| {
        let name = mailed.names.into_iter().max_by_key(|(name, count)| (*count, std::cmp::Reverse(*name)));
        let name = name.map_or("", |(name, _)| name);
        let row = ImportedRow::empty(RowKind::Correspondent, holder);
        ImportedRow { tie: holder, name: name.into(), emails: Box::new([email.into()]), ..row }
    };
    mailed.into_iter().filter(|(_, mailed)| mailed.exchange.is_answered()).map(row).collect()
}
