//! Writes compact JSON in one pass, straight from the index into the body.

use std::fmt::{self, Write};

use crate::api::escape::{any_needs_escape, needs_escape};
use crate::limits::ANSWER_BYTES_MAX;
use crate::live::answers::WrittenAnswer;
use crate::model::time::Timestamp;
use crate::query::evidence::ReasonSentence;

/// A writer of one JSON text.
#[derive(Debug, Default)]
pub struct Json {
    out: Vec<u8>,
    capped: bool,
    too_long: bool,
}

/// A value that a field may have.
pub trait Value {
    /// Writes the value after its key.
    fn write(self, json: &mut Json);
}

/// A value that is already JSON.
#[derive(Clone, Copy, Debug)]
pub struct Raw<'a>(pub &'a str);

/// The day of a moment, in UTC.
#[derive(Clone, Copy, Debug)]
pub struct Day(pub Timestamp);

/// Whether a bound on work cut the answer short; writing it also marks the answer as capped.
#[derive(Clone, Copy, Debug)]
pub struct IsCapped(pub bool);

impl Value for &str {
    fn write(self, json: &mut Json) {
        json.string(self);
    }
}

impl Value for &&str {
    fn write(self, json: &mut Json) {
        json.string(self);
    }
}

impl Value for &String {
    fn write(self, json: &mut Json) {
        json.string(self);
    }
}

impl Value for ReasonSentence<'_> {
    fn write(self, json: &mut Json) {
        if let Some(sentence) = self.undated() {
            return json.string(sentence);
        }
        json.out.push(b'"');
        // Writes a part of a string, and never fails.
        let _ = write!(Parts(json), "{self}");
        json.out.push(b'"');
    }
}

/// Writes a string part by part.
struct Parts<'j>(&'j mut Json);

impl fmt::Write for Parts<'_> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.0.escaped(part);
        Ok(())
    }
}

impl Value for bool {
    fn write(self, json: &mut Json) {
        Raw(if self { "true" } else { "false" }).write(json);
    }
}

impl Value for Timestamp {
    fn write(self, json: &mut Json) {
        json.string(&self.to_rfc3339_ms());
    }
}

impl Value for Day {
    fn write(self, json: &mut Json) {
        let day = self.0.to_rfc3339_ms();
        json.string(day.split('T').next().unwrap_or_default());
    }
}

impl Value for Raw<'_> {
    fn write(self, json: &mut Json) {
        if json.has_room(self.0.len()) {
            json.out.extend_from_slice(self.0.as_bytes());
        }
    }
}

impl Value for IsCapped {
    fn write(self, json: &mut Json) {
        self.0.write(json);
        json.capped |= self.0;
    }
}

macro_rules! whole_numbers {
    ($($kind:ty),+) => {
        $(impl Value for $kind {
            fn write(self, json: &mut Json) {
                json.digits(self as u64);
            }
        })+
    };
}

whole_numbers!(u8, u32, u64, usize);

/// The digits of a `\u00XX` escape.
const HEX: &[u8; 16] = b"0123456789abcdef";

impl Json {
    /// An empty text with room for `bytes`.
    #[must_use]
    pub fn with_capacity(bytes: usize) -> Self {
        Self { out: Vec::with_capacity(bytes), ..Self::default() }
    }

    /// An object with room for `bytes`; `fields` writes its fields.
    #[must_use]
    pub fn of_object(bytes: usize, fields: impl FnOnce(&mut Self)) -> Self {
        let mut json = Self::with_capacity(bytes);
        json.object(fields);
        json
    }

    /// The text written so far.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    /// The whole text as an answer; `None` if it exceeds [`ANSWER_BYTES_MAX`].
    #[must_use]
    pub fn into_answer(self) -> Option<WrittenAnswer> {
        let fits = !self.is_too_long();
        fits.then(|| WrittenAnswer { body: self.out.into(), is_capped: self.capped })
    }

    /// Whether it has exceeded the maximum length; further writes are useless.
    #[must_use]
    pub fn is_too_long(&self) -> bool {
        self.too_long || self.out.len() > ANSWER_BYTES_MAX
    }

    /// Whether a bound on work cut off something written.
    #[must_use]
    pub fn is_capped(&self) -> bool {
        self.capped
    }

    /// Begins an object as the next value; [`Self::close_object`] ends it. For fields that are written bit by bit.
    pub fn open_object(&mut self) {
        self.next_value();
        self.out.push(b'{');
    }

    /// Begins an object as a field.
    pub fn open_object_field(&mut self, key: &str) {
        self.key(key);
        self.open_object();
    }

    /// Begins an array as a field; [`Self::close_array`] ends it.
    pub fn open_array_field(&mut self, key: &str) {
        self.key(key);
        self.out.push(b'[');
    }

    /// Ends the object begun last.
    pub fn close_object(&mut self) {
        self.out.push(b'}');
    }

    /// Ends the array begun last.
    pub fn close_array(&mut self) {
        self.out.push(b']');
    }

    /// Writes an object as the next value; `fields` writes its fields.
    pub fn object(&mut self, fields: impl FnOnce(&mut Self)) {
        self.open_object();
        fields(self);
        self.close_object();
    }

