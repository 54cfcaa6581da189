//! A second, slow implementation of the score from `docs/scoring.md` alone, in fractions that are reduced at every
//! step.
//!
//! Promise: A score is what `docs/scoring.md` says: a second implementation, slow and in fractions, gives the same.
//! Control: each of the 23 weights off by one; each number of an example, and each default, off by one.

use time::{Date, Month};

use super::{Scorer, TIES, TieDice, as_of};
use crate::dates::CalendarDay;
use crate::score::breakdown::{Factor, Scored};
use crate::score::points::score;
use crate::score::tie::{InvitedBy, Tie};
use crate::score::weights::Weights;

/// A fraction in lowest terms, never below 0.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Ratio(u128, u128);

const ONE: Ratio = Ratio(1, 1);
const HALF: Ratio = Ratio(1, 2);

impl Ratio {
    fn of(part: u128, whole: u128) -> Self {
        let (mut a, mut b) = (part, whole);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        Self(part / a.max(1), whole / a.max(1))
    }

    fn plus(self, other: Self) -> Self {
        Self::of(self.0 * other.1 + other.0 * self.1, self.1 * other.1)
    }

    fn times(self, other: Self) -> Self {
        Self::of(self.0 * other.0, self.1 * other.1)
    }

    /// Half up.
    fn rounded(self) -> i16 {
        let (whole, rest) = (self.0 / self.1, self.0 % self.1);
        (whole + u128::from(2 * rest >= self.1)) as i16
    }
}

/// The numbers of the score by their keys.
struct Keys<'a>(&'a Weights);

impl Keys<'_> {
    fn get(&self, key: &str) -> u128 {
        u128::from(self.0.entries().find(|(known, _)| *known == key).unwrap().1)
    }

    /// `share` of the points of `key`.
    fn points(&self, key: &str, share: Ratio) -> i16 {
        share.times(Ratio(self.get(key), 1)).rounded()
    }
}

fn date(day: CalendarDay) -> Date {
    let month = Month::January.nth_next(day.month - 1);
    Date::from_calendar_date(day.year.into(), month, day.day).unwrap()
}

/// Returns the fraction left after the days from `day` to `as_of`.
fn left(day: Option<CalendarDay>, as_of: CalendarDay, half_life: u128) -> Ratio {
    let Some(day) = day.filter(|day| *day <= as_of) else { return Ratio(0, 1) };
    let mut days = (date(as_of) - date(day)).whole_days() as u128;
    let (mut here, mut halvings) = (ONE, 0);
    while days >= half_life {
        (here, days, halvings) = (here.times(HALF), days - half_life, halvings + 1);
        if halvings == 10 {
            return Ratio(0, 1);
        }
    }
    // Between `here` and half of it.
    let to_go = Ratio::of(half_life - days, half_life);
    here.times(HALF).plus(here.times(HALF).times(to_go))
}

fn many(count: u128, half: u128) -> Ratio {
    if count == 0 { Ratio(0, 1) } else { Ratio::of(count, count + half) }
}

fn size(people: Option<u32>) -> Ratio {
    match people {
        Some(0..=50) => ONE,
        Some(51..=500) => Ratio(3, 4),
        None | Some(501..=5000) => HALF,
        Some(_) => Ratio(1, 4),
    }
}

fn years(from: CalendarDay, to: CalendarDay) -> u128 {
    (1..).take_while(|years| (from.year + years, from.month, from.day) <= (to.year, to.month, to.day)).count()
        as u128
}

fn messages(tie: &Tie, as_of: CalendarDay, keys: &Keys<'_>) -> [(Factor, i16); 3] {
    let sum = |one: u32, other: u32| (u64::from(one) + u64::from(other)).min(u32::MAX.into());
    let sent = u128::from(sum(tie.messages.sent, tie.mail.sent));
    let received = u128::from(sum(tie.messages.received, tie.mail.received));
    let months = u128::from(tie.messages.months) + u128::from(tie.mail.months);
    let has_any = |sent: u32, received: u32| sent > 0 || received > 0;
    let mut newest = None;
    for both in [tie.messages, tie.mail] {
        if has_any(both.sent, both.received) && both.last.is_some_and(|day| day <= as_of) {
            newest = newest.max(both.last);
        }
    }
    let fresh = left(newest, as_of, keys.get("message_half_life_days"));
    let weighed = sent + received * keys.get("message_received_times");
    let count = many(weighed, keys.get("message_volume_half"));
    let in_months = many(months, keys.get("message_months_half"));
    let stays = left(newest, as_of, keys.get("message_volume_half_life_days"));
    let stays = Ratio(1, 4).plus(Ratio(3, 4).times(stays));
    let volume = count.times(HALF).plus(in_months.times(HALF)).times(stays);
    let rarer = many(sent.min(received), keys.get("message_reciprocity_half"));
    [
        (Factor::MessageRecency, keys.points("message_recency", fresh)),
        (Factor::MessageVolume, keys.points("message_volume", volume)),
        (Factor::MessageReciprocity, keys.points("message_reciprocity", rarer)),
    ]
}

