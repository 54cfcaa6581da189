//! Processes on Windows.

use std::io;
use std::os::windows::process::CommandExt;
use std::process::Command;
use std::task::Poll;

use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close, ctrl_logoff, ctrl_shutdown};

use crate::system::Coming;

/// Whether a socket may reuse an address in use: here, a second listener could then bind it too.
pub(crate) const TAKES_ENDING_ADDRESSES: bool = false;
/// CREATE_NEW_PROCESS_GROUP.
const NEW_GROUP: u32 = 0x200;

/// Ctrl-C, Ctrl-Break, a console that is closed, a user who logs off, and the end of the system, as one signal. The system
/// waits some seconds after the last three.
///
/// # Errors
/// Returns an error if the system refuses.
pub(crate) fn stop() -> io::Result<Coming> {
    let (mut interrupt, mut pause, mut close) = (ctrl_c()?, ctrl_break()?, ctrl_close()?);
    let (mut logoff, mut shutdown) = (ctrl_logoff()?, ctrl_shutdown()?);
    Ok(Coming::of(move |context| {
        let is_sent = interrupt.poll_recv(context).is_ready()
            || pause.poll_recv(context).is_ready()
            || close.poll_recv(context).is_ready()
            || logoff.poll_recv(context).is_ready()
            || shutdown.poll_recv(context).is_ready();
        if is_sent { Poll::Ready(()) } else { Poll::Pending }
    }))
}

/// SIGHUP, which this system does not have: it never comes.
///
/// # Errors
/// Returns none.
pub(crate) fn hangup() -> io::Result<Coming> {
    Ok(Coming::of(|_| Poll::Pending))
}

/// Refuses: this system has no SIGHUP.
///
/// # Errors
/// Always returns an error.
#[cfg(feature = "store")]
pub(crate) fn hang_up(_process: i32) -> io::Result<()> {
    Err(io::Error::other("Windows has no SIGHUP; name the operator's listener by --reload URL instead"))
}

/// Users have no numbers here.
pub(crate) fn user() -> Option<u32> {
    None
}

/// Windows has no limit on open files.
pub(crate) fn raise_descriptors() -> usize {
    usize::MAX
}

/// Has Ctrl-C at the console not reach what `command` starts.
pub(crate) fn set_apart(command: &mut Command) -> &mut Command {
    command.creation_flags(NEW_GROUP)
}
