//! Admission control: how many requests are worked on at once, which is next, and which are shed.
//!
//! There are as many permits as processors. While one is free, a request gets it at once. When none is,
//! requests wait in a queue for each organization, and the queues are served in rotation (round robin), so
//! that the many requests of one organization cannot keep those of another waiting. A queue in which the wait
//! would be longer than [`PERMIT_WAIT_MAX`] takes no more: the request is shed at once, not after a wait in
//! vain.
//!
//! Queues form because more threads read requests than there are permits
//! ([`threads`](Admission::threads)): while every permit is out, there still is a thread that reads, checks
//! the credential and queues.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::clock;
use crate::limits::PERMIT_WAIT_MAX;

/// Hands out permits to work, fairly between organizations.
#[derive(Debug)]
pub struct Admission {
    state: Mutex<State>,
    count: usize,
    wait_max: Duration,
}

/// The right to work until it is dropped.
#[derive(Debug)]
pub struct Permit {
    /// Where it goes back to; `None` once it was taken back.
    admission: Option<Arc<Admission>>,
    began: Instant,
}

/// The request was shed: there is too much to do already, and the caller should come back later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shed;

#[derive(Debug)]
struct State {
    free: usize,
    /// One for each organization that waits, the next one first; none is empty.
    queues: VecDeque<Queue>,
    /// How long a permit is held, in nanoseconds: a moving mean, 0 before the first.
    mean_ns: u64,
}

#[derive(Debug)]
struct Queue {
    organization: String,
    waiting: VecDeque<oneshot::Sender<Permit>>,
}

impl Admission {
    /// `count` permits; a request waits at most `wait_max` for one.
    #[must_use]
    pub fn new(count: NonZeroUsize, wait_max: Duration) -> Arc<Self> {
        let count = count.get();
        let state = Mutex::new(State { free: count, queues: VecDeque::new(), mean_ns: 0 });
        Arc::new(Self { state, count, wait_max })
    }

