//! Compares `docs/scoring.md` with the code: its tables of weights and its worked examples.

use super::as_of;
use crate::dates::CalendarDay;
use crate::score::breakdown::{Factor, Scored};
use crate::score::points::score;
use crate::score::tie::{Exchange, InvitedBy, Meetings, PastCompany, SharedCompany, Tie};
use crate::score::weights::Weights;

const DOCUMENT: &str = include_str!("../../../../../docs/scoring.md");

/// A worked example: its facts in the words of the document.
struct Example {
    facts: &'static str,
    tie: Tie,
}

fn day(year: u16, month: u8, day: u8) -> Option<CalendarDay> {
    CalendarDay::new(year, month, day)
}

fn examples() -> Vec<Example> {
    let connected = |on| Tie { is_connected: true, connected_on: on, ..Tie::default() };
    vec![
        Example {
            facts: "Connected on 2019-03-14, and nothing else is known.",
            tie: connected(day(2019, 3, 14)),
        },
        Example {
            facts: "Connected on 2021-02-01. Both worked at Quayside Health, 40 people, for the same 18 months, and \
                    live in the same city. Two messages sent and one received, in two months, the newest on \
                    2025-12-10.",
            tie: Tie {
                past_company: Some(PastCompany {
                    name: "Quayside Health".to_owned(),
                    months: 18,
                    people: Some(40),
                }),
                is_city_shared: true,
                messages: Exchange { sent: 2, received: 1, months: 2, last: day(2025, 12, 10) },
                ..connected(day(2021, 2, 1))
            },
        },
        Example {
            facts: "Connected on 2016-09-30 by the other's invitation. 40 messages sent and 38 received, in ten \
                    months, the newest on 2020-05-01.",
            tie: Tie {
                invited_by: Some(InvitedBy::Other),
                messages: Exchange { sent: 40, received: 38, months: 10, last: day(2020, 5, 1) },
                ..connected(day(2016, 9, 30))
            },
        },
        Example {
            facts: "Connected on 2018-01-15. Both work at the same company of 300 people and live in the same city. \
                    120 mails sent and 95 received, in 14 months, the newest on 2026-06-24; 18 meetings, the newest \
                    on 2026-06-18.",
            tie: Tie {
                current_company: Some(SharedCompany { people: Some(300) }),
                is_city_shared: true,
                mail: Exchange { sent: 120, received: 95, months: 14, last: day(2026, 6, 24) },
                meetings: Meetings { count: 18, last: day(2026, 6, 18) },
                ..connected(day(2018, 1, 15))
            },
        },
    ]
}

/// The points of `scored` in the form of the document.
fn table(scored: &Scored) -> String {
    let rows = scored.factors.iter().map(|(factor, points)| format!("| `{}` | {points} |\n", factor.name()));
    let rows: String = rows.collect();
    format!("| factor | points |\n| --- | ---: |\n{rows}| **warmness** | **{}** |\n", scored.warmness)
}

/// The start of a weight's row, before its range.
fn weight_row(key: &str, value: u16) -> String {
    format!("| `{key}` | {value} | ")
}

/// `text` with runs of spaces and line ends collapsed.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Weights and examples that differ in `document`.
fn faults(document: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for (key, value) in Weights::default().entries() {
        if document.matches(&weight_row(key, value)).count() != 1 {
            faults.push(format!("no single row: {}", weight_row(key, value)));
        }
    }
    for factor in Factor::ALL {
        if !document.contains(&format!("`{}`", factor.name())) {
            faults.push(format!("no word of {}", factor.name()));
        }
    }
    let line = in_one_line(document);
    for Example { facts, tie } in examples() {
        let example = format!("{facts}\n{}", table(&score(&tie, as_of(), &Weights::default())));
        if !line.contains(&in_one_line(&example)) {
            faults.push(example);
        }
    }
    faults
}

#[test]
fn the_document_has_the_defaults_and_its_examples_are_recomputed() {
    let faults = faults(DOCUMENT);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The control: each number of an example, and each default, changed by one.
#[test]
fn a_number_of_the_document_that_is_off_is_caught() {
    for Example { facts, tie } in examples() {
        let scored = score(&tie, as_of(), &Weights::default());
        for place in 0..scored.factors.len() {
            let mut off = scored.clone();
            off.factors[place].1 += 1;
            let (right, wrong) = (table(&scored), table(&off));
            assert!(DOCUMENT.contains(&right), "{facts}");
            assert!(!faults(&DOCUMENT.replace(&right, &wrong)).is_empty(), "{wrong}");
        }
    }
    for (key, value) in Weights::default().entries() {
        let (right, wrong) = (weight_row(key, value), weight_row(key, value + 1));
        assert!(!faults(&DOCUMENT.replace(&right, &wrong)).is_empty(), "{wrong}");
    }
}
