//! Recurring events.
//!
//! Promise: The days of an event that repeats end at a given day, and are bounded.
//! Control: one more day, one more event.
//! Also in: `tests/formats/import/other_formats.rs`.

use crate::dates::CalendarDay;
use crate::limits::{
    IMPORT_EXCEPTIONS_MAX, IMPORT_REPEAT_DAYS_MAX, IMPORT_REPEAT_KEPT_MAX, IMPORT_REPEATS_MAX,
};
use crate::rule::RepeatRule;

/// The remaining allowance for the days of recurring events.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RepeatBudget {
    /// Days that may still be inspected.
    days: u64,
    /// Entries that may still be kept.
    kept: u64,
}

/// The recurrence of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurrence {
    /// The first day.
    start: CalendarDay,
    rule: Option<RepeatRule>,
    /// Further days.
    also: Vec<CalendarDay>,
    /// Days on which it does not take place, or is replaced by another event.
    without: Vec<CalendarDay>,
}

impl Recurrence {
    /// An event that begins on `start` and repeats by `rule` (`RRULE` of RFC 5545) and on the days `also`, but not on
    /// `without`.
    pub(crate) fn new(
        start: CalendarDay,
        rule: &str,
        mut also: Vec<CalendarDay>,
        mut without: Vec<CalendarDay>,
    ) -> Self {
        also.sort_unstable();
        also.dedup();
        also.truncate(IMPORT_EXCEPTIONS_MAX);
        without.sort_unstable();
        without.dedup();
        without.truncate(IMPORT_EXCEPTIONS_MAX);
        Self { start, rule: RepeatRule::parse(rule), also, without }
    }

    /// The days of the event up to `up_to`, ascending, at most [`IMPORT_REPEATS_MAX`].
    #[must_use]
    pub fn days(&self, up_to: CalendarDay) -> Vec<CalendarDay> {
        let mut days = vec![self.start];
        days.extend(self.rule.iter().flat_map(|rule| rule.days(self.start, up_to)));
        days.extend(&self.also);
        days.sort_unstable();
        days.dedup();
        days.retain(|day| *day <= up_to && self.without.binary_search(day).is_err());
        days.truncate(IMPORT_REPEATS_MAX);
        days
    }

    /// The number of days that [`Self::days`] inspects.
    fn looks(&self, up_to: CalendarDay) -> u64 {
        let span = self.rule.as_ref().and_then(|rule| rule.span(self.start, up_to));
        span.map_or(0, |(first, end)| u64::try_from(end - first + 1).unwrap_or_default())
    }
}

impl Default for RepeatBudget {
    /// The allowance of an import.
    fn default() -> Self {
        Self { days: IMPORT_REPEAT_DAYS_MAX, kept: IMPORT_REPEAT_KEPT_MAX }
    }
}

