//! One organization in service: its snapshot, and its network while that is in memory.
//!
//! Another snapshot, or a change of the list that concerns the organization, makes another slot. So every load into a
//! slot gives the same network.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwapOption;
use tokio::sync::watch;

use crate::live::forgotten::Forgotten;
use crate::live::generation::generation_without;
use crate::live::network::{LiveNetwork, Origin};
use crate::regular_file::FileStamp;
use crate::relational::error::StoreUnusable;
use crate::relational::path_beside;
use crate::snapshot::header::Identity;
use crate::snapshot::read::read_identity;
use crate::suppress::list::Suppressions;

/// One organization in service.
#[derive(Debug)]
pub struct Slot {
    organization: String,
    people: u32,
    /// See [`LiveNetwork::generation`].
    generation: u64,
    origin: Origin,
    forgotten: Forgotten,
    /// Why the network has no relational store, which stays so while the slot is in service.
    store: Result<(), StoreUnusable>,
    network: ArcSwapOption<LiveNetwork>,
    /// The snapshot, readable even if another file takes its name; `None` if the network stays in memory.
    file: ArcSwapOption<File>,
    /// The load under way, or the last one.
    load: Mutex<Option<watch::Receiver<LoadState>>>,
    /// When the network was last used, and when a load last failed, in microseconds since the service began.
    used_at: AtomicU64,
    failed_at: AtomicU64,
    /// Memory of the network when last measured, in bytes.
    bytes: AtomicU64,
}

/// The progress of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoadState {
    /// It waits for its turn, or runs.
    Underway,
    /// The network is in the slot.
    Loaded,
    /// It could not be loaded.
    Failed,
}

#[derive(Debug)]
pub(crate) struct LoadShare {
    /// The progress. Closed if the load broke off.
    pub(crate) state: watch::Receiver<LoadState>,
    /// The sender for the progress, if no load was under way: then the caller must begin it.
    pub(crate) begin: Option<watch::Sender<LoadState>>,
}

impl Slot {
    /// `network` in service, in memory all the time.
    #[must_use]
    pub fn resident(network: impl Into<Arc<LiveNetwork>>) -> Self {
        Self::new(network.into(), None)
    }

    /// Whether it serves the snapshot named by the header of the file at `path`, with the same store beside it.
    pub(crate) fn is_of(&self, path: &Path) -> bool {
        read_identity(path).is_ok_and(|identity| identity == self.identity()) && !self.could_use_store(path)
    }

    /// `network` in service; it can leave memory if there is a `file` to load it from again.
    pub(crate) fn new(network: Arc<LiveNetwork>, file: Option<Arc<File>>) -> Self {
        Self {
            organization: network.index.data.organization.id.clone(),
            people: u32::try_from(network.index.data.people.len()).unwrap_or(u32::MAX),
            generation: network.generation(),
            origin: network.origin(),
            forgotten: network.forgotten.clone(),
            store: network.store.as_ref().map(|_| ()).map_err(StoreUnusable::clone),
            network: ArcSwapOption::new(Some(network)),
            file: ArcSwapOption::new(file),
            load: Mutex::default(),
            used_at: AtomicU64::new(0),
            failed_at: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
        }
    }

    /// This slot without its network, which is to be loaded without the people that `wanted` names. `None` if it cannot
    /// be loaded.
    pub(crate) fn unloaded(&self, wanted: Option<&Arc<Suppressions>>) -> Option<Self> {
        Some(Self {
            organization: self.organization.clone(),
            people: self.people,
            generation: generation_without(self.generation, wanted.map(Arc::as_ref)),
            origin: self.origin.clone(),
            forgotten: wanted.map_or_else(Forgotten::default, Forgotten::named),
            store: self.store.clone(),
            network: ArcSwapOption::empty(),
            file: ArcSwapOption::new(Some(self.snapshot()?)),
            load: Mutex::default(),
            used_at: AtomicU64::new(0),
            failed_at: AtomicU64::new(0),
            bytes: AtomicU64::new(self.bytes()),
        })
    }

    /// The organization's id.
    #[must_use]
    pub fn organization(&self) -> &str {
        &self.organization
    }

    /// The name of the snapshot's file.
    #[must_use]
    pub fn file(&self) -> &str {
        self.origin.file()
    }

    /// The identity of the snapshot.
    #[must_use]
    pub fn identity(&self) -> Identity {
        self.origin.identity()
    }

