//! Overload, in simulated time: requests that cannot be answered in time are shed at once, so that the others are
//! answered, and everything is normal again as soon as the load drops.
//!
//! Promise: An overload is shed: no request waits in vain, as many are answered as possible, and the overload ends at
//!   once.
//! Control: permits that everybody may wait for; a server with rates, which answers 429.
//! Also in: `tests/process/overload.rs`.

use std::future::Future;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use kith_server::admission::Admission;
use kith_server::admission::class::Class;
use kith_server::limits::{PERMIT_WAIT_MAX, REQUEST_DEADLINE};
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, sleep_until};

const PERMITS: NonZeroUsize = NonZeroUsize::new(2).unwrap();
const WORK: Duration = Duration::from_millis(50);
/// The requests that two permits can serve in a second.
const CAPACITY_PER_SECOND: u32 = 40;
/// Three times as much as that is asked for.
const ASKED_PER_SECOND: u32 = 120;
const SECONDS: u32 = 60;

#[derive(Debug, Default)]
struct Outcome {
    /// Requests that were answered before their caller gave up.
    answered: u32,
    /// Requests that were shed.
    shed: u32,
    /// How long the slowest took that was answered or shed.
    slowest: Duration,
    /// How long a request takes that comes a second after the last of the others.
    after: Duration,
}

/// Asks for three times as much as can be done, at an even pace, whatever becomes of those before.
async fn overload<P, F>(acquire: impl Fn() -> F) -> Outcome
where
    P: Send + 'static,
    F: Future<Output = Option<P>> + Send + 'static,
{
    let began = Instant::now();
    let mut requests = Vec::new();
    for number in 0..ASKED_PER_SECOND * SECONDS {
        let due = began + Duration::from_secs(1) * number / ASKED_PER_SECOND;
        let permit = acquire();
        requests.push(tokio::spawn(async move {
            sleep_until(due).await;
            let worked = async {
                let permit = permit.await?;
                sleep(WORK).await;
                drop(permit);
                Some(())
            };
            (tokio::time::timeout(REQUEST_DEADLINE, worked).await, due.elapsed())
        }));
    }
    let recovered = acquire();
    sleep_until(began + Duration::from_secs(u64::from(SECONDS) + 1)).await;
    let asked_at = Instant::now();
    let permit = recovered.await;
    sleep(WORK).await;
    drop(permit);
    let mut outcome = Outcome { after: asked_at.elapsed(), ..Outcome::default() };
    for request in requests {
        let (answered, took) = request.await.unwrap();
        match answered {
            Ok(Some(())) => outcome.answered += 1,
            Ok(None) => outcome.shed += 1,
            Err(_) => {}
        }
        outcome.slowest = outcome.slowest.max(took);
    }
    outcome
}

/// Whether nobody waited in vain, as much was done as can be, and all was well a second after.
fn is_sound(outcome: &Outcome) -> bool {
    let most = CAPACITY_PER_SECOND * SECONDS;
    outcome.answered + outcome.shed == ASKED_PER_SECOND * SECONDS
        && outcome.answered >= most * 9 / 10
        && outcome.slowest <= PERMIT_WAIT_MAX + 2 * WORK
        && outcome.after <= 2 * WORK
}

#[tokio::test(start_paused = true)]
async fn an_overload_is_shed_and_without_shedding_it_brings_everything_down() {
    let admission = Admission::with_clock(PERMITS, PERMIT_WAIT_MAX, Arc::new(|| Instant::now().into_std()));
    let shedding = overload(|| {
        let admission = Arc::clone(&admission);
        async move { admission.acquire("org", Class::Short).await.ok() }
    });
    let shedding = shedding.await;
    assert!(is_sound(&shedding), "{shedding:?}");

    // The control: the same permits, and everybody may wait for them.
    let patient = Arc::new(Semaphore::new(PERMITS.get()));
    let waiting = overload(|| {
        let patient = Arc::clone(&patient);
        async move { patient.acquire_owned().await.ok() }
    });
    let waiting = waiting.await;
    assert!(!is_sound(&waiting) && waiting.after > Duration::from_secs(5), "it collapses: {waiting:?}");
    println!("shedding {shedding:?}, waiting {waiting:?}");
}
