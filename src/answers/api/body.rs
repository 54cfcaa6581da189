//! Request bodies: JSON objects of a bounded size, each field a value to read (`sent`).

use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::http::{HeaderMap, header};
use http_body_util::BodyExt;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use tokio::sync::Semaphore;

use crate::api::error::ApiError;
use crate::api::prefer::Handling;
use crate::api::sent::{Sent, is_blank, read_limit};
use crate::limits::{
    BATCH_BODY_BYTES_MAX, BODY_BYTES_MAX, BODY_DEADLINE, BODY_DISCARDED_BYTES_MAX, EXPORT_DEADLINE,
    LIST_TEXTS_MAX, OBJECT_FIELDS_MAX,
};

/// The path of the endpoint that accepts many targets in one body.
pub const BATCH_PATH: &str = "/api/v1/search/warm-paths/batch";

/// The path of the endpoint that takes a colleague's export.
pub const BRING_PATH: &str = "/bring/files";
/// The path of the endpoint that takes one more export of the owner, at `kith open`.
pub const FURTHER_PATH: &str = "/explore/import";

/// How long a request to `path` may take if others may take `usual`: files take as long as they are.
#[must_use]
pub fn deadline(path: &str, usual: Duration) -> Duration {
    if [BRING_PATH, FURTHER_PATH].contains(&path) { EXPORT_DEADLINE } else { usual }
}

/// The most bytes of a body that is sent to `path`.
#[must_use]
pub fn bytes_max(path: &str) -> usize {
    if path == BATCH_PATH { BATCH_BODY_BYTES_MAX } else { BODY_BYTES_MAX }
}

/// Reads a body that is declared as JSON and has at most [`BODY_BYTES_MAX`] bytes.
///
/// # Errors
/// Returns the errors of [`read_up_to`].
pub async fn read(headers: &HeaderMap, body: Body) -> Result<Vec<u8>, ApiError> {
    read_up_to(BODY_BYTES_MAX, headers, body, None).await
}

/// Reads a body that is declared as JSON and has at most `most` bytes.
///
/// With `long`, everything beyond [`BODY_BYTES_MAX`] is read under a permit, so that one organization's long bodies do
/// not keep all threads reading.
///
/// # Errors
/// Returns 415 for another type; then 413 for too many bytes, before asking for them if the request announces its
/// length (`Expect`); then 400 for a body that breaks off; 408 for one that takes longer than [`BODY_DEADLINE`].
pub async fn read_up_to(
    most: usize,
    headers: &HeaderMap,
    body: Body,
    long: Option<&Semaphore>,
) -> Result<Vec<u8>, ApiError> {
    if !is_json(headers) {
        return Err(ApiError::UnsupportedMediaType);
    }
    let is_too_long = body.size_hint().lower() > most as u64;
    // The client waits to be asked for its body, so there is nothing to discard.
    if is_too_long && headers.contains_key(header::EXPECT) {
        return Err(ApiError::PayloadTooLarge { most });
    }
    tokio::time::timeout(BODY_DEADLINE, collect(most, body, long))
        .await
        .unwrap_or(Err(ApiError::RequestTimeout))
}

async fn collect(most: usize, mut body: Body, long: Option<&Semaphore>) -> Result<Vec<u8>, ApiError> {
    let expected = body.size_hint().lower().min(most as u64);
    let mut read = Vec::with_capacity(expected as usize);
    let (mut turns, mut permit) = (0, None);
    while let Some(frame) = body.frame().await {
        let broken = |_| ApiError::missing("the body", "a JSON object that is sent to its end");
        let Ok(bytes) = frame.map_err(broken)?.into_data() else { continue };
        if read.len() + bytes.len() > most {
            discard(body).await;
            return Err(ApiError::PayloadTooLarge { most });
        }
        read.extend_from_slice(&bytes);
        // A long body that has already arrived must not make others wait for this thread.
        if read.len() / BODY_BYTES_MAX > turns {
            if let (Some(long), None) = (long, &permit) {
                // No semaphore is closed.
                permit = long.acquire().await.ok();
            }
            turns = read.len() / BODY_BYTES_MAX;
            tokio::task::yield_now().await;
        }
    }
    Ok(read)
}

/// Reads on to the end, or for [`BODY_DISCARDED_BYTES_MAX`]: who is answered while still sending is cut off,
/// and never sees the answer.
pub(crate) async fn discard(mut body: Body) {
    let mut left = BODY_DISCARDED_BYTES_MAX;
    while let Some(Ok(frame)) = body.frame().await {
        let length = frame.data_ref().map_or(0, |bytes| bytes.len());
        let Some(rest) = left.checked_sub(length) else { break };
        left = rest;
    }
}

/// Whether the only `Content-Type` is `application/json`, with any parameters.
fn is_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(header::CONTENT_TYPE).iter();
    let (Some(one), None) = (types.next(), types.next()) else { return false };
    let kind = one.to_str().unwrap_or("").split(';').next().unwrap_or("").trim();
    kind.eq_ignore_ascii_case("application/json")
}

