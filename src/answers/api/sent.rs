//! One value as a caller sent it, taken literally: nothing is guessed, cut or rounded. The query string (`params`) and
//! the JSON body (`body`) are the two sources of such values.

use std::ops::RangeInclusive;

use crate::api::error::ApiError;
use kith::limits::{ID_BYTES_MAX, PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX};

/// A value, with the name it was sent under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent<'n, 'v> {
    name: &'n str,
    value: &'v str,
}

impl<'n, 'v> Sent<'n, 'v> {
    /// Wraps `value`, sent under `name`.
    #[must_use]
    pub fn new(name: &'n str, value: &'v str) -> Self {
        Self { name, value }
    }

    /// The only one of the `values` sent under `name`, or `None` if there are none.
    ///
    /// # Errors
    /// Returns an error if there are several.
    pub fn once(name: &'n str, mut values: impl Iterator<Item = &'v str>) -> Result<Option<Self>, ApiError> {
        match (values.next(), values.next()) {
            (value, None) => Ok(value.map(|value| Self { name, value })),
            (_, Some(second)) => Err(Self::new(name, second).refused("it once, not several times")),
        }
    }

    /// The required value under `name`, which takes `expected`.
    ///
    /// # Errors
    /// Returns an error if it is missing or blank.
    pub fn required(name: &str, sent: Option<Self>, expected: &str) -> Result<Self, ApiError> {
        sent.filter(|sent| !is_blank(sent.value)).ok_or_else(|| ApiError::missing(name, expected))
    }

    /// The value as it was sent.
    #[must_use]
    pub fn value(self) -> &'v str {
        self.value
    }

    /// The error that refuses the value; `expected` describes accepted ones.
    #[must_use]
    pub fn refused(self, expected: impl Into<String>) -> ApiError {
        ApiError::invalid(self.name, self.value, expected)
    }

    /// The value, of at most `chars_max` characters; `expected` describes that to the caller.
    ///
    /// # Errors
    /// Returns an error if it is longer.
    pub fn text(self, chars_max: usize, expected: &str) -> Result<&'v str, ApiError> {
        if self.value.chars().count() > chars_max {
            return Err(self.refused(expected));
        }
        Ok(self.value)
    }

    /// The value as an id: 1 to [`ID_BYTES_MAX`] bytes.
    ///
    /// # Errors
    /// Returns an error if it is blank, or longer.
    pub fn id(self) -> Result<&'v str, ApiError> {
        if is_blank(self.value) || self.value.len() > ID_BYTES_MAX {
            return Err(self.refused(format!("an id of 1 to {ID_BYTES_MAX} bytes")));
        }
        Ok(self.value)
    }

    /// The value as a whole number within `range`.
    ///
    /// # Errors
    /// Returns an error if it does not consist of decimal digits, or is out of range.
    pub fn whole(self, range: RangeInclusive<u64>) -> Result<u64, ApiError> {
        let is_digits = !self.value.is_empty() && self.value.bytes().all(|byte| byte.is_ascii_digit());
        let number = self.value.parse().ok().filter(|number| is_digits && range.contains(number));
        let expected = || format!("a whole number from {} to {}", range.start(), range.end());
        number.ok_or_else(|| self.refused(expected()))
    }

    /// The position of the value in `choices`.
    ///
    /// # Errors
    /// Returns an error if it is not one of them.
    pub fn choice(self, choices: &[&str]) -> Result<usize, ApiError> {
        let place = choices.iter().position(|choice| *choice == self.value);
        place.ok_or_else(|| self.refused(format!("one of {}", choices.join(", "))))
    }

    /// The one of `all` that the value names.
    ///
    /// # Errors
    /// Returns an error if it names none of them.
    pub fn one_of<T: Copy, const N: usize>(
        self,
        all: [T; N],
        name_of: fn(T) -> &'static str,
    ) -> Result<T, ApiError> {
        self.choice(&all.map(name_of)).map(|place| all[place])
    }
}

/// The maximum number of entries, from 1 to [`PAGE_LIMIT_MAX`]: `sent`, or [`PAGE_LIMIT_DEFAULT`] if it is `None`.
///
/// # Errors
/// Returns an error if it is not a whole number, or out of range.
pub fn read_limit(sent: Option<Sent<'_, '_>>) -> Result<u32, ApiError> {
    let limit = sent.map(|sent| sent.whole(1..=u64::from(PAGE_LIMIT_MAX))).transpose()?;
    Ok(limit.map_or(PAGE_LIMIT_DEFAULT, |limit| limit as u32))
}

/// Whether a value is empty or only white space.
#[must_use]
pub fn is_blank(value: &str) -> bool {
    value.chars().all(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_taken_once_and_the_second_is_refused() {
        let once = |values: &[&'static str]| Sent::once("x", values.iter().copied());
        assert_eq!((once(&[]), once(&["a"])), (Ok(None), Ok(Some(Sent::new("x", "a")))));
        let refused = ApiError::invalid("x", "b", "it once, not several times");
        assert_eq!(once(&["a", "b", "c"]), Err(refused));
    }

    #[test]
    fn a_limit_has_a_default_and_both_bounds() {
        for (sent, limit) in [
            (None, Some(PAGE_LIMIT_DEFAULT)),
            (Some("0"), None),
            (Some("1"), Some(1)),
            (Some("50"), Some(PAGE_LIMIT_MAX)),
            (Some("51"), None),
            (Some("4294967297"), None),
            (Some("x"), None),
        ] {
            assert_eq!(read_limit(sent.map(|value| Sent::new("limit", value))).ok(), limit, "{sent:?}");
        }
    }
}
