//! The networks in service: one index for each organization, swapped as a whole.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use arc_swap::ArcSwap;

use crate::graph::index::GraphIndex;
use crate::live::retire::retire;
use crate::relational::error::Unavailable;
use crate::relational::path_beside;
use crate::relational::store::Store;
use crate::search::answer::Searched;
use crate::search::engine::Engines;
use crate::search::index::SearchIndex;
use crate::snapshot::header::Identity;
use crate::snapshot::read::Loaded;

/// One organization's index, and the file it came from.
#[derive(Debug)]
pub struct Network {
    /// The index.
    pub index: GraphIndex,
    /// What searches read beside it.
    pub search: SearchIndex,
    /// The relational store beside the snapshot, or why it cannot be used.
    pub store: Result<Store, Unavailable>,
    /// The identity of the snapshot.
    pub identity: Identity,
    /// The snapshot's file name.
    pub file: String,
    /// The snapshot's size.
    pub size_bytes: u64,
}

impl Network {
    /// Indexes a snapshot that was read from `path` and checked, and opens the store beside it.
    #[must_use]
    pub fn open(loaded: Loaded, path: &Path) -> Self {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let mut network = Self::new(loaded, &file);
        network.store = network.open_store(path);
        network
    }

    /// Indexes a snapshot that was read and checked, without a store; `file` is its name.
    #[must_use]
    pub fn new(loaded: Loaded, file: &str) -> Self {
        let Loaded { dataset, identity, size_bytes } = loaded;
        let index = GraphIndex::build(dataset);
        let search = SearchIndex::build(&index);
        let store = Err(Unavailable::Absent { path: path_beside(Path::new(file)) });
        Self { index, search, store, identity, file: file.to_owned(), size_bytes }
    }

    /// Whether there is a store at `path` now that belongs to the snapshot, where there was none.
    #[must_use]
    pub fn could_use_store(&self, path: &Path) -> bool {
        self.store.is_err() && self.open_store(path).is_ok()
    }

    /// Bytes that the index and what searches read take in memory. Costs a pass over the distinct texts.
    #[must_use]
    pub fn size_bytes_in_memory(&self) -> usize {
        self.index.size_bytes() + self.search.size_bytes()
    }

    fn open_store(&self, path: &Path) -> Result<Store, Unavailable> {
        let people = u32::try_from(self.index.people.ids.len()).unwrap_or(u32::MAX);
        Store::open(path, self.identity, people)
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
    /// Grows by one at each swap.
    pub generation: u64,
}

/// What a request reads: pinned for as long as the request runs.
#[derive(Debug)]
pub struct LiveNetworks {
    current: ArcSwap<Networks>,
    /// The threads that free what is out of service, see [`crate::live::retire`].
    retiring: Mutex<Vec<JoinHandle<()>>>,
}

impl LiveNetworks {
    /// Puts `networks` in service as the first generation.
    #[must_use]
    pub fn new(networks: Networks) -> Self {
        Self { current: ArcSwap::from_pointee(networks), retiring: Mutex::default() }
    }

    /// The networks in service now. A request calls this once and keeps what it got.
    #[must_use]
    pub fn pin(&self) -> Arc<Networks> {
        self.current.load_full()
    }

    /// Puts `networks` in service; requests that run keep the ones they pinned. What they replace is
    /// freed once nobody reads it, by a thread of its own.
    pub fn swap(&self, networks: Networks) {
        let now = Arc::new(networks);
        let old = self.current.swap(Arc::clone(&now));
        let mut retiring = self.retiring.lock().unwrap_or_else(PoisonError::into_inner);
        retiring.retain(|thread| !thread.is_finished());
        retiring.extend(retire(old, &now));
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
