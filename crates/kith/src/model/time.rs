//! Points in time: read from RFC 3339 with any offset, written as UTC with milliseconds.

use std::fmt;

use time::format_description::well_known::Rfc3339;
use time::{Date, OffsetDateTime};

/// A point in time, to the nanosecond. Orders as time does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    pub seconds: i64,
    /// Nanoseconds after those seconds, below 1,000,000,000.
    pub nanos: u32,
}

/// First second of the year 0 and last of the year 9999: the range of RFC 3339.
const SECONDS: std::ops::RangeInclusive<i64> = -62_167_219_200..=253_402_300_799;

/// A day as `20 November 2026`, or its month as `November 2026`.
#[derive(Clone, Copy, Debug)]
pub struct DateInWords {
    of: Date,
    has_day: bool,
}

impl fmt::Display for DateInWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.has_day {
            write!(f, "{} ", self.of.day())?;
        }
        write!(f, "{} {}", self.of.month(), self.of.year())
    }
}

impl Timestamp {
    /// Parses `text`; `None` if it is not RFC 3339.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let parsed = OffsetDateTime::parse(text, &Rfc3339).ok()?;
        Self::new(parsed.unix_timestamp(), parsed.nanosecond())
    }

    /// The point `nanos` after `seconds`; `None` outside the years 0 to 9999.
    #[must_use]
    pub fn new(seconds: i64, nanos: u32) -> Option<Self> {
        (SECONDS.contains(&seconds) && nanos < 1_000_000_000).then_some(Self { seconds, nanos })
    }

    /// The day as `20 November 2026`, in UTC.
    #[must_use]
    pub fn day_in_words(self) -> DateInWords {
        DateInWords { of: self.utc().date(), has_day: true }
    }

    /// The month as `November 2026`, in UTC.
    #[must_use]
    pub fn month_in_words(self) -> DateInWords {
        DateInWords { of: self.utc().date(), has_day: false }
    }

    /// The year, in UTC.
    #[must_use]
    pub fn year(self) -> i32 {
        self.utc().year()
    }

    fn utc(self) -> OffsetDateTime {
        OffsetDateTime::from_unix_timestamp(self.seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH)
    }

    /// `2026-01-02T03:04:05.678Z`: UTC, truncated to milliseconds. Written digit by digit: the formatting macros take
    /// many times as long.
    #[must_use]
    pub fn to_rfc3339_ms(self) -> String {
        let at = self.utc();
        let mut text = *b"0000-00-00T00:00:00.000Z";
        for (from, digits, mut number) in [
            (0, 4, at.year().unsigned_abs()),
            (5, 2, u8::from(at.month()).into()),
            (8, 2, at.day().into()),
            (11, 2, at.hour().into()),
            (14, 2, at.minute().into()),
            (17, 2, at.second().into()),
            (20, 3, self.nanos / 1_000_000),
        ] {
            for digit in text[from..from + digits].iter_mut().rev() {
                *digit = b'0' + (number % 10) as u8;
                number /= 10;
            }
        }
        str::from_utf8(&text).unwrap_or_default().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_leave_as_utc_with_milliseconds_finer_parts_cut() {
        for (text, written) in [
            ("2013-10-01T08:30:00.5+02:00", "2013-10-01T06:30:00.500Z"),
            ("2026-01-02T03:04:05.6789Z", "2026-01-02T03:04:05.678Z"),
            ("1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"),
            ("2021-01-03T12:00:00-05:00", "2021-01-03T17:00:00.000Z"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"),
            ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"),
        ] {
            assert_eq!(Timestamp::parse(text).map(Timestamp::to_rfc3339_ms).as_deref(), Some(written));
        }
    }

    #[test]
    fn what_rfc_3339_cannot_write_is_no_time() {
        for text in [
            "",
            "2021-01-03",
            "2021-01-03T12:00:00",
            "2021-13-03T12:00:00Z",
            "0000-01-01T00:00:00+01:00",
            "9999-12-31T23:59:59-01:00",
            "yesterday",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }

    #[test]
    fn parts_finer_than_a_millisecond_still_order() {
        let earlier = Timestamp::parse("2026-01-02T03:04:05.678001Z");
        assert!(earlier < Timestamp::parse("2026-01-02T03:04:05.678002Z"));
    }
}
