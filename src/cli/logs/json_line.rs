//! An event of the log as a line of JSON: the time, the level, then the fields in the order of the call. Every
//! request pays for one: it takes a third of the instructions of the library's own.

use std::fmt::{self, Debug, Write};

use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::FmtContext;
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer};
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::registry::LookupSpan;

/// Writes events as lines of JSON.
pub(super) struct JsonLine;

impl<S, N> FormatEvent<S, N> for JsonLine
where
    S: Subscriber + for<'s> LookupSpan<'s>,
    N: for<'w> FormatFields<'w> + 'static,
{
    fn format_event(
        &self,
        _: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        writer.write_str("{\"timestamp\":\"")?;
        SystemTime.format_time(&mut writer)?;
        writer.write_str("\",\"level\":\"")?;
        writer.write_str(event.metadata().level().as_str())?;
        writer.write_char('"')?;
        let mut fields = Fields { writer, written: Ok(()) };
        event.record(&mut fields);
        fields.written?;
        fields.writer.write_str("}\n")
    }
}

/// Writes the fields of an event.
struct Fields<'w> {
    writer: Writer<'w>,
    written: fmt::Result,
}

impl Fields<'_> {
    /// Writes a field, whose value is written by `write`.
    fn put(&mut self, field: &Field, write: impl FnOnce(&mut Writer<'_>) -> fmt::Result) {
        let writer = &mut self.writer;
        self.written = self
            .written
            .and_then(|()| writer.write_str(",\""))
            .and_then(|()| writer.write_str(field.name()))
            .and_then(|()| writer.write_str("\":"))
            .and_then(|()| write(writer));
    }

    /// Writes a field, whose value is the text that `write` writes.
    fn put_text(&mut self, field: &Field, write: impl FnOnce(&mut Escaped<'_, '_>) -> fmt::Result) {
        self.put(field, |writer| {
            writer.write_char('"')?;
            write(&mut Escaped(writer))?;
            writer.write_char('"')
        });
    }
}

impl Visit for Fields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.put_text(field, |text| text.write_str(value));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.put_text(field, |text| write!(text, "{value:?}"));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, |writer| write!(writer, "{value}"));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, |writer| write!(writer, "{value}"));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, |writer| write!(writer, "{value}"));
    }
}

/// Writes parts of a JSON string.
struct Escaped<'f, 'w>(&'f mut Writer<'w>);

impl Write for Escaped<'_, '_> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        // No early end: eight or more bytes are looked at in one step.
        let is_plain = |byte: u8| (byte >= b' ') & (byte != b'"') & (byte != b'\\');
        if part.bytes().fold(true, |all, byte| all & is_plain(byte)) {
            return self.0.write_str(part);
        }
        let quoted = serde_json::to_string(part).map_err(|_| fmt::Error)?;
        self.0.write_str(&quoted[1..quoted.len() - 1])
    }
}