    /// As many permits as there are processors, with waits of at most [`PERMIT_WAIT_MAX`].
    #[must_use]
    pub fn for_this_machine() -> Arc<Self> {
        Self::new(std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN), PERMIT_WAIT_MAX)
    }

    /// How many threads to read requests on: those that work, and as many that queue further requests.
    #[must_use]
    pub fn threads(&self) -> usize {
        2 * self.count
    }

    /// A permit for a request of `organization`, once it is that organization's turn.
    ///
    /// # Errors
    /// Returns an error if the wait would be, or was, too long.
    pub async fn acquire(self: &Arc<Self>, organization: &str) -> Result<Permit, Shed> {
        let permit = {
            let mut state = self.lock();
            if state.free > 0 {
                state.free -= 1;
                return Ok(self.permit());
            }
            if state.expected_wait(organization, self.count) > self.wait_max {
                return Err(Shed);
            }
            state.enqueue(organization)
        };
        match tokio::time::timeout(self.wait_max, permit).await {
            Ok(Ok(mut permit)) => {
                permit.began = clock::now();
                Ok(permit)
            }
            _ => Err(Shed),
        }
    }

    fn permit(self: &Arc<Self>) -> Permit {
        Permit { admission: Some(Arc::clone(self)), began: clock::now() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes back a permit that was held for `took` and gives it to the request that is next.
    fn release(self: &Arc<Self>, took: Duration) {
        let mut state = self.lock();
        state.learn(took);
        while let Some(next) = state.next() {
            match next.send(self.permit()) {
                Ok(()) => return,
                // It gave up waiting. Its permit does not release itself: the lock is held.
                Err(mut unused) => unused.admission = None,
            }
        }
        state.free += 1;
    }
}

impl State {
    fn queue(&self, organization: &str) -> Option<usize> {
        self.queues.iter().position(|queue| queue.organization == organization)
    }

    /// How long a newcomer of `organization` would wait: those in its own queue, and in each round one of
    /// every other queue, go first.
    fn expected_wait(&self, organization: &str, permits: usize) -> Duration {
        let own = self.queue(organization).map_or(0, |at| self.queues[at].waiting.len());
        let before = own * self.queues.len().max(1);
        Duration::from_nanos(self.mean_ns.saturating_mul(before as u64) / permits as u64)
    }

    fn enqueue(&mut self, organization: &str) -> oneshot::Receiver<Permit> {
        let (sender, permit) = oneshot::channel();
        match self.queue(organization) {
            Some(at) => self.queues[at].waiting.push_back(sender),
            None => self.queues.push_back(Queue {
                organization: organization.to_owned(),
                waiting: VecDeque::from([sender]),
            }),
        }
        permit
    }

    /// The first of the next queue, which goes behind the others unless it is empty then.
    fn next(&mut self) -> Option<oneshot::Sender<Permit>> {
        let mut queue = self.queues.pop_front()?;
        let first = queue.waiting.pop_front();
        if !queue.waiting.is_empty() {
            self.queues.push_back(queue);
        }
        first
    }

    /// The last eight or so permits count most.
    fn learn(&mut self, took: Duration) {
        let took_ns = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        self.mean_ns =
            if self.mean_ns == 0 { took_ns } else { self.mean_ns - self.mean_ns / 8 + took_ns / 8 };
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(admission) = self.admission.take() {
            admission.release(self.began.elapsed());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn one_permit(wait_max: Duration) -> Arc<Admission> {
        Admission::new(NonZeroUsize::MIN, wait_max)
    }

    /// Queues a request of each organization in `queued`; the order in which they got their permits.
    async fn served(queued: &[&'static str]) -> Vec<&'static str> {
        let admission = one_permit(LONG);
        let first = admission.acquire("first").await;
        let (told, mut served) = tokio::sync::mpsc::unbounded_channel();
        for &organization in queued {
            let (admission, told) = (Arc::clone(&admission), told.clone());
            tokio::spawn(async move {
                let permit = admission.acquire(organization).await;
                let _ = told.send(organization);
                drop(permit);
            });
            tokio::task::yield_now().await;
        }
        drop((first, told));
        let mut order = Vec::new();
        while let Some(organization) = served.recv().await {
            order.push(organization);
        }
        order
    }

    #[tokio::test]
    async fn queues_are_served_in_rotation() {
        assert_eq!(served(&["a", "a", "a", "b", "a", "b", "c"]).await, ["a", "b", "c", "a", "b", "a", "a"]);
        assert_eq!(served(&["a", "a", "a"]).await, ["a", "a", "a"]);
    }

    #[tokio::test]
    async fn a_permit_that_is_dropped_is_free_again_also_when_nobody_waits_any_more() {
        let admission = one_permit(LONG);
        let held = admission.acquire("a").await;
        for waiting in [1, 3] {
            let gone: Vec<_> = (0..waiting).map(|_| admission.lock().enqueue("b")).collect();
            drop(gone);
        }
        // One gives up when its permit is on its way.
        let late = admission.lock().enqueue("b");
        drop(held);
        drop(late);
        assert!(admission.acquire("c").await.is_ok());
        assert_eq!(admission.lock().free, 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_in_vain_is_not_begun_and_none_lasts_too_long() {
        let admission = one_permit(PERMIT_WAIT_MAX);
        let held = admission.acquire("a").await;
        let began = tokio::time::Instant::now();
        assert_eq!(admission.acquire("a").await.err(), Some(Shed), "the permit never comes back");
        assert_eq!(began.elapsed(), PERMIT_WAIT_MAX);
        admission.lock().mean_ns = 300_000_000;
        let queued: Vec<_> =
            ["a", "a", "a", "b"].map(|organization| admission.lock().enqueue(organization)).into();
        let began = tokio::time::Instant::now();
        assert_eq!(
            admission.acquire("a").await.err(),
            Some(Shed),
            "three of its own, and each time one of b, go first"
        );
        assert_eq!(began.elapsed(), Duration::ZERO);
        let state = admission.lock();
        assert_eq!(state.expected_wait("b", 1), Duration::from_millis(600));
        assert_eq!(state.expected_wait("c", 1), Duration::ZERO);
        drop((state, held, queued));
    }
}
