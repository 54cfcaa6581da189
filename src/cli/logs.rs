//! The sink for logs: stderr, as JSON lines for a server, as text for a person. No thread waits for stderr to
//! be read.

use std::borrow::Cow;
use std::io::{self, Write};
use std::thread;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};

use crate::cli::logs::json_line::JsonLine;
use crate::cli::table::escaped_by;
use crate::limits::LOG_STOP_DEADLINE;
use crate::stderr;

/// The environment variable that sets the level.
pub const VARIABLE: &str = "KITH_LOG";

/// The level of the audit log, which a general level does not change.
const AUDIT: &str = "kith_server::audit=info";

/// The protocol library for agents logs what callers sent, so it is off whatever the general level.
const PROTOCOL: &str = "rmcp=off";

/// Why logs cannot start.
#[derive(Debug, thiserror::Error)]
pub enum LogsError {
    /// The level is not valid.
    #[error(
        "the environment variable {VARIABLE} says \"{got}\"; it takes a level (off, error, warn, info, debug, \
         trace), or target=level, or several of them with commas between, for instance warn,kith::live=debug"
    )]
    Level {
        /// The refused value: one of several, if there are several.
        got: String,
    },
    /// The system gives no thread to write them.
    #[error("logs cannot be written: {0}")]
    Thread(io::Error),
}

/// Running logs. Dropping this waits until the last line is written, or for [`LOG_STOP_DEADLINE`].
#[derive(Debug)]
#[must_use = "the last lines are written when it is dropped"]
pub struct Logs(());

impl Drop for Logs {
    fn drop(&mut self) {
        stderr::flush(LOG_STOP_DEADLINE);
    }
}

/// Starts JSON logs. `level` is the value of `KITH_LOG`, for instance `debug` or `kith::live=debug`; default `info`.
///
/// # Errors
/// Returns an error if `level` is not valid, or the system cannot start a thread.
pub fn start_json(level: Option<&str>) -> Result<Logs, LogsError> {
    let filter = filter(level, &["info", AUDIT, PROTOCOL])?;
    start(|lines| {
        let time = now();
        let message = "log lines were lost: stderr was not read in time";
        format!(
            "{{\"timestamp\":\"{time}\",\"level\":\"WARN\",\"message\":\"{message}\",\"lines\":{lines}}}\n"
        )
    })?;
    let logs = tracing_subscriber::fmt().event_format(JsonLine).with_env_filter(filter);
    // A second start in one process keeps the first.
    let _ = logs.with_writer(|| Line { escape: json_escape }).try_init();
    Ok(Logs(()))
}

/// Starts logs for a person at a terminal: warnings and errors, unless `level` says otherwise.
///
/// # Errors
/// Returns an error if `level` is not valid, or the system cannot start a thread.
pub fn start_text(level: Option<&str>) -> Result<Logs, LogsError> {
    let filter = filter(level, &["warn", PROTOCOL])?;
    start(|lines| {
        format!("{}  WARN log lines were lost: stderr was not read in time lines={lines}\n", now())
    })?;
    // Codes of colours would be written as what they are, like all control characters.
    let logs = tracing_subscriber::fmt().with_ansi(false).with_env_filter(filter);
    let _ = logs.with_target(false).with_writer(|| Line { escape: text_escape }).try_init();
    Ok(Logs(()))
}

fn start(lost: stderr::LostLine) -> Result<(), LogsError> {
    stderr::start(lost).map_err(LogsError::Thread)?;
    // The standard library's hook would wait for stderr.
    std::panic::set_hook(Box::new(|panic| {
        let thread = thread::current();
        let line = format!("thread '{}' {panic}\n", thread.name().unwrap_or("<unnamed>"));
        stderr::write(seen(&line, text_escape).as_bytes());
    }));
    Ok(())
}

/// The time in the log's format.
fn now() -> String {
    let mut time = String::new();
    // Writing to a String never fails.
    let _ = SystemTime.format_time(&mut Writer::new(&mut time));
    time
}

/// The filter for `level`: each target has the level in `defaults` unless `level` sets it, so that no misspelt target
/// turns the rest off. Blank counts as unset.
fn filter(level: Option<&str>, defaults: &[&str]) -> Result<EnvFilter, LogsError> {
    let level = level.unwrap_or_default().trim();
    let mut directives: Vec<Cow<'_, str>> = defaults.iter().map(|&directive| directive.into()).collect();
    if !level.is_empty() {
        for directive in level.split(',').map(str::trim) {
            if !is_directive(directive) {
                return Err(LogsError::Level { got: directive.to_owned() });
            }
            directives.push(of_modules(directive));
        }
    }
    // Of two directives for the same target the later one wins.
    let filter = EnvFilter::builder().parse(directives.join(","));
    filter.map_err(|_| LogsError::Level { got: level.to_owned() })
}

/// `directive` with the library's name for its modules, for an operator's `kith::live`.
fn of_modules(directive: &str) -> Cow<'_, str> {
    match directive.strip_prefix("kith::") {
        Some(module) => Cow::Owned(format!("kith_server::{module}")),
        None => Cow::Borrowed(directive),
    }
}

/// Whether `text` is a level, or a target and a level.
fn is_directive(text: &str) -> bool {
    let (target, level) = match text.split_once('=') {
        Some((target, level)) => (Some(target), level),
        None => (None, text),
    };
    let is_target = |target: &str| {
        !target.is_empty() && target.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_:".contains(&byte))
    };
    // The parser takes an empty text for a level.
    !level.is_empty() && level.parse::<LevelFilter>().is_ok() && target.is_none_or(is_target)
}

/// One line of the log; `escape` writes its invisible characters. The line's writer escapes others.
struct Line {
    escape: fn(char) -> String,
}

impl Write for Line {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        // Nearly all lines; without an early end, many bytes are looked at in one step.
        let is_plain = |byte: u8| (b' '..=b'~').contains(&byte) | (byte == b'\n');
        if line.iter().fold(true, |all, &byte| all & is_plain(byte)) {
            stderr::write(line);
        } else {
            stderr::write(seen(&String::from_utf8_lossy(line), self.escape).as_bytes());
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// `line` with each invisible or control character written by `escape`, except line ends, and tabs in panic messages.
fn seen(line: &str, escape: fn(char) -> String) -> String {
    escaped_by(line, &['\n', '\t'], escape)
}

fn json_escape(character: char) -> String {
    character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

fn text_escape(character: char) -> String {
    character.escape_unicode().to_string()
}

mod json_line;

#[cfg(test)]
mod tests;
