//! More evidence never lowers a score, and older evidence never raises it.
//!
//! Promise: One more message, mail or meeting never lowers a score or a factor, an older one never raises it.
//! Control: each of the 13 factors turned around; a share of answers, ages from the other end.

use super::{Scorer, TIES, TieDice, as_of};
use crate::dates::CalendarDay;
use crate::score::breakdown::{Factor, Scored};
use crate::score::points::score;
use crate::score::tie::{Exchange, InvitedBy, PastCompany, SharedCompany, Tie};
use crate::score::weights::Weights;

/// Enough ties to catch a fault.
const CONTROL_TIES: u64 = 500;

/// A change of a tie that must not lower its score.
type Betterment = (&'static str, fn(&mut Tie, &mut TieDice));

/// Adds one, in a new month or not, and as new as the newest or newer.
fn one_more(exchange: &mut Exchange, is_sent: bool, dice: &mut TieDice) {
    let count = if is_sent { &mut exchange.sent } else { &mut exchange.received };
    *count = count.saturating_add(1);
    exchange.months = exchange.months.saturating_add(dice.below(2) as u16);
    exchange.last = exchange.last.filter(|day| *day <= as_of()).max(past_day(dice));
}

/// A day not after [`as_of`], or none.
fn past_day(dice: &mut TieDice) -> Option<CalendarDay> {
    dice.day().filter(|day| *day <= as_of())
}

/// The same day, or a younger one that is not after [`as_of`].
fn younger(day: &mut Option<CalendarDay>, dice: &mut TieDice) {
    *day = day.filter(|day| *day <= as_of()).max(past_day(dice));
}

const BETTERMENTS: [Betterment; 19] = [
    ("a message sent", |tie, dice| one_more(&mut tie.messages, true, dice)),
    ("a message received", |tie, dice| one_more(&mut tie.messages, false, dice)),
    ("a mail sent", |tie, dice| one_more(&mut tie.mail, true, dice)),
    ("a mail received", |tie, dice| one_more(&mut tie.mail, false, dice)),
    ("the newest message younger", |tie, dice| younger(&mut tie.messages.last, dice)),
    ("the newest mail younger", |tie, dice| younger(&mut tie.mail.last, dice)),
    ("a meeting", |tie, dice| {
        tie.meetings.count = tie.meetings.count.saturating_add(1);
        younger(&mut tie.meetings.last, dice);
    }),
    ("the newest meeting younger", |tie, dice| younger(&mut tie.meetings.last, dice)),
    ("a connection", |tie, _| tie.is_connected = true),
    ("an older connection", |tie, dice| {
        let (before, other) = (tie.connected_on.filter(|day| *day <= as_of()), past_day(dice));
        tie.connected_on = before.into_iter().chain(other).min();
    }),
    ("an invitation", |tie, _| tie.invited_by = tie.invited_by.or(Some(InvitedBy::Owner))),
    ("the same company", |tie, _| {
        tie.current_company = tie.current_company.or(Some(SharedCompany { people: Some(9_000) }));
    }),
    ("a smaller company", |tie, dice| {
        let company = tie.current_company.iter_mut().filter_map(|company| company.people.as_mut());
        company.for_each(|people| *people = dice.below(u64::from(*people) + 1) as u32);
    }),
    ("another month at a past company", |tie, _| {
        let past = tie.past_company.get_or_insert_with(PastCompany::default);
        past.months = past.months.saturating_add(1);
    }),
    ("a smaller past company", |tie, dice| {
        let past = tie.past_company.iter_mut().filter_map(|past| past.people.as_mut());
        past.for_each(|people| *people = dice.below(u64::from(*people) + 1) as u32);
    }),
    ("the same accelerator", |tie, _| tie.is_accelerator_shared = true),
    ("the same city", |tie, _| tie.is_city_shared = true),
    ("the same industry", |tie, _| tie.is_industry_shared = true),
    ("a greater listed weight", |tie, _| {
        tie.listed_weight = Some(tie.listed_weight.map_or(0, |weight| weight.saturating_add(1)));
    }),
];

/// The betterments that lowered the score, or a factor, of one of `ties` random ties by `scorer`.
fn lowered(scorer: Scorer<'_>, ties: u64) -> Vec<&'static str> {
    let mut dice = TieDice(3);
    let mut found = Vec::new();
    for _ in 0..ties {
        let tie = dice.tie();
        let weights = if dice.one_in(2) { Weights::default() } else { dice.weights() };
        let before = scorer(&tie, as_of(), &weights);
        for (name, better) in BETTERMENTS {
            let mut bettered = tie.clone();
            better(&mut bettered, &mut dice);
            let after = scorer(&bettered, as_of(), &weights);
            let mut factors = Factor::ALL.into_iter().filter(|factor| *factor != Factor::Cap);
            let is_lower = factors.any(|factor| after.points(factor) < before.points(factor));
            if (after.warmness < before.warmness || is_lower) && !found.contains(&name) {
                found.push(name);
            }
        }
    }
    found
}

#[test]
fn more_and_younger_evidence_never_lowers_a_score_or_a_factor() {
    assert_eq!(lowered(&score, TIES), [""; 0]);
}

/// The control: each weight negated, so that its factor is subtracted.
#[test]
fn a_weight_turned_around_is_caught() {
    // Being seen together is not a fact of a tie; it has tests of its own.
    let is_of_ties =
        |factor: &Factor| ![Factor::SeenTogether, Factor::SharedInstitution, Factor::Cap].contains(factor);
    for turned in Factor::ALL.into_iter().filter(is_of_ties) {
        let scorer = move |tie: &Tie, as_of: CalendarDay, weights: &Weights| {
            let Scored { mut factors, .. } = score(tie, as_of, weights);
            factors.retain(|(factor, _)| *factor != Factor::Cap);
            factors.iter_mut().filter(|(of, _)| *of == turned).for_each(|(_, points)| *points = -*points);
            let sum: i16 = factors.iter().map(|(_, points)| points).sum();
            Scored { warmness: sum.clamp(0, 100) as u8, factors }
        };
        assert_ne!(lowered(&scorer, CONTROL_TIES), [""; 0], "{turned:?}");
    }
}

/// The control: rules that look right but are not.
#[test]
fn a_rule_that_punishes_more_evidence_is_caught() {
    // A share of answers: one more unanswered message lowers it.
    let by_share = |tie: &Tie, as_of, weights: &Weights| {
        let both = tie.messages.and(tie.mail);
        let share =
            100 * u64::from(both.sent.min(both.received)) / u64::from(both.sent.max(both.received)).max(1);
        let points = share as i16 / 10;
        let scored = score(tie, as_of, weights);
        let others = scored.factors.iter().filter(|(factor, _)| *factor < Factor::MessageReciprocity);
        let mut factors: Vec<(Factor, i16)> = others.copied().collect();
        factors.push((Factor::MessageReciprocity, points));
        let sum: i16 = factors.iter().map(|(_, points)| points).sum();
        Scored { warmness: sum.clamp(0, 100) as u8, factors }
    };
    // Ages counted from the other end: older days count as younger.
    let mirrored = |tie: &Tie, as_of: CalendarDay, weights: &Weights| {
        let mirror = |day: Option<CalendarDay>| {
            let day = day.filter(|day| *day <= as_of)?;
            CalendarDay::new((4022_u16).saturating_sub(day.year).min(as_of.year), day.month, day.day)
        };
        let mut tie = tie.clone();
        tie.messages.last = mirror(tie.messages.last);
        tie.mail.last = mirror(tie.mail.last);
        score(&tie, as_of, weights)
    };
    for scorer in [&by_share as Scorer<'_>, &mirrored] {
        assert_ne!(lowered(scorer, CONTROL_TIES), [""; 0]);
    }
}
