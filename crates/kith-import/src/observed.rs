//! Observations of asks in the heads of members' mail and in calendars: an introduction, an answer each way, a meeting.
//!
//! Promise: Of an ask an introduction is the first mail of its connector to target and asker, contact a mail each way
//!   after that or after a yes, a meeting a small event with both; nothing before the ask, nothing of members who do
//!   not want it, nothing twice.
//! Control: the same mails to more people, before the ask, or of a member with `observe = false`.
//! Also in: `tests/process/importing/observed.rs`.

use std::collections::{HashMap, HashSet};

use crate::dates::CalendarDay;
use crate::identity::address::mailbox;
use crate::imported::Imported;
use crate::interaction::Party;
use crate::people::GONE;
use crate::plan::HolderStanding;
use crate::recurrence::RepeatBudget;
use crate::rows::ContactedRow;
use crate::score::event::TieEventKind;
use kith::asks::event::EventKind;
use kith::model::time::Timestamp;

/// Maximum recipients of a mail that introduces.
const RECIPIENTS_MAX: usize = 4;
/// Maximum people in a meeting that counts.
const MET_MAX: usize = 5;

/// An ask that mail and calendars may advance.
#[derive(Clone, Debug)]
pub struct WatchedAsk {
    /// Its id.
    pub ask: String,
    /// The user id of the member who asks.
    pub asker: String,
    /// The id of the target.
    pub person: String,
    /// The id of the connector; `None` for a direct ask.
    pub connector: Option<String>,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// When the connector agreed or introduced them, if known.
    pub since: Option<Timestamp>,
    /// The kinds observed before, undone or not.
    pub observed: Vec<EventKind>,
}

/// An observed event of an ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The id of the ask.
    pub ask: String,
    /// The kind of the observed event.
    pub kind: EventKind,
    /// The time: from a mail's head, or an event's day.
    pub at: Timestamp,
    /// The day as written.
    pub day: CalendarDay,
    /// `mail` or `calendar`.
    pub source: &'static str,
}

/// The mailboxes of the people of asks, by person id or user id.
type Boxes<'a> = HashMap<&'a str, HashSet<String>>;

/// The observations of `asks` in `imported`, up to `now`, in the order of the asks; for each the introduction first.
#[must_use]
pub fn observe(imported: &Imported, asks: &[WatchedAsk], now: Timestamp) -> Vec<Observation> {
    let boxes = boxes(imported, asks);
    let (mut mails, mut meetings) = (Vec::new(), Vec::new());
    for row in imported.gathered.contacted.iter().filter(|row| is_watched(imported, row)) {
        match row.interaction.kind {
            TieEventKind::Mail => mails.extend(Mail::of(row, now)),
            TieEventKind::Meeting => meetings.push(row),
            TieEventKind::Message | TieEventKind::Invitation => {}
        }
    }
    mails.sort_by_key(|mail| mail.at);
    let mut found = Vec::new();
    for ask in asks {
        found.extend(of_mail(ask, &boxes, &mails));
        found.extend(of_calendars(ask, &boxes, &meetings, now));
    }
    found
}

/// Whether the row belongs to a member who permits observation.
fn is_watched(imported: &Imported, row: &ContactedRow) -> bool {
    let holder = imported.plan.holders.get(row.holder as usize);
    holder.is_some_and(|holder| holder.observes && matches!(holder.standing, HolderStanding::Member { .. }))
}

/// The mailboxes of everybody in `asks`.
fn boxes<'a>(imported: &Imported, asks: &'a [WatchedAsk]) -> Boxes<'a> {
    let mut named: Boxes<'a> = HashMap::new();
    for ask in asks {
        for id in [Some(&ask.asker), Some(&ask.person), ask.connector.as_ref()].into_iter().flatten() {
            named.entry(id).or_default();
        }
    }
    let people = &imported.people;
    let emails = |person: u32| {
        let rows = people.rows(person).iter().map(|row| &imported.gathered.rows[*row as usize]);
        rows.flat_map(|row| &row.emails).map(|email| mailbox(email)).collect::<Vec<String>>()
    };
    for person in 0..people.people.len() as u32 {
        let ids = &people.ids[person as usize];
        for id in [&ids.id].into_iter().chain(&ids.formerly) {
            if let Some(boxes) = named.get_mut(id.as_str()) {
                boxes.extend(emails(person));
            }
        }
    }
    for (place, user) in imported.user_ids.iter().enumerate() {
        let person = people.holder(place as u32);
        if let Some(boxes) = named.get_mut(user.as_str()).filter(|_| person != GONE) {
            boxes.extend(emails(person));
        }
    }
    named
}

