//! The dates in exports. An ambiguous date counts as none: nothing is guessed.
//!
//! Promise: A date that may be two days is none; a header is known by its columns, in the first 11 lines, whatever
//!   separates them.
//! Control: the same date with a day above 12; a header one line higher.
//! Also in: `sniff.rs`.

/// A day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CalendarDay {
    /// The year, 1 to 9999.
    pub year: u16,
    /// The month, 1 to 12.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
}

/// The names of the months, short and in full, in English and German.
const MONTHS: [&[&str]; 12] = [
    &["jan", "january", "januar"],
    &["feb", "february", "februar"],
    &["mar", "march", "mär", "mrz", "märz"],
    &["apr", "april"],
    &["may", "mai"],
    &["jun", "june", "juni"],
    &["jul", "july", "juli"],
    &["aug", "august"],
    &["sep", "sept", "september"],
    &["oct", "october", "okt", "oktober"],
    &["nov", "november"],
    &["dec", "december", "dez", "dezember"],
];

/// Longer than any valid date and time.
const DATE_BYTES_MAX: usize = 64;

impl CalendarDay {
    /// The day; `None` if the calendar has no such day.
    #[must_use]
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => 0,
        };
        ((1..=9999).contains(&year) && (1..=days).contains(&day)).then_some(Self { year, month, day })
    }

    /// The same day `months` months earlier, or the last day of a shorter month; not before the first possible day.
    #[must_use]
    pub fn months_before(self, months: u32) -> Self {
        let first = Self { year: 1, month: 1, day: 1 };
        let Some(all) = (u32::from(self.year) * 12 + u32::from(self.month) - 1).checked_sub(months) else {
            return first;
        };
        // Both fit: the year is at most this one.
        let (year, month) = ((all / 12) as u16, (all % 12 + 1) as u8);
        (1..=self.day).rev().find_map(|day| Self::new(year, month, day)).unwrap_or(first)
    }

    /// Parses a day in `text`, ignoring a time after it.
    ///
    /// `2024-03-12`, `12 Mar 2024`, `12. März 2024`, `Mar 12, 2024`, `7-Feb-22` (as Excel writes it, in this century),
    /// `12.03.2024`, and with slashes only if one of the first two numbers cannot be a month or both are equal. `None`
    /// for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.len() > DATE_BYTES_MAX {
            return None;
        }
        iso(text).or_else(|| numbers(text)).or_else(|| with_month_name(text))
    }

    /// Parses a day in American notation, recognized by the time after it: `7/8/26, 3:43 PM`, month first, in this
    /// century. `None` for any other text.
    pub(crate) fn parse_american(text: &str) -> Option<Self> {
        let (date, time) = text.trim().split_once([',', ' '])?;
        let time = time.trim().to_ascii_uppercase();
        let mut parts = date.split('/');
        let (month, day, year) = (parts.next()?, parts.next()?, parts.next()?);
        let year = match year.len() {
            2 => 2000 + number(year)?,
            4 => number(year)?,
            _ => return None,
        };
        let is_american = is_time(&time) && (time.ends_with("AM") || time.ends_with("PM"));
        let day = Self::new(year, small(month)?, small(day)?);
        day.filter(|_| is_american && parts.next().is_none())
    }

    /// Parses a day written as digits, `20240312`, ignoring a time after a `T`. `None` for any other text.
    pub(crate) fn parse_digits(text: &str) -> Option<Self> {
        let (date, time) = text.split_once('T').unwrap_or((text, ""));
        let is_digits = date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit());
        let is_time = time.trim_end_matches('Z').bytes().all(|byte| byte.is_ascii_digit());
        if !is_digits || !is_time {
            return None;
        }
        Self::new(number(&date[..4])?, small(&date[4..6])?, small(&date[6..])?)
    }
}

/// Parses `2024-03-12`, ignoring a time after a `T` or a space.
fn iso(text: &str) -> Option<CalendarDay> {
    let (date, behind) = text.split_at_checked(10)?;
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let is_date = year.len() == 4 && month.len() == 2 && day.len() == 2;
    let ends = behind.is_empty() || (behind.starts_with(['T', ' ']) && is_time(&behind[1..]));
    if !is_date || !ends {
        return None;
    }
    CalendarDay::new(number(year)?, small(month)?, small(day)?)
}

/// Parses `12.03.2024`, `3/15/2024` and `15/3/2024`.
fn numbers(text: &str) -> Option<CalendarDay> {
    let (date, behind) = text.split_once([' ', ',']).unwrap_or((text, ""));
    let behind = behind.trim_start();
    if !behind.is_empty() && !is_time(behind) {
        return None;
    }
    let separator = date.chars().find(|c| !c.is_ascii_digit()).filter(|c| ['.', '/'].contains(c))?;
    let mut parts = date.split(separator);
    let (first, second, year) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || year.len() != 4 {
        return None;
    }
    let (first, second, year) = (small(first)?, small(second)?, number(year)?);
    match separator {
        // With dots the day comes first.
        '.' => CalendarDay::new(year, second, first),
        _ if first == second => CalendarDay::new(year, first, first),
        _ if first > 12 => CalendarDay::new(year, second, first),
        _ if second > 12 => CalendarDay::new(year, first, second),
        _ => None,
    }
}