/// A JSON object as sent.
#[derive(Debug)]
pub struct Object {
    fields: Vec<(String, Box<RawValue>)>,
}

/// `body` without the byte order mark that some programs put first.
fn without_mark(body: &[u8]) -> &[u8] {
    body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(body)
}

/// `expected`, with the line and column of the fault.
fn placed(expected: &str, fault: &serde_json::Error) -> String {
    match fault.line() {
        0 => expected.to_owned(),
        line => format!("{expected}; it is none from line {line}, column {} on", fault.column()),
    }
}

impl Object {
    /// Parses the object `text`, sent as `name`, and keeps its `known` fields, each at most twice, so that a repeated
    /// field is refused, however often it was sent. Of all other fields it keeps the first, for [`Self::check`].
    ///
    /// # Errors
    /// Returns an error naming `expected` if it is not a JSON object.
    pub fn known(
        text: &str,
        known: &'static [&'static str],
        name: &str,
        expected: &str,
    ) -> Result<Self, ApiError> {
        let mut reading = serde_json::Deserializer::from_str(text);
        let object = reading.deserialize_map(KnownFieldsVisitor(known));
        let object = object.and_then(|object| reading.end().map(|()| object));
        object.map_err(|error| {
            let shorter = || format!("{expected} of at most {OBJECT_FIELDS_MAX} fields");
            ApiError::invalid(
                name,
                text,
                if is_too_long(&error) { shorter() } else { placed(expected, &error) },
            )
        })
    }

    /// Like [`Self::parse`], keeping only the `known` fields.
    ///
    /// # Errors
    /// Returns an error if the body is not a JSON object in UTF-8.
    pub fn parse_known(body: &[u8], known: &'static [&'static str]) -> Result<Self, ApiError> {
        let (name, expected) = ("the body", "a JSON object");
        match std::str::from_utf8(without_mark(body)) {
            Ok(text) if is_blank(text) => Err(ApiError::missing(name, expected)),
            Ok(text) => Self::known(text, known, name, expected),
            Err(_) => Err(ApiError::invalid(name, &String::from_utf8_lossy(body), expected)),
        }
    }

    /// Parses a body.
    ///
    /// # Errors
    /// Returns an error if it is not a JSON object in UTF-8.
    pub fn parse(body: &[u8]) -> Result<Self, ApiError> {
        let expected = "a JSON object";
        let text = std::str::from_utf8(without_mark(body)).ok();
        if text.is_some_and(is_blank) {
            return Err(ApiError::missing("the body", expected));
        }
        let fault =
            |expected: String| ApiError::invalid("the body", &String::from_utf8_lossy(body), expected);
        let text = text.ok_or_else(|| fault(expected.to_owned()))?;
        serde_json::from_str(text).map_err(|error| fault(placed(expected, &error)))
    }

    /// Checks that every field is `known`, unless unknown ones are ignored.
    ///
    /// # Errors
    /// Returns an error for the first field to refuse.
    pub fn check(&self, handling: Handling, known: &[&str]) -> Result<(), ApiError> {
        handling.check("field", self.fields.iter().map(|(name, value)| (name.as_str(), value.get())), known)
    }

    /// A field's value as sent; `None` if it was not sent, or as `null`.
    fn sent<'n>(&self, name: &'n str) -> Result<Option<Sent<'n, '_>>, ApiError> {
        let values = self.fields.iter().filter(|(sent, _)| sent == name).map(|(_, value)| value.get());
        Ok(Sent::once(name, values)?.filter(|sent| sent.value() != "null"))
    }

    /// The text of a field, or `None` if it was not sent.
    ///
    /// # Errors
    /// Returns an error if it is not a text, or was sent more than once.
    pub fn text(&self, name: &str, expected: &str) -> Result<Option<String>, ApiError> {
        self.sent(name)?.map(|sent| read_json(sent, expected)).transpose()
    }

    /// The names of `all` in the list of a field, or `None` if it was not sent.
    ///
    /// # Errors
    /// Returns an error if it is not a list of names, empty, or sent more than once.
    pub fn names<T: Copy, const N: usize>(
        &self,
        name: &str,
        all: [T; N],
        name_of: fn(T) -> &'static str,
    ) -> Result<Option<Vec<T>>, ApiError> {
        let expected = format!("a list of one or more of {}", all.map(name_of).join(", "));
        let Some(sent) = self.some_texts(name, &expected)? else { return Ok(None) };
        sent.iter().map(|text| Sent::new(name, text).one_of(all, name_of)).collect::<Result<_, _>>().map(Some)
    }

    /// The list of one or more texts of a field, or `None` if it was not sent.
    ///
    /// # Errors
    /// Returns an error if it is not a list of texts, empty, or sent more than once.
    pub fn some_texts(&self, name: &str, expected: &str) -> Result<Option<Vec<String>>, ApiError> {
        let Some(sent) = self.sent(name)? else { return Ok(None) };
        let texts: Vec<String> = read_list(sent.value(), LIST_TEXTS_MAX).map_err(|error| {
            let shorter = format!("at most {LIST_TEXTS_MAX} {expected}");
            sent.refused(if is_too_long(&error) { &shorter } else { expected })
        })?;
        if texts.is_empty() {
            return Err(ApiError::invalid(name, "[]", expected));
        }
        Ok(Some(texts))
    }

    /// The one of `all` that a field names, or `None` if it was not sent.
    ///
    /// # Errors
    /// Returns an error if it is not such a name, or was sent more than once.
    pub fn one_of<T: Copy, const N: usize>(
        &self,
        name: &str,
        all: [T; N],
        name_of: fn(T) -> &'static str,
    ) -> Result<Option<T>, ApiError> {
        let sent = self.text(name, &format!("one of {}", all.map(name_of).join(", ")))?;
        sent.map(|text| Sent::new(name, &text).one_of(all, name_of)).transpose()
    }

    /// The value of a boolean field, or `None` if it was not sent.
    ///
    /// # Errors
    /// Returns an error if it is not a boolean, or was sent more than once.
    pub fn boolean(&self, name: &str) -> Result<Option<bool>, ApiError> {
        self.sent(name)?.map(|sent| read_json(sent, "true or false")).transpose()
    }

    /// The elements of the list of a field, at least one and at most `most`, each as sent.
    ///
    /// # Errors
    /// Returns an error if it is not such a list, not sent, or sent more than once.
    pub fn elements(&self, name: &str, most: usize, expected: &str) -> Result<Vec<&str>, ApiError> {
        let sent = self.sent(name)?.ok_or_else(|| ApiError::missing(name, expected))?;
        let elements: Option<Vec<&RawValue>> = read_list(sent.value(), most).ok();
        let elements = elements.filter(|elements| !elements.is_empty());
        Ok(elements.ok_or_else(|| sent.refused(expected))?.into_iter().map(RawValue::get).collect())
    }

    /// The whole number of a field, within `range`, or `None` if it was not sent.
    ///
    /// # Errors
    /// Returns an error if it does not consist of decimal digits, is out of range, or was sent more than once.
    pub fn whole(&self, name: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, ApiError> {
        self.sent(name)?.map(|sent| sent.whole(range)).transpose()
    }

    /// `limit`: the maximum number of entries.
    ///
    /// # Errors
    /// Returns an error if it is not a whole number, out of range, or sent more than once.
    pub fn limit(&self) -> Result<u32, ApiError> {
        read_limit(self.sent("limit")?)
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

/// Keeps every field, repeated ones included: their reader decides which may repeat.
struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Object;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Object { fields })
    }
}