impl RepeatBudget {
    /// The days of `repeats` up to `up_to`, each charged `each` times. `None` if they exceed the budget.
    pub(crate) fn take(
        &mut self,
        repeats: &Recurrence,
        up_to: CalendarDay,
        each: usize,
    ) -> Option<Vec<CalendarDay>> {
        self.days = self.days.checked_sub(repeats.looks(up_to))?;
        let days = repeats.days(up_to);
        self.kept = self.kept.checked_sub(days.len() as u64 * each as u64)?;
        Some(days)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> CalendarDay {
        CalendarDay::parse(text).unwrap()
    }

    fn said(start: &str, rule: &str, up_to: &str) -> Vec<String> {
        let days = Recurrence::new(day(start), rule, vec![], vec![]).days(day(up_to));
        days.iter().map(|day| format!("{}-{:02}-{:02}", day.year, day.month, day.day)).collect()
    }

    #[test]
    fn a_rule_gives_the_days_up_to_a_day_and_none_behind() {
        for (start, rule, up_to, expected) in [
            ("2024-03-04", "FREQ=WEEKLY", "2024-03-20", &["2024-03-04", "2024-03-11", "2024-03-18"][..]),
            (
                "2024-03-04",
                "FREQ=WEEKLY;BYDAY=MO,WE;INTERVAL=2",
                "2024-03-20",
                &["2024-03-04", "2024-03-06", "2024-03-18", "2024-03-20"],
            ),
            ("2024-03-04", "FREQ=DAILY;COUNT=3", "2024-03-20", &["2024-03-04", "2024-03-05", "2024-03-06"]),
            ("2024-03-04", "FREQ=DAILY;COUNT=30", "2024-03-05", &["2024-03-04", "2024-03-05"]),
            ("2024-03-04", "FREQ=DAILY;UNTIL=20240305T090000Z", "2024-03-20", &["2024-03-04", "2024-03-05"]),
            ("2024-01-31", "FREQ=MONTHLY", "2024-05-31", &["2024-01-31", "2024-03-31", "2024-05-31"]),
            (
                "2024-03-05",
                "FREQ=MONTHLY;BYDAY=1TU",
                "2024-05-31",
                &["2024-03-05", "2024-04-02", "2024-05-07"],
            ),
            ("2020-02-29", "FREQ=YEARLY", "2025-01-01", &["2020-02-29", "2024-02-29"]),
            ("2024-03-04", "FREQ=HOURLY", "2024-03-20", &["2024-03-04"]),
            ("2024-03-04", "FREQ=SECONDLY;BYMONTH=13", "2024-03-20", &["2024-03-04"]),
            ("2024-03-04", "nonsense", "2024-03-20", &["2024-03-04"]),
            ("2024-03-04", "FREQ=WEEKLY", "2024-03-03", &[]),
        ] {
            assert_eq!(said(start, rule, up_to), expected, "{start} {rule}");
        }
    }

    #[test]
    fn days_are_added_and_left_out_and_are_bounded() {
        let days = |rule: &str, also: &[&str], without: &[&str]| {
            let list = |days: &[&str]| days.iter().map(|text| day(text)).collect();
            Recurrence::new(day("2024-03-04"), rule, list(also), list(without)).days(day("2024-03-20")).len()
        };
        assert_eq!(days("FREQ=WEEKLY", &[], &[]), 3);
        assert_eq!(days("FREQ=WEEKLY", &["2024-03-05", "2024-03-11", "2025-01-01"], &[]), 4);
        assert_eq!(days("FREQ=WEEKLY", &["2024-03-05"], &["2024-03-04", "2024-03-11"]), 2);
        let long = Recurrence::new(day("0001-01-01"), "FREQ=DAILY", vec![], vec![]);
        assert_eq!(long.days(day("9999-12-31")).len(), IMPORT_REPEATS_MAX);
        // Never on any day: the search for one must end.
        assert_eq!(said("2024-03-04", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "2030-01-01"), ["2024-03-04"]);
    }

    #[test]
    fn any_rule_gives_days_in_order_or_none() {
        const PARTS: [&str; 18] = [
            "FREQ=DAILY",
            "FREQ=WEEKLY",
            "FREQ=MONTHLY",
            "FREQ=YEARLY",
            "INTERVAL=0",
            "INTERVAL=65535",
            "COUNT=0",
            "COUNT=4294967295",
            "BYDAY=MO",
            "BYDAY=-1FR,99SU",
            "BYMONTHDAY=31",
            "BYMONTHDAY=-31,0",
            "BYMONTH=2",
            "BYMONTH=13",
            "BYSETPOS=-1",
            "BYSETPOS=366",
            "BYYEARDAY=-366",
            "UNTIL=00010101",
        ];
        let mut seed = 7_usize;
        for _ in 0..80 {
            let mut rule = Vec::new();
            for _ in 0..4 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                rule.push(PARTS[(seed >> 33) % PARTS.len()]);
            }
            for start in ["2024-01-31", "9998-12-31"] {
                let until = day("2025-01-01");
                let days = Recurrence::new(day(start), &rule.join(";"), vec![], vec![]).days(until);
                assert!(days.windows(2).all(|pair| pair[0] < pair[1]), "{rule:?}");
                assert!(days.iter().all(|day| *day <= until), "{rule:?}");
            }
        }
    }
}
