//! The networks in service: one index per organization, swapped as a whole.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use arc_swap::ArcSwap;
use tokio::sync::watch;

use crate::graph::index::GraphIndex;
use crate::live::network::LiveNetwork;
use crate::live::predecessor::Predecessor;
use crate::live::retire::{Retired, retire};
use crate::live::slot::Slot;
use crate::suppress::list::SuppressionList;

/// Maximum organizations without a network that the log names: an issuer of JWTs can name any.
const MISSING_NAMED_MAX: usize = 1_000;

/// All networks of one generation. Immutable: a reload makes a new one.
#[derive(Debug, Default)]
pub struct Networks {
    /// By organization id. A credential names the organization, and only its network is reachable.
    pub by_organization: BTreeMap<String, Arc<Slot>>,
    /// Grows by one at each swap. Only for the operator, since changes of any organization raise it.
    pub generation: u64,
    /// For each organization, the previous generation if it is kept.
    pub predecessors: BTreeMap<String, Arc<Predecessor>>,
    /// The list of people to forget that the networks keep to.
    pub suppressed: Arc<SuppressionList>,
}

impl Networks {
    /// Whether the network of `organization` keeps to `list`.
    #[must_use]
    pub(crate) fn keep_to(&self, list: &SuppressionList, organization: &str) -> bool {
        self.suppressed.of(organization) == list.of(organization)
    }

    /// Finds, in each network in memory, the people who match `list` now, unless the change also brings people back.
    pub(crate) fn look_for_leaving(&self, list: &SuppressionList) {
        for (organization, slot) in &self.by_organization {
            let wanted = list.of(organization);
            let only_more = !slot.forgotten().is_just(wanted) && slot.forgotten().is_within(wanted);
            if let (true, Some(wanted), Some(network)) = (only_more, wanted, slot.network()) {
                network.leaving(wanted);
            }
        }
    }

    /// Hashes the keys of the people of each network in memory for future changes of `list`, unless they are hashed.
    pub(crate) fn hash_people(&self, list: &SuppressionList) {
        self.by_organization
            .values()
            .filter_map(|slot| slot.network())
            .for_each(|network| network.hash_people(list));
    }

    /// The generation of the network of `organization`; 0 if none is in service.
    #[must_use]
    pub fn generation_of(&self, organization: &str) -> u64 {
        self.by_organization.get(organization).map_or(0, |slot| slot.generation())
    }

    /// The network of `organization`, if one is in service and in memory.
    #[must_use]
    pub fn network_of(&self, organization: &str) -> Option<Arc<LiveNetwork>> {
        self.by_organization.get(organization)?.network()
    }

    /// The same networks with `kept` as the previous generation of `organization`.
    pub(crate) fn with_predecessor(&self, organization: String, kept: Predecessor) -> Self {
        let mut predecessors = self.predecessors.clone();
        predecessors.insert(organization, Arc::new(kept));
        Self {
            by_organization: self.by_organization.clone(),
            generation: self.generation + 1,
            predecessors,
            suppressed: Arc::clone(&self.suppressed),
        }
    }

    /// Everything that is not in `next`: slots, then their networks, then predecessors, then the indexes of both.
    fn replaced_in(&self, next: &Self) -> Vec<Retired> {
        let slots = replaced(&self.by_organization, &next.by_organization);
        let (slots, networks): (Vec<_>, Vec<_>) =
            slots.map(|slot| (Arc::clone(slot) as Retired, slot.network())).unzip();
        let networks = networks.into_iter().flatten().map(|network| network as Retired);
        let predecessors = replaced(&self.predecessors, &next.predecessors);
        let predecessors = predecessors.map(|predecessor| Arc::clone(predecessor) as Retired);
        let (indexes, kept) = (self.indexes(), next.indexes());
        let indexes = indexes.into_iter().filter(|(place, _)| !kept.contains_key(place));
        let indexes = indexes.map(|(_, index)| index as Retired);
        slots.into_iter().chain(networks).chain(predecessors).chain(indexes).collect()
    }