/// The score of `tie` by the document.
fn by_document(tie: &Tie, as_of: CalendarDay, weights: &Weights) -> Scored {
    let keys = Keys(weights);
    let mut factors = Vec::new();
    if tie.is_connected {
        factors.push((Factor::Connection, keys.points("connection", ONE)));
        if let Some(day) = tie.connected_on {
            let points =
                (years(day, as_of) * keys.get("year_connected")).min(keys.get("years_connected_max"));
            factors.push((Factor::YearsConnected, points as i16));
        }
        let key = match tie.invited_by {
            Some(InvitedBy::Other) => Some("invitation_received"),
            Some(InvitedBy::Owner) => Some("invitation_sent"),
            None => None,
        };
        factors.extend(key.map(|key| (Factor::Invitation, keys.points(key, ONE))));
    }
    if let Some(company) = tie.current_company {
        factors.push((Factor::CurrentCompanyMatch, keys.points("current_company", size(company.people))));
    }
    if let Some(past) = &tie.past_company {
        let enough = keys.get("past_company_months");
        let together = Ratio::of(u128::from(past.months).min(enough), enough);
        let points = keys.points("past_company", together.times(size(past.people)));
        factors.push((Factor::PastCompanyOverlap, points));
    }
    for (factor, holds, key) in [
        (Factor::SharedAccelerator, tie.is_accelerator_shared, "accelerator"),
        (Factor::SameCity, tie.is_city_shared, "city"),
        (Factor::IndustryTypeMatch, tie.is_industry_shared, "industry"),
    ] {
        factors.push((factor, if holds { keys.points(key, ONE) } else { 0 }));
    }
    factors.extend(messages(tie, as_of, &keys));
    if tie.meetings.count > 0 {
        let count = many(tie.meetings.count.into(), keys.get("meetings_half")).times(HALF);
        let fresh = left(tie.meetings.last, as_of, keys.get("meeting_half_life_days")).times(HALF);
        factors.push((Factor::Meetings, keys.points("meetings", count.plus(fresh))));
    }
    factors.push((Factor::ListedWeight, tie.listed_weight.map_or(0, |weight| i16::from(weight.min(100)))));
    factors.retain(|(_, points)| *points != 0);
    let sum: i16 = factors.iter().map(|(_, points)| points).sum();
    if sum > 100 {
        factors.push((Factor::Cap, 100 - sum));
    }
    Scored { warmness: sum.min(100) as u8, factors }
}

/// The first random tie that `scorer` scores differently from the document.
fn first_differing(scorer: Scorer<'_>) -> Option<String> {
    let mut dice = TieDice(4);
    (0..TIES).find_map(|_| {
        let tie = dice.tie();
        let weights = if dice.one_in(2) { Weights::default() } else { dice.weights() };
        let (ours, documents) = (scorer(&tie, as_of(), &weights), by_document(&tie, as_of(), &weights));
        (ours != documents).then(|| format!("{tie:?}: {ours:?} and not {documents:?}"))
    })
}

#[test]
fn every_score_is_what_the_document_says() {
    assert_eq!(first_differing(&score), None);
}

/// The control: weights that differ by one in one place.
#[test]
fn a_score_with_one_weight_off_by_one_is_caught() {
    // Being seen together has tests of its own.
    for (key, value) in Weights::default().entries().filter(|(key, _)| !key.starts_with("seen_together")) {
        let off = |tie: &Tie, as_of: CalendarDay, weights: &Weights| {
            let values = weights.entries().map(|(other, value)| {
                let step = i64::from(other == key);
                (other, i64::from(value) + if value < 10_000 { step } else { -step })
            });
            match Weights::with(values.collect::<Vec<_>>()) {
                Ok(weights) => score(tie, as_of, &weights),
                Err(_) => score(tie, as_of, weights),
            }
        };
        assert!(first_differing(&off).is_some(), "{key} is {value}");
    }
}
