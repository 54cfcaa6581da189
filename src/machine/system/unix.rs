//! Processes on Unix.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::task::Poll;

use rustix::process::{Resource, Rlimit, geteuid, getrlimit, setrlimit};
use tokio::signal::unix::{SignalKind, signal};

use crate::system::Coming;

/// Whether a socket may take an address whose connections of before are still ending. A second listener is refused.
pub(crate) const TAKES_ENDING_ADDRESSES: bool = true;

/// SIGTERM and SIGINT, as one signal.
///
/// # Errors
/// Returns an error if the system refuses.
pub(crate) fn stop() -> io::Result<Coming> {
    let [mut terminate, mut interrupt] = [signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?];
    Ok(Coming::of(move |context| {
        if terminate.poll_recv(context).is_ready() {
            Poll::Ready(())
        } else {
            interrupt.poll_recv(context).map(drop)
        }
    }))
}

/// SIGHUP.
///
/// # Errors
/// Returns an error if the system refuses.
pub(crate) fn hangup() -> io::Result<Coming> {
    let mut hangup = signal(SignalKind::hangup())?;
    Ok(Coming::of(move |context| hangup.poll_recv(context).map(drop)))
}

/// Sends SIGHUP to the process with the positive number `process`.
///
/// # Errors
/// Returns an error if there is no such process, or it is another user's.
#[cfg(feature = "store")]
pub(crate) fn hang_up(process: i32) -> io::Result<()> {
    let process = rustix::process::Pid::from_raw(process).ok_or(io::ErrorKind::InvalidInput)?;
    Ok(rustix::process::kill_process(process, rustix::process::Signal::HUP)?)
}

/// The number of the user of this process.
pub(crate) fn user() -> Option<u32> {
    Some(geteuid().as_raw())
}

/// Raises the limit on open files as far as the process may. Returns the new limit.
pub(crate) fn raise_descriptors() -> usize {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).is_ok();
    let limit = if raised { maximum } else { current };
    limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX))
}

/// Has Ctrl-C at the terminal not reach what `command` starts.
pub(crate) fn set_apart(command: &mut Command) -> &mut Command {
    command.process_group(0)
}
