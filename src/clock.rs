//! The machine's clock: the one place that reads the time or puts a thread to sleep.
//!
//! A room of its own, so that the table of layers says which rooms may ask, and the core cannot. Code that can
//! be handed the time by its caller is, so that a test brings its own.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// A monotonic clock to go by. Tests bring one that they move.
pub type Clock = Arc<dyn Fn() -> Instant + Send + Sync>;

/// The monotonic clock, for deadlines and for how long something took.
#[expect(clippy::disallowed_methods, reason = "this is its home")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// The clock on the wall, which an operator may set back.
#[expect(clippy::disallowed_methods, reason = "this is its home")]
pub(crate) fn wall_time() -> SystemTime {
    SystemTime::now()
}

/// Puts the calling thread to sleep for at least `pause`; never called on a thread of the async runtime.
#[expect(clippy::disallowed_methods, reason = "this is its home")]
pub(crate) fn sleep(pause: Duration) {
    std::thread::sleep(pause);
}
