//! The progress of a command on stderr: a bar on a terminal, otherwise a line every ten seconds. Shows nothing with
//! `--quiet`, and leaves nothing when the command ends.
//!
//! Promise: How far a command is follows from its parts and bytes; a line comes after each pause and none after the
//!   end.
//! Control: a ticker that went on would never end the test.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::clock;
use crate::stderr;
use kith_tables::progress::Progress;

/// Whether progress is reported.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct ProgressArgs {
    /// Report no progress; warnings and errors remain
    #[arg(long, short)]
    quiet: bool,
}

/// The parts of a command's work in order: the stage that each begins with, and its share of the total time, in
/// percent.
type Parts = &'static [(&'static str, u64)];

/// The parts of `kith build`, and of a build after an import.
pub(super) const BUILD: Parts =
    &[("reading", 62), ("edges", 12), ("names", 6), ("vectors", 8), ("writing", 12)];
/// The parts of `kith import`, without the build after it.
pub(super) const IMPORT: Parts = &[("reading", 75), ("people", 15), ("edges", 10)];
/// The parts of `kith verify`.
pub(super) const VERIFY: Parts = &[("reading", 45), ("names and vectors", 45), ("relational store", 10)];
/// The parts of `kith generate`.
pub(super) const GENERATE: Parts = &[("writing", 100)];

/// The pause between two lines.
const PAUSE: Duration = Duration::from_secs(10);
/// The percentage from which on the time left is estimated.
const ESTIMATE_PERCENT: u64 = 3;
/// The pause between two drawings of a bar without news.
const TICK: Duration = Duration::from_millis(200);

/// Reports the progress of a command until it is dropped.
#[derive(Debug)]
pub(super) struct Meter {
    work: Arc<Work>,
    display: Display,
}

#[derive(Debug)]
enum Display {
    Nothing,
    Bar(ProgressBar),
    Lines(Ticker),
}

impl Meter {
    /// Starts a meter for work of these parts; the first part begins now.
    pub(super) fn start(parts: Parts, args: ProgressArgs) -> Self {
        let work = Arc::new(Work::new(parts, clock::now()));
        let display = if args.quiet {
            Display::Nothing
        } else if io::stderr().is_terminal() {
            Display::Bar(bar())
        } else {
            let line = |text: String| stderr::write(format!("kith: {text}\n").as_bytes());
            Ticker::start(Arc::clone(&work), PAUSE, line).map_or(Display::Nothing, Display::Lines)
        };
        let meter = Self { work, display };
        meter.draw();
        meter
    }

    fn draw(&self) {
        let Display::Bar(bar) = &self.display else { return };
        let state = self.work.lock();
        bar.set_position(state.percent(self.work.parts));
        bar.set_message(state.stage.clone());
        bar.set_prefix(state.left(self.work.parts, self.work.elapsed()).unwrap_or_default());
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        match &mut self.display {
            Display::Nothing => {}
            Display::Bar(bar) => bar.finish_and_clear(),
            Display::Lines(ticker) => ticker.stop(),
        }
    }
}

impl Progress for Meter {
    fn total(&self, amount: u64) {
        let mut state = self.work.lock();
        (state.total, state.done) = (amount, 0);
    }

    fn advance(&self, amount: u64) {
        let mut state = self.work.lock();
        state.done = state.done.saturating_add(amount);
        drop(state);
        self.draw();
    }

    fn stage(&self, name: &str) {
        self.work.enter(name);
        self.draw();
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::new(100);
    let style = ProgressStyle::with_template("{msg:20} [{bar:32}] {pos:>3} %  {prefix}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(TICK);
    bar
}

/// The progress of a command.
#[derive(Debug)]
struct Work {
    parts: Parts,
    started: Instant,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The index of the current part.
    part: usize,
    stage: String,
    /// The amount of work in this part; 0 if unknown.
    total: u64,
    done: u64,
}

impl Work {
    fn new(parts: Parts, started: Instant) -> Self {
        let stage = parts.first().map_or("", |(name, _)| name).to_owned();
        Self { parts, started, state: Mutex::new(State { stage, ..State::default() }) }
    }

    /// No code that holds the lock can leave the state half changed, so a poisoned one is as good.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn elapsed(&self) -> Duration {
        clock::now().saturating_duration_since(self.started)
    }

    fn enter(&self, stage: &str) {
        let mut state = self.lock();
        stage.clone_into(&mut state.stage);
        if let Some(part) =
            self.parts.iter().position(|(name, _)| *name == stage).filter(|&it| it > state.part)
        {
            (state.part, state.total, state.done) = (part, 0, 0);
        }
    }

    /// The progress in a few words.
    fn line(&self, elapsed: Duration) -> String {
        let state = self.lock();
        let (stage, percent) = (&state.stage, state.percent(self.parts));
        match state.left(self.parts, elapsed) {
            Some(left) => format!("{stage}, {percent} %, {left}"),
            None => format!("{stage}, {percent} %"),
        }
    }
}

impl State {
    /// The share of the work done, 0 to 100 percent, as far as known.
    fn percent(&self, parts: Parts) -> u64 {
        let of = |parts: &[(&str, u64)]| parts.iter().map(|(_, share)| share).sum::<u64>();
        let (before, own) = parts.split_at(self.part.min(parts.len()));
        let own = own.first().map_or(0, |(_, share)| *share);
        let inside = match self.total {
            0 => 0,
            total => u128::from(own) * u128::from(self.done.min(total)) / u128::from(total),
        };
        (of(before) + inside as u64) * 100 / of(parts).max(1)
    }

