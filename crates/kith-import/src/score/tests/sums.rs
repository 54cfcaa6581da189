//! The breakdown adds up to the score, and a connection alone stays low and says so.
//!
//! Promise: The factors of a score add up to it exactly, also if it is cut at 100; a connection alone is at most 30
//!   and its breakdown says so, with any weights.
//! Control: a breakdown without what was cut, a score rounded apart from it; years without an end.

use super::{Scorer, TIES, TieDice, as_of};
use crate::dates::CalendarDay;
use crate::score::breakdown::{Factor, Scored};
use crate::score::points::score;
use crate::score::tie::{PastCompany, SharedCompany, Tie};
use crate::score::weights::{CONNECTION_ALONE_MAX, ScoringError, Weights};

/// Random ties whose score by `scorer` is not the sum of its factors, clamped to 0 to 100.
fn wrong_sums(scorer: Scorer<'_>) -> Vec<String> {
    let mut dice = TieDice(1);
    let mut wrong = Vec::new();
    for _ in 0..TIES {
        let (tie, weights) = (dice.tie(), dice.weights());
        let Scored { warmness, factors } = scorer(&tie, as_of(), &weights);
        let sum: i16 = factors.iter().map(|(_, points)| points).sum();
        let before: i16 = factors.iter().map(|(_, points)| (*points).max(0)).sum();
        let has_cap = factors.iter().any(|(factor, _)| *factor == Factor::Cap);
        let is_ordered = factors.is_sorted_by(|(a, _), (b, _)| a < b);
        let has_signs = factors.iter().all(|(factor, points)| (*points < 0) == (*factor == Factor::Cap));
        let is_plain = is_ordered && has_signs && factors.iter().all(|(_, points)| *points != 0);
        if sum != i16::from(warmness) || warmness > 100 || has_cap != (before > 100) || !is_plain {
            wrong.push(format!("{warmness} of {factors:?}"));
        }
    }
    wrong
}

#[test]
fn the_factors_add_up_to_the_score_also_if_it_is_cut() {
    assert_eq!(wrong_sums(&score), [""; 0]);
    let mut dice = TieDice(1);
    let cut =
        (0..TIES).filter(|_| score(&dice.tie(), as_of(), &dice.weights()).points(Factor::Cap) < 0).count();
    assert!(cut > 100, "only {cut} ties are cut");
}

/// The control: no factor for the cut part, and a score rounded separately from its factors.
#[test]
fn a_breakdown_that_does_not_add_up_is_caught() {
    let uncapped = |tie: &Tie, as_of, weights: &Weights| {
        let mut scored = score(tie, as_of, weights);
        scored.factors.retain(|(factor, _)| *factor != Factor::Cap);
        scored
    };
    let rounded = |tie: &Tie, as_of, weights: &Weights| {
        let mut scored = score(tie, as_of, weights);
        scored.warmness = scored.warmness / 5 * 5;
        scored
    };
    let uncut = |tie: &Tie, as_of, weights: &Weights| {
        let mut scored = uncapped(tie, as_of, weights);
        let sum: i16 = scored.factors.iter().map(|(_, points)| points).sum();
        scored.warmness = sum.clamp(0, 255) as u8;
        scored
    };
    for scorer in [&uncapped as Scorer<'_>, &rounded, &uncut] {
        assert!(!wrong_sums(scorer).is_empty());
    }
}

/// Ties with only a connection that are scored too high, or whose breakdown has more.
fn warm_strangers(scorer: Scorer<'_>) -> Vec<String> {
    let mut dice = TieDice(2);
    let mut wrong = Vec::new();
    for _ in 0..TIES {
        let tie = Tie { is_connected: true, connected_on: dice.day(), ..Tie::default() };
        let scored = scorer(&tie, as_of(), &dice.weights());
        let says_so = scored.factors.iter().all(|(factor, _)| factor.is_of_connection_alone());
        if u16::from(scored.warmness) > CONNECTION_ALONE_MAX || !says_so {
            wrong.push(format!("{tie:?}: {scored:?}"));
        }
    }
    wrong
}

