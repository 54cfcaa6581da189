//! Addresses known only from mail and calendars. An address that answered a holder becomes a person; one under the name
//! of a holder's contact may be that contact's.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::dates::CalendarDay;
use crate::gather::Gathered;
use crate::identity::address::{is_role, mailbox};
use crate::identity::name::{PersonName, agree};
use crate::interaction::Party;
use crate::outcome::RowSkip;
use crate::people::{GONE, ImportedPeople};
use crate::plan::ImportPlan;
use crate::rows::{ImportedRow, NOBODY, RowKind};
use crate::score::event::TieEventKind;
use crate::ties::TieTable;

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
    for row in gathered.contacted.iter().filter(|row| row.interaction.kind == TieEventKind::Mail) {
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

/// A row for each address that a holder wrote to and that answered on the same day or later; and a hint for each other
/// one in mail and events that no row has, under the name of one of the holder's contacts.
pub(crate) fn correspondents(gathered: &mut Gathered) -> Vec<ImportedRow> {
    let mut mailed: BTreeMap<(u32, &str), Mailed<'_>> = BTreeMap::new();
    for row in &gathered.contacted {
        let own = &gathered.rows[row.holder as usize].emails;
        let is_own = |party: &Arc<Party>| {
            party.email.as_deref().is_some_and(|email| own.iter().any(|it| **it == *email))
        };
        let (from, to) = (&row.interaction.from, &row.interaction.to);
        let is_mail = row.interaction.kind == TieEventKind::Mail;
        let is_sent = is_own(from);
        if !is_sent && !to.iter().any(is_own) {
            continue;
        }
        let others: Vec<&Arc<Party>> = match (is_mail, is_sent) {
            (true, true) => to.iter().collect(),
            (true, false) => vec![from],
            (false, _) => to.iter().chain([from]).collect(),
        };
        for other in others.into_iter().filter(|other| !is_own(other)) {
            let Some(email) = other.email.as_deref().filter(|email| !is_role(email)) else { continue };
            let known = mailed.entry((row.holder, email)).or_default();
            if is_mail {
                known.exchange.add(is_sent, row.interaction.at);
            }
            if !other.name.is_empty() && !other.name.contains('@') {
                *known.names.entry(&other.name).or_default() += 1;
            }
        }
    }
    let (answered, others): (Vec<_>, Vec<_>) =
        mailed.into_iter().partition(|(_, mailed)| mailed.exchange.is_answered());
    let row = |((holder, email), mailed): ((u32, &str), Mailed<'_>)| {
        let name = mailed.names.into_iter().max_by_key(|(name, count)| (*count, std::cmp::Reverse(*name)));
        let row = ImportedRow::empty(RowKind::Correspondent, holder);
        let name = name.map_or("", |(name, _)| name);
        ImportedRow { tie: holder, name: name.into(), emails: Box::new([email.into()]), ..row }
    };
    let mut rows: Vec<ImportedRow> = answered.into_iter().map(row).collect();
    let hint = |of| ImportedRow { kind: RowKind::Hint, tie: NOBODY, ..row(of) };
    let hints = of_contacts(gathered, others.into_iter().map(hint).collect());
    let strange = strange_mailboxes(gathered, &hints);
    let (hints, known): (Vec<_>, Vec<_>) =
        hints.into_iter().partition(|hint| hint.emails.iter().all(|email| strange.contains(&mailbox(email))));
    rows.extend(hints);
    gathered.unfitted.extend(known.iter().flat_map(addresses));
    rows
}

/// The hints that name a contact of their holder.
fn of_contacts(gathered: &Gathered, hints: Vec<ImportedRow>) -> Vec<ImportedRow> {
    let mut by_name: HashMap<(u32, String), Vec<usize>> = HashMap::new();
    for (place, hint) in hints.iter().enumerate() {
        for key in PersonName::parse(&hint.name).keys() {
            by_name.entry((hint.holder, key)).or_default().push(place);
        }
    }
    let mut is_named = vec![false; hints.len()];
    for row in gathered.rows.iter().filter(|row| !by_name.is_empty() && row.is_of_file()) {
        for key in PersonName::parse(&row.name).keys() {
            by_name.get(&(row.tie, key)).into_iter().flatten().for_each(|place| is_named[*place] = true);
        }
    }
    hints.into_iter().zip(is_named).filter(|(_, is_named)| *is_named).map(|(hint, _)| hint).collect()
}

/// The mailboxes of `hints` that no row has.
fn strange_mailboxes(gathered: &Gathered, hints: &[ImportedRow]) -> HashSet<String> {
    let mut strange: HashSet<String> =
        hints.iter().flat_map(|hint| &hint.emails).map(|email| mailbox(email)).collect();
    for email in gathered.rows.iter().filter(|_| !hints.is_empty()).flat_map(|row| &row.emails) {
        strange.remove(&mailbox(email));
    }
    strange
}

/// The holder of `hint` with each of its addresses.
fn addresses(hint: &ImportedRow) -> impl Iterator<Item = (u32, Box<str>)> {
    hint.emails.iter().map(|email| (hint.holder, email.clone()))
}

/// Notes the address of each hint that fits no contact of its holder. A hint that fits nobody leaves an empty row.
pub(crate) fn take_unfitted(gathered: &mut Gathered, people: &ImportedPeople, ties: &TieTable) {
    for row in 0..gathered.rows.len() {
        let is_suppressed = people.skipped.get(&(row as u32)) == Some(&RowSkip::Suppressed);
        let (of, person) = (&mut gathered.rows[row], people.of_row[row]);
        if of.kind == RowKind::Hint && !is_suppressed && (person == GONE || !ties.has(of.holder, person)) {
            gathered.unfitted.extend(addresses(of));
            if person == GONE {
                // The places of the other rows stay.
                *of = ImportedRow::empty(RowKind::Hint, of.holder);
            }
        }
    }
}