    /// Each index in memory, by address.
    fn indexes(&self) -> BTreeMap<*const GraphIndex, Arc<GraphIndex>> {
        let in_service =
            self.by_organization.values().filter_map(|slot| Some(Arc::clone(&slot.network()?.index)));
        let before = self.predecessors.values().flat_map(|predecessor| predecessor.indexes().map(Arc::clone));
        in_service.chain(before).map(|index| (Arc::as_ptr(&index), index)).collect()
    }
}

/// The values of `old` that are not in `next`, by organization.
fn replaced<'a, T>(
    old: &'a BTreeMap<String, Arc<T>>,
    next: &'a BTreeMap<String, Arc<T>>,
) -> impl Iterator<Item = &'a Arc<T>> {
    let is_kept = |organization: &String, part: &Arc<T>| {
        next.get(organization).is_some_and(|kept| Arc::ptr_eq(kept, part))
    };
    old.iter().filter(move |(organization, part)| !is_kept(organization, part)).map(|(_, part)| part)
}

/// The generation in service, swapped as a whole. Ignores the list: requests get their networks from a
/// [`Gate`](crate::live::gate::Gate).
#[derive(Debug)]
pub struct LiveNetworks {
    current: ArcSwap<Networks>,
    /// The threads that free replaced networks, see `retire`.
    retiring: Mutex<Vec<JoinHandle<()>>>,
    /// The organizations with credentials but without a network that the log has named.
    missing: Mutex<BTreeSet<String>>,
    /// The operator's number of the generation in service, for [`Self::swaps`].
    swapped: watch::Sender<u64>,
}

impl LiveNetworks {
    /// Puts `networks` in service as the first generation.
    #[must_use]
    pub fn new(networks: Networks) -> Self {
        let swapped = watch::Sender::new(networks.generation);
        let current = ArcSwap::from_pointee(networks);
        Self { current, retiring: Mutex::default(), missing: Mutex::default(), swapped }
    }

    /// The networks in service now, including those that do not keep to the list of people to forget: for reloads and
    /// counts, never for answers.
    #[must_use]
    pub fn pin(&self) -> Arc<Networks> {
        self.current.load_full()
    }

    /// Puts `networks` in service; running requests keep the ones they pinned. A separate thread frees the replaced
    /// ones once no request reads them.
    pub fn swap(&self, networks: Networks) {
        let now = Arc::new(networks);
        let old = self.current.swap(Arc::clone(&now));
        replaced(&old.predecessors, &now.predecessors).for_each(|predecessor| predecessor.end());
        let mut retiring = self.retiring.lock().unwrap_or_else(PoisonError::into_inner);
        retiring.retain(|thread| !thread.is_finished());
        let replaced = old.replaced_in(&now);
        retiring.extend(retire(old, replaced));
        self.swapped.send_replace(self.pin().generation);
    }

    /// Changes whenever another generation is put in service.
    #[must_use]
    pub fn swaps(&self) -> watch::Receiver<u64> {
        self.swapped.subscribe()
    }

    /// Logs once that a credential is valid for `organization` but no network of it is in service; for at most
    /// [`MISSING_NAMED_MAX`] organizations.
    pub(crate) fn log_missing(&self, organization: &str) {
        let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        if missing.len() < MISSING_NAMED_MAX && missing.insert(organization.to_owned()) {
            tracing::warn!(
                organization,
                "no snapshot of this organization is in service, and a credential of it is in use: every request \
                 is answered 503; build a snapshot into the folder and reload, or revoke the credential"
            );
        }
    }

    /// Waits until replaced networks are freed. Blocks for as long as the slowest request that reads them, half a
    /// minute at most.
    pub fn wait_until_retired(&self) {
        let threads = std::mem::take(&mut *self.retiring.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // A panicked thread has nothing left to free.
            let _ = thread.join();
        }
    }
}
