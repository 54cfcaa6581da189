//! Admission control: how many requests are worked on at once, which is next, and which are shed.
//!
//! There are as many permits as processors. While one is free, a request gets it at once. When none is,
//! requests wait in queues of their organization, and the next permit goes to the organization that used least
//! of them lately, by the *time* it held them: many requests, or slow ones, of one organization cannot keep
//! those of another waiting. Work of [`Class::Long`] may never hold the last permit, so that there always is
//! one for which a short request waits no longer than short requests take. An organization whose own queue
//! would keep a request for longer than [`PERMIT_WAIT_MAX`] has it shed at once, not after a wait in vain.
//!
//! Queues form because more threads read requests than there are permits
//! ([`threads`](Admission::threads)): while every permit is out, there still is a thread that reads, checks
//! the credential and queues.

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

/// Hands out permits to work, fairly between organizations.
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
    /// Its place among the requests of its organization.
    ticket: u64,
    began: Instant,
}

/// Why a request was shed: there is too much to do already, and the caller should come back later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shed {
    /// The queue of its organization is so long that it would wait too long.
    Queue,
    /// It waited as long as any request may.
    Wait,
}

impl Shed {
    /// Every reason.
    pub const ALL: [Self; 2] = [Self::Queue, Self::Wait];

    /// The reason's name in metrics.
    #[must_use]
    pub fn cause(self) -> &'static str {
        match self {
            Self::Queue => "queue",
            Self::Wait => "wait",
        }
    }
}

/// A place in the line, left when this is dropped.
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

    /// Like [`Self::new`], with the clock by which use is measured. How long a request waits at most is always
    /// measured by that of the runtime.
    #[must_use]
    pub fn with_clock(count: NonZeroUsize, wait_max: Duration, clock: Clock) -> Arc<Self> {
        let count = count.get();
        Arc::new(Self { line: Mutex::new(Line::new(count, wait_max)), count, wait_max, clock })
    }

    /// As many permits as there are processors, but at least two, so that long work leaves one; with waits of at
    /// most [`PERMIT_WAIT_MAX`].
    #[must_use]
    pub fn for_this_machine() -> Arc<Self> {
        let processors = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Self::new(processors.max(NonZeroUsize::MIN.saturating_add(1)), PERMIT_WAIT_MAX)
    }

    /// How many threads to read requests on: those that work, and as many that queue further requests.
    #[must_use]
    pub fn threads(&self) -> usize {
        2 * self.count
    }

    /// How many permits of `class` may be out at once.
    #[must_use]
    pub fn most(&self, class: Class) -> usize {
        class.most(self.count)
    }

    /// A permit for a request of `organization`, once it is that organization's turn.
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

    /// Takes back a permit and gives what is free to those who are next.
    fn release(self: &Arc<Self>, organization: &str, class: Class, began: Instant) {
        let now = (self.clock)();
        let mut line = self.lock();
        line.give_back(organization, class, Some(now.saturating_duration_since(began)), now);
        self.hand_out(&mut line, now);
    }

    /// Gives the permits that are free to those who are next.
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
    /// The permit to go on with, for work in parts: to be called between two of them. If a request of another
    /// organization waits, this one is given back, charged for the time it was held, and the work waits in line for
    /// its next turn, before all of its organization that came later. Else it is kept.
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