    /// Writes a field that is an object.
    pub fn object_field(&mut self, key: &str, fields: impl FnOnce(&mut Self)) {
        self.key(key);
        self.object(fields);
    }

    /// Writes a field that is an array with an element per item.
    pub fn array_field<T>(
        &mut self,
        key: &str,
        items: impl IntoIterator<Item = T>,
        mut element: impl FnMut(&mut Self, T),
    ) {
        self.open_array_field(key);
        for item in items {
            if self.too_long {
                break;
            }
            element(self, item);
        }
        self.close_array();
    }

    /// Writes the next element of an array.
    pub fn element(&mut self, value: impl Value) {
        self.next_value();
        value.write(self);
    }

    /// Writes a field with this value.
    pub fn field(&mut self, key: &str, value: impl Value) {
        self.key(key);
        value.write(self);
    }

    /// Writes a field with this value, if there is one.
    pub fn field_if(&mut self, key: &str, value: Option<impl Value>) {
        if let Some(value) = value {
            self.field(key, value);
        }
    }

    /// Writes a field that is null.
    pub fn null(&mut self, key: &str) {
        self.field(key, Raw("null"));
    }

    /// Writes a comma, unless the value is the first in its object or array, or follows its key.
    #[inline]
    fn next_value(&mut self) {
        if !matches!(self.out.last(), None | Some(b'{' | b'[' | b':')) {
            self.out.push(b',');
        }
    }

    /// Keys are ours and need no escape.
    #[inline]
    fn key(&mut self, key: &str) {
        self.next_value();
        self.out.push(b'"');
        self.out.extend_from_slice(key.as_bytes());
        self.out.extend_from_slice(b"\":");
    }

    /// Whether `bytes` more fit; otherwise nothing of the text is sent.
    fn has_room(&mut self, bytes: usize) -> bool {
        self.too_long |= self.out.len() + bytes > ANSWER_BYTES_MAX;
        !self.too_long
    }

    fn digits(&mut self, mut rest: u64) {
        if rest < 10 {
            self.out.push(b'0' + rest as u8);
            return;
        }
        let mut digits = [0; 20];
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.out.extend_from_slice(&digits[at..]);
    }

    fn string(&mut self, text: &str) {
        self.out.push(b'"');
        self.escaped(text);
        self.out.push(b'"');
    }

    /// Writes the escaped content of a string.
    fn escaped(&mut self, text: &str) {
        if !self.has_room(text.len()) {
            return;
        }
        let bytes = text.as_bytes();
        // Hardly any text needs more than this check.
        if !any_needs_escape(bytes) {
            return self.out.extend_from_slice(bytes);
        }
        let mut written = 0;
        for (at, &byte) in bytes.iter().enumerate() {
            if !needs_escape(byte) {
                continue;
            }
            self.out.extend_from_slice(&bytes[written..at]);
            written = at + 1;
            self.escape(byte);
        }
        self.out.extend_from_slice(&bytes[written..]);
    }

    fn escape(&mut self, byte: u8) {
        let short = match byte {
            b'"' | b'\\' => byte,
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            _ => {
                let digits = [HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]];
                self.out.extend_from_slice(b"\\u00");
                self.out.extend_from_slice(&digits);
                return;
            }
        };
        self.out.extend_from_slice(&[b'\\', short]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_grows_too_long_is_none_and_takes_no_memory() {
        let text = "x".repeat(1 << 20);
        for (texts, is_answer) in [(15, true), (16, false), (1_000, false)] {
            let mut json = Json::default();
            json.array_field("list", 0..texts, |json, _| json.element(&text));
            assert!(json.out.len() <= ANSWER_BYTES_MAX + 8, "{texts}");
            assert_eq!(json.into_answer().is_some(), is_answer, "{texts}");
        }
    }

    #[test]
    fn what_is_written_reads_back_as_it_was() -> Result<(), serde_json::Error> {
        let awkward: String = (0..0x180).filter_map(char::from_u32).chain(['\u{2028}', '💡']).collect();
        let mut json = Json::default();
        json.object(|json| {
            json.field("text", &awkward);
            json.field("zero", 0_u32);
            json.field("most", u64::MAX);
            json.object_field("empty", |_| {});
            json.array_field("list", ["a", "b:"], |json, item| json.element(item));
            json.array_field("objects", [1_u32, 2], |json, item| json.object(|json| json.field("n", item)));
            json.array_field("none", [""; 0], |json, item| json.element(item));
            json.field("raw", Raw("{\"x\":[]}"));
            json.field("yes", true);
            json.null("null");
            json.field_if("absent", None::<&str>);
        });
        let read: serde_json::Value = serde_json::from_slice(&json.into_bytes())?;
        let expected = serde_json::json!({
            "text": awkward, "zero": 0, "most": u64::MAX, "empty": {}, "list": ["a", "b:"],
            "objects": [{"n": 1}, {"n": 2}], "none": [], "raw": {"x": []}, "yes": true, "null": null
        });
        assert_eq!(read, expected);
        Ok(())
    }
}
