//! Query-string parameters: a source of values to read (`sent`).

use std::borrow::Cow;
use std::convert::Infallible;
use std::ops::RangeInclusive;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::api::error::ApiError;
use crate::api::prefer::Handling;
use crate::api::sent::{Sent, is_blank, read_limit};
use crate::limits::{TARGET_CHARS_MAX, TEXT_CHARS_MAX};
use crate::model::text::{fold, plain_of};
use crate::query::handle::{handle_of, percent_decode};
use crate::query::page::Page;
use crate::query::paths::written::is_taken;
use kith::limits::{EMAIL_CHARS_MAX, ID_BYTES_MAX};

/// The parameters of a request, in the order they were sent.
#[derive(Debug, Default)]
pub struct Params {
    pairs: Vec<(String, String)>,
    fault: Option<ApiError>,
    handling: Handling,
}

impl Params {
    /// Splits a query string. [`Self::check`] reports faults in it later, so that checks that come before validation
    /// can run first.
    #[must_use]
    pub fn parse(query: &str) -> Self {
        let mut params = Self::default();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            match (decode(name), decode(value)) {
                (Some(name), Some(value)) => params.pairs.push((name, value)),
                (name, _) => {
                    let name = name.map_or(Cow::Borrowed("a parameter's name"), Cow::Owned);
                    let sent = if name == "a parameter's name" { pair } else { value };
                    let expected = "percent-encoded UTF-8";
                    params.fault.get_or_insert_with(|| ApiError::invalid(&name, sent, expected));
                }
            }
        }
        params
    }

    /// Parameters with these names and values.
    #[must_use]
    pub fn of(pairs: Vec<(String, String)>) -> Self {
        Self { pairs, fault: None, handling: Handling::default() }
    }

    /// Checks that the whole query string could be decoded, and that every parameter is `known`, unless unknown ones
    /// are ignored.
    ///
    /// # Errors
    /// Returns an error for the first parameter that could not be decoded, else for the first one to refuse.
    pub fn check(&self, known: &[&str]) -> Result<(), ApiError> {
        self.fault.clone().map_or(Ok(()), Err)?;
        let sent = self.pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        self.handling.check("parameter", sent, known)
    }

    /// Returns how the caller wants unknown names treated.
    #[must_use]
    pub fn handling(&self) -> Handling {
        self.handling
    }

    /// All values of `name`, in order.
    pub fn all<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        self.pairs.iter().filter(move |(sent, _)| sent == name).map(|(_, value)| value.as_str())
    }

    /// The value of a parameter that may be sent once; `None` if it was not sent.
    ///
    /// # Errors
    /// Returns an error if it was sent more than once.
    pub fn once(&self, name: &str) -> Result<Option<&str>, ApiError> {
        Ok(self.sent(name)?.map(Sent::value))
    }

    fn sent<'n>(&self, name: &'n str) -> Result<Option<Sent<'n, '_>>, ApiError> {
        Sent::once(name, self.all(name))
    }

    /// A required text of at most [`TEXT_CHARS_MAX`] characters.
    ///
    /// # Errors
    /// Returns an error if it is missing, blank, too long or sent more than once.
    pub fn text(&self, name: &str) -> Result<&str, ApiError> {
        let expected = format!("1 to {TEXT_CHARS_MAX} characters, not blank");
        Sent::required(name, self.sent(name)?, &expected)?.text(TEXT_CHARS_MAX, &expected)
    }

    /// A target as people write it, of 1 to [`TARGET_CHARS_MAX`] characters after folding.
    ///
    /// # Errors
    /// Returns an error if it is missing, blank, too long or sent more than once.
    pub fn target(&self, name: &str) -> Result<&str, ApiError> {
        let expected = format!("1 to {TARGET_CHARS_MAX} characters once folded");
        let sent = Sent::required(name, self.sent(name)?, &expected)?;
        if is_taken(sent.value()) { Ok(sent.value()) } else { Err(sent.refused(expected)) }
    }

    /// A text to search for, plain, of 1 to [`TEXT_CHARS_MAX`] characters after folding.
    ///
    /// # Errors
    /// Returns an error if it is missing, blank, too long or sent more than once.
    pub fn plain(&self, name: &str) -> Result<String, ApiError> {
        let expected = format!("1 to {TEXT_CHARS_MAX} characters once folded");
        let sent = Sent::required(name, self.sent(name)?, &expected)?;
        let folded = fold(sent.value());
        if !(1..=TEXT_CHARS_MAX).contains(&folded.chars().count()) {
            return Err(sent.refused(expected));
        }
        Ok(plain_of(&folded).into_owned())
    }

    /// An id of at most [`ID_BYTES_MAX`] bytes, or `None` if the parameter was not sent.
    ///
    /// # Errors
    /// Returns an error if it is blank, too long or sent more than once.
    pub fn id(&self, name: &str) -> Result<Option<&str>, ApiError> {
        self.sent(name)?.map(Sent::id).transpose()
    }

    /// An e-mail address of at most [`EMAIL_CHARS_MAX`] characters, trimmed.
    ///
    /// # Errors
    /// Returns an error if it is missing, blank, too long, without an `@`, or sent more than once.
    pub fn email(&self, name: &str) -> Result<&str, ApiError> {
        let expected = format!("an e-mail address of at most {EMAIL_CHARS_MAX} characters");
        let sent = Sent::required(name, self.sent(name)?, &expected)?;
        let email = sent.value().trim();
        if email.chars().count() > EMAIL_CHARS_MAX || !email.contains('@') {
            return Err(sent.refused(expected));
        }
        Ok(email)
    }

    /// Whether `name` was sent.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    /// Checks that `name` was not sent: it is valid only beside `other`.
    ///
    /// # Errors
    /// Returns an error if it was sent.
    pub fn only_beside(&self, name: &str, other: &str) -> Result<(), ApiError> {
        let refuse = |value| ApiError::invalid(name, value, format!("it only beside {other}"));
        self.all(name).next().map_or(Ok(()), |value| Err(refuse(value)))
    }

    /// The one of `names` that was sent.
    ///
    /// # Errors
    /// Returns an error if none was sent, or several.
    pub fn exactly_one<'n>(&self, names: &[&'n str]) -> Result<&'n str, ApiError> {
        let mut sent = names.iter().copied().filter(|name| self.all(name).next().is_some());
        let expected = format!("exactly one of {}", names.join(", "));
        let name = sent.next().ok_or_else(|| ApiError::missing(&names.join(" or "), expected.as_str()))?;
        let Some(second) = sent.next() else {
            return Ok(name);
        };
        let value = self.all(second).next().unwrap_or("");
        Err(ApiError::invalid(second, value, format!("{expected}; {name} was sent too")))
    }

    /// A handle, or the URL of a profile; the handle in it is at most as long as an id.
    ///
    /// # Errors
    /// Returns an error if it is missing, blank, too long or sent more than once.
    pub fn handle(&self, name: &str) -> Result<&str, ApiError> {
        let expected = format!("a handle of 1 to {ID_BYTES_MAX} bytes, or a profile address");
        let sent = Sent::required(name, self.sent(name)?, &expected)?;
        if handle_of(sent.value()).len() > ID_BYTES_MAX {
            return Err(sent.refused(expected));
        }
        Ok(sent.value())
    }

    /// One of the names in `choices`, by position, or `None` if the parameter was not sent.
    ///
    /// # Errors
    /// Returns an error if it is another name, or sent more than once.
    pub fn choice(&self, name: &str, choices: &[&str]) -> Result<Option<usize>, ApiError> {
        self.sent(name)?.map(|sent| sent.choice(choices)).transpose()
    }

    /// The named one of `all`, or `None` if the parameter was not sent.
    ///
    /// # Errors
    /// Returns an error if it is another name, or sent more than once.
    pub fn one_of<T: Copy, const N: usize>(
        &self,
        name: &str,
        all: [T; N],
        name_of: fn(T) -> &'static str,
    ) -> Result<Option<T>, ApiError> {
        self.sent(name)?.map(|sent| sent.one_of(all, name_of)).transpose()
    }

    /// The elements of a list, repeated or comma-separated; `None` if it was not sent.
    ///
    /// # Errors
    /// Returns an error naming `expected` if an element is empty, or longer than an id may be.
    pub fn list(&self, name: &str, expected: impl FnOnce() -> String) -> Result<Option<Vec<&str>>, ApiError> {
        let values: Vec<&str> = self.all(name).flat_map(|value| value.split(',')).collect();
        match values.iter().find(|value| is_blank(value) || value.len() > ID_BYTES_MAX) {
            Some(value) => Err(ApiError::invalid(name, value, expected())),
            None => Ok(Some(values).filter(|values| !values.is_empty())),
        }
    }

    /// The elements of `all` that a list names, or `None` if it was not sent.
    ///
    /// # Errors
    /// Returns an error for any other element.
    pub fn names<T: Copy, const N: usize>(
        &self,
        name: &str,
        all: [T; N],
        name_of: fn(T) -> &'static str,
    ) -> Result<Option<Vec<T>>, ApiError> {
        let sent = self.list(name, || format!("one of {}", all.map(name_of).join(", ")))?;
        let read = |value| Sent::new(name, value).one_of(all, name_of);
        sent.map(|values| values.into_iter().map(read).collect()).transpose()
    }

    /// `limit`: the maximum number of entries.
    ///
    /// # Errors
    /// Returns an error if it is not a whole number, out of range, or sent more than once.
    pub fn limit(&self) -> Result<u32, ApiError> {
        read_limit(self.sent("limit")?)
    }

    /// `limit` and `offset`.
    ///
    /// # Errors
    /// Returns an error if one is not a whole number, out of range, or sent more than once.
    pub fn page(&self) -> Result<Page, ApiError> {
        Ok(Page { limit: self.limit()?, offset: self.whole("offset", 0..=u64::MAX)?.unwrap_or(0) })
    }

    /// A whole number within `range`, or `None` if it was not sent.
    ///
    /// # Errors
    /// Returns an error if it does not consist of decimal digits, is out of range, or was sent more than once.
    pub fn whole(&self, name: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, ApiError> {
        self.sent(name)?.map(|sent| sent.whole(range)).transpose()
    }

    /// A required whole number from 0 on; `expected` describes it to the caller.
    ///
    /// # Errors
    /// Returns an error if it is missing or blank, does not consist of decimal digits, is out of range, or was sent
    /// more than once.
    pub fn required_whole(&self, name: &str, expected: &str) -> Result<u64, ApiError> {
        let sent = Sent::required(name, self.sent(name)?, expected)?;
        sent.whole(0..=u64::MAX).map_err(|_| sent.refused(expected))
    }
}

