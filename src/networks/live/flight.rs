//! Coalesced runs: one at a time; all requests that arrive during a run share the single run after it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// Requests that can be coalesced into one.
pub(crate) trait Merge {
    /// A request whose run serves both.
    #[must_use]
    fn merge(self, other: Self) -> Self;
}

/// Runs of the same work, never two at a time and never more than one waiting.
#[derive(Debug)]
pub(crate) struct Flight<R, T> {
    state: Mutex<State<R, T>>,
}

#[derive(Debug)]
struct State<R, T> {
    is_running: bool,
    /// The next run, if requested.
    next: Option<Next<R, T>>,
}

#[derive(Debug)]
struct Next<R, T> {
    request: R,
    waiting: Vec<oneshot::Sender<T>>,
}

/// A share in a run that had not begun when it was requested.
#[derive(Debug)]
pub(crate) struct Joined<T> {
    /// The run's result; an error if it panicked or never began.
    pub(crate) result: oneshot::Receiver<T>,
    /// Whether nothing was running: then the caller must have [`Flight::run`] called.
    pub(crate) must_run: bool,
}

impl<R, T> Default for Flight<R, T> {
    fn default() -> Self {
        Self { state: Mutex::new(State { is_running: false, next: None }) }
    }
}

impl<R: Merge, T: Clone> Flight<R, T> {
    /// Requests a run that begins after this call.
    pub(crate) fn join(&self, request: R) -> Joined<T> {
        let (sender, result) = oneshot::channel();
        let mut state = self.lock();
        let next = match state.next.take() {
            None => Next { request, waiting: vec![sender] },
            Some(Next { request: before, mut waiting }) => {
                waiting.push(sender);
                Next { request: before.merge(request), waiting }
            }
        };
        state.next = Some(next);
        let must_run = !state.is_running;
        state.is_running = true;
        Joined { result, must_run }
    }

    /// Does `work` while there are requests. After a panic the waiting requests get no result, and the next run goes
    /// on.
    pub(crate) fn run(&self, work: impl Fn(R) -> T) {
        while let Some(Next { request, waiting }) = self.take_next() {
            let Ok(result) = catch_unwind(AssertUnwindSafe(|| work(request))) else { continue };
            for sender in waiting {
                // A dropped receiver needs no result.
                let _ = sender.send(result.clone());
            }
        }
    }

    /// Fails all waiting requests, if there is no thread to run on.
    pub(crate) fn give_up(&self) {
        let mut state = self.lock();
        state.is_running = false;
        state.next = None;
    }

    fn take_next(&self) -> Option<Next<R, T>> {
        let mut state = self.lock();
        let next = state.next.take();
        state.is_running = next.is_some();
        next
    }

    /// The state is consistent between changes, so a panic elsewhere does not spoil it.
    fn lock(&self) -> MutexGuard<'_, State<R, T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    /// A request that counts how many were merged into it.
    #[derive(Debug)]
    struct Votes(u64);

    impl Merge for Votes {
        fn merge(self, other: Self) -> Self {
            Self(self.0 + other.0)
        }
    }

    /// A run's number, and how many requests shared it.
    type Ran = (u64, u64);

    #[test]
    fn a_thousand_who_ask_while_one_runs_share_the_one_that_follows() -> Result<(), mpsc::RecvError> {
        let (flight, runs) = (Flight::<Votes, Ran>::default(), AtomicU64::new(0));
        let (begun, has_begun) = mpsc::channel();
        let (end, may_end) = mpsc::channel::<()>();
        let first = flight.join(Votes(1));
        assert!(first.must_run);
        thread::scope(|scope| {
            let (flight, runs) = (&flight, &runs);
            scope.spawn(move || {
                flight.run(|Votes(votes)| {
                    let run = runs.fetch_add(1, Ordering::SeqCst);
                    let _ = begun.send(());
                    if run == 0 {
                        let _ = may_end.recv();
                    }
                    (run, votes)
                });
            });
            has_begun.recv()?;
            let asking: Vec<_> = (0..1_000).map(|_| scope.spawn(|| flight.join(Votes(1)))).collect();
            let joined: Vec<_> = asking.into_iter().filter_map(|thread| thread.join().ok()).collect();
            assert_eq!(joined.iter().filter(|joined| joined.must_run).count(), 0);
            drop(end);
            let reported: Vec<_> = joined.into_iter().map(|joined| joined.result.blocking_recv()).collect();
            assert_eq!(reported, vec![Ok((1, 1_000)); 1_000]);
            Ok(())
        })?;
        assert_eq!(first.result.blocking_recv(), Ok((0, 1)));
        assert_eq!(runs.into_inner(), 2);
        assert!(flight.join(Votes(1)).must_run, "nothing runs any more");
        Ok(())
    }

