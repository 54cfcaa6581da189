//! The networks in service: one index for each organization, swapped as a whole.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use arc_swap::ArcSwap;
use tokio::sync::watch;

use crate::clock;
use crate::graph::index::GraphIndex;
use crate::live::forgotten::Forgotten;
use crate::live::predecessor::Predecessor;
use crate::live::retire::{Retired, retire};
use crate::model::dataset::Dataset;
use crate::regular_file::FileStamp;
use crate::relational::error::StoreUnusable;
use crate::relational::path_beside;
use crate::relational::store::RelationalStore;
use crate::search::engine::Engines;
use crate::search::index::SearchIndex;
use crate::search::searched::Searched;
use crate::snapshot::header::Identity;
use crate::snapshot::read::Loaded;
use crate::suppress::list::SuppressionList;

/// The most organizations without a network that the log names: an issuer of JWTs may name any.
const MISSING_NAMED_MAX: usize = 1_000;

/// One organization's index, and the file it came from.
#[derive(Debug)]
pub struct Network {
    /// The index.
    pub index: Arc<GraphIndex>,
    /// What searches read beside it.
    pub search: SearchIndex,
    /// The relational store beside the snapshot, or the reason why it cannot be used.
    pub store: Result<RelationalStore, StoreUnusable>,
    /// The stamp of the store's file before it was opened; `None` if there was none.
    store_stamp: Option<FileStamp>,
    /// The identity of the snapshot.
    pub identity: Identity,
    /// The snapshot's file name.
    pub file: String,
    /// The snapshot's size.
    pub size_bytes: u64,
    /// How many people the snapshot holds.
    snapshot_people: u32,
    /// Those of them who are not in the index.
    pub(crate) forgotten: Forgotten,
}

/// The snapshot that a network comes from.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    file: String,
    identity: Identity,
    size_bytes: u64,
    people: u32,
    store_stamp: Option<FileStamp>,
}

impl Origin {
    /// A snapshot that was read from `path`, before the store beside it is opened.
    pub(crate) fn of(loaded: &Loaded, path: &Path) -> Self {
        Self {
            file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            identity: loaded.identity,
            size_bytes: loaded.size_bytes,
            people: u32::try_from(loaded.dataset.people.len()).unwrap_or(u32::MAX),
            store_stamp: FileStamp::at(&path_beside(path)),
        }
    }

    /// The store beside the snapshot, which is at `path`.
    pub(crate) fn open_store(&self, path: &Path) -> Result<RelationalStore, StoreUnusable> {
        RelationalStore::open(path, self.identity, self.people)
    }
}

impl Network {
    /// Indexes a snapshot that was read from `path` and checked, and opens the store beside it.
    #[must_use]
    pub fn open(loaded: Loaded, path: &Path) -> Self {
        let origin = Origin::of(&loaded, path);
        let store = origin.open_store(path);
        Self::make(loaded.dataset, origin, store, Forgotten::default())
    }

    /// Indexes a snapshot that was read and checked, without a store; `file` is its name.
    #[must_use]
    pub fn new(loaded: Loaded, file: &str) -> Self {
        let origin = Origin::of(&loaded, Path::new(file));
        let store = Err(StoreUnusable::Absent { path: path_beside(Path::new(file)) });
        Self::make(loaded.dataset, origin, store, Forgotten::default())
    }

    /// Indexes `dataset`, which is the snapshot `origin` without the people `forgotten`, as is `store`.
    pub(crate) fn make(
        dataset: Dataset,
        origin: Origin,
        store: Result<RelationalStore, StoreUnusable>,
        forgotten: Forgotten,
    ) -> Self {
        let index = Arc::new(GraphIndex::build(dataset));
        let search = SearchIndex::build(&index);
        let Origin { file, identity, size_bytes, people, store_stamp } = origin;
        Self {
            index,
            search,
            store,
            store_stamp,
            identity,
            file,
            size_bytes,
            snapshot_people: people,
            forgotten,
        }
    }