/// The parameters of the address. Extraction never fails: see [`Params::check`].
impl<S: Sync> FromRequestParts<S> for Params {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let handling = Handling::of(parts.uri.path(), &parts.headers);
        Ok(Self { handling, ..Self::parse(parts.uri.query().unwrap_or("")) })
    }
}

fn decode(encoded: &str) -> Option<String> {
    percent_decode(&encoded.replace('+', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plus_is_a_space_and_percent_is_strict() {
        let params = Params::parse("a=x+y%2B%C3%A9&&b&=z&a=2");
        assert_eq!(params.all("a").collect::<Vec<_>>(), ["x y+é", "2"]);
        assert_eq!(params.once("b"), Ok(Some("")));
        assert_eq!(params.check(&[]), Ok(()));
        for (query, parameter) in
            [("q=%", "q"), ("q=%4", "q"), ("q=%zz", "q"), ("a=1&q=%ff", "q"), ("%ff=1", "a parameter's name")]
        {
            let Err(ApiError::Validation { parameter: named, .. }) = Params::parse(query).check(&[]) else {
                panic!("{query} was taken");
            };
            assert_eq!(named, parameter, "{query}");
        }
    }

    #[test]
    fn ids_have_1_to_200_bytes_alone_and_in_lists() {
        for (bytes, is_taken) in [
            (0, false),
            (1, true),
            (ID_BYTES_MAX, true),
            (ID_BYTES_MAX + 1, false),
            (2 * ID_BYTES_MAX, false),
        ] {
            let id = "x".repeat(bytes);
            assert_eq!(Sent::new("id", &id).id().is_ok(), is_taken, "{bytes}");
            let params = Params::parse(&format!("ids=a,{id}"));
            let expected = is_taken.then(|| vec!["a", id.as_str()]);
            assert_eq!(params.list("ids", || "ids".to_owned()).ok().flatten(), expected, "{bytes}");
        }
    }

    #[test]
    fn whole_numbers_are_decimal_digits_alone() {
        for (value, taken) in [
            ("1", Some(1)),
            ("50", Some(50)),
            ("007", Some(7)),
            ("0", None),
            ("51", None),
            ("+5", None),
            ("-1", None),
            ("20.0", None),
            ("1e1", None),
            ("", None),
            ("%205", None),
            ("٣", None),
            ("99999999999999999999999", None),
        ] {
            let params = Params::parse(&format!("limit={value}"));
            assert_eq!(params.whole("limit", 1..=50).ok().flatten(), taken, "{value}");
        }
        assert!(Params::parse("limit=1&limit=1").page().is_err());
    }

    #[test]
    fn lists_are_repeated_or_comma_separated_and_have_no_empty_element() {
        let list =
            |query| Params::parse(query).list("x", || "y".to_owned()).map(|list| list.map(|list| list.len()));
        assert_eq!((list("x=a,b&x=c"), list("y=a")), (Ok(Some(3)), Ok(None)));
        assert!(["x=", "x=a,,b", "x=a&x=", "x=,"].into_iter().all(|query| list(query).is_err()));
    }
}
