//! Recurrence rules (`RRULE` of RFC 5545), reduced to the parts about days.
//!
//! Days are inspected one by one, from the first period of a rule to its last, so the cost of a rule is known in
//! advance: see [`RepeatRule::span`]. Libraries go on for thousands of years if a rule fits no day.
//!
//! Promise: A rule of repetition gives the days that a library gives, and looks at the days of its periods up to the
//!   last and no further, whether it fits one or not.
//! Control: every period whatever the interval; the library itself, which goes on for thousands of years.

use crate::dates::CalendarDay;
use crate::limits::IMPORT_REPEATS_MAX;

/// Maximum length of a used rule, in bytes.
const RULE_BYTES_MAX: usize = 512;
/// Maximum days in a part of a rule.
const VALUES_MAX: usize = 400;
const WEEKDAYS: [&str; 7] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/// How often a rule's period comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frequency {
    Daily,
    Weekly,
    Monthly,
    Yearly,
}

/// A rule. Empty lists allow every day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RepeatRule {
    frequency: Frequency,
    /// The interval in periods, from 1.
    interval: i64,
    /// The weekday on which weeks begin, 0 for Monday.
    week_start: i64,
    /// Weekdays, 0 for Monday; the number is its occurrence in the month or year, negative from the end, 0 for each.
    weekdays: Vec<(i64, i64)>,
    /// 1 to 12.
    months: Vec<i64>,
    /// Days of the month, from its end if negative.
    month_days: Vec<i64>,
    /// Days of the year, from its end if negative.
    year_days: Vec<i64>,
    /// Positions of the days in a period, from 1; negative ones count from its end.
    positions: Vec<i64>,
    /// Maximum number of occurrences.
    count: usize,
    /// The last day.
    until: Option<CalendarDay>,
}

/// A day with its position in its month and year.
struct PlacedDay {
    day: CalendarDay,
    /// 0 for Monday.
    weekday: i64,
    of_month: (i64, i64),
    of_year: (i64, i64),
}