    /// The snapshot it comes from.
    pub(crate) fn origin(&self) -> Origin {
        let Self { identity, size_bytes, snapshot_people: people, store_stamp, .. } = *self;
        Origin { file: self.file.clone(), identity, size_bytes, people, store_stamp }
    }

    /// Whether the store beside the snapshot at `path` belongs to it and is to take the place of the one in
    /// service: there is none, or it has failed, or its file was written to. A store that goes on well is kept if
    /// another file took its name: the same snapshot has the same store.
    #[must_use]
    pub fn could_use_store(&self, path: &Path) -> bool {
        let may_stay = self.store.as_ref().is_ok_and(|store| {
            let now = FileStamp::at(&path_beside(path));
            let is_written_to = match (self.store_stamp, now) {
                (Some(before), Some(now)) => before != now && before.is_same_file(now),
                _ => false,
            };
            self.store_stamp == now || !(store.has_failed() || is_written_to)
        });
        !may_stay && self.origin().open_store(path).is_ok()
    }

    /// Why the store beside the snapshot at `path` cannot be used; `None` if it can.
    #[must_use]
    pub fn store_fault(&self, path: &Path) -> Option<StoreUnusable> {
        if self.has_store_of(path) { None } else { self.origin().open_store(path).err() }
    }

    /// Logs how a look-up in the store failed: the first time that one does, and never again.
    pub fn log_store_failure(&self) {
        let failure = self.store.as_ref().ok().and_then(RelationalStore::unreported_failure);
        if let Some(reason) = failure {
            let (file, organization) = (&self.file, &self.index.data.organization.id);
            tracing::error!(file, organization, %reason, "relational store failed in service: put a sound one in place and reload");
        }
    }

    /// Whether the store in service is the file beside the snapshot at `path`.
    fn has_store_of(&self, path: &Path) -> bool {
        self.store.is_ok() && self.store_stamp == FileStamp::at(&path_beside(path))
    }

    /// Bytes that the index and what searches read take in memory. Costs a pass over the distinct texts.
    #[must_use]
    pub fn size_bytes_in_memory(&self) -> usize {
        self.index.size_bytes() + self.search.size_bytes()
    }

    /// What a search over this network goes over, with `engines` in service until `deadline`.
    #[must_use]
    pub fn searched(&self, engines: Engines, deadline: Instant) -> Searched<'_> {
        let store = self.store.as_ref().ok();
        Searched { index: &self.index, search: &self.search, store, engines, deadline }
    }
}

/// All networks of one generation. Immutable: a reload makes a new one.
#[derive(Debug, Default)]
pub struct Networks {
    /// By organization id. A credential names the organization, and only its network is reachable.
    pub by_organization: BTreeMap<String, Arc<Network>>,
    /// Grows by one at each swap: for the operator alone, since it grows with the changes of all organizations.
    pub generation: u64,
    /// The generation of each organization's network, also of those out of service: see [`Self::generation_of`].
    pub generations: BTreeMap<String, u64>,
    /// The number before that of each organization's first generation.
    pub numbered_after: u64,
    /// Of each organization in service the generation before, if it is kept.
    pub predecessors: BTreeMap<String, Arc<Predecessor>>,
    /// The list of people to forget that the networks are in keeping with.
    pub suppressed: Arc<SuppressionList>,
}

impl Networks {
    /// No networks yet, of a server that starts at `time`. Their generations are numbered from its microseconds since
    /// 1970 on: a server that starts another time has other numbers, so that no number means two networks of an
    /// organization.
    #[must_use]
    pub fn starting_at(time: SystemTime) -> Self {
        // A clock that is set before 1970 goes on all the same.
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_else(|before| before.duration());
        Self { numbered_after: u64::try_from(since.as_micros()).unwrap_or_default(), ..Self::default() }
    }

