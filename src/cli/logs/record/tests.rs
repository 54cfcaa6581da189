//! Lines that are made of records, beside those of `tracing_subscriber`.

use std::io;

use serde_json::Value;
use tracing_subscriber::layer::SubscriberExt;

use super::*;
use crate::auth::logged::Kept;

/// What the records of this thread were made into.
fn sink(record: &[u8], format: LineFormat) {
    LINES.with_borrow_mut(|lines| format(record, lines));
}

thread_local! {
    static LINES: std::cell::RefCell<Vec<u8>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// Everything that an event may hold.
fn say() {
    let nothing: Option<&str> = None;
    let text = "a \"quoted\" \\ line\nand \u{1} \u{7f} \u{2028} é 李 🦀";
    tracing::info!(request_id = %"req_1", method = Some("GET"), tool = nothing, status = 200_u16, "request");
    tracing::warn!(text, debugged = ?text, shown = %text, "{text}");
    tracing::error!(zero = 0, least = i64::MIN, most = u64::MAX, is_it = true, "numbers");
    tracing::error!(half = 0.5, whole = 1.0, tiny = 1e-30, none = f64::NAN, wide = u128::MAX);
    let cause = io::Error::other(text);
    tracing::debug!(error = &cause as &dyn std::error::Error, r#type = 1, "dotted.name" = 2);
    tracing::trace!(target: "kith_server::audit", "audited");
    tracing::info!("{}", "long ".repeat(2_000));
}

fn lines(bytes: Vec<u8>) -> Vec<String> {
    String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
}

/// A line without the time in it, which comes first.
fn without_time(line: &str) -> &str {
    let at = line.find(",\"level\"").unwrap();
    &line[at..]
}

#[test]
fn a_line_is_to_the_byte_that_of_the_subscriber_in_the_same_order() {
    let kept = Kept::default();
    let of_the_subscriber = tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_target(false)
        .with_max_level(Level::TRACE)
        .with_writer(kept.clone())
        .finish();
    tracing::subscriber::with_default(of_the_subscriber, say);
    let expected = kept.lines();
    LINES.take();
    let ours = tracing_subscriber::registry().with(RecordLayer::new(sink));
    tracing::subscriber::with_default(ours, say);
    let made = lines(LINES.take());
    assert_eq!((expected.len(), made.len()), (7, 7));
    for (made, expected) in made.iter().zip(&expected) {
        assert_eq!(without_time(made), without_time(expected));
        let read: Value = serde_json::from_str(made).unwrap();
        let model: Value = serde_json::from_str(expected).unwrap();
        let time = |line: &Value| line["timestamp"].as_str().unwrap().len();
        assert_eq!(time(&read), time(&model), "{made}");
    }
}

#[test]
fn times_are_to_the_microsecond() {
    for (at, said) in [
        (Duration::new(0, 0), "1970-01-01T00:00:00.000000Z"),
        (Duration::new(1_767_323_045, 678_901_999), "2026-01-02T03:04:05.678901Z"),
        (Duration::new(951_782_400, 1_000), "2000-02-29T00:00:00.000001Z"),
        (Duration::new(u64::MAX, 0), ""),
    ] {
        assert_eq!(written(at), said);
    }
}

#[test]
fn what_is_cut_short_is_a_line_all_the_same() {
    let mut record = Record::new(UNIX_EPOCH, Level::INFO);
    record.bytes.extend_from_slice(&[0, 200, 0, 0, 0, b'a']);
    for length in 0..=record.bytes.len() {
        let mut line = Vec::new();
        format(&record.bytes[..length], &mut line);
        assert!(
            line.ends_with(b"}\n") && line.iter().filter(|&&byte| byte == b'\n').count() == 1,
            "{length}"
        );
    }
}
