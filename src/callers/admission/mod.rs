//! Admission control: how many requests run at once, which is next, and which are shed.
//!
//! There are as many permits as processors. A request gets a free permit at once. When none is free, requests wait in
//! queues of their organization, and the next permit goes to the organization with the least recent use, measured by
//! the *time* it held permits: many requests, or slow ones, of one organization cannot make those of another wait. Work
//! of [`Class::Long`] never holds the last permit, so a short request always finds one after the time of a short
//! request. If an organization's own queue would keep a request for longer than [`PERMIT_WAIT_MAX`], the request is
//! shed at once instead of waiting in vain.
//!
//! Queues form because more threads read requests than there are permits ([`threads`](Admission::threads)): while every
//! permit is out, another thread still reads requests, checks credentials and queues.

pub mod class;
mod line;
#[cfg(test)]
mod tests;

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::admission::class::Class;
use crate::admission::line::{Asked, Line};
use crate::clock::{self, Clock};
use crate::limits::PERMIT_WAIT_MAX;
use kith::model::named::named;

/// Grants permits to work, fairly between organizations.
pub struct Admission {
    line: Mutex<Line<oneshot::Sender<Permit>>>,
    count: usize,
    wait_max: Duration,
    clock: Clock,
}

/// The right to work until it is dropped.
#[derive(Debug)]
pub struct Permit {
    /// The admission it returns to; `None` once it was taken back.
    admission: Option<Arc<Admission>>,
    organization: Arc<str>,
    class: Class,
    /// Its position among the requests of its organization.
    ticket: u64,
    began: Instant,
}

/// Why a request was shed: the service is overloaded, and the caller should come back later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shed {
    /// The queue of its organization is too long.
    Queue,
    /// It waited for the maximum time.
    Wait,
}

named! {
    /// Every reason, with its name in metrics.
    Shed as cause {
        Queue = "queue",
        Wait = "wait",
    }
}

/// A place in the queue, left when this is dropped.
struct Place<'a> {
    admission: &'a Admission,
    organization: &'a str,
    class: Class,
    ticket: u64,
}

impl Admission {
    /// `count` permits; a request waits at most `wait_max` for one.
    #[must_use]
    pub fn new(count: NonZeroUsize, wait_max: Duration) -> Arc<Self> {
        Self::with_clock(count, wait_max, Arc::new(clock::now))
    }

    /// Like [`Self::new`], with the clock that measures use. The runtime's clock always measures the waits.
    #[must_use]
    pub fn with_clock(count: NonZeroUsize, wait_max: Duration, clock: Clock) -> Arc<Self> {
        let count = count.get();
        Arc::new(Self { line: Mutex::new(Line::new(count, wait_max)), count, wait_max, clock })
    }

    /// As many permits as there are processors, but at least two, so that long work leaves one; waits are at most
    /// [`PERMIT_WAIT_MAX`].
    #[must_use]
    pub fn for_this_machine() -> Arc<Self> {
        let processors = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Self::new(processors.max(NonZeroUsize::MIN.saturating_add(1)), PERMIT_WAIT_MAX)
    }

    /// The number of threads to read requests on: those that work, and as many that queue further requests.
    #[must_use]
    pub fn threads(&self) -> usize {
        2 * self.count
    }

    /// The maximum number of permits of `class` at once.
    #[must_use]
    pub fn most(&self, class: Class) -> usize {
        class.most(self.count)
    }

    /// Waits for a permit for a request of `organization`.
    ///
    /// # Errors
    /// Returns an error if the wait would be, or was, too long.
    pub async fn acquire(self: &Arc<Self>, organization: &str, class: Class) -> Result<Permit, Shed> {
        let (ticket, permit) = {
            let now = (self.clock)();
            let mut line = self.lock();
            match line.ask(organization, class, now) {
                Asked::Now(organization) => {
                    let ticket = line.draw_ticket();
                    return Ok(self.permit(organization, class, ticket, now));
                }
                Asked::Never => return Err(Shed::Queue),
                Asked::Later => {}
            }
            let (sender, permit) = oneshot::channel();
            (line.join(organization, class, now, sender), permit)
        };
        let place = Place { admission: self, organization, class, ticket };
        place.wait(permit).await
    }

    fn permit(self: &Arc<Self>, organization: Arc<str>, class: Class, ticket: u64, began: Instant) -> Permit {
        Permit { admission: Some(Arc::clone(self)), organization, class, ticket, began }
    }

    fn lock(&self) -> MutexGuard<'_, Line<oneshot::Sender<Permit>>> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes back a permit and grants free ones to the next requests.
    fn release(self: &Arc<Self>, organization: &str, class: Class, began: Instant) {
        let now = (self.clock)();
        let mut line = self.lock();
        line.give_back(organization, class, Some(now.saturating_duration_since(began)), now);
        self.hand_out(&mut line, now);
    }

    /// Grants free permits to the next requests.
    fn hand_out(self: &Arc<Self>, line: &mut Line<oneshot::Sender<Permit>>, now: Instant) {
        while let Some(next) = line.next(now) {
            let permit = self.permit(next.organization, next.class, next.ticket, now);
            if let Err(mut unused) = next.waiter.send(permit) {
                // It gave up at this moment. Its permit does not release itself: the lock is held.
                unused.admission = None;
                line.give_back(&unused.organization, unused.class, None, now);
            }
        }
    }
}

impl Permit {
    /// For work in parts, between two of them: if a request of another organization waits, gives this permit back,
    /// charged for the time it was held, and waits for another one, ahead of all later requests of its organization.
    /// Otherwise keeps it.
    ///
    /// # Errors
    /// Returns an error if the wait was too long.
    pub async fn give_way(mut self) -> Result<Self, Shed> {
        let Some(admission) = self.admission.clone() else { return Ok(self) };
        let permit = {
            let now = (admission.clock)();
            let mut line = admission.lock();
            if !line.others_wait(&self.organization) {
                return Ok(self);
            }
            self.admission = None;
            let (sender, permit) = oneshot::channel();
            let took = now.saturating_duration_since(self.began);
            line.give_back(&self.organization, self.class, Some(took), now);
            line.join_at(self.ticket, &self.organization, self.class, now, sender);
            admission.hand_out(&mut line, now);
            permit
        };
        let (organization, class, ticket) = (&*self.organization, self.class, self.ticket);
        Place { admission: &admission, organization, class, ticket }.wait(permit).await
    }
}

impl Place<'_> {
    async fn wait(self, permit: oneshot::Receiver<Permit>) -> Result<Permit, Shed> {
        match tokio::time::timeout(self.admission.wait_max, permit).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(Shed::Wait),
        }
    }
}

impl std::fmt::Debug for Admission {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Admission").field("count", &self.count).finish_non_exhaustive()
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(admission) = self.admission.take() {
            admission.release(&self.organization, self.class, self.began);
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.admission.lock().leave(self.organization, self.class, self.ticket);
    }
}
