//! The networks in service: one index for each organization, swapped as a whole.

use std::collections::BTreeMap;
use std::sync::Arc;

use arc_swap::ArcSwap;

use crate::graph::index::GraphIndex;
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
    /// The identity of the snapshot.
    pub identity: Identity,
    /// The snapshot's file name.
    pub file: String,
    /// The snapshot's size.
    pub size_bytes: u64,
}

impl Network {
    /// Indexes a snapshot that was read and checked; `file` is its name.
    #[must_use]
    pub fn new(loaded: Loaded, file: &str) -> Self {
        let Loaded { dataset, identity, size_bytes } = loaded;
        let index = GraphIndex::build(dataset);
        let search = SearchIndex::build(&index);
        Self { index, search, identity, file: file.to_owned(), size_bytes }
    }

    /// What a search over this network goes over, with `engines` in service.
    #[must_use]
    pub fn searched(&self, engines: Engines) -> Searched<'_> {
        Searched { index: &self.index, search: &self.search, engines }
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
}

impl LiveNetworks {
    /// Puts `networks` in service as the first generation.
    #[must_use]
    pub fn new(networks: Networks) -> Self {
        Self { current: ArcSwap::from_pointee(networks) }
    }

    /// The networks in service now. A request calls this once and keeps what it got.
    #[must_use]
    pub fn pin(&self) -> Arc<Networks> {
        self.current.load_full()
    }

    /// Puts `networks` in service; requests that run keep the ones they pinned.
    pub fn swap(&self, networks: Networks) {
        self.current.store(Arc::new(networks));
    }
}