    /// The estimated time left, in words; `None` before there is an estimate.
    fn left(&self, parts: Parts, elapsed: Duration) -> Option<String> {
        let percent = Some(self.percent(parts)).filter(|&percent| percent >= ESTIMATE_PERCENT)?;
        let seconds = elapsed.as_secs_f64() * (100 - percent.min(100)) as f64 / percent as f64;
        let (amount, unit) = if seconds < 100.0 { (seconds, "s") } else { (seconds / 60.0, "min") };
        Some(format!("about {} {unit} left", amount.ceil() as u64))
    }
}

/// A thread that reports the progress periodically until it is stopped.
#[derive(Debug)]
struct Ticker {
    /// Dropped first, which ends the thread.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    /// Calls `say` whenever `pause` has passed; `None` if the system gives no thread.
    fn start(work: Arc<Work>, pause: Duration, say: impl Fn(String) + Send + 'static) -> Option<Self> {
        let (stop, stopped) = channel();
        let tick = move || {
            while stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                say(work.line(work.elapsed()));
            }
        };
        let thread = thread::Builder::new().name("kith-progress".to_owned()).spawn(tick).ok()?;
        Some(Self { stop: Some(stop), thread: Some(thread) })
    }

    /// Ends the thread, and waits for a line it may be writing.
    fn stop(&mut self) {
        drop(self.stop.take());
        // It returns nothing, and its panic was already printed.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn the_share_that_is_done_and_the_time_left_follow_from_parts_and_bytes() {
        let work = Work::new(BUILD, clock::now());
        let line = |seconds| work.line(Duration::from_secs(seconds));
        assert_eq!(line(5), "reading, 0 %");
        (work.lock().total, work.lock().done) = (1_000, 500);
        work.enter("connections");
        assert_eq!(line(31), "connections, 31 %, about 69 s left");
        assert_eq!(line(310), "connections, 31 %, about 12 min left");
        work.enter("edges");
        assert_eq!(line(62), "edges, 62 %, about 38 s left");
        // A part without bytes counts once it is over, and no part begins twice.
        work.enter("names");
        work.enter("reading");
        assert_eq!(line(74), "reading, 74 %, about 26 s left");
        work.enter("writing");
        assert_eq!(work.lock().percent(BUILD), 88);
        (work.lock().total, work.lock().done) = (10, 11);
        assert_eq!(line(60), "writing, 100 %, about 0 s left");
    }

    #[test]
    fn the_shares_of_each_command_are_those_of_the_whole() {
        for parts in [BUILD, IMPORT, VERIFY, GENERATE] {
            assert_eq!(parts.iter().map(|(_, share)| share).sum::<u64>(), 100, "{parts:?}");
        }
    }

    #[test]
    fn a_line_comes_after_each_pause_and_none_once_it_is_over() {
        let (sender, lines) = mpsc::channel();
        let work = Arc::new(Work::new(VERIFY, clock::now()));
        let say = move |line: String| drop(sender.send(line));
        let ticker = Ticker::start(Arc::clone(&work), Duration::from_millis(1), say);
        let Some(mut ticker) = ticker else { panic!("the system gives no thread") };
        assert_eq!(lines.recv().as_deref(), Ok("reading, 0 %"));
        work.enter("names and vectors");
        assert!(lines.iter().any(|line| line.starts_with("names and vectors, 45 %, about ")));
        ticker.stop();
        // The control: a ticker that went on would keep its end of the channel.
        assert_eq!(lines.iter().find(|line| line.is_empty()), None);
    }
}
