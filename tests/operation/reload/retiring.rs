//! Replaced networks are freed by a thread of ours, never by that of a request.
//!
//! Promise: No request frees the old index, so that none is delayed by it (at most 10 ms)
//! Control: the same request if a plain swap replaces the index: its own thread frees it.

#![allow(clippy::print_stdout, reason = "how long a request was held up is printed")]

use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use kith_generate::plan::Plan;
use kith_generate::write::write_tables;
use kith_server::live::network::LiveNetwork;
use kith_server::live::networks::{LiveNetworks, Networks};
use kith_server::live::slot::Slot;
use kith_server::snapshot::read::decode;
use kith_server::snapshot::{encode, write};
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;

use crate::reload::site::{Site, tiny_called};
use crate::support::scale;

const TINY: &str = "org_tiny";
const GENERATED: &str = "org_generated";

fn site() -> Site {
    let site = Site::new();
    write(&site.path("tiny.kith"), &tiny_called("one")).unwrap();
    site.reload();
    site
}

/// Dropping a reference that is not the last one frees nothing.
fn is_last<T>(pinned: &Arc<T>) -> bool {
    Arc::strong_count(pinned) == 1
}

/// Holds the network that requests are answered from; a reload replaces it.
trait Service: Sync {
    fn pin(&self) -> Arc<Networks>;
    fn swap(&self, next: Networks);
}

impl Service for LiveNetworks {
    fn pin(&self) -> Arc<Networks> {
        Self::pin(self)
    }

    fn swap(&self, next: Networks) {
        Self::swap(self, next);
    }
}

/// The control: a plain swap, which leaves the last reference with the request that pinned.
struct PlainSwap(RwLock<Arc<Networks>>);

impl Service for PlainSwap {
    fn pin(&self) -> Arc<Networks> {
        Arc::clone(&self.0.read().unwrap())
    }

    fn swap(&self, next: Networks) {
        *self.0.write().unwrap() = Arc::new(next);
    }
}

/// A request that runs across a swap and then drops what it pinned, the generation before the network or after it:
/// whether its thread freed the network, and how long the drop took.
fn drop_by_a_request(service: &impl Service, is_generation_first: bool) -> (bool, Duration) {
    let generation = service.pin();
    let network = generation.network_of(GENERATED).unwrap();
    service.swap(Networks { generation: 2, ..Networks::default() });
    let started = Instant::now();
    let freed = if is_generation_first {
        drop(generation);
        Arc::into_inner(network).is_some()
    } else {
        drop(network);
        let last = Arc::into_inner(generation);
        last.and_then(|last| {
            last.network_of(GENERATED).and_then(|network| {
                drop(last);
                Arc::into_inner(network)
            })
        })
        .is_some()
    };
    (freed, started.elapsed())
}

/// The network of a snapshot of this many generated people, as in service.
fn in_service(people: u32) -> Networks {
    let folder = tempfile::tempdir().unwrap();
    write_tables(&Plan::sized(people, u64::from(people) * 15), folder.path()).unwrap();
    let dataset = read_folder(folder.path(), &Silent).unwrap().dataset;
    let network = LiveNetwork::new(decode(&encode(&dataset).unwrap()).unwrap(), "it.kith");
    let by_organization = BTreeMap::from([(GENERATED.to_owned(), Arc::new(Slot::resident(network)))]);
    Networks { by_organization, generation: 1, ..Networks::default() }
}

#[test]
fn no_request_frees_the_network_that_it_read_across_a_swap() {
    let people = scale::of(500, 300_000) as u32;
    for is_generation_first in [true, false] {
        let live = LiveNetworks::new(in_service(people));
        let (freed, took) = drop_by_a_request(&live, is_generation_first);
        live.wait_until_retired();
        println!("the thread that retires: the request was held up for {took:?}");
        assert!(!freed, "generation first: {is_generation_first}");
        assert!(scale::of(1, 0) == 1 || took < Duration::from_millis(10), "{took:?}");
    }
    // The control: the same request, and its own thread frees the network.
    for is_generation_first in [true, false] {
        let plain = PlainSwap(RwLock::new(Arc::new(in_service(people))));
        let (freed, took) = drop_by_a_request(&plain, is_generation_first);
        println!("the control: the request was held up for {took:?}");
        assert!(freed, "generation first: {is_generation_first}");
    }
}

#[test]
fn a_request_across_a_swap_never_holds_the_last_reference() {
    let site = site();
    // The references of a request: the generation for a moment, its network to the end.
    let (generation, network) = (site.live.pin(), site.network(TINY));
    write(&site.path("tiny.kith"), &tiny_called("two")).unwrap();
    site.reload();
    assert!(!Arc::ptr_eq(&site.network(TINY), &network), "another one is in service");
    assert!(!is_last(&generation) && !is_last(&network));
    let (weak_generation, weak_network) = (Arc::downgrade(&generation), Arc::downgrade(&network));
    drop(generation);
    assert!(!is_last(&network), "also where the generation went before it");
    drop(network);
    site.live.wait_until_retired();
    assert_eq!((weak_generation.strong_count(), weak_network.strong_count()), (0, 0), "all is freed");
}

#[test]
fn a_network_that_stays_in_service_keeps_its_place_and_outlives_its_generations() {
    let site = site();
    let mut other = tiny_called("other");
    other.organization.id = "org_other".to_owned();
    let kept = site.network(TINY);
    for round in 0..3 {
        other.organization.name = format!("other {round}");
        write(&site.path("other.kith"), &other).unwrap();
        let replaced = site.live.pin();
        site.reload();
        assert!(Arc::ptr_eq(&site.network(TINY), &kept), "the same index, not one that is equal");
        let weak = Arc::downgrade(&replaced);
        drop(replaced);
        site.live.wait_until_retired();
        assert_eq!(weak.strong_count(), 0, "round {round}");
    }
    assert_eq!(Arc::strong_count(&kept), 2, "the one in service, and this test");
}
