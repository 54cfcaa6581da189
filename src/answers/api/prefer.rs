//! How unknown names are treated: ignored, or refused if the request has `Prefer: handling=strict` (RFC 7240).

use axum::http::{HeaderMap, HeaderName, HeaderValue};

use crate::api::error::ApiError;
use crate::model::nearest::nearest_name;

/// The header with the caller's preference.
const PREFER: HeaderName = HeaderName::from_static("prefer");
/// The header naming the preference that was followed.
pub const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");
/// Its value for [`Handling::Strict`].
pub const STRICT: HeaderValue = HeaderValue::from_static("handling=strict");
/// The paths below which the preference is followed.
const PATHS: &str = "/api/v1/";

/// How to treat unknown names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Handling {
    /// They are ignored.
    #[default]
    Lenient,
    /// The first of them is refused.
    Strict,
}

impl Handling {
    /// Reads the handling from the headers of a request to `path`: the first `handling` of all `Prefer` lines counts.
    #[must_use]
    pub fn of(path: &str, headers: &HeaderMap) -> Self {
        let lines = headers.get_all(PREFER).iter().filter(|_| path.starts_with(PATHS));
        let mut preferences = lines.flat_map(|line| unquoted_parts(line.as_bytes(), b','));
        match preferences.find_map(handling) {
            Some(true) => Self::Strict,
            Some(false) | None => Self::Lenient,
        }
    }

    /// Checks that each name of `sent`, which comes with its value, is `known`, unless handling is lenient. `kind` says
    /// what the names are: parameters or fields.
    ///
    /// # Errors
    /// Returns an error for an unknown name, with the nearest known one.
    pub fn check<'a>(
        self,
        kind: &str,
        mut sent: impl Iterator<Item = (&'a str, &'a str)>,
        known: &[&str],
    ) -> Result<(), ApiError> {
        if self == Self::Lenient {
            return Ok(());
        }
        let Some((name, value)) = sent.find(|(name, _)| !known.contains(name)) else { return Ok(()) };
        let expected = match nearest_name(name, known.iter().copied()) {
            Some(nearest) => {
                let article = if kind.starts_with('a') { "an" } else { "a" };
                format!("{article} {kind} that is known here, of which {nearest} is the nearest")
            }
            None => format!("no {kind} here"),
        };
        Err(ApiError::invalid(name, value, expected))
    }
}

/// Whether a preference is `handling=strict`; `None` if it is not about `handling`.
fn handling(preference: &[u8]) -> Option<bool> {
    let word = unquoted_parts(preference, b';').next()?;
    let mut sides = word.splitn(2, |&byte| byte == b'=').map(<[u8]>::trim_ascii);
    let is_handling = sides.next()?.eq_ignore_ascii_case(b"handling");
    is_handling.then(|| sides.next().is_some_and(|value| unquoted(value).eq_ignore_ascii_case(b"strict")))
}

/// Splits `text` at separators outside quoted strings.
fn unquoted_parts(text: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    text.split(move |&byte| {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            _ => return byte == separator && !is_quoted,
        }
        false
    })
}

/// Returns the content of a token or a quoted string.
fn unquoted(value: &[u8]) -> Vec<u8> {
    let inside = value.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
    let Some(inside) = inside else { return value.to_vec() };
    let mut is_escaped = false;
    let says = |byte: &&u8| {
        is_escaped = **byte == b'\\' && !is_escaped;
        !is_escaped
    };
    inside.iter().filter(says).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lines: &[&str]) -> Handling {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(
                PREFER,
                HeaderValue::from_bytes(line.as_bytes()).unwrap_or_else(|_| panic!("{line}")),
            );
        }
        assert_eq!(Handling::of("/docs", &headers), Handling::Lenient, "only below /api/v1");
        assert_eq!(Handling::of("/api/v1", &headers), Handling::Lenient, "only below /api/v1");
        Handling::of("/api/v1/x", &headers)
    }

    #[test]
    fn the_first_handling_counts_in_any_case_quoted_and_beside_others() {
        for lines in [
            &["handling=strict"][..],
            &["Handling=STRICT"],
            &["handling=\"strict\""],
            &["handling = \"St\\rict\""],
            &["\thandling\t=\tstrict ; wait=3"],
            &["handling=strict;handling=lenient"],
            &["respond-async, wait=10, handling=strict"],
            &["respond-async,,handling=strict,"],
            &["respond-async", "wait=10", "handling=strict"],
            &["handling=strict, handling=lenient"],
            &["handling=strict", "handling=lenient"],
            &["foo=\"a, handling=lenient\", handling=strict"],
            &["foo=\"a\\\", handling=lenient\", handling=strict"],
            &["foo; bar=\"x;y,z\", handling=strict"],
            &["foo; handling=lenient, handling=strict"],
            &["caf\u{e9}=1, handling=strict"],
            &["foo=\"unended", "handling=strict"],
        ] {
            assert_eq!(of(lines), Handling::Strict, "{lines:?}");
        }
        for lines in [
            &[][..],
            &[""],
            &["handling"],
            &["handling="],
            &["handling=\"\""],
            &["handling=lenient"],
            &["handling=lenient, handling=strict"],
            &["handling", "handling=strict"],
            &["handling=lenient", "handling=strict"],
            &["handling=strictly"],
            &["handling=\"strict"],
            &["handling=strict\""],
            &["handling='strict'"],
            &["handling=strict x"],
            &["handlings=strict"],
            &["x-handling=strict"],
            &["\"handling\"=strict"],
            &["strict"],
            &["foo; handling=strict"],
            &["foo=\"handling=strict\""],
            &["foo=\"a, handling=strict\""],
            &["foo=\"a\\\", handling=strict\""],
            &["foo=\"a, handling=strict"],
        ] {
            assert_eq!(of(lines), Handling::Lenient, "{lines:?}");
        }
    }

    #[test]
    fn the_first_unknown_name_is_refused_with_the_nearest_by_edits() {
        let known = ["limit", "offset", "scope", "sort"];
        let refused = |name: &str| {
            let sent = [("limit", "1"), (name, "x"), ("later", "y")];
            Handling::Strict.check("parameter", sent.into_iter(), &known).err().map(|error| error.sentence())
        };
        for (name, nearest) in [
            ("limt", "limit"),
            ("Limit", "limit"),
            ("ofset", "offset"),
            ("offsets", "offset"),
            ("cope", "scope"),
            ("sotr", "sort"),
            ("port", "sort"),
            ("", "sort"),
            ("\u{301}imit", "limit"),
        ] {
            let sentence = refused(name).unwrap_or_default();
            assert!(sentence.starts_with(&format!("{name} was \"x\"; expected a parameter")), "{sentence}");
            assert!(sentence.ends_with(&format!(" of which {nearest} is the nearest.")), "{sentence}");
        }
        let long = refused(&"é".repeat(300)).unwrap_or_default();
        assert_eq!(long.matches('é').count(), 100, "{long}");
        let check = |handling: Handling, name, known: &[&str]| {
            handling.check("field", [(name, "x")].into_iter(), known).err().map(|error| error.sentence())
        };
        assert_eq!(check(Handling::Strict, "sort", &known), None);
        assert_eq!(
            check(Handling::Strict, "sort", &[]).as_deref(),
            Some("sort was \"x\"; expected no field here.")
        );
        // The control: with lenient handling, every name passes.
        assert_eq!(check(Handling::Lenient, "limt", &known), None);
    }
}