impl RepeatRule {
    /// Parses the rule `text`; `None` if it is invalid, or repeats by hours, minutes or seconds.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_uppercase();
        if text.len() > RULE_BYTES_MAX {
            return None;
        }
        let value = |name: &str| {
            text.split(';').filter_map(|part| part.split_once('=')).find(|(part, _)| *part == name)
        };
        let list = |name: &str, greatest: i64, least: i64| match value(name) {
            None => Some(Vec::new()),
            Some((_, list)) => numbers(list, least..=greatest),
        };
        let frequency = match value("FREQ")?.1 {
            "DAILY" => Frequency::Daily,
            "WEEKLY" => Frequency::Weekly,
            "MONTHLY" => Frequency::Monthly,
            "YEARLY" => Frequency::Yearly,
            _ => return None,
        };
        let weekday = |name: &str| WEEKDAYS.iter().position(|known| *known == name).map(|day| day as i64);
        let count = value("COUNT").map_or(Some(IMPORT_REPEATS_MAX), |(_, count)| count.parse().ok())?;
        Some(Self {
            frequency,
            interval: value("INTERVAL")
                .map_or(Some(1), |(_, every)| every.parse().ok().filter(|every| *every > 0))?,
            week_start: value("WKST").map_or(Some(0), |(_, day)| weekday(day))?,
            weekdays: match value("BYDAY") {
                None => Vec::new(),
                Some((_, list)) => weekdays(list, &weekday, frequency)?,
            },
            months: list("BYMONTH", 12, 1)?,
            month_days: list("BYMONTHDAY", 31, -31)?,
            year_days: list("BYYEARDAY", 366, -366)?,
            positions: list("BYSETPOS", 366, -366)?,
            count: count.min(IMPORT_REPEATS_MAX),
            until: value("UNTIL").and_then(|(_, day)| CalendarDay::parse_digits(day)),
        })
    }

    /// The numbers of the first and the last day that [`Self::days`] inspects: whole periods. `None` if there are none.
    pub(crate) fn span(&self, start: CalendarDay, up_to: CalendarDay) -> Option<(i64, i64)> {
        let last = self.until.map_or(up_to, |until| until.min(up_to));
        if last < start {
            return None;
        }
        Some(match self.frequency {
            Frequency::Daily => (start.number(), last.number()),
            Frequency::Weekly => {
                let begin =
                    |day: CalendarDay| day.number() - (day.number() + 3 - self.week_start).rem_euclid(7);
                (begin(start), begin(last) + 6)
            }
            Frequency::Monthly => (
                CalendarDay { day: 1, ..start }.number(),
                CalendarDay { day: 1, ..last }.number() + month_length(last.year, last.month) - 1,
            ),
            Frequency::Yearly => (
                CalendarDay { month: 1, day: 1, ..start }.number(),
                CalendarDay { month: 12, day: 31, ..last }.number(),
            ),
        })
    }

    /// The days from `start` to `up_to` on which an event that begins on `start` takes place by the rule, ascending.
    /// Inspects each day of [`Self::span`].
    pub(crate) fn days(&self, start: CalendarDay, up_to: CalendarDay) -> Vec<CalendarDay> {
        let Some((first, end)) = self.span(start, up_to) else { return Vec::new() };
        let last = self.until.map_or(up_to, |until| until.min(up_to));
        let filled = self.filled(start);
        let mut found = Vec::new();
        let (mut in_period, mut period) = (Vec::new(), 0);
        let first_period = self.period(start, start.number());
        for number in first..=end {
            let Some(day) = CalendarDay::from_number(number) else { continue };
            let now = self.period(day, number) - first_period;
            if now != period {
                self.take(&mut in_period, start, last, &mut found);
                period = now;
            }
            if found.len() >= self.count {
                break;
            }
            if now % self.interval == 0 && filled.fits(&PlacedDay::of(day, number)) {
                in_period.push(day);
            }
        }
        self.take(&mut in_period, start, last, &mut found);
        found.truncate(self.count);
        found
    }

    /// Moves the days of a period that the rule selects to `found`.
    fn take(
        &self,
        in_period: &mut Vec<CalendarDay>,
        start: CalendarDay,
        last: CalendarDay,
        found: &mut Vec<CalendarDay>,
    ) {
        let count = in_period.len() as i64;
        let is_named = |place: i64| {
            self.positions.is_empty()
                || self.positions.iter().any(|&at| at == place + 1 || at == place - count)
        };
        let named = in_period.drain(..).zip(0..).filter(|(_, place)| is_named(*place)).map(|(day, _)| day);
        found.extend(named.filter(|day| (start..=last).contains(day)));
    }

    /// The rule with the day of `start` if it selects none by itself.
    fn filled(&self, start: CalendarDay) -> Self {
        let mut filled = self.clone();
        if self.weekdays.is_empty() && self.month_days.is_empty() && self.year_days.is_empty() {
            match self.frequency {
                Frequency::Daily => {}
                Frequency::Weekly => filled.weekdays = vec![(0, weekday_of(start.number()))],
                Frequency::Monthly => filled.month_days = vec![start.day.into()],
                Frequency::Yearly => {
                    filled.month_days = vec![start.day.into()];
                    if self.months.is_empty() {
                        filled.months = vec![start.month.into()];
                    }
                }
            }
        }
        filled
    }

    /// The number of the period that `day` is in.
    fn period(&self, day: CalendarDay, number: i64) -> i64 {
        match self.frequency {
            Frequency::Daily => number,
            Frequency::Weekly => (number + 3 - self.week_start).div_euclid(7),
            Frequency::Monthly => i64::from(day.year) * 12 + i64::from(day.month),
            Frequency::Yearly => day.year.into(),
        }
    }

    fn fits(&self, placed: &PlacedDay) -> bool {
        let names = |list: &[i64], (place, length): (i64, i64)| {
            list.is_empty() || list.iter().any(|&named| named == place || named == place - length - 1)
        };
        let is_in_months = self.months.is_empty() || self.months.contains(&placed.day.month.into());
        let by_month = self.frequency == Frequency::Monthly || !self.months.is_empty();
        let (place, length) = if by_month { placed.of_month } else { placed.of_year };
        let which = ((place - 1) / 7 + 1, -((length - place) / 7 + 1));
        let is_weekday = |&(nth, weekday): &(i64, i64)| {
            weekday == placed.weekday && (nth == 0 || nth == which.0 || nth == which.1)
        };
        is_in_months
            && names(&self.month_days, placed.of_month)
            && names(&self.year_days, placed.of_year)
            && (self.weekdays.is_empty() || self.weekdays.iter().any(is_weekday))
    }
}

