//! Events that repeat.

use calcard::common::timezone::Tz;
use calcard::icalendar::ICalendar;
use calcard::{Entry, Parser};

use crate::import::dates::CalendarDay;
use crate::limits::{IMPORT_EXCEPTIONS_MAX, IMPORT_REPEATS_MAX};

/// The parts of a rule that are used: those that say on which days. A rule by the hour repeats on no other day.
const PARTS: [&str; 7] = ["INTERVAL", "WKST", "BYDAY", "BYMONTH", "BYMONTHDAY", "BYSETPOS", "BYYEARDAY"];
/// The frequencies that are.
const FREQUENCIES: [&str; 4] = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"];
/// The longest rule that is used, in bytes.
const RULE_BYTES_MAX: usize = 512;

/// What is left to look through of the days of the events that repeat in one file. A rule is tried on each day between
/// its first and its last, whether it fits or not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RepeatBudget {
    days: u64,
}

/// The recurrence of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurrence {
    /// The first day.
    start: CalendarDay,
    /// The rule, in the parts that are used. Empty if there is none.
    rule: String,
    /// The last day of the rule, if it has one.
    until: Option<CalendarDay>,
    /// The most times that the rule applies.
    count: usize,
    /// Further days.
    also: Vec<CalendarDay>,
    /// Days on which it does not take place, or another event stands for it.
    without: Vec<CalendarDay>,
}

impl Recurrence {
    /// What begins on `start` and repeats by `rule` (`RRULE` of RFC 5545) and on the days `also`, but not on `without`.
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
        let UsedRule { rule, until, count } = used(rule);
        Self { start, rule, until, count, also, without }
    }

    /// The days on which the event takes place, up to `up_to`, the oldest first, at most [`IMPORT_REPEATS_MAX`].
    #[must_use]
    pub fn days(&self, up_to: CalendarDay) -> Vec<CalendarDay> {
        let last = self.until.map_or(up_to, |until| until.min(up_to));
        let mut days = vec![self.start];
        if !self.rule.is_empty() && self.start <= last {
            days.extend(self.by_rule(last));
        }
        days.extend(&self.also);
        days.sort_unstable();
        days.dedup();
        days.retain(|day| *day <= up_to && self.without.binary_search(day).is_err());
        days.truncate(IMPORT_REPEATS_MAX);
        days
    }

    /// Returns the number of days that the rule is tried on to find those up to `up_to`.
    fn days_tried(&self, up_to: CalendarDay) -> u64 {
        let last = self.until.map_or(up_to, |until| until.min(up_to));
        if self.rule.is_empty() {
            return 0;
        }
        u64::try_from(last.number() - self.start.number()).map_or(0, |days| days + 1)
    }

    /// The days of the rule, up to `last`.
    fn by_rule(&self, last: CalendarDay) -> Vec<CalendarDay> {
        #[cfg(test)]
        crate::model::reads::note(self.days_tried(last) as usize);
        let digits = |day: CalendarDay| format!("{:04}{:02}{:02}", day.year, day.month, day.day);
        // A rule has a number of times or a last day, never both; with a number alone, one that fits no day is tried on
        // far more than those up to the last.
        let event = format!(
            "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:{}\r\nRRULE:{};UNTIL={}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
            digits(self.start),
            self.rule,
            digits(last),
        );
        let calendar = match Parser::new(&event).entry() {
            Entry::ICalendar(calendar) => calendar,
            _ => ICalendar::default(),
        };
        let found = calendar.expand_dates(Tz::Floating, self.count);
        let days = found
            .events
            .iter()
            .filter_map(|event| CalendarDay::parse(&event.start.format("%Y-%m-%d").to_string()));
        days.filter(|day| *day <= last).collect()
    }
}

impl RepeatBudget {
    /// Makes the allowance of a file, in days.
    pub(crate) const fn new(days: u64) -> Self {
        Self { days }
    }

    /// Takes what the days of `repeats` up to `up_to` need. Returns `false` if too little is left.
    pub(crate) fn take(&mut self, repeats: &Recurrence, up_to: CalendarDay) -> bool {
        let left = self.days.checked_sub(repeats.days_tried(up_to));
        self.days = left.unwrap_or(self.days);
        left.is_some()
    }
}

/// A rule as it is applied.
struct UsedRule {
    rule: String,
    until: Option<CalendarDay>,
    count: usize,
}

/// The parts of `rule` that are used, and where it ends. Empty if its frequency is not one of days.
fn used(rule: &str) -> UsedRule {
    let rule = rule.trim().to_ascii_uppercase();
    let parts = || rule.split(';').filter_map(|part| part.split_once('='));
    let until =
        parts().find(|(name, _)| *name == "UNTIL").and_then(|(_, day)| CalendarDay::parse_digits(day));
    let frequency = parts().find(|(name, value)| *name == "FREQ" && FREQUENCIES.contains(value));
    let Some((_, frequency)) = frequency.filter(|_| rule.len() <= RULE_BYTES_MAX) else {
        return UsedRule { rule: String::new(), until, count: 0 };
    };
    let count = parts().find(|(name, _)| *name == "COUNT").and_then(|(_, count)| count.parse().ok());
    let count = count.map_or(IMPORT_REPEATS_MAX, |count: usize| count.min(IMPORT_REPEATS_MAX));
    let mut kept = format!("FREQ={frequency}");
    for (name, value) in parts().filter(|(name, _)| PARTS.contains(name)) {
        kept.push_str(&format!(";{name}={value}"));
    }
    UsedRule { rule: kept, until, count }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::reads::rows_read;

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
        // Never on any day: the search for one ends.
        assert_eq!(said("2024-03-04", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "2030-01-01"), ["2024-03-04"]);
    }

    /// Rules that fit no day or every day, of centuries, by the second, by numbers of times.
    const HOSTILE: [&str; 5] = [
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=4294967295",
        "FREQ=DAILY",
        "FREQ=WEEKLY;BYDAY=MO;UNTIL=99991231",
        "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
    ];

    /// How many days the rules of so many hostile events are tried on, and how many events are counted.
    fn tried(events: usize, mut budget: RepeatBudget) -> (u64, usize) {
        let mut counted = 0;
        let ((), steps) = rows_read(|| {
            for rule in HOSTILE.iter().cycle().take(events) {
                let (repeats, until) =
                    (Recurrence::new(day("1984-01-01"), rule, vec![], vec![]), day("2024-01-01"));
                counted += usize::from(budget.take(&repeats, until) && !repeats.days(until).is_empty());
            }
        });
        (steps, counted)
    }

    #[test]
    fn hostile_rules_are_tried_on_a_bounded_number_of_days() {
        let budget = 100_000;
        let (steps, counted) = tried(50, RepeatBudget::new(budget));
        // The first six, and those by the second, which repeat on no day.
        assert_eq!((steps, counted), (6 * 14_611, 6 + 10));
        assert!(steps <= budget);
        // The control: without a bound each event has its own.
        let (steps, counted) = tried(50, RepeatBudget::new(u64::MAX));
        assert_eq!((steps, counted), (40 * 14_611, 50));
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
