//! What is out of service is freed by a thread of ours, never by that of a request.

use std::sync::{Arc, RwLock};

use kith::live::networks::{Network, Networks};
use kith::snapshot::write;

use crate::reload::site::{Site, tiny_called};

const TINY: &str = "org_tiny";

fn site() -> Site {
    let site = Site::new();
    write(&site.path("tiny.kith"), &tiny_called("one")).unwrap();
    site.reload();
    site
}

/// Who drops a reference that is not the last one frees nothing.
fn is_last<T>(pinned: &Arc<T>) -> bool {
    Arc::strong_count(pinned) == 1
}

#[test]
fn a_request_across_a_swap_never_holds_the_last_reference() {
    let site = site();
    // What a request holds: the generation for a moment, its network to the end.
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

/// The control: a plain swap leaves the last reference with whoever pinned.
#[test]
fn without_a_retiring_thread_the_request_would_free_it() {
    let site = site();
    let by_organization = site.live.pin().by_organization.clone();
    let networks = Networks { by_organization, ..Networks::default() };
    drop(site);
    let current = RwLock::new(Arc::new(networks));
    let generation = Arc::clone(&current.read().unwrap());
    let network: Arc<Network> = Arc::clone(&generation.by_organization[TINY]);
    *current.write().unwrap() = Arc::new(Networks::default());
    assert!(is_last(&generation));
    drop(generation);
    assert!(is_last(&network));
}