impl PlacedDay {
    fn of(day: CalendarDay, number: i64) -> Self {
        let first = CalendarDay { month: 1, day: 1, ..day }.number();
        let length = if month_length(day.year, 2) == 29 { 366 } else { 365 };
        Self {
            day,
            weekday: weekday_of(number),
            of_month: (day.day.into(), month_length(day.year, day.month)),
            of_year: (number - first + 1, length),
        }
    }
}

/// 0 for Monday: day 0, the first of 1970, was a Thursday.
fn weekday_of(number: i64) -> i64 {
    (number + 3).rem_euclid(7)
}

fn month_length(year: u16, month: u8) -> i64 {
    (28..=31).rev().find(|day| CalendarDay::new(year, month, *day).is_some()).unwrap_or(28).into()
}

/// Parses a list of numbers, none of them 0; `None` if one is invalid or out of `bounds`.
fn numbers(list: &str, bounds: std::ops::RangeInclusive<i64>) -> Option<Vec<i64>> {
    let read = |text: &str| text.parse().ok().filter(|number| *number != 0 && bounds.contains(number));
    list.split(',').take(VALUES_MAX).map(read).collect()
}

/// Parses a list of weekdays: `MO`, and `1TU` or `-1FR` by the month or year.
fn weekdays(
    list: &str,
    weekday: &dyn Fn(&str) -> Option<i64>,
    frequency: Frequency,
) -> Option<Vec<(i64, i64)>> {
    let takes_nth = matches!(frequency, Frequency::Monthly | Frequency::Yearly);
    let read = |text: &str| {
        let (nth, name) = text.split_at_checked(text.len().checked_sub(2)?)?;
        let nth = if nth.is_empty() {
            0
        } else {
            nth.parse().ok().filter(|nth: &i64| *nth != 0 && nth.abs() <= 53)?
        };
        Some((nth, weekday(name)?)).filter(|(nth, _)| *nth == 0 || takes_nth)
    };
    list.split(',').take(VALUES_MAX).map(read).collect()
}

#[cfg(test)]
mod tests {
    use calcard::common::timezone::Tz;
    use calcard::{Entry, Parser};

    use super::*;

    fn day(text: &str) -> CalendarDay {
        CalendarDay::parse(text).unwrap()
    }

    /// A second opinion: the days of `rule` from a library, which goes on until it finds one.
    fn by_library(start: CalendarDay, rule: &str, last: CalendarDay, count: usize) -> Vec<CalendarDay> {
        let digits = |day: CalendarDay| format!("{:04}{:02}{:02}", day.year, day.month, day.day);
        let event = format!(
            "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:{}\r\nRRULE:{rule};UNTIL={}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
            digits(start),
            digits(last),
        );
        let Entry::ICalendar(calendar) = Parser::new(&event).entry() else { panic!("{rule}") };
        let found = calendar.expand_dates(Tz::Floating, count);
        assert!(found.errors.is_empty(), "{rule}: {:?}", found.errors);
        let days = found.events.iter().map(|event| day(&event.start.format("%Y-%m-%d").to_string()));
        days.filter(|day| *day <= last).collect()
    }