#[test]
fn a_connection_alone_is_at_most_30_and_says_so_with_any_weights() {
    assert_eq!(warm_strangers(&score), [""; 0]);
    let day = CalendarDay::new(1990, 1, 1);
    let oldest = Tie { is_connected: true, connected_on: day, ..Tie::default() };
    let defaults = score(&oldest, as_of(), &Weights::default());
    assert_eq!(defaults.breakdown(&oldest), r#"{"connection":10,"yearsConnected":10}"#);
    let highest = Weights::with([("connection", 20)]).unwrap();
    assert_eq!(score(&oldest, as_of(), &highest).warmness, 30);
    let beyond = Weights::with([("connection", 21)]);
    assert_eq!(beyond, Err(ScoringError::ConnectionAlone { got: 31 }));
}

/// The control: years without a limit, and a base that a connection gets for another reason.
#[test]
fn a_connection_alone_that_is_scored_high_is_caught() {
    let by_age = |tie: &Tie, as_of: CalendarDay, weights: &Weights| {
        let mut scored = score(tie, as_of, weights);
        let years = tie.connected_on.map_or(0, |day| as_of.year.saturating_sub(day.year));
        scored.warmness = scored.warmness.saturating_add(years as u8);
        scored
    };
    let unsaid = |tie: &Tie, as_of, weights: &Weights| {
        score(&Tie { is_city_shared: true, ..tie.clone() }, as_of, weights)
    };
    for scorer in [&by_age as Scorer<'_>, &unsaid] {
        assert!(!warm_strangers(scorer).is_empty());
    }
}

#[test]
fn a_breakdown_is_an_object_of_numbers_and_the_past_company() {
    let weights = Weights::default();
    let nothing = Tie::default();
    assert_eq!(score(&nothing, as_of(), &weights).breakdown(&nothing), "{}");
    let mut tie = Tie {
        is_city_shared: true,
        current_company: Some(SharedCompany { people: Some(30) }),
        past_company: Some(PastCompany { name: "Söhne \"&\" \u{1}".into(), months: 12, people: Some(30) }),
        ..Tie::default()
    };
    let written = r#"{"currentCompanyMatch":15,"pastCompanyOverlap":10,"pastCompanyName":"Söhne \"&\" \u0001","sameCity":5}"#;
    assert_eq!(score(&tie, as_of(), &weights).breakdown(&tie), written);
    // No common month, no name; and no name is longer than a breakdown can hold.
    tie.past_company = Some(PastCompany { name: "Söhne".into(), months: 0, people: None });
    assert_eq!(score(&tie, as_of(), &weights).breakdown(&tie), r#"{"currentCompanyMatch":15,"sameCity":5}"#);
    tie.past_company = Some(PastCompany { name: "\u{1}".repeat(4096), months: 12, people: None });
    assert!(score(&tie, as_of(), &weights).breakdown(&tie).len() < kith_tables::limits::BREAKDOWN_BYTES_MAX);
    for factor in Factor::ALL {
        assert_eq!(Factor::named(factor.name()), Some(factor));
    }
}

#[test]
fn a_weight_that_cannot_be_is_refused_with_what_was_meant() {
    for (key, value, said) in [
        ("conection", 5, "scoring.conection is no weight; the nearest is connection"),
        (
            "message_half_life",
            5,
            "scoring.message_half_life is no weight; the nearest is message_half_life_days",
        ),
        ("", 5, "is no weight; the nearest is city"),
        ("city", -1, "scoring.city is -1; expected a whole number from 0 to 100"),
        ("city", 101, "scoring.city is 101; expected"),
        ("meetings_half", 0, "scoring.meetings_half is 0; expected a whole number from 1 to 10000"),
        ("city", i64::MAX, "scoring.city is 9223372036854775807"),
    ] {
        let error = Weights::with([(key, value)]).unwrap_err().to_string();
        assert!(error.contains(said), "{key}: {error}");
    }
    let read = |text: &str| serde_json::from_str::<Weights>(text).map_err(|error| error.to_string());
    assert_eq!(read("{}"), Ok(Weights::default()));
    assert_eq!(read(r#"{"city": 7}"#), Ok(Weights::with([("city", 7)]).unwrap()));
    assert!(read(r#"{"cities": 7}"#).is_err_and(|error| error.contains("the nearest is city")));
}