/// Parses `12 Mar 2024`, `7-Feb-22`, `12. März 2024`, `Mar 12, 2024`.
fn with_month_name(text: &str) -> Option<CalendarDay> {
    let mut parts = text.split([' ', '-', ',', '.']).filter(|part| !part.is_empty());
    let (first, second, year) = (parts.next()?, parts.next()?, parts.next()?);
    let behind = parts.next().map_or("", |time| &text[time.as_ptr() as usize - text.as_ptr() as usize..]);
    if !behind.is_empty() && !is_time(behind) {
        return None;
    }
    let (day, month) = match small(first) {
        Some(day) => (day, month_named(second)?),
        None => (small(second)?, month_named(first)?),
    };
    let year = match year.len() {
        4 => number(year)?,
        2 => 2000 + number(year)?,
        _ => return None,
    };
    CalendarDay::new(year, month, day)
}

/// The month called `name`, in full or abbreviated.
pub(crate) fn month_named(name: &str) -> Option<u8> {
    let name = name.to_lowercase();
    let at = MONTHS.iter().position(|names| names.contains(&name.as_str()))?;
    Some(at as u8 + 1)
}

/// Whether `text` begins like a time of day: digits and a colon.
fn is_time(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    (1..=2).contains(&digits) && text[digits..].starts_with(':')
}

/// Parses one or two digits.
fn small(text: &str) -> Option<u8> {
    let is_small = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_small)
}

/// Digits alone.
fn number(text: &str) -> Option<u16> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_read_as_its_program_wrote_it() {
        for text in [
            "12 Mar 2024",
            "12 March 2024",
            "2024-03-12",
            "2024-03-12 09:14",
            "2024-03-12 10:00:00 UTC",
            "2024-03-12T09:14:00.000+0000",
            "12-Mar-24",
            "12. März 2024",
            "12 Mrz 2024",
            "12.03.2024",
            "12.3.2024 09:14",
            "Mar 12, 2024",
            "Mar 12, 2024, 3:43 PM",
            " 12 Mar 2024 ",
        ] {
            assert_eq!(CalendarDay::parse(text), CalendarDay::new(2024, 3, 12), "{text}");
        }
        assert_eq!(CalendarDay::parse("3/15/2024 2:30 PM"), CalendarDay::new(2024, 3, 15));
        assert_eq!(CalendarDay::parse("15/3/2024"), CalendarDay::new(2024, 3, 15));
        assert_eq!(CalendarDay::parse("7-Feb-22"), CalendarDay::new(2022, 2, 7));
        assert_eq!(CalendarDay::parse("5/5/2024"), CalendarDay::new(2024, 5, 5));
    }

    #[test]
    fn a_time_of_twelve_hours_shows_that_the_month_comes_first() {
        for text in ["7/8/26, 3:43 PM", "07/08/2026 03:43 am", "7/8/26, 11:00\u{202f}AM"] {
            assert_eq!(CalendarDay::parse_american(text), CalendarDay::new(2026, 7, 8), "{text}");
        }
        for text in
            ["7/8/26", "7/8/26, 15:43", "13/8/26, 3:43 PM", "7/8/126, 3:43 PM", "7/8/26/1, 3:43 PM", ""]
        {
            assert_eq!(CalendarDay::parse_american(text), None, "{text}");
        }
        assert_eq!(CalendarDay::parse_digits("20240312T091500Z"), CalendarDay::new(2024, 3, 12));
        assert_eq!(CalendarDay::parse_digits("20240312"), CalendarDay::new(2024, 3, 12));
        for text in ["2024031", "2024-03-12", "20240230", "20240312Tnoon", "²0240312"] {
            assert_eq!(CalendarDay::parse_digits(text), None, "{text}");
        }
    }

    #[test]
    fn what_may_be_two_days_or_none_is_none() {
        for text in [
            "3/4/2024",
            "7/8/26, 3:43 PM",
            "3/15/24",
            "12 2024",
            "2024",
            "",
            "30 Feb 2024",
            "2023-02-29",
            "2024-13-01",
            "0000-01-01",
            "12 Marble 2024",
            "12 Ma 2024",
            "45363",
            "2024-03-12x",
            "yesterday",
            "ſ-Mar-24",
            "+1.02.2024",
            "é2 Mar 2024",
        ] {
            assert_eq!(CalendarDay::parse(text), None, "{text}");
        }
        assert_eq!(CalendarDay::parse(&"1".repeat(DATE_BYTES_MAX + 1)), None);
    }
}
