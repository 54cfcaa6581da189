//! The positions, profile and addresses of an export's owner.

use crate::dates::month_named;
use kith::prepare::together::Month;

/// A present or past position of the owner of an export. Missing texts are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnPosition {
    /// The company.
    pub company: String,
    /// The position there.
    pub title: String,
    /// When it began; `None` if that is missing, or not a month or a year.
    pub from: Option<CalendarMonth>,
    /// When it ended; `None` if it goes on, or if that is missing or unreadable.
    pub to: Option<CalendarMonth>,
}

/// The profile of the owner of an export. Missing texts are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnProfile {
    /// The whole name.
    pub name: String,
    /// The given name.
    pub given: String,
    /// The family name.
    pub family: String,
    /// The maiden name.
    pub maiden: String,
    /// The industry.
    pub industry: String,
    /// The place, as written: a city, often with its country.
    pub city: String,
}

/// An address of the owner of an export.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnAddress {
    /// The address, in lower case.
    pub email: String,
    /// Whether the owner's account has it in the first place.
    pub is_primary: bool,
}

/// A month of a year, or a year alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CalendarMonth {
    /// The year, 1 to 9999.
    pub year: u16,
    /// The month, 1 to 12; `None` for a year alone.
    pub month: Option<u8>,
}

impl CalendarMonth {
    /// The month as a number; for a year alone, its month `of_year`.
    pub(crate) fn counted(self, of_year: u8) -> Month {
        Month::new(self.year.into(), self.month.unwrap_or(of_year).into())
    }

    /// Parses `Jan 2024`, `January 2024`, `2024-01`, or a year alone. `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (month, year) = match text.split_once(' ') {
            Some((month, year)) => (Some(month_named(month)?), year),
            None => match text.split_once('-') {
                Some((year, month)) => {
                    (Some(month.parse().ok().filter(|month| (1..=12).contains(month))?), year)
                }
                None => (None, text),
            },
        };
        let is_year = year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit());
        let year = year.parse().ok().filter(|year| is_year && *year > 0)?;
        Some(Self { year, month })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_or_a_year_is_read_and_nothing_else() {
        let month = |year, month| Some(CalendarMonth { year, month });
        for (text, expected) in [
            ("Jan 2024", month(2024, Some(1))),
            ("März 2024", month(2024, Some(3))),
            ("2024-12", month(2024, Some(12))),
            ("2022", month(2022, None)),
            ("", None),
            ("2024-13", None),
            ("Now", None),
            ("Jan 24", None),
            ("0000", None),
            ("Jan 2024 on", None),
        ] {
            assert_eq!(CalendarMonth::parse(text), expected, "{text}");
        }
    }
}
