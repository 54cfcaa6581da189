//! Splits JSON one level at a time, keeping each value as written.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Why a text is not the expected JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JsonFault {
    /// The line within the text, from 1.
    pub(crate) line: usize,
    /// The byte within that line, from 1.
    pub(crate) column: usize,
    /// The parser's message.
    pub(crate) message: String,
}

/// A key, borrowed if it contains no escape.
struct Key<'a>(Cow<'a, str>);

/// Passes each entry of an object to a function, in their order.
struct EachEntry<F>(F);

/// Calls `take` with each key of the object `text` and its value as written, in their order.
///
/// # Errors
/// Returns an error if `text` is not a valid JSON object, possibly after calls of `take`. Texts inside values are not
/// decoded, so a broken escape in one is not detected.
pub(crate) fn each_entry<'a>(
    text: &'a str,
    take: impl FnMut(Cow<'a, str>, &'a str),
) -> Result<(), JsonFault> {
    let mut parser = serde_json::Deserializer::from_str(text);
    parser.deserialize_map(EachEntry(take))?;
    Ok(parser.end()?)
}

/// The items of the array `text`, as written.
///
/// # Errors
/// Returns an error if `text` is not a valid JSON array.
pub(crate) fn items(text: &str) -> Result<Vec<&str>, JsonFault> {
    let items: Vec<&RawValue> = serde_json::from_str(text)?;
    Ok(items.into_iter().map(RawValue::get).collect())
}

/// The value `text` without surrounding white space.
///
/// # Errors
/// Returns an error if `text` is not valid JSON.
pub(crate) fn value(text: &str) -> Result<&str, JsonFault> {
    Ok(serde_json::from_str::<&RawValue>(text)?.get())
}

/// The content of the JSON string `raw`; `None` if `raw` is not a string.
///
/// # Errors
/// Returns an error if an escape is not a character.
pub(crate) fn text(raw: &str) -> Result<Option<Cow<'_, str>>, JsonFault> {
    let Some(inside) = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return Ok(None);
    };
    if inside.as_bytes().contains(&b'\\') {
        return Ok(Some(Cow::Owned(serde_json::from_str(raw)?)));
    }
    Ok(Some(Cow::Borrowed(inside)))
}

/// Appends `text` as a JSON string, escaping only what must be escaped.
///
/// # Errors
/// Never returns an error: every text can be written.
pub(crate) fn push_text(out: &mut String, text: &str) -> Result<(), JsonFault> {
    if text.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
        out.push_str(&serde_json::to_string(text)?);
    } else {
        out.extend(["\"", text, "\""]);
    }
    Ok(())
}

/// The number of bytes of JSON for `byte` of a text.
pub(crate) fn written_bytes(byte: u8) -> usize {
    match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' => 2,
        ..b' ' => 6,
        _ => 1,
    }
}

impl From<serde_json::Error> for JsonFault {
    fn from(error: serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let said = error.to_string();
        let message = said.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&said);
        Self { line, column, message: message.to_owned() }
    }
}

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a key")
            }
            fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Borrowed(key)))
            }
            fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Owned(key.to_owned())))
            }
        }
        deserializer.deserialize_str(KeyVisitor)
    }
}

impl<'de, F: FnMut(Cow<'de, str>, &'de str)> Visitor<'de> for EachEntry<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(Key(key)) = map.next_key()? {
            let value: &'de RawValue = map.next_value()?;
            (self.0)(key, value.get());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_in_order_with_their_values_as_written() -> Result<(), JsonFault> {
        let mut said = Vec::new();
        each_entry(r#" {"b\u0041": 1e400 , "a":[ 1 ],"a":null} "#, |key, raw| {
            said.push((key.into_owned(), raw));
        })?;
        let expected = [("bA", "1e400"), ("a", "[ 1 ]"), ("a", "null")];
        assert_eq!(said, expected.map(|(key, raw)| (key.to_owned(), raw)));
        Ok(())
    }

    #[test]
    fn faults_have_their_place_apart_from_their_message() {
        let fault = each_entry("{\"a\": 1,\n \"b\" 2}", |_, _| {}).err();
        let expected = JsonFault { line: 2, column: 6, message: "expected `:`".to_owned() };
        assert_eq!(fault, Some(expected));
        for text in ["{} x", "[]", "{", "", "{\"\\ud800\": 1}"] {
            assert!(each_entry(text, |_, _| {}).is_err(), "{text}");
        }
    }

    #[test]
    fn strings_are_written_with_the_fewest_escapes() -> Result<(), JsonFault> {
        for (text, expected) in [
            ("", r#""""#),
            ("a/é\u{7f}\u{2028}", "\"a/é\u{7f}\u{2028}\""),
            ("\"\\\n\u{1f}", r#""\"\\\n\u001f""#),
        ] {
            let mut written = String::new();
            push_text(&mut written, text)?;
            assert_eq!(written, expected);
        }
        Ok(())
    }

    #[test]
    fn strings_are_decoded_and_broken_escapes_refused() {
        for (raw, expected) in [
            (r#""plain é""#, Ok(Some("plain é"))),
            (r#""\u00e9\n\ud83d\ude00""#, Ok(Some("é\n😀"))),
            (r#""""#, Ok(Some(""))),
            ("5", Ok(None)),
            (r#""\ud800""#, Err(())),
            (r#""\ude00\ud83d""#, Err(())),
        ] {
            let found = text(raw).map_err(|_| ());
            assert_eq!(found.as_ref().map(Option::as_deref), expected.as_ref().map(|&text| text), "{raw}");
        }
    }
}
