//! The process's stderr: a separate thread writes lines, so that a stalled reader holds up nothing else.
//!
//! Lines wait in one buffer of at most [`LOG_WAITING_BYTES_MAX`]. If a line does not fit, it and all that follow are
//! dropped and counted until the writer takes the buffer; a line in their place then says how many were lost. After
//! writing, the writer pauses before it looks again, so that under load no line has to wake it. `tracing-appender` does
//! not fit: at the end it writes to stderr itself, which may block.

use std::io::{self, ErrorKind, Write};
use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::clock;
use crate::limits::LOG_WAITING_BYTES_MAX;

/// Writes the line on the number of lost lines, with its end.
pub(crate) type LostLine = fn(u64) -> String;

/// The pause of the writer after a write, in which lines gather.
const GATHER_PAUSE: Duration = Duration::from_millis(2);
/// The pause before retrying a full, non-blocking output.
const FULL_PAUSE: Duration = Duration::from_millis(10);

/// The lines of this process. Until [`start`], the calling thread writes them directly.
static LINES: Lines = Lines::new();

/// Starts the writing thread. A second start in one process changes nothing.
///
/// # Errors
/// Returns an error if the system gives no thread.
pub(crate) fn start(lost: LostLine) -> io::Result<()> {
    if !mem::replace(&mut LINES.lock().is_started, true) {
        thread::Builder::new().name("stderr".to_owned()).spawn(move || LINES.write_to(io::stderr(), lost))?;
    }
    Ok(())
}

/// Writes `text`, one or more whole lines, to stderr. Never waits once [`start`] has been called; drops and counts the
/// text if too much is waiting.
pub(crate) fn write(text: &[u8]) {
    if !LINES.push_if_started(text) {
        // A closed stderr has no reader to inform.
        let _ = io::stderr().write_all(text);
    }
}

/// Waits until everything is written, at most `within`.
pub(crate) fn flush(within: Duration) {
    LINES.flush(within);
}

/// Lines dropped since the process began.
pub(crate) fn lines_dropped() -> u64 {
    LINES.lock().dropped
}

/// Lines on their way to one output.
#[derive(Debug)]
struct Lines {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    is_started: bool,
    /// Whole lines, in order.
    waiting: Vec<u8>,
    /// Whether the writer waits to be woken.
    is_idle: bool,
    /// Whether the writer has taken lines that are not written yet.
    is_writing: bool,
    /// Lines dropped since the writer last took the buffer.
    missed: u64,
    /// Lines dropped altogether.
    dropped: u64,
}

impl Lines {
    const fn new() -> Self {
        let state = State {
            is_started: false,
            waiting: Vec::new(),
            is_idle: false,
            is_writing: false,
            missed: 0,
            dropped: 0,
        };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Locks the state; a poisoned lock is safe to use, since no holder can leave the state half changed.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether there is a writer; without one nothing is pushed.
    fn push_if_started(&self, text: &[u8]) -> bool {
        let state = self.lock();
        let is_started = state.is_started;
        if is_started {
            self.push_to(state, text);
        }
        is_started
    }

    #[cfg(test)]
    fn push(&self, text: &[u8]) {
        self.push_to(self.lock(), text);
    }

    fn push_to(&self, mut state: MutexGuard<'_, State>, text: &[u8]) {
        if state.missed > 0 || state.waiting.len() + text.len() > LOG_WAITING_BYTES_MAX {
            let lines = lines_in(text);
            state.missed += lines;
            state.dropped += lines;
        } else {
            state.waiting.extend_from_slice(text);
        }
        // A busy writer looks by itself.
        let is_idle = mem::take(&mut state.is_idle);
        drop(state);
        if is_idle {
            self.changed.notify_all();
        }
    }

    /// Writes incoming lines to `out` for as long as the process runs.
    fn write_to(&self, mut out: impl Write, lost: LostLine) {
        let mut text = Vec::new();
        loop {
            let missed = self.take(&mut text);
            if missed > 0 {
                text.extend_from_slice(lost(missed).as_bytes());
            }
            self.written(lines_in(write_all(&mut out, &text)));
            clock::sleep(GATHER_PAUSE);
        }
    }

    /// Waits for lines and swaps them for the written content of `taken`; returns how many lines were dropped after
    /// them.
    fn take(&self, taken: &mut Vec<u8>) -> u64 {
        taken.clear();
        let has_none = |state: &mut State| {
            state.is_idle = state.waiting.is_empty() && state.missed == 0;
            state.is_idle
        };
        let state = self.changed.wait_while(self.lock(), has_none);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        state.is_writing = true;
        mem::swap(&mut state.waiting, taken);
        mem::take(&mut state.missed)
    }

    /// Records that the taken lines are written, except for `unwritten`.
    fn written(&self, unwritten: u64) {
        let mut state = self.lock();
        state.is_writing = false;
        state.dropped += unwritten;
        drop(state);
        self.changed.notify_all();
    }

    fn flush(&self, within: Duration) {
        let is_behind = |state: &mut State| state.is_writing || !state.waiting.is_empty() || state.missed > 0;
        // Lines not written by then are lost.
        drop(self.changed.wait_timeout_while(self.lock(), within, is_behind));
    }
}

/// Writes `text` to `out`, which a process that shares it may have made non-blocking; returns the unwritten part.
fn write_all<'a>(out: &mut impl Write, mut text: &'a [u8]) -> &'a [u8] {
    while !text.is_empty() {
        match out.write(text) {
            Ok(written) if written > 0 => text = &text[written..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => clock::sleep(FULL_PAUSE),
            Ok(_) | Err(_) => return text,
        }
    }
    text
}

fn lines_in(text: &[u8]) -> u64 {
    text.iter().filter(|&&byte| byte == b'\n').count() as u64
}

#[cfg(test)]
mod tests;