/// Keeps the fields with these names, each at most twice.
struct KnownFieldsVisitor(&'static [&'static str]);

impl<'de> Visitor<'de> for KnownFieldsVisitor {
    type Value = Object;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
        let mut fields: Vec<(String, Box<RawValue>)> = Vec::new();
        let mut has_unknown = false;
        let mut count = 0;
        while let Some(name) = map.next_key::<String>()? {
            count += 1;
            if count > OBJECT_FIELDS_MAX {
                return Err(A::Error::invalid_length(count, &self));
            }
            let kept = fields.iter().filter(|(kept, _)| *kept == *name).count();
            let is_first_unknown = !self.0.contains(&&*name) && !std::mem::replace(&mut has_unknown, true);
            if is_first_unknown || (kept < 2 && self.0.contains(&&*name)) {
                fields.push((name, map.next_value()?));
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(Object { fields })
    }
}

/// Parses the list `text`, of at most `most` elements.
fn read_list<'v, T: Deserialize<'v>>(text: &'v str, most: usize) -> Result<Vec<T>, serde_json::Error> {
    let mut reading = serde_json::Deserializer::from_str(text);
    reading.deserialize_seq(ElementsVisitor { most, of: PhantomData })
}

/// Whether parsing stopped because an object or a list is too long.
fn is_too_long(error: &serde_json::Error) -> bool {
    error.is_data() && error.to_string().starts_with("invalid length")
}

/// Parses a list of at most `most` elements.
struct ElementsVisitor<T> {
    most: usize,
    of: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for ElementsVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a list of at most {}", self.most)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = list.next_element()? {
            if elements.len() == self.most {
                return Err(A::Error::invalid_length(self.most + 1, &self));
            }
            elements.push(element);
        }
        Ok(elements)
    }
}

fn read_json<'v, T: Deserialize<'v>>(sent: Sent<'_, 'v>, expected: &str) -> Result<T, ApiError> {
    serde_json::from_str(sent.value()).map_err(|_| sent.refused(expected))
}

#[cfg(test)]
mod tests;
