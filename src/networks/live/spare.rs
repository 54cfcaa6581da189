//! Low-priority threads for loads and changes of the list, and a check whether a processor has time for them.
//!
//! The kernel takes the processor from a spare thread as soon as another one wants it, so the work delays no request. If
//! every processor is busy it would hardly progress, so a probe checks first whether there is time. Threads that give
//! way leave a processor to requests, and get a tenth of theirs even if every processor is busy, so their work always
//! ends.

use std::io;
use std::num::NonZero;
use std::thread;

use tokio::sync::oneshot;

use crate::limits::SPARE_WAIT_MAX;
use crate::search::threads::OwnThreads;

/// Threads that run only if no other thread wants their processor. On systems other than Linux, or if Linux refuses
/// (which is logged), they are ordinary threads.
#[derive(Debug)]
pub(super) struct SpareThreads {
    work: OwnThreads,
    /// Only reports that it runs.
    probe: OwnThreads,
}

impl SpareThreads {
    /// Starts `count` threads, called `name-0` and so on, and one more.
    ///
    /// # Errors
    /// Returns an error if the system gives no threads.
    pub(super) fn start(name: &str, count: usize) -> io::Result<Self> {
        let work = OwnThreads::start_with(name, count, idle::make_this_thread_idle)?;
        Ok(Self { work, probe: OwnThreads::start_with("spare", 1, idle::make_this_thread_idle)? })
    }

    /// Returns whether a processor has time for such a thread: one of them runs within [`SPARE_WAIT_MAX`].
    pub(super) async fn have_time(&self) -> bool {
        let (running, runs) = oneshot::channel();
        self.probe.spawn(move || {
            // Nobody receives it if it comes too late.
            let _ = running.send(());
        });
        tokio::time::timeout(SPARE_WAIT_MAX, runs).await.is_ok()
    }

    /// Runs `work` on these threads, including all its parallel parts, and waits for it.
    pub(super) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.work.run(work)
    }

    /// Keeps the probe thread busy, as if no processor had time, until the returned sender is dropped.
    #[cfg(test)]
    pub(super) fn keep_probe_busy(&self) -> std::sync::mpsc::Sender<()> {
        keep_busy(&self.probe)
    }

    /// Keeps the first work thread busy until the returned sender is dropped.
    #[cfg(test)]
    pub(super) fn keep_work_busy(&self) -> std::sync::mpsc::Sender<()> {
        keep_busy(&self.work)
    }
}

/// Runs `work` with all its parallel parts on threads that leave a processor to requests, and on a machine with one
/// processor most of its time. If the system gives no such threads, runs it on the
/// shared ones.
pub(super) fn giving_way<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let count = thread::available_parallelism().map_or(1, NonZero::get).saturating_sub(1);
    match OwnThreads::start_with("reload", count, idle::make_this_thread_give_way) {
        Ok(threads) => threads.run(work),
        Err(_) => work(),
    }
}

#[cfg(target_os = "linux")]
mod idle {
    use thread_priority::unix::{set_thread_priority_and_policy, thread_native_id, thread_schedule_policy};
    use thread_priority::{NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy};

    const IDLE: ThreadSchedulePolicy = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);

    pub(super) fn make_this_thread_idle() {
        // What counts is the resulting policy: the call also sets the niceness, which a process started with a nice
        // value may not lower.
        let set = set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, IDLE);
        if !is_this_thread_idle() {
            let reason = set.err().map(|error| error.to_string());
            tracing::warn!(reason, "a thread for work that can wait runs as all others");
        }
    }

    /// Against threads of ordinary niceness this one has a weight of about a tenth.
    const GIVING_WAY: i32 = 10;

    pub(super) fn make_this_thread_give_way() {
        // To raise it needs no right. Linux counts it for this thread alone.
        let _ = rustix::process::setpriority_process(None, GIVING_WAY);
    }

    pub(super) fn is_this_thread_idle() -> bool {
        thread_schedule_policy() == Ok(IDLE)
    }
}

#[cfg(not(target_os = "linux"))]
mod idle {
    pub(super) fn make_this_thread_idle() {}
    pub(super) fn make_this_thread_give_way() {}
}

#[cfg(test)]
fn keep_busy(threads: &OwnThreads) -> std::sync::mpsc::Sender<()> {
    let (busy, until) = std::sync::mpsc::channel::<()>();
    threads.spawn(move || {
        let _ = until.recv();
    });
    busy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn there_is_time_if_a_thread_that_waits_for_a_processor_gets_one() -> io::Result<()> {
        let threads = SpareThreads::start("work", 1)?;
        let busy = threads.keep_probe_busy();
        assert!(!threads.have_time().await);
        drop(busy);
        // A machine busy with other tests can take a while.
        for _ in 0..1_000 {
            if threads.have_time().await {
                return Ok(());
            }
        }
        Err(io::Error::other("no time"))
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_gives_way_is_nice_and_its_caller_is_not() {
        let niceness = || rustix::process::getpriority_process(None);
        let before = niceness();
        assert_eq!(giving_way(niceness), Ok(10));
        assert_eq!(niceness(), before);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn all_of_their_threads_leave_the_processor_to_others() -> io::Result<()> {
        let threads = SpareThreads::start("work", 1)?;
        assert!(threads.run(idle::is_this_thread_idle) && threads.probe.run(idle::is_this_thread_idle));
        let others = OwnThreads::start("work", 1)?;
        assert!(!others.run(idle::is_this_thread_idle), "the control");
        Ok(())
    }
}