/// A mail to few people.
struct Mail {
    at: Timestamp,
    day: CalendarDay,
    from: String,
    to: Vec<String>,
}

impl Mail {
    fn of(row: &ContactedRow, now: Timestamp) -> Option<Self> {
        let interaction = &row.interaction;
        let day = interaction.at?;
        let at = interaction.moment.unwrap_or_else(|| day.timestamp());
        let to: Vec<String> = interaction.to.iter().filter_map(|party| box_of(party)).collect();
        let is_small = interaction.to.len() <= RECIPIENTS_MAX;
        (is_small && at <= now).then_some(Self { at, day, from: box_of(&interaction.from)?, to })
    }

    fn goes(&self, from: &HashSet<String>, to: &[&HashSet<String>]) -> bool {
        from.contains(&self.from) && to.iter().all(|one| self.to.iter().any(|mailbox| one.contains(mailbox)))
    }
}

fn box_of(party: &Party) -> Option<String> {
    party.email.as_deref().map(mailbox)
}

fn of_mail(ask: &WatchedAsk, boxes: &Boxes<'_>, mails: &[Mail]) -> Vec<Observation> {
    let (asker, target) = (&boxes[&*ask.asker], &boxes[&*ask.person]);
    let observation = |kind, mail: &Mail| Observation {
        ask: ask.ask.clone(),
        kind,
        at: mail.at,
        day: mail.day,
        source: "mail",
    };
    let mut found = Vec::new();
    let after_ask = mails.iter().filter(|mail| mail.at > ask.asked_at);
    let introduces = |mail: &&Mail| match &ask.connector {
        Some(connector) => mail.goes(&boxes[&**connector], &[target, asker]),
        None => mail.goes(asker, &[target]),
    };
    let introduction = after_ask.clone().find(introduces);
    if let Some(mail) = introduction.filter(|_| !ask.observed.contains(&EventKind::Introduced)) {
        found.push(observation(EventKind::Introduced, mail));
    }
    let since = [ask.since, introduction.map(|mail| mail.at)].into_iter().flatten().min();
    let Some(since) = since.filter(|_| !ask.observed.contains(&EventKind::InTouch)) else { return found };
    let mut later = mails.iter().filter(|mail| mail.at > since.max(ask.asked_at));
    let out = later.clone().find(|mail| mail.goes(asker, &[target]));
    let back = later.find(|mail| mail.goes(target, &[asker]));
    if let (Some(out), Some(back)) = (out, back) {
        let last = if out.at > back.at { out } else { back };
        found.push(observation(EventKind::InTouch, last));
    }
    found
}

/// The first small event with both, if it counts.
fn of_calendars(
    ask: &WatchedAsk,
    boxes: &Boxes<'_>,
    meetings: &[&ContactedRow],
    now: Timestamp,
) -> Option<Observation> {
    if ask.observed.contains(&EventKind::Met) {
        return None;
    }
    let (asker, target) = (&boxes[&*ask.asker], &boxes[&*ask.person]);
    let day = |at: Timestamp| CalendarDay::parse(&at.to_rfc3339_ms()[..10]);
    let (first, today) = (day(ask.asked_at)?, day(now)?);
    let mut budget = RepeatBudget::default();
    let mut day_of = |row: &&ContactedRow| {
        let interaction = &row.interaction;
        let all = || [&interaction.from].into_iter().chain(&interaction.to);
        let has = |of: &HashSet<String>| {
            all().filter_map(|party| box_of(party)).any(|mailbox| of.contains(&mailbox))
        };
        let is_theirs = all().count() <= MET_MAX && has(asker) && has(target);
        let days = is_theirs.then(|| interaction.days_within(&mut budget, today, 1)).flatten();
        days.unwrap_or_default().into_iter().find(|day| *day >= first)
    };
    let day = meetings.iter().filter_map(&mut day_of).min()?;
    let at = day.timestamp().max(ask.asked_at);
    Some(Observation { ask: ask.ask.clone(), kind: EventKind::Met, at, day, source: "calendar" })
}
