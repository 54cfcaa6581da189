//! Events as records: what an event says is copied on the thread that says it, some hundred bytes, and made into a line
//! of JSON by the thread that writes. The lines are those of `tracing_subscriber`'s own JSON with the fields of the
//! event flat and without its target; spans have no place in them, and the program makes none.

use std::fmt::{self, Write as _};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use crate::clock;
use crate::model::time::Timestamp;
use crate::stderr::LineFormat;

/// The length that records have room for at once, in bytes; longer ones grow.
const RECORD_BYTES: usize = 512;

/// The type of a value.
#[derive(Clone, Copy)]
enum Kind {
    /// UTF-8.
    Text,
    /// JSON as it is.
    Literal,
}

/// Hands each event to `sink` as a record, with what makes a line of it.
pub(super) struct RecordLayer {
    sink: fn(&[u8], LineFormat),
}

impl RecordLayer {
    pub(super) fn new(sink: fn(&[u8], LineFormat)) -> Self {
        Self { sink }
    }
}

impl<S: Subscriber> Layer<S> for RecordLayer {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut record = Record::new(clock::wall_time(), *event.metadata().level());
        event.record(&mut record);
        (self.sink)(&record.bytes, format);
    }
}

/// A record: seconds and nanoseconds since 1970, the first letter of the level, then each field.
struct Record {
    bytes: Vec<u8>,
}

impl Record {
    fn new(at: SystemTime, level: Level) -> Self {
        let mut bytes = Vec::with_capacity(RECORD_BYTES);
        // A clock that is set before 1970 is written as 1970.
        let at = at.duration_since(UNIX_EPOCH).unwrap_or_default();
        bytes.extend_from_slice(&at.as_secs().to_le_bytes());
        bytes.extend_from_slice(&at.subsec_nanos().to_le_bytes());
        bytes.push(level.as_str().as_bytes()[0]);
        Self { bytes }
    }

    /// A field: what its value is, the lengths of its name and value, and both.
    fn field(&mut self, field: &Field, kind: Kind, write: impl FnOnce(&mut Self)) {
        self.bytes.push(kind as u8);
        self.sized(|record| record.bytes.extend_from_slice(field.name().as_bytes()));
        self.sized(write);
    }

    fn sized(&mut self, write: impl FnOnce(&mut Self)) {
        let at = self.bytes.len();
        self.bytes.extend_from_slice(&[0; 4]);
        write(self);
        // The sink drops what is longer than it holds, a mebibyte, long before 4 GiB.
        let length = (self.bytes.len() - at - 4) as u32;
        self.bytes[at..at + 4].copy_from_slice(&length.to_le_bytes());
    }

    fn literal(&mut self, field: &Field, value: impl Serialize) {
        // A record takes everything.
        self.field(field, Kind::Literal, |record| drop(serde_json::to_writer(&mut record.bytes, &value)));
    }
}

impl fmt::Write for Record {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.bytes.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

impl Visit for Record {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.field(field, Kind::Text, |record| {
            let _ = write!(record, "{value:?}");
        });
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.field(field, Kind::Text, |record| record.bytes.extend_from_slice(value.as_bytes()));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.literal(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.literal(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.literal(field, value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.literal(field, value);
    }
}

/// Appends the line of `record`.
fn format(record: &[u8], line: &mut Vec<u8>) {
    // What is cut short gives what it can; records are made whole.
    let _ = write_line(record, line);
    line.extend_from_slice(b"}\n");
}

fn write_line(mut record: &[u8], line: &mut Vec<u8>) -> Option<()> {
    let seconds = u64::from_le_bytes(*cut(&mut record)?);
    let nanos = u32::from_le_bytes(*cut(&mut record)?);
    let level = match cut(&mut record)? {
        b"E" => "ERROR",
        b"W" => "WARN",
        b"I" => "INFO",
        b"D" => "DEBUG",
        _ => "TRACE",
    };
    let at = Duration::new(seconds, nanos);
    line.extend_from_slice(b"{\"timestamp\":\"");
    line.extend_from_slice(written(at).as_bytes());
    line.extend_from_slice(b"\",\"level\":\"");
    line.extend_from_slice(level.as_bytes());
    line.push(b'"');
    while !record.is_empty() {
        let [kind] = *cut(&mut record)?;
        let (name, value) = (cut_sized(&mut record)?, cut_sized(&mut record)?);
        line.push(b',');
        write_text(name, line)?;
        line.push(b':');
        if kind == Kind::Literal as u8 {
            line.extend_from_slice(value);
        } else {
            write_text(value, line)?;
        }
    }
    Some(())
}

/// Appends `text` as JSON. Most texts of a log need no escape, and are copied.
fn write_text(text: &[u8], line: &mut Vec<u8>) -> Option<()> {
    let is_plain = |&byte: &u8| byte.is_ascii() && byte >= b' ' && byte != b'"' && byte != b'\\';
    // Not `all`, which stops at the first: this way many bytes are looked at together.
    if text.iter().fold(true, |plain, byte| plain & is_plain(byte)) {
        line.push(b'"');
        line.extend_from_slice(text);
        line.push(b'"');
        return Some(());
    }
    serde_json::to_writer(line, &String::from_utf8_lossy(text)).ok()
}

/// `2026-01-02T03:04:05.678901Z`: the time `at` after 1970.
fn written(at: Duration) -> String {
    let seconds = i64::try_from(at.as_secs()).ok();
    let written = seconds.and_then(|seconds| Timestamp::new(seconds, at.subsec_nanos()));
    written.map_or_else(String::new, Timestamp::to_rfc3339_us)
}

/// The next bytes of `record`, which goes on behind them.
fn cut<'a, const N: usize>(record: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (first, rest) = record.split_first_chunk()?;
    *record = rest;
    Some(first)
}

fn cut_sized<'a>(record: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = u32::from_le_bytes(*cut(record)?) as usize;
    let (first, rest) = record.split_at_checked(length)?;
    *record = rest;
    Some(first)
}

#[cfg(test)]
mod tests;