    /// The size of the snapshot, in bytes.
    #[must_use]
    pub fn size_bytes(&self) -> u64 {
        self.origin.size_bytes()
    }

    /// The number that names its generation.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The number of people in the network.
    #[must_use]
    pub fn people(&self) -> u32 {
        self.people
    }

    /// The network, if it is in memory.
    #[must_use]
    pub fn network(&self) -> Option<Arc<LiveNetwork>> {
        self.network.load_full()
    }

    /// The snapshot to load the network from again; `None` if it stays in memory.
    pub(crate) fn snapshot(&self) -> Option<Arc<File>> {
        self.file.load_full()
    }

    /// From now on loads the network from `snapshot`, another file with the same content.
    pub(crate) fn take_up(&self, snapshot: File) {
        self.file.store(Some(Arc::new(snapshot)));
    }

    /// The people left out of the network.
    pub(crate) fn forgotten(&self) -> &Forgotten {
        &self.forgotten
    }

    /// Whether the relational store beside the snapshot was usable when the snapshot was put in service.
    pub(crate) fn had_store(&self) -> bool {
        self.store.is_ok()
    }

    /// Puts `network` into the slot: loaded from its snapshot, without the people in [`Self::forgotten`]. A store that
    /// was unusable when the snapshot was put in service stays out of use.
    pub(crate) fn put(&self, mut network: LiveNetwork) -> Arc<LiveNetwork> {
        if let Err(unusable) = &self.store {
            network.store = Err(unusable.clone());
        }
        let network = Arc::new(network);
        self.network.store(Some(Arc::clone(&network)));
        network
    }

    /// Takes the network out of memory, for the caller to free; `None` if it is not in memory, or must stay.
    pub(crate) fn let_go(&self) -> Option<Arc<LiveNetwork>> {
        let is_loadable = self.snapshot().is_some() && self.forgotten.is_by_one_list();
        if is_loadable { self.network.swap(None) } else { None }
    }

    /// Joins the load under way, or the one that the caller must begin.
    pub(crate) fn join_load(&self) -> LoadShare {
        let mut load = self.load.lock().unwrap_or_else(PoisonError::into_inner);
        let is_underway = |state: &&watch::Receiver<LoadState>| {
            *state.borrow() == LoadState::Underway && state.has_changed().is_ok()
        };
        if let Some(state) = load.as_ref().filter(is_underway) {
            return LoadShare { state: state.clone(), begin: None };
        }
        let (sender, state) = watch::channel(LoadState::Underway);
        *load = Some(state.clone());
        LoadShare { state, begin: Some(sender) }
    }

    /// When it was last used, in microseconds since the service began.
    pub(crate) fn used_at(&self) -> u64 {
        self.used_at.load(Ordering::Relaxed)
    }

    /// Records a use at `at` microseconds. Takes no lock.
    pub(crate) fn note_use(&self, at: u64) {
        self.used_at.store(at, Ordering::Relaxed);
    }

    /// When a load last failed, in microseconds since the service began, if one did.
    pub(crate) fn failed_at(&self) -> Option<u64> {
        Some(self.failed_at.load(Ordering::Relaxed)).filter(|&at| at > 0)
    }

    /// Records a failed load at `at` microseconds.
    pub(crate) fn note_failure(&self, at: u64) {
        self.failed_at.store(at.max(1), Ordering::Relaxed);
    }

    /// Memory of the network when last loaded, in bytes; 0 if unknown.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Records the memory of the network, in bytes.
    pub(crate) fn note_bytes(&self, bytes: u64) {
        self.bytes.store(bytes, Ordering::Relaxed);
    }

    /// Whether the store beside the snapshot at `path` should replace the one in service; see
    /// [`LiveNetwork::could_use_store`].
    pub(crate) fn could_use_store(&self, path: &Path) -> bool {
        match self.network() {
            Some(network) => network.could_use_store(path),
            None => !self.has_store_of(path) && self.origin.open_store(path).is_ok(),
        }
    }

    /// Why the store beside the snapshot at `path` cannot be used, if so.
    pub(crate) fn store_fault(&self, path: &Path) -> Option<StoreUnusable> {
        match self.network() {
            Some(network) => network.store_fault(path),
            None if self.has_store_of(path) => None,
            None => self.origin.open_store(path).err(),
        }
    }

    /// Whether the store was sound and is still the file beside the snapshot at `path`.
    fn has_store_of(&self, path: &Path) -> bool {
        self.store.is_ok() && self.origin.store_stamp() == FileStamp::at(&path_beside(path))
    }
}
