//! The differences of Unix and Windows in signals, users and limits of a process. `kith::file_system` has those of files.
//!
//! Each function has the same promise on both. Only this module knows on which of them it runs.

use std::fmt;
use std::future::poll_fn;
use std::task::{Context, Poll};

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::*;
#[cfg(windows)]
pub(crate) use windows::*;

/// Asks once whether a signal came.
type PollSignal = dyn FnMut(&mut Context<'_>) -> Poll<()> + Send;

/// A signal to this process. As long as this exists, it does not end the process by itself.
pub(crate) struct Coming(Box<PollSignal>);

impl Coming {
    fn of(poll: impl FnMut(&mut Context<'_>) -> Poll<()> + Send + 'static) -> Self {
        Self(Box::new(poll))
    }

    /// Returns when it comes, each time.
    pub(crate) async fn comes(&mut self) {
        poll_fn(|context| (self.0)(context)).await;
    }
}

impl fmt::Debug for Coming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coming").finish_non_exhaustive()
    }
}