    #[test]
    fn a_run_that_panics_or_never_begins_leaves_nobody_waiting_and_the_next_one_runs() {
        let flight = Flight::<Votes, Ran>::default();
        let failing = flight.join(Votes(7));
        flight.run(|Votes(votes)| {
            assert!(votes != 7, "as this test wants it");
            (0, votes)
        });
        assert!(failing.result.blocking_recv().is_err());

        let forsaken = flight.join(Votes(1));
        assert!(forsaken.must_run);
        flight.give_up();
        assert!(forsaken.result.blocking_recv().is_err());

        let joined = flight.join(Votes(2));
        assert!(joined.must_run);
        flight.run(|Votes(votes)| (1, votes));
        assert_eq!(joined.result.blocking_recv(), Ok((1, 2)));
    }

    #[test]
    fn all_who_ask_before_a_run_begins_share_it_and_the_first_of_them_runs_it() {
        let flight = Flight::<Votes, (u64, u64)>::default();
        let joined = [1, 2, 4].map(|votes| flight.join(Votes(votes)));
        assert_eq!(joined.each_ref().map(|joined| joined.must_run), [true, false, false]);
        flight.run(|Votes(votes)| (0, votes));
        assert_eq!(joined.map(|joined| joined.result.blocking_recv()), [Ok((0, 7)), Ok((0, 7)), Ok((0, 7))]);
    }

    #[test]
    fn a_run_that_has_begun_is_shared_by_nobody_who_asks_during_it() {
        let flight = Flight::<Votes, (u64, u64)>::default();
        let (runs, during) = (AtomicU64::new(0), Mutex::new(Vec::new()));
        let before = flight.join(Votes(1));
        flight.run(|Votes(votes)| {
            let run = runs.fetch_add(1, Ordering::SeqCst);
            if run < 2 {
                let joined = flight.join(Votes(10 + run));
                assert!(!joined.must_run, "this run goes on to the next by itself");
                during.lock().unwrap_or_else(PoisonError::into_inner).push(joined.result);
            }
            (run, votes)
        });
        assert_eq!(before.result.blocking_recv(), Ok((0, 1)));
        let during = during.into_inner().unwrap_or_else(PoisonError::into_inner);
        let results: Vec<_> = during.into_iter().map(|mut result| result.try_recv()).collect();
        assert_eq!(results, [Ok((1, 10)), Ok((2, 11))]);
        assert!(flight.join(Votes(1)).must_run, "nothing runs any more");
    }

    #[test]
    fn a_request_that_nobody_waits_for_any_more_runs_and_hinders_nobody() {
        let flight = Flight::<Votes, (u64, u64)>::default();
        let (gone, waiting) = (flight.join(Votes(1)), flight.join(Votes(2)));
        drop(gone);
        flight.run(|Votes(votes)| (0, votes));
        assert_eq!(waiting.result.blocking_recv(), Ok((0, 3)));
        drop(flight.join(Votes(4)));
        let runs = AtomicU64::new(0);
        flight.run(|Votes(votes)| (runs.fetch_add(votes, Ordering::SeqCst), votes));
        assert_eq!(runs.into_inner(), 4);
    }
}