    /// Random numbers from a seed.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % bound
        }

        fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
            of[self.below(of.len())]
        }
    }

    /// A random rule that RFC 5545 allows.
    fn drawn(dice: &mut Dice) -> String {
        let frequency = dice.one(&["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]);
        let is_long = matches!(frequency, "MONTHLY" | "YEARLY");
        let mut rule = vec![format!("FREQ={frequency}")];
        let mut part = |dice: &mut Dice, one_in: usize, values: &[&str]| {
            if dice.below(one_in) == 0 {
                rule.push(dice.one(values).to_owned());
            }
        };
        part(dice, 2, &["INTERVAL=2", "INTERVAL=3", "INTERVAL=13"]);
        part(dice, 3, &["BYMONTH=2", "BYMONTH=1,3,12", "BYMONTH=6,7"]);
        if frequency != "WEEKLY" {
            part(dice, 3, &["BYMONTHDAY=1", "BYMONTHDAY=-1", "BYMONTHDAY=13,31", "BYMONTHDAY=-31,15"]);
        }
        if is_long {
            part(dice, 2, &["BYDAY=1TU", "BYDAY=-1FR,2MO", "BYDAY=SA,SU", "BYDAY=5WE"]);
            part(dice, 3, &["BYSETPOS=1", "BYSETPOS=-1,2"]);
        } else {
            part(dice, 2, &["BYDAY=MO", "BYDAY=TU,SU", "BYDAY=MO,TU,WE,TH,FR"]);
        }
        if frequency == "YEARLY" {
            part(dice, 4, &["BYYEARDAY=100", "BYYEARDAY=-1,1,60"]);
        }
        part(dice, 3, &["WKST=SU", "WKST=TH"]);
        let names_days = rule.iter().any(|part| part.starts_with("BY") && !part.starts_with("BYSETPOS"));
        rule.retain(|part| names_days || !part.starts_with("BYSETPOS"));
        rule.join(";")
    }

    #[test]
    fn any_rule_gives_the_days_that_a_library_gives() {
        let mut dice = Dice(42);
        let (mut days, mut differ) = (0, 0);
        for _ in 0..200 {
            let rule = drawn(&mut dice);
            let start =
                day(dice.one(&["2023-01-31", "2024-02-29", "2024-03-04", "2023-12-31", "2024-12-30"]));
            let last = CalendarDay { year: start.year + 4, day: 28, ..start };
            let count = [3, IMPORT_REPEATS_MAX][dice.below(2)];
            let read = RepeatRule::parse(&format!("{rule};COUNT={count}")).unwrap();
            let found = read.days(start, last);
            assert_eq!(found, by_library(start, &rule, last, count), "{start:?} {rule} {count}");
            days += found.len();
            // The control: every period, whatever the interval.
            differ += usize::from(RepeatRule { interval: 1, ..read.clone() }.days(start, last) != found);
        }
        assert!(days > 5_000 && differ > 50, "{days} {differ}");
    }

    #[test]
    fn what_is_no_rule_of_days_is_none() {
        for rule in [
            "",
            "nonsense",
            "FREQ=HOURLY",
            "FREQ=DAILY;INTERVAL=0",
            "FREQ=DAILY;COUNT=-1",
            "FREQ=YEARLY;BYMONTH=13",
            "FREQ=MONTHLY;BYMONTHDAY=0",
            "FREQ=WEEKLY;BYDAY=1MO",
            "FREQ=MONTHLY;BYDAY=99SU",
            "FREQ=MONTHLY;BYDAY=é",
        ] {
            assert_eq!(RepeatRule::parse(rule), None, "{rule}");
        }
    }

    /// A rule that takes a library thousands of years costs no more than its span.
    #[test]
    fn a_rule_looks_at_the_days_of_its_periods_and_no_further() {
        let (start, last) = (day("2024-01-10"), day("2024-02-02"));
        for (rule, looks) in [
            ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", 24),
            ("FREQ=DAILY;UNTIL=20240112", 3),
            ("FREQ=WEEKLY;BYDAY=MO", 28),
            ("FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2", 60),
            ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", 366),
            ("FREQ=YEARLY;BYDAY=MO;BYSETPOS=366", 366),
        ] {
            let (first, end) = RepeatRule::parse(rule).unwrap().span(start, last).unwrap();
            assert_eq!(end - first + 1, looks, "{rule}");
        }
        assert_eq!(RepeatRule::parse("FREQ=DAILY").unwrap().span(last, start), None);
    }
}
