//! Finds companies where two people worked at the same time.
//!
//! Promise: Months at a past company count once, only while both were there, and the same from both ends.
//! Control: the month behind the end; a company where both still are.

use std::collections::BTreeMap;

use crate::dates::CalendarDay;
use crate::score::tie::PastCompany;

/// The time of one person at a company.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompanyStay {
    /// Equal for all spellings of a company.
    pub key: String,
    /// The name.
    pub name: String,
    /// The first day; a stay without one overlaps with none.
    pub from: Option<CalendarDay>,
    /// The last day. `None` if it goes on.
    pub to: Option<CalendarDay>,
    /// The number of people who work there, if known.
    pub people: Option<u32>,
}

/// Months in which two people overlapped at a company, as (first, last) pairs, and one of the stays.
type SharedCompany<'a> = (Vec<(u32, u32)>, &'a CompanyStay);

/// The company where both were for the most months, then the first by key; each month counts once, including the first
/// and the last. `None` if there is none. A company where both are on the day `as_of` is not past.
#[must_use]
pub fn past_overlap(one: &[CompanyStay], other: &[CompanyStay], as_of: CalendarDay) -> Option<PastCompany> {
    let mut shared: BTreeMap<&str, SharedCompany<'_>> = BTreeMap::new();
    let is_now = |stays: &[CompanyStay], key: &str| {
        stays.iter().any(|stay| stay.key == key && stay.to.is_none_or(|to| to >= as_of))
    };
    for mine in one.iter().filter(|stay| !stay.key.is_empty()) {
        for theirs in other.iter().filter(|stay| stay.key == mine.key) {
            let (Some(mine_months), Some(their_months)) = (months(mine, as_of), months(theirs, as_of)) else {
                continue;
            };
            let both = (mine_months.0.max(their_months.0), mine_months.1.min(their_months.1));
            let is_past = !(is_now(one, &mine.key) && is_now(other, &mine.key));
            if both.0 <= both.1 && is_past {
                shared.entry(&mine.key).or_insert((Vec::new(), mine)).0.push(both);
            }
        }
    }
    let counted = shared.into_values().map(|(spans, stay)| (count(spans), stay));
    let (months, stay) = counted.rev().max_by_key(|(months, _)| *months)?;
    Some(PastCompany { name: stay.name.clone(), months, people: stay.people })
}

/// The first and the last month of a stay, none after `as_of`; `None` if it has no beginning, or ends before it.
fn months(stay: &CompanyStay, as_of: CalendarDay) -> Option<(u32, u32)> {
    let number = |day: CalendarDay| 12 * u32::from(day.year) + u32::from(day.month);
    let span = (number(stay.from?), number(stay.to.map_or(as_of, |to| to.min(as_of))));
    (span.0 <= span.1).then_some(span)
}

/// Returns the number of distinct months in `spans`.
fn count(mut spans: Vec<(u32, u32)>) -> u16 {
    spans.sort_unstable();
    let (mut months, mut next) = (0, 0);
    for (first, last) in spans {
        let first = first.max(next);
        if first <= last {
            months += last - first + 1;
            next = last + 1;
        }
    }
    u16::try_from(months).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses stays from `KEY FROM TO`, `-` for no day.
    fn stays(text: &str) -> Vec<CompanyStay> {
        let stay = |line: &str| {
            let mut words = line.split_whitespace();
            let key = words.next().unwrap().to_owned();
            let mut day = || CalendarDay::parse(words.next().unwrap());
            let (from, to) = (day(), day());
            CompanyStay { name: key.to_uppercase(), key, from, to, people: Some(7) }
        };
        text.split(',').filter(|line| !line.trim().is_empty()).map(stay).collect()
    }

    fn overlap(one: &str, other: &str) -> Option<(String, u16)> {
        let as_of = CalendarDay::new(2026, 6, 30).unwrap();
        past_overlap(&stays(one), &stays(other), as_of).map(|past| (past.name, past.months))
    }

    #[test]
    fn the_months_in_which_both_were_there_count_once() {
        for (one, other, expected) in [
            ("a 2020-01-01 2021-12-31", "a 2021-06-01 2022-01-31", Some(("A", 7))),
            ("a 2020-01-01 2021-12-31", "a 2021-12-01 2022-01-31", Some(("A", 1))),
            ("a 2020-01-01 2021-12-31", "a 2022-01-01 2022-01-31", None),
            ("a 2020-01-01 2021-12-31", "b 2020-01-01 2021-12-31", None),
            // Overlapping positions at one company do not add months.
            (
                "a 2020-01-01 2020-12-31, a 2020-06-01 2021-06-30",
                "a 2020-01-01 2020-12-31, a 2020-01-01 2021-03-31",
                Some(("A", 15)),
            ),
            // The longer one; of equal ones the first by key.
            (
                "a 2020-01-01 2020-02-28, b 2020-01-01 2020-12-31",
                "a 2019-01-01 -, b 2019-01-01 2020-12-31",
                Some(("B", 12)),
            ),
            (
                "b 2020-01-01 2020-02-28, a 2020-01-01 2020-02-28",
                "a 2019-01-01 -, b 2019-01-01 -",
                Some(("A", 2)),
            ),
            // First only one of them is still there; then both are, so the company is not past.
            ("a 2020-01-01 2020-02-28", "a 2019-01-01 -", Some(("A", 2))),
            ("a 2020-01-01 -", "a 2019-01-01 -", None),
            ("a 2020-01-01 2026-06-30", "a 2019-01-01 2099-01-01", None),
            // Without a beginning, and with an end before it.
            ("a - 2020-02-28", "a 2019-01-01 2020-02-28", None),
            ("a 2021-01-01 2020-02-28", "a 2019-01-01 2022-02-28", None),
            ("", "a 2019-01-01 2022-02-28", None),
        ] {
            let expected = expected.map(|(name, months): (&str, u16)| (name.to_owned(), months));
            assert_eq!(overlap(one, other), expected, "{one} and {other}");
            assert_eq!(overlap(other, one), expected, "{other} and {one}");
        }
    }
}