    /// [`Self::starting_at`] this moment.
    #[must_use]
    pub fn starting_now() -> Self {
        Self::starting_at(clock::wall_time())
    }

    /// Whether the network of `organization` is in keeping with `list`.
    #[must_use]
    pub(crate) fn keep_to(&self, list: &SuppressionList, organization: &str) -> bool {
        self.suppressed.of(organization) == list.of(organization)
    }

    /// The generation of the network of `organization`: the first number for its first one in service, and one more
    /// each time that another one took its place. What happens to others does not change it.
    #[must_use]
    pub fn generation_of(&self, organization: &str) -> u64 {
        self.generations.get(organization).copied().unwrap_or(self.numbered_after + 1)
    }

    /// What is not in `next`: networks, then predecessors, then the indexes of both.
    fn replaced_in(&self, next: &Self) -> Vec<Retired> {
        let networks = replaced(&self.by_organization, &next.by_organization);
        let networks = networks.map(|network| Arc::clone(network) as Retired);
        let predecessors = replaced(&self.predecessors, &next.predecessors);
        let predecessors = predecessors.map(|predecessor| Arc::clone(predecessor) as Retired);
        let (indexes, kept) = (self.indexes(), next.indexes());
        let indexes = indexes.into_iter().filter(|(place, _)| !kept.contains_key(place));
        let indexes = indexes.map(|(_, index)| Arc::clone(index) as Retired);
        networks.chain(predecessors).chain(indexes).collect()
    }

    /// Each index in memory, by where it is.
    fn indexes(&self) -> BTreeMap<*const GraphIndex, &Arc<GraphIndex>> {
        let in_service = self.by_organization.values().map(|network| &network.index);
        let before = self.predecessors.values().flat_map(|predecessor| predecessor.indexes());
        in_service.chain(before).map(|index| (Arc::as_ptr(index), index)).collect()
    }
}

/// What is in `old`, by organization, and not in `next`.
fn replaced<'a, T>(
    old: &'a BTreeMap<String, Arc<T>>,
    next: &'a BTreeMap<String, Arc<T>>,
) -> impl Iterator<Item = &'a Arc<T>> {
    let is_kept = |organization: &String, part: &Arc<T>| {
        next.get(organization).is_some_and(|kept| Arc::ptr_eq(kept, part))
    };
    old.iter().filter(move |(organization, part)| !is_kept(organization, part)).map(|(_, part)| part)
}

/// The generation in service, swapped as a whole. Knows nothing of the list: requests get their networks
/// from a [`Gate`](crate::live::gate::Gate).
#[derive(Debug)]
pub struct LiveNetworks {
    current: ArcSwap<Networks>,
    /// The threads that free what is out of service, see `retire`.
    retiring: Mutex<Vec<JoinHandle<()>>>,
    /// Organizations with credentials and without a network that the log has named.
    missing: Mutex<BTreeSet<String>>,
    /// The generation in service, for [`Self::swaps`].
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

    /// The networks in service now, also those that are not in keeping with the list of people to
    /// forget: for reloads and counts, never for answers.
    #[must_use]
    pub fn pin(&self) -> Arc<Networks> {
        self.current.load_full()
    }

    /// Puts `networks` in service; requests that run keep the ones they pinned. What they replace is
    /// freed once no request reads it, by a thread of its own.
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

    /// Changes each time that another generation was put in service.
    #[must_use]
    pub fn swaps(&self) -> watch::Receiver<u64> {
        self.swapped.subscribe()
    }

    /// Logs once that a credential holds for `organization` and no network of it is in service; of
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

    /// Waits until what was replaced is freed. Blocks for as long as the slowest request that reads it
    /// runs, half a minute at most.
    pub fn wait_until_retired(&self) {
        let threads = std::mem::take(&mut *self.retiring.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // One that panicked has nothing left to free.
            let _ = thread.join();
        }
    }
}
