//! The life of a credential as people write it: a whole number and one unit, `30s`, `15m`, `1h`, `7d`.

use std::str::FromStr;
use std::time::Duration;

use crate::limits::TOKEN_LIFE_SECONDS_MAX;

/// The life of a credential, from one second to 365 days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ttl(Duration);

impl Ttl {
    /// A life of `seconds`; `None` outside one second to 365 days.
    #[must_use]
    pub fn from_seconds(seconds: u64) -> Option<Self> {
        (1..=TOKEN_LIFE_SECONDS_MAX).contains(&seconds).then(|| Self(Duration::from_secs(seconds)))
    }

    /// The life as a duration.
    #[must_use]
    pub fn as_duration(self) -> Duration {
        self.0
    }
}

impl FromStr for Ttl {
    type Err = TtlError;

    fn from_str(text: &str) -> Result<Self, TtlError> {
        let unit_at = text.find(|c: char| !c.is_ascii_digit()).ok_or(TtlError::Malformed)?;
        let (number, unit) = text.split_at(unit_at);
        let unit_seconds = match unit {
            "s" => 1,
            "m" => 60,
            "h" => 60 * 60,
            "d" => 24 * 60 * 60,
            _ => return Err(TtlError::Malformed),
        };
        if number.is_empty() {
            return Err(TtlError::Malformed);
        }
        // It has only digits, so a failure means a number beyond 64 bits.
        let number: u64 = number.parse().map_err(|_| TtlError::OutOfRange)?;
        number.checked_mul(unit_seconds).and_then(Self::from_seconds).ok_or(TtlError::OutOfRange)
    }
}

/// Why a life is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TtlError {
    /// Not a whole number and one unit.
    #[error("write a whole number and a unit: 30s, 15m, 1h or 7d")]
    Malformed,
    /// Shorter than a second or longer than 365 days.
    #[error("a key or a token lives from 1s to 365d")]
    OutOfRange,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_life_time_is_a_whole_number_and_one_unit() {
        for (text, seconds) in [
            ("1s", 1),
            ("30s", 30),
            ("15m", 900),
            ("1h", 3_600),
            ("7d", 604_800),
            ("365d", TOKEN_LIFE_SECONDS_MAX),
            ("31536000s", TOKEN_LIFE_SECONDS_MAX),
            ("007d", 604_800),
        ] {
            assert_eq!(text.parse::<Ttl>().map(Ttl::as_duration), Ok(Duration::from_secs(seconds)), "{text}");
        }
    }

    #[test]
    fn anything_else_is_malformed() {
        for text in
            ["", "1", "h", "1 h", " 1h", "1h ", "1H", "-1h", "+1h", "1.5h", "1h30m", "1w", "١h", "1ms"]
        {
            assert_eq!(text.parse::<Ttl>(), Err(TtlError::Malformed), "{text}");
        }
    }

    #[test]
    fn a_token_lives_from_a_second_to_a_year() {
        for text in ["0s", "0d", "366d", "31536001s", "18446744073709551615d", "99999999999999999999s"] {
            assert_eq!(text.parse::<Ttl>(), Err(TtlError::OutOfRange), "{text}");
        }
    }
}
