//! People whom mail alone shows: a holder wrote to an address and had an answer.

use std::collections::{BTreeMap, BTreeSet};

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
    first_sent: Option<CalendarDay>,
    last_received: Option<CalendarDay>,
    /// Names that the address had, with how often.
    names: BTreeMap<&'a str, u32>,
}

/// The further addresses of each holder, by place: those with the holder's name that write, in the holder's own mail, to
/// others alone, as a sent message does.
pub(crate) fn aliases(plan: &ImportPlan, gathered: &Gathered) -> Vec<BTreeSet<Box<str>>> {
    let names: Vec<PersonName> = plan.holders.iter().map(|holder| PersonName::parse(&holder.name)).collect();
    let mut found = vec![BTreeSet::new(); plan.holders.len()];
    for row in gathered.contacted.iter().filter(|row| row.interaction.kind == InteractionKind::Mail) {
        let (from, to) = (&row.interaction.from, &row.interaction.to);
        let (name, own) = (&names[row.holder as usize], &plan.holders[row.holder as usize].emails);
        let is_known = |party: &Party| party.email.as_ref().is_some_and(|email| own.contains(email));
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

/// A row for each address that a holder wrote to and that answered, the same day or later.
pub(crate) fn correspondents(gathered: &Gathered) -> Vec<ImportedRow> {
    let mut mailed: BTreeMap<(u32, &str), Mailed<'_>> = BTreeMap::new();
    for row in gathered.contacted.iter().filter(|row| row.interaction.kind == InteractionKind::Mail) {
        let own = &gathered.rows[row.holder as usize].emails;
        let is_own =
            |party: &Party| party.email.as_deref().is_some_and(|email| own.iter().any(|it| **it == *email));
        let (from, to) = (&row.interaction.from, &row.interaction.to);
        let is_sent = is_own(from);
        if !is_sent && !to.iter().any(is_own) {
            continue;
        }
        let others: Vec<&Party> = if is_sent { to.iter().collect() } else { vec![from] };
        for other in others.into_iter().filter(|other| !is_own(other)) {
            let Some(email) = other.email.as_deref().filter(|email| !is_role(email)) else { continue };
            let known = mailed.entry((row.holder, email)).or_default();
            let day = row.interaction.at;
            if is_sent {
                known.first_sent = known.first_sent.into_iter().chain(day).min();
            } else {
                known.last_received = known.last_received.max(day);
            }
            if !other.name.is_empty() && !other.name.contains('@') {
                *known.names.entry(&other.name).or_default() += 1;
            }
        }
    }
    let is_answered = |mailed: &Mailed<'_>| {
        mailed.first_sent.zip(mailed.last_received).is_some_and(|(first, last)| first <= last)
    };
    let row = |((holder, email), mailed): ((u32, &str), Mailed<'_>)| {
        let name = mailed.names.into_iter().max_by_key(|(name, count)| (*count, std::cmp::Reverse(*name)));
        let name = name.map_or("", |(name, _)| name);
        let row = ImportedRow::empty(RowKind::Correspondent, holder);
        ImportedRow { tie: holder, name: name.into(), emails: Box::new([email.into()]), ..row }
    };
    mailed.into_iter().filter(|(_, mailed)| is_answered(mailed)).map(row).collect()
}
