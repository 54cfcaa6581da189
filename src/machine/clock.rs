//! The machine's clock: only this module reads the time or puts a thread to sleep.
//!
//! A room of its own, so that the table of layers says which rooms may read the time, and the core cannot. Code takes
//! the time from its caller if possible, so that tests bring their own.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// A monotonic clock. Tests bring one that they move.
pub type Clock = Arc<dyn Fn() -> Instant + Send + Sync>;

/// The monotonic clock, for deadlines and durations.
#[expect(clippy::disallowed_methods, reason = "this is its home")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// The wall clock, which an operator may set back.
#[expect(clippy::disallowed_methods, reason = "this is its home")]
pub(crate) fn wall_time() -> SystemTime {
    SystemTime::now()
}

/// Puts the calling thread to sleep for at least `pause`; never call it on a thread of the async runtime.
#[expect(clippy::disallowed_methods, reason = "this is its home")]
pub(crate) fn sleep(pause: Duration) {
    std::thread::sleep(pause);
}
