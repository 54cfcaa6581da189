//! Steps of the queue as tables, and the permits of [`Admission`].

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use crate::admission::class::Class::{self, Long, Short};
use crate::admission::line::{Asked, Line};
use crate::admission::{Admission, Shed};
use crate::clock;
use crate::limits::PERMIT_WAIT_MAX;

/// A step in a queue, with its expected outcome.
enum Step {
    /// A request asks and, if it may, joins the queue: `now`, `later` or `never`.
    Ask(&'static str, Class, &'static str),
    /// A permit comes back after this many milliseconds of work, and goes on to these.
    Back(&'static str, Class, u64, &'static [(&'static str, Class)]),
    /// This many milliseconds pass.
    Pass(u64),
    /// The last one to join leaves.
    Leave,
}
use Step::{Ask, Back, Leave, Pass};

/// Takes the steps with `permits` permits, and checks each outcome.
fn check(what: &str, permits: usize, steps: &[Step]) {
    let mut line = Line::new(permits, PERMIT_WAIT_MAX);
    let (mut now, mut last) = (clock::now(), None);
    for (number, step) in steps.iter().enumerate() {
        match *step {
            Ask(organization, class, expected) => {
                let asked = line.ask(organization, class, now);
                let name = match asked {
                    Asked::Now(_) => "now",
                    Asked::Later => "later",
                    Asked::Never => "never",
                };
                assert_eq!(name, expected, "{what}: step {number}");
                if asked == Asked::Later {
                    last = Some((organization, class, line.join(organization, class, now, ())));
                }
            }
            Back(organization, class, took, expected) => {
                line.give_back(organization, class, Some(Duration::from_millis(took)), now);
                let next = std::iter::from_fn(|| line.next(now)).collect::<Vec<_>>();
                let next: Vec<_> = next.iter().map(|grant| (&*grant.organization, grant.class)).collect();
                assert_eq!(next, expected, "{what}: step {number}");
            }
            Pass(milliseconds) => now += Duration::from_millis(milliseconds),
            Leave => {
                if let Some((organization, class, ticket)) = last.take() {
                    line.leave(organization, class, ticket);
                }
            }
        }
    }
}

#[test]
fn the_next_permit_goes_to_the_organization_that_used_least_lately() {
    let a_works_b_asks_later = [
        Ask("a", Short, "now"),
        Ask("a", Short, "later"),
        Ask("a", Short, "later"),
        Pass(100),
        Ask("b", Short, "later"),
        Ask("b", Short, "later"),
        Pass(100),
        Back("a", Short, 200, &[("b", Short)]),
        Pass(10),
        Back("b", Short, 10, &[("b", Short)]),
        Pass(10),
        Back("b", Short, 10, &[("a", Short)]),
    ];
    check("b goes before all of a", 1, &a_works_b_asks_later);
    let by_time = [
        Ask("a", Short, "now"),
        Ask("a", Short, "later"),
        Ask("b", Short, "later"),
        Pass(100),
        Back("a", Short, 100, &[("b", Short)]),
        Ask("b", Short, "later"),
        Pass(300),
        Back("b", Short, 300, &[("a", Short)]),
        Ask("a", Short, "later"),
        Pass(100),
        Back("a", Short, 100, &[("a", Short)]),
    ];
    check("one of 300 ms is worth more than two of 100", 1, &by_time);
    let newcomer = [
        Ask("a", Short, "now"),
        Ask("b", Short, "now"),
        Pass(5_000),
        Ask("c", Short, "later"),
        Ask("a", Short, "later"),
        Ask("c", Short, "later"),
        Pass(1),
        Back("a", Short, 5_001, &[("c", Short)]),
        Pass(100),
        Back("b", Short, 5_101, &[("a", Short)]),
    ];
    check("a newcomer begins where the least of those active is", 2, &newcomer);
}

#[test]
fn the_past_is_forgotten_within_seconds() {
    for (pause, first) in [(100, "b"), (8_000, "a"), (60_000, "a")] {
        let steps = [
            Ask("a", Short, "now"),
            Ask("b", Short, "now"),
            Pass(100),
            Back("b", Short, 100, &[]),
            Pass(1_900),
            Back("a", Short, 2_000, &[]),
            Pass(pause),
            Ask("b", Short, "now"),
            Ask("b", Short, "now"),
            Pass(100),
            Ask("b", Short, "later"),
            Ask("a", Short, "later"),
            Pass(1),
            Back("b", Short, 101, if first == "a" { &[("a", Short)] } else { &[("b", Short)] }),
        ];
        check(&format!("after {pause} ms"), 2, &steps);
    }
}

#[test]
fn long_work_leaves_a_permit_to_the_rest() {
    for (permits, long) in [(1, 1), (2, 1), (4, 3)] {
        assert_eq!((Long.most(permits), Short.most(permits)), (long, permits));
    }
    let steps = [
        Ask("a", Long, "now"),
        Ask("a", Long, "later"),
        Ask("c", Long, "later"),
        Ask("b", Short, "now"),
        Ask("b", Short, "later"),
        Pass(10),
        Back("b", Short, 10, &[("b", Short)]),
        Pass(10),
        Back("b", Short, 10, &[]),
        Ask("b", Short, "now"),
        Ask("a", Short, "later"),
        Pass(300),
        Back("a", Long, 320, &[("c", Long)]),
        Back("b", Short, 300, &[("a", Short)]),
        Back("a", Short, 1, &[]),
        Back("c", Long, 1, &[("a", Long)]),
    ];
    check("with two permits", 2, &steps);
    check(
        "with one",
        1,
        &[Ask("a", Long, "now"), Ask("b", Short, "later"), Back("a", Long, 9, &[("b", Short)])],
    );
}

#[test]
fn a_request_is_shed_if_its_own_organization_would_keep_it_for_too_long() {
    let steps = [
        Ask("a", Long, "now"),
        Pass(400),
        Back("a", Long, 400, &[]),
        Ask("b", Short, "now"),
        Pass(1),
        Back("b", Short, 1, &[]),
        Ask("a", Long, "now"),
        Ask("a", Long, "later"),
        Ask("a", Long, "later"),
        Ask("a", Long, "later"),
        Ask("a", Long, "never"),
        // A request that left does not count.
        Leave,
        Ask("a", Long, "later"),
        Ask("a", Long, "never"),
        // Its own reads, and those of others, wait for less than its slow searches.
        Ask("b", Short, "now"),
        Ask("b", Short, "later"),
        Ask("b", Short, "later"),
        Ask("a", Short, "later"),
    ];
    check("each organization by its own", 2, &steps);
}

fn one_permit(wait_max: Duration) -> Arc<Admission> {
    Admission::new(NonZeroUsize::MIN, wait_max)
}

#[tokio::test(start_paused = true)]
async fn a_permit_that_is_dropped_is_free_again_also_when_nobody_waits_any_more() {
    let admission = one_permit(PERMIT_WAIT_MAX);
    let held = admission.acquire("a", Short).await;
    for waiting in [1, 3] {
        for _ in 0..waiting {
            let gone = tokio::time::timeout(Duration::from_millis(5), admission.acquire("b", Short));
            assert!(gone.await.is_err(), "it waits");
        }
    }
    let waits = tokio::spawn({
        let admission = Arc::clone(&admission);
        async move { admission.acquire("b", Short).await.map(drop) }
    });
    tokio::task::yield_now().await;
    // It is aborted while its permit is on its way.
    drop(held);
    waits.abort();
    assert!(waits.await.is_err());
    assert!(admission.acquire("c", Short).await.is_ok());
    assert!(admission.acquire("c", Long).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn no_wait_lasts_too_long() {
    let admission = one_permit(PERMIT_WAIT_MAX);
    let held = admission.acquire("a", Short).await;
    let began = tokio::time::Instant::now();
    assert_eq!(admission.acquire("a", Short).await.err(), Some(Shed::Wait), "the permit never comes back");
    assert_eq!(began.elapsed(), PERMIT_WAIT_MAX);
    drop(held);
    assert!(admission.acquire("a", Short).await.is_ok());
}

/// The order in which waiting requests get permits while `a` works in parts; `a1` and `a2` are of its organization too.
#[tokio::test(start_paused = true)]
async fn work_in_parts_gives_way_to_other_organizations_and_keeps_its_place_in_its_own() -> Result<(), Shed> {
    let admission = one_permit(PERMIT_WAIT_MAX);
    let order = Arc::new(std::sync::Mutex::new(Vec::new()));
    let permit = admission.acquire("a", Long).await?.give_way().await?;
    let wait = |name: &'static str, organization: &'static str| {
        let (admission, order) = (Arc::clone(&admission), Arc::clone(&order));
        tokio::spawn(async move {
            let permit = admission.acquire(organization, Long).await;
            order.lock().unwrap().push(name);
            tokio::time::sleep(Duration::from_millis(5)).await;
            drop(permit);
        })
    };
    let own = [wait("a1", "a"), wait("a2", "a")];
    tokio::time::sleep(Duration::from_millis(50)).await;
    // Only its own organization waits, so it goes on.
    let permit = permit.give_way().await?;
    assert!(order.lock().unwrap().is_empty());
    let other = wait("b", "b");
    tokio::time::sleep(Duration::from_millis(50)).await;
    let permit = permit.give_way().await?;
    order.lock().unwrap().push("a");
    drop(permit);
    for waiting in own.into_iter().chain([other]) {
        assert!(waiting.await.is_ok());
    }
    assert_eq!(*order.lock().unwrap(), ["b", "a", "a1", "a2"]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn work_that_gave_way_and_is_given_up_leaves_the_line_and_the_permit_to_others() -> Result<(), Shed> {
    let admission = one_permit(PERMIT_WAIT_MAX);
    let permit = admission.acquire("a", Long).await?;
    let waits = tokio::spawn({
        let admission = Arc::clone(&admission);
        async move { admission.acquire("b", Short).await }
    });
    tokio::time::sleep(Duration::from_millis(5)).await;
    let gone = tokio::time::timeout(Duration::from_millis(5), permit.give_way()).await;
    assert!(gone.is_err(), "b works, and a waits in vain");
    let held = waits.await.map_err(|_| Shed::Wait)??;
    drop(held);
    assert!(admission.acquire("c", Short).await.is_ok());
    Ok(())
}
