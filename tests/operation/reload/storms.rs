//! A thousand concurrent reload requests are two reloads, and there are never three generations in memory.
//!
//! Promise: A storm of reloads is two reloads, and never more than two generations.
//! Control: calls one after the other are a reload each; a swap that waits for no reader has more generations at once.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier, RwLock, Weak, mpsc};
use std::thread;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use futures_util::FutureExt;
use kith_server::live::networks::{LiveNetworks, Networks};
use kith_server::live::reload::Reloader;
use kith_server::snapshot::{encode, write};
use tower::ServiceExt;

use crate::reload::site::{Site, post_reload, put_in_place, tiny_called};
use crate::support::scale;

const CALLS: usize = 1_000;
const TINY: &str = "org_tiny";

/// A site with a generation that cannot be freed before the pin given with it is dropped: the next reload
/// waits for that, so that a request sent meanwhile is answered while a reload runs.
fn held_up() -> (Site, Arc<Networks>) {
    let site = Site::new();
    write(&site.path("tiny.kith"), &tiny_called("one")).unwrap();
    site.reload();
    let pin = site.live.pin();
    write(&site.path("tiny.kith"), &tiny_called("two")).unwrap();
    assert_eq!(site.reload().generation_after, 2);
    (site, pin)
}

#[test]
fn a_thousand_calls_at_once_are_two_reloads_and_all_get_the_result_of_theirs() {
    let (site, pin) = held_up();
    let before = site.reloader.status().reloads;
    let running = site.reloader.reload();
    let (sender, asked) = mpsc::channel();
    let start = Barrier::new(CALLS);
    thread::scope(|scope| {
        for _ in 0..CALLS {
            let (sender, start, reloader) = (sender.clone(), &start, &site.reloader);
            scope.spawn(move || {
                start.wait();
                sender.send(reloader.reload()).unwrap();
            });
        }
    });
    drop(sender);
    // Only now can the first one begin; the others asked before it did, or while it ran.
    write(&site.path("tiny.kith"), &tiny_called("three")).unwrap();
    drop(pin);
    let first = running.wait().unwrap();
    let reports: Vec<_> = asked.into_iter().map(|asked| asked.wait().unwrap()).collect();
    assert_eq!(reports.len(), CALLS);
    assert!(reports.iter().all(|report| Arc::ptr_eq(report, &reports[0]) || Arc::ptr_eq(report, &first)));
    let reloads = site.reloader.status().reloads - before;
    assert!((1..=2).contains(&reloads), "{reloads} reloads");
    assert_eq!(site.network(TINY).index.data.organization.name, "three");
    // The control: who asks after all that gets another reload.
    site.reload();
    assert_eq!(site.reloader.status().reloads - before, reloads + 1);
}

/// The control: calls that do not come at once are a reload each.
#[test]
fn calls_one_after_the_other_are_a_reload_each() {
    let site = Site::new();
    write(&site.path("tiny.kith"), &tiny_called("one")).unwrap();
    (0..20).for_each(|_| drop(site.reload()));
    assert_eq!(site.reloader.status().reloads, 20);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_requests_to_the_operators_listener_are_two_reloads_and_block_no_thread() {
    let (site, pin) = tokio::task::spawn_blocking(held_up).await.unwrap();
    let before = site.reloader.status().reloads;
    let operator = site.operator();
    let mut requests: Vec<_> = (0..CALLS).map(|_| Box::pin(post_reload(&operator))).collect();
    for request in &mut requests {
        // The runtime lets no task go on for ever.
        tokio::task::yield_now().await;
        assert!(request.now_or_never().is_none(), "answered while the old generation is read");
    }
    let health = Request::get("/healthz").body(Body::empty()).unwrap();
    assert_eq!(operator.clone().oneshot(health).await.unwrap().status(), StatusCode::OK);
    drop(pin);
    for request in requests {
        let (status, results) = request.await;
        assert_eq!(status, StatusCode::OK, "{results}");
    }
    let reloads = site.reloader.status().reloads - before;
    assert!((1..=2).contains(&reloads), "{reloads} reloads");
}

/// The holder of the networks in service, which replaces them.
trait Generations: Sync {
    fn pin(&self) -> Arc<Networks>;
    /// Puts the next generation into service.
    fn renew(&self, round: u64);
}

/// The networks of a site, and its snapshot, which changes in each round.
struct Reloaded<'a> {
    live: &'a LiveNetworks,
    reloader: &'a Arc<Reloader>,
    file: PathBuf,
    bytes: [Vec<u8>; 2],
}

impl Generations for Reloaded<'_> {
    fn pin(&self) -> Arc<Networks> {
        self.live.pin()
    }

    fn renew(&self, round: u64) {
        put_in_place(&self.file, &self.bytes[(round % 2) as usize]);
        let asked = [self.reloader.reload(), self.reloader.reload()];
        asked.into_iter().for_each(|asked| assert!(asked.wait().is_ok()));
    }
}

/// The control: a plain swap, which waits for nobody who still reads.
struct PlainSwap(RwLock<Arc<Networks>>);

impl Generations for PlainSwap {
    fn pin(&self) -> Arc<Networks> {
        Arc::clone(&self.0.read().unwrap())
    }

    fn renew(&self, generation: u64) {
        *self.0.write().unwrap() = Arc::new(Networks { generation, ..Networks::default() });
        thread::sleep(Duration::from_millis(1));
    }
}

/// Renews as fast as it can, while readers pin for some milliseconds and let go: the most generations that were in memory
/// at once after a round.
fn generations_at_once(generations: &impl Generations, rounds: u64) -> usize {
    let stop = AtomicBool::new(false);
    let mut seen: Vec<Weak<Networks>> = Vec::new();
    thread::scope(|scope| {
        for milliseconds in [5, 7, 11] {
            let stop = &stop;
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let pin = generations.pin();
                    thread::sleep(Duration::from_millis(milliseconds));
                    drop(pin);
                }
            });
        }
        let mut most = 0;
        for round in 0..rounds {
            generations.renew(round);
            seen.push(Arc::downgrade(&generations.pin()));
            // Each counted generation may be freed while the others are counted, none comes back.
            most = most.max(seen.iter().rev().filter(|networks| networks.strong_count() > 0).count());
        }
        stop.store(true, Ordering::Relaxed);
        most
    })
}

#[test]
fn there_are_never_more_than_two_generations_in_memory() {
    let rounds = scale::of(40, 1_000);
    let bytes = ["one", "two"].map(|name| encode(&tiny_called(name)).unwrap());
    let site = Site::new();
    let file = site.path("tiny.kith");
    let reloaded = Reloaded { live: &site.live, reloader: &site.reloader, file, bytes };
    let most = generations_at_once(&reloaded, rounds);
    assert_eq!(site.generation(), rounds);
    assert!(most <= 2, "{most} generations at once");
}

#[test]
fn a_swap_that_waits_for_no_reader_is_caught() {
    let most = generations_at_once(&PlainSwap(RwLock::default()), 40);
    assert!(most > 2, "{most} generations at once");
}
