//! Two organizations share the same processors, in simulated time: one makes a few requests at an even pace, the other
//! as many as it can. The order of permits is a parameter, so that the former order, by request and not by time, fails
//! the same trial.
//!
//! Promise: One organization cannot starve another.
//! Control: permits in rotation by request: of 1,000 requests 315 to 999 are shed beside 4 and 200 connections of
//!   searches of 30 to 900 ms.
//! Also in: `tests/process/live_operation/fairness.rs`, `src/callers/admission/tests.rs`.

mod batch;
mod rotation;

use std::future::Future;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use kith_server::admission::class::Class;
use kith_server::admission::{Admission, Permit};
use kith_server::limits::PERMIT_WAIT_MAX;
use tokio::time::{Instant, sleep, sleep_until};

use rotation::Rotation;

const PERMITS: NonZeroUsize = NonZeroUsize::new(2).unwrap();
/// How many requests the modest organization sends, at 200 in a second.
const MODEST_REQUESTS: u32 = 1_000;
const MODEST_PAUSE: Duration = Duration::from_millis(5);
/// How long each of them works: the shortest that the runtime's clock can measure.
const MODEST_WORK: Duration = Duration::from_millis(1);
/// How long a connection that was shed stays away.
const SHED_PAUSE: Duration = Duration::from_millis(100);

/// A way to hand out permits.
trait Policy: Send + Sync + 'static {
    type Permit: Send;

    /// A permit, or `None` if the request is shed.
    fn acquire(
        self: &Arc<Self>,
        organization: &'static str,
        class: Class,
    ) -> impl Future<Output = Option<Self::Permit>> + Send;
}

impl Policy for Admission {
    type Permit = Permit;

    async fn acquire(self: &Arc<Self>, organization: &'static str, class: Class) -> Option<Permit> {
        Self::acquire(self, organization, class).await.ok()
    }
}

/// The load of the greedy organization: on each connection one request after the other.
#[derive(Clone, Copy, Debug)]
struct Greed {
    connections: usize,
    class: Class,
    work: Duration,
}

#[derive(Debug, Default)]
struct Outcome {
    /// How many requests of the modest organization were shed.
    lost: u32,
    /// How long the slowest of every hundred of the others took.
    p99: Duration,
    /// How long the greedy organization worked, all its connections together.
    greedy_work: Duration,
}

async fn try_with<P: Policy>(policy: Arc<P>, greed: Greed) -> Outcome {
    let end = Instant::now() + MODEST_PAUSE * MODEST_REQUESTS;
    let greedy: Vec<_> = (0..greed.connections)
        .map(|_| {
            let policy = Arc::clone(&policy);
            tokio::spawn(async move {
                let mut work = Duration::ZERO;
                while Instant::now() < end {
                    let Some(permit) = policy.acquire("greedy", greed.class).await else {
                        sleep(SHED_PAUSE).await;
                        continue;
                    };
                    sleep(greed.work).await;
                    drop(permit);
                    work += greed.work;
                }
                work
            })
        })
        .collect();
    let began = Instant::now();
    let modest: Vec<_> = (0..MODEST_REQUESTS)
        .map(|number| {
            let policy = Arc::clone(&policy);
            tokio::spawn(async move {
                let due = began + MODEST_PAUSE * number;
                sleep_until(due).await;
                let permit = policy.acquire("modest", Class::Short).await?;
                sleep(MODEST_WORK).await;
                drop(permit);
                Some(due.elapsed())
            })
        })
        .collect();
    let mut took = Vec::new();
    for request in modest {
        took.extend(request.await.unwrap());
    }
    took.sort_unstable();
    let mut outcome = Outcome { lost: MODEST_REQUESTS - took.len() as u32, ..Outcome::default() };
    outcome.p99 = took.get(took.len() * 99 / 100).copied().unwrap_or_default();
    for connection in greedy {
        outcome.greedy_work += connection.await.unwrap();
    }
    outcome
}

fn in_moved_time() -> Arc<Admission> {
    Admission::with_clock(PERMITS, PERMIT_WAIT_MAX, Arc::new(|| Instant::now().into_std()))
}

#[tokio::test(start_paused = true)]
async fn one_organization_cannot_starve_another_and_by_turns_of_requests_it_can() {
    let milliseconds = Duration::from_millis;
    let alone =
        try_with(in_moved_time(), Greed { connections: 0, class: Class::Long, work: milliseconds(1) });
    let alone = alone.await;
    assert_eq!((alone.lost, alone.p99), (0, MODEST_WORK));
    for connections in [4, 200] {
        for (class, work, p99_max) in [
            (Class::Long, milliseconds(300), 5 * alone.p99),
            (Class::Long, milliseconds(30), 5 * alone.p99),
            (Class::Long, milliseconds(900), 5 * alone.p99),
            // Reads as slow as this are not known, and keep others waiting for one of them.
            (Class::Short, milliseconds(300), milliseconds(310)),
        ] {
            let greed = Greed { connections, class, work };
            let fair = try_with(in_moved_time(), greed).await;
            let rotated = try_with(Rotation::new(PERMITS, PERMIT_WAIT_MAX), greed).await;
            assert_eq!(fair.lost, 0, "{greed:?}");
            assert!(fair.p99 <= p99_max, "{greed:?}: {fair:?}");
            // One of two permits all the time, less what it takes to come back after it was shed.
            assert!(fair.greedy_work >= MODEST_PAUSE * MODEST_REQUESTS * 8 / 10, "{greed:?}: {fair:?}");
            assert!(rotated.lost >= MODEST_REQUESTS / 10, "control, {greed:?}: {rotated:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn two_that_ask_for_as_much_as_they_can_get_the_same_time() {
    let admission = in_moved_time();
    let end = Instant::now() + Duration::from_secs(20);
    let mut tasks = Vec::new();
    for (organization, connections, work) in [("slow", 20, 200), ("quick", 20, 5)] {
        for _ in 0..connections {
            let admission = Arc::clone(&admission);
            tasks.push((
                organization,
                tokio::spawn(async move {
                    let (mut worked, work) = (Duration::ZERO, Duration::from_millis(work));
                    while Instant::now() < end {
                        match admission.acquire(organization, Class::Short).await {
                            Ok(_permit) => sleep(work).await,
                            Err(_) => {
                                sleep(SHED_PAUSE).await;
                                continue;
                            }
                        }
                        worked += work;
                    }
                    worked
                }),
            ));
        }
    }
    let (mut slow, mut quick) = (Duration::ZERO, Duration::ZERO);
    for (organization, task) in tasks {
        let worked = task.await.unwrap();
        if organization == "slow" { slow += worked } else { quick += worked }
    }
    let share = slow.as_secs_f64() / (slow + quick).as_secs_f64();
    assert!((0.4..=0.6).contains(&share), "slow {slow:?}, quick {quick:?}");
}
