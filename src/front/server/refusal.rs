//! Answers made below the router, as bytes: for requests that are unreadable, too slow, or too many.

use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::http::HeaderName;
use axum::http::header::{CONNECTION, CONTENT_LENGTH, DATE};

use crate::api::error::ApiError;
use crate::api::layers::{self, REQUEST_ID};
use crate::api::metrics::Metrics;
use crate::clock;

/// The first second of the year 10,000, since 1970.
const HTTP_DATES_END: u64 = 253_402_300_800;

/// A whole answer with `error` that also ends the connection, stamped, counted and logged like every answer.
#[must_use]
pub fn write(error: &ApiError, metrics: &Metrics) -> Vec<u8> {
    let (parts, body) = layers::refuse(error, metrics).into_parts();
    let mut answer = Vec::with_capacity(512);
    let reason = parts.status.canonical_reason().unwrap_or("");
    let (length, now) = (body.len().to_string(), clock::wall_time());
    let _ = write!(answer, "HTTP/1.1 {} {reason}\r\n", parts.status.as_u16());
    let mut header = |name: &HeaderName, value: &[u8]| {
        answer.extend_from_slice(name.as_str().as_bytes());
        answer.extend_from_slice(b": ");
        answer.extend_from_slice(value);
        answer.extend_from_slice(b"\r\n");
    };
    for (name, value) in &parts.headers {
        header(name, value.as_bytes());
    }
    header(&CONTENT_LENGTH, length.as_bytes());
    header(&CONNECTION, b"close");
    if has_http_date(now) {
        header(&DATE, httpdate::fmt_http_date(now).as_bytes());
    }
    answer.extend_from_slice(b"\r\n");
    answer.extend_from_slice(&body);
    answer
}

/// Whether `Date` can express `time`: it has the years 1970 to 9999, and the library panics at any other.
#[must_use]
pub(crate) fn has_http_date(time: SystemTime) -> bool {
    time.duration_since(UNIX_EPOCH).is_ok_and(|since| since.as_secs() < HTTP_DATES_END)
}

/// The error in `bytes`, if hyper made this answer itself: its answers are bare, and ours all have a request id.
#[must_use]
pub fn made_by_hyper(bytes: &[u8]) -> Option<ApiError> {
    let status = bytes.strip_prefix(b"HTTP/1.1 ")?.get(..3)?;
    let ends = memchr::memmem::find(bytes, b"\r\n\r\n")? + 4;
    let is_ours = memchr::memmem::find(&bytes[..ends], REQUEST_ID.as_str().as_bytes()).is_some();
    if is_ours || ends != bytes.len() {
        return None;
    }
    match status {
        b"400" => Some(ApiError::MalformedRequest),
        b"414" | b"431" => Some(ApiError::HeadTooLarge),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_no_date_can_say_is_known_before_the_library_panics() {
        let at = |seconds: u64| UNIX_EPOCH + std::time::Duration::from_secs(seconds);
        for time in [at(0), at(1_700_000_000), at(HTTP_DATES_END - 1)] {
            assert!(has_http_date(time) && httpdate::fmt_http_date(time).ends_with("GMT"));
        }
        for time in [UNIX_EPOCH - std::time::Duration::from_secs(1), at(HTTP_DATES_END)] {
            assert!(!has_http_date(time));
            // The control: the library itself, which is not called for these.
            assert!(std::panic::catch_unwind(|| httpdate::fmt_http_date(time)).is_err());
        }
    }

    #[test]
    fn a_refusal_is_a_whole_answer_in_shape() -> Result<(), Box<dyn std::error::Error>> {
        let text = String::from_utf8(write(&ApiError::HeadTooLarge, &Metrics::new()?))?;
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 431 "), "{head}");
        for line in ["service-request-id: req_", "cache-control: no-store", "content-type: application/json"]
        {
            assert!(head.contains(line), "{line}: {head}");
        }
        assert!(head.contains(&format!("content-length: {}\r\nconnection: close\r\ndate: ", body.len())));
        assert!(
            body.starts_with("{\"error\":\"") && body.ends_with("\"code\":\"headers_too_large\"}"),
            "{body}"
        );
        Ok(())
    }

    #[test]
    fn only_bare_answers_are_hypers() {
        let bare = "HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
        for (bytes, expected) in [
            (bare.to_owned(), Some(ApiError::MalformedRequest)),
            (bare.replace("400", "431"), Some(ApiError::HeadTooLarge)),
            (bare.replace("400", "200"), None),
            (bare.replace("connection", "service-request-id: x\r\nconnection"), None),
            (format!("{bare}{{}}"), None),
            ("HTTP/1.1 100 Continue\r\n\r\n".to_owned(), None),
            ("HTTP/1.1 400".to_owned(), None),
            (String::new(), None),
        ] {
            assert_eq!(made_by_hyper(bytes.as_bytes()), expected, "{bytes}");
        }
    }
}
