//! An organization that asks for many targets at once yields between them; the control holds its permit throughout, and
//! fails the same trial.
//!
//! Promise: A batch gives way between targets: other organizations wait for one target at most.
//! Control: a batch that holds its permit throughout, in the same trial.
//! Also in: `src/callers/admission/tests.rs`.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use kith_server::admission::class::Class;
use kith_server::admission::{Admission, Permit};
use kith_server::limits::PERMIT_WAIT_MAX;
use tokio::time::{Instant, sleep, sleep_until};

/// Targets of a batch.
const TARGETS: u32 = 500;
/// How long a target of it takes: a large company.
const TARGET: Duration = Duration::from_millis(2);
/// How many requests the other organization sends, and how far apart.
const REQUESTS: u32 = 1_000;
const PAUSE: Duration = Duration::from_millis(5);
/// The time that each of them works.
const WORK: Duration = Duration::from_millis(1);
const SHED_PAUSE: Duration = Duration::from_millis(100);

/// The behaviour of a batch between two targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Between {
    GivesWay,
    /// Broken: it holds its permit.
    Holds,
}

impl Between {
    async fn targets(self, permit: Permit) -> Option<Permit> {
        match self {
            Self::GivesWay => permit.give_way().await.ok(),
            Self::Holds => Some(permit),
        }
    }
}

#[derive(Debug)]
struct Outcome {
    lost: u32,
    p99: Duration,
    slowest: Duration,
    /// Batches that were answered, of those that were begun.
    batches: (u32, u32),
}

fn in_moved_time(permits: usize) -> Arc<Admission> {
    let permits = NonZeroUsize::new(permits).unwrap();
    Admission::with_clock(permits, PERMIT_WAIT_MAX, Arc::new(|| Instant::now().into_std()))
}

/// Sends batches on one connection, one after the other, until `end`.
async fn send_batches(admission: Arc<Admission>, between: Between, end: Instant) -> (u32, u32) {
    let (mut answered, mut begun) = (0, 0);
    while Instant::now() < end {
        let Ok(mut permit) = admission.acquire("greedy", Class::Long).await else {
            sleep(SHED_PAUSE).await;
            continue;
        };
        begun += 1;
        for target in 0..TARGETS {
            sleep(TARGET).await;
            match between.targets(permit).await {
                Some(next) => permit = next,
                None => break,
            }
            answered += u32::from(target == TARGETS - 1);
            if target == TARGETS - 1 {
                break;
            }
        }
    }
    (answered, begun)
}

async fn try_with(permits: usize, connections: usize, between: Between, class: Class) -> Outcome {
    let admission = in_moved_time(permits);
    let end = Instant::now() + PAUSE * REQUESTS;
    let greedy: Vec<_> =
        (0..connections).map(|_| tokio::spawn(send_batches(Arc::clone(&admission), between, end))).collect();
    let began = Instant::now() + PAUSE;
    let modest: Vec<_> = (0..REQUESTS)
        .map(|number| {
            let admission = Arc::clone(&admission);
            tokio::spawn(async move {
                let due = began + PAUSE * number;
                sleep_until(due).await;
                let permit = admission.acquire("modest", class).await.ok()?;
                sleep(WORK).await;
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
    let at = |place: usize| took.get(place).copied().unwrap_or_default();
    let (mut answered, mut begun) = (0, 0);
    for connection in greedy {
        let batches = connection.await.unwrap();
        (answered, begun) = (answered + batches.0, begun + batches.1);
    }
    let lost = REQUESTS - took.len() as u32;
    let (p99, slowest) = (at(took.len() * 99 / 100), took.last().copied().unwrap_or_default());
    Outcome { lost, p99, slowest, batches: (answered, begun) }
}

#[tokio::test(start_paused = true)]
async fn another_organization_waits_at_most_for_one_target_of_a_batch_and_not_for_the_batch() {
    for connections in [1, 4] {
        // Small batches of the other one, which compete for the same permit; and, if there is but one, all it asks.
        for (permits, class) in [(2, Class::Long), (1, Class::Short)] {
            let outcome = try_with(permits, connections, Between::GivesWay, class).await;
            let what = format!("{permits} permits, {connections} connections, {class:?}: {outcome:?}");
            assert_eq!(outcome.lost, 0, "{what}");
            assert!(outcome.slowest <= TARGET + WORK, "{what}");
            assert!(outcome.batches.0 >= 3 && outcome.batches.0 == outcome.batches.1, "{what}");
            let control = try_with(permits, connections, Between::Holds, class).await;
            assert!(control.lost > 0 || control.p99 > 100 * outcome.p99, "control, {what}: {control:?}");
        }
        // Cheap requests have a permit that no batch can hold.
        let outcome = try_with(2, connections, Between::GivesWay, Class::Short).await;
        assert_eq!((outcome.lost, outcome.p99), (0, WORK), "{connections}: {outcome:?}");
    }
}
