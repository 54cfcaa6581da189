//! Freeing networks that are out of service: never on the thread of a request.
//!
//! Whoever drops the last reference to a network frees it, which takes a while for a large one. So the
//! retiring thread keeps a reference of its own until it has the last one.

use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::clock;
use crate::live::networks::{Network, Networks};

/// How long the last reader is waited for: longer than any request takes.
const PATIENCE: Duration = Duration::from_secs(30);
/// Between two looks at who still reads.
const PAUSE: Duration = Duration::from_millis(1);

/// Frees `old`, and what of it is not in `now`, on a thread of its own once nobody else reads it.
///
/// Where the system has no thread for that, whoever reads it last frees it.
pub(crate) fn retire(old: Arc<Networks>, now: &Networks) -> Option<JoinHandle<()>> {
    let is_kept = |organization: &String, network: &Arc<Network>| {
        now.by_organization.get(organization).is_some_and(|kept| Arc::ptr_eq(kept, network))
    };
    let replaced: Vec<Arc<Network>> = old
        .by_organization
        .iter()
        .filter(|(organization, network)| !is_kept(organization, network))
        .map(|(_, network)| Arc::clone(network))
        .collect();
    let free = move || {
        let deadline = clock::now() + PATIENCE;
        free_when_unread(old, deadline);
        replaced.into_iter().for_each(|network| free_when_unread(network, deadline));
    };
    thread::Builder::new().name("kith-retire".to_owned()).spawn(free).ok()
}

/// Drops `value` as soon as nobody else holds it, or at the deadline. It must be out of reach already:
/// then nobody can take hold of it again once this is the last reference.
fn free_when_unread<T>(value: Arc<T>, deadline: Instant) {
    while Arc::strong_count(&value) > 1 && clock::now() < deadline {
        clock::sleep(PAUSE);
    }
    drop(value);
}
