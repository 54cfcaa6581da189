//! Request bodies: JSON objects of a bounded size, read field by field, to the letter.

use axum::body::Body;
use axum::http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::api::error::ApiError;
use crate::limits::BODY_BYTES_MAX;

/// Reads a body that says it is JSON and has at most [`BODY_BYTES_MAX`] bytes.
///
/// # Errors
/// 415 for another type, then 413 for more bytes, then 400 for one that breaks off.
pub async fn read(headers: &HeaderMap, body: Body) -> Result<Vec<u8>, ApiError> {
    if !is_json(headers) {
        return Err(ApiError::UnsupportedMediaType);
    }
    match Limited::new(body, BODY_BYTES_MAX).collect().await {
        Ok(collected) => Ok(collected.to_bytes().into()),
        Err(error) if error.is::<LengthLimitError>() => Err(ApiError::PayloadTooLarge),
        Err(_) => Err(ApiError::missing("the body", "a JSON object that is sent to its end")),
    }
}

/// Whether the one `Content-Type` is `application/json`, with whatever parameters.
fn is_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(header::CONTENT_TYPE).iter();
    let (Some(one), None) = (types.next(), types.next()) else { return false };
    let kind = one.to_str().unwrap_or("").split(';').next().unwrap_or("").trim();
    kind.eq_ignore_ascii_case("application/json")
}

/// The fields of a body that is one JSON object. Unknown ones are ignored.
///
/// # Errors
/// Where it is something else, or a known field stands in it twice.
pub fn object<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    let expected = "a JSON object, its fields each sent once";
    let refused = || ApiError::invalid("the body", &String::from_utf8_lossy(body), expected);
    let text = std::str::from_utf8(body).map_err(|_| refused())?;
    // A list would pass for the fields in their order.
    let object = Some(text).filter(|text| text.trim_start().starts_with('{')).ok_or_else(refused)?;
    serde_json::from_str(object).map_err(|_| refused())
}

/// A field's value as it was sent; `null` is absent.
pub type Field = Option<Box<RawValue>>;

/// The text of a field that holds one; nothing where it was not sent.
///
/// # Errors
/// Where it is something else.
pub fn text(name: &str, field: &Field, expected: &str) -> Result<Option<String>, ApiError> {
    field.as_ref().map(|sent| parse(name, sent, expected)).transpose()
}

/// The texts of a field that holds a list of them; nothing where it was not sent.
///
/// # Errors
/// Where it is something else.
pub fn texts(name: &str, field: &Field, expected: &str) -> Result<Option<Vec<String>>, ApiError> {
    field.as_ref().map(|sent| parse(name, sent, expected)).transpose()
}

/// The whole number of a field, written in digits alone, within `range`; nothing where it was not sent.
///
/// # Errors
/// Where it is something else.
pub fn whole(
    name: &str,
    field: &Field,
    range: std::ops::RangeInclusive<u32>,
) -> Result<Option<u32>, ApiError> {
    let Some(sent) = field else { return Ok(None) };
    let text = sent.get();
    let number = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
    let expected = || format!("a whole number from {} to {}", range.start(), range.end());
    number
        .filter(|number| range.contains(number))
        .map(Some)
        .ok_or_else(|| ApiError::invalid(name, text, expected()))
}

fn parse<'a, T: serde::Deserialize<'a>>(
    name: &str,
    sent: &'a RawValue,
    expected: &str,
) -> Result<T, ApiError> {
    serde_json::from_str(sent.get()).map_err(|_| ApiError::invalid(name, sent.get(), expected))
}
