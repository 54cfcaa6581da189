//! Loading by need: more organizations in service than fit in memory.
//!
//! Each network was loaded and checked when its snapshot was put in service. It is evicted if others need the room, and
//! loaded again when a request comes. The least recently used ones are evicted, only as many as necessary. No network
//! may take more than half of the budget, so none can displace all others.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use tokio::sync::{Semaphore, watch};

use crate::clock;
use crate::limits::{LOAD_RETRY_AFTER, LOAD_WAIT_MAX, LOADS_AT_ONCE};
use crate::live::fit::megabytes;
use crate::live::forget::load_again;
use crate::live::network::LiveNetwork;
use crate::live::refusal::RefusedNetwork;
use crate::live::retire::retire;
use crate::live::slot::{LoadShare, LoadState, Slot};
use crate::live::spare::SpareThreads;
use crate::memory::Memory;

/// The networks in memory, within a budget.
#[derive(Debug)]
pub struct ByNeed {
    budget: u64,
    /// Maximum snapshots in service: the file of each stays open.
    snapshots_max: usize,
    folder: PathBuf,
    memory: Memory,
    held: Mutex<Vec<Held>>,
    turns: Semaphore,
    /// `None` if the system gave none: then loads run on the shared threads.
    spare: Option<SpareThreads>,
    began: Instant,
    wait_max: Duration,
    counts: Counts,
}

/// A slot whose network is in memory, or being loaded.
#[derive(Debug)]
struct Held {
    slot: Weak<Slot>,
    bytes: u64,
}

/// The counters of loading on demand.
#[derive(Debug, Default)]
struct Counts {
    loaded: AtomicU64,
    failed: AtomicU64,
    let_go: AtomicU64,
    late: AtomicU64,
    loading_micros: AtomicU64,
}

/// The status of loading by need.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ByNeedStatus {
    /// The budget, in bytes.
    pub budget: u64,
    /// Bytes of the budget in use.
    pub used: u64,
    /// The networks in memory, or being loaded.
    pub in_memory: u64,
    /// Successful loads that requests waited for.
    pub loaded: u64,
    /// Loads that failed.
    pub failed: u64,
    /// Total time of both, in seconds.
    pub loading_seconds: f64,
    /// Evicted networks.
    pub let_go: u64,
    /// Requests whose load took too long.
    pub late: u64,
}

/// Why a request gets no network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotLoaded {
    /// The load did not end in time; it goes on.
    #[error("its network is not in memory, and loading it takes longer than a request waits")]
    Late,
    /// It failed.
    #[error("its network is not in memory and could not be loaded; the log says why")]
    Failed,
}

impl Held {
    fn is_of(&self, slot: &Arc<Slot>) -> bool {
        std::ptr::eq(self.slot.as_ptr(), Arc::as_ptr(slot))
    }
}

impl ByNeed {
    /// A `budget` in bytes for the networks of at most `snapshots_max` snapshots in `folder`, with nothing in memory
    /// yet; loads must fit in `memory`.
    #[must_use]
    pub fn new(budget: u64, snapshots_max: usize, folder: PathBuf, memory: Memory) -> Self {
        let (held, turns) = (Mutex::default(), Semaphore::new(LOADS_AT_ONCE));
        // Half of the processors stay free for requests to networks in memory.
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let spare = SpareThreads::start("load", processors / 2)
            .inspect_err(
                |error| tracing::warn!(%error, "networks are loaded by need on the threads that all share"),
            )
            .ok();
        let (began, wait_max, counts) = (clock::now(), LOAD_WAIT_MAX, Counts::default());
        Self { budget, snapshots_max, folder, memory, held, turns, spare, began, wait_max, counts }
    }

    /// Checks that the snapshot at `path` may be open with `beside` others.
    ///
    /// # Errors
    /// Returns [`RefusedNetwork::TooManySnapshots`] if not.
    pub(crate) fn check_has_room(&self, path: &Path, beside: usize) -> Result<(), RefusedNetwork> {
        if beside < self.snapshots_max {
            return Ok(());
        }
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Err(RefusedNetwork::TooManySnapshots { file, most: self.snapshots_max })
    }

    /// The current status.
    #[must_use]
    pub fn status(&self) -> ByNeedStatus {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let held = self.held();
        let held = held.iter().filter(|held| held.slot.strong_count() > 0);
        let (in_memory, used) = held.fold((0, 0), |(count, used), held| (count + 1, used + held.bytes));
        ByNeedStatus {
            budget: self.budget,
            used,
            in_memory,
            loaded: count(&self.counts.loaded),
            failed: count(&self.counts.failed),
            loading_seconds: Duration::from_micros(count(&self.counts.loading_micros)).as_secs_f64(),
            let_go: count(&self.counts.let_go),
            late: count(&self.counts.late),
        }
    }

    /// Records that a request uses `slot`. Takes no lock.
    pub(crate) fn note_use(&self, slot: &Slot) {
        slot.note_use(self.micros());
    }

    /// Adds the network in `slot`, which is in memory, and evicts others for it.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if it takes more than half of the budget.
    pub(crate) fn take_in(&self, slot: &Arc<Slot>) -> Result<(), RefusedNetwork> {
        let Some(network) = slot.network() else { return Ok(()) };
        slot.note_bytes(network.size_bytes_at_most() as u64);
        self.note_use(slot);
        self.make_room(slot)
    }

    /// The network in `slot`, for a request: waits until it is loaded, for [`LOAD_WAIT_MAX`] at most. All who ask for
    /// one share its load, and at most [`LOADS_AT_ONCE`] run.
    ///
    /// # Errors
    /// Returns an error if it is not loaded by then or cannot be. A failed load is not retried for
    /// [`LOAD_RETRY_AFTER`].
    pub(crate) async fn wait_for(self: &Arc<Self>, slot: &Arc<Slot>) -> Result<Arc<LiveNetwork>, NotLoaded> {
        let failed = slot.failed_at().map(|at| Duration::from_micros(self.micros().saturating_sub(at)));
        if failed.is_some_and(|ago| ago < LOAD_RETRY_AFTER) {
            return Err(NotLoaded::Failed);
        }
        let loaded = tokio::time::timeout(self.wait_max, self.loaded(slot)).await;
        loaded.unwrap_or_else(|_| {
            self.counts.late.fetch_add(1, Ordering::Relaxed);
            Err(NotLoaded::Late)
        })
    }

    async fn loaded(self: &Arc<Self>, slot: &Arc<Slot>) -> Result<Arc<LiveNetwork>, NotLoaded> {
        loop {
            let LoadShare { mut state, begin } = slot.join_load();
            if let Some(report) = begin {
                tokio::spawn(Arc::clone(self).load_in_turn(Arc::clone(slot), report));
            }
            let ended = state.wait_for(|state| *state != LoadState::Underway).await.map(|state| *state);
            match (ended, slot.network()) {
                (_, Some(network)) => return Ok(network),
                (Ok(LoadState::Failed), None) => return Err(NotLoaded::Failed),
                // Given up before the last one joined, or evicted again.
                _ => {}
            }
        }
    }

    /// Loads the network of `slot` when its turn comes, unless nobody waits for it any more.
    async fn load_in_turn(self: Arc<Self>, slot: Arc<Slot>, report: watch::Sender<LoadState>) {
        let Ok(_turn) = self.turns.acquire().await else { return };
        // The slot has a receiver of its own.
        if report.receiver_count() <= 1 {
            return;
        }
        let began = self.micros();
        let has_spare_time = match &self.spare {
            Some(spare) => spare.have_time().await,
            None => false,
        };
        let (by_need, of) = (Arc::clone(&self), Arc::clone(&slot));
        let load = move || by_need.load_on(by_need.spare.as_ref().filter(|_| has_spare_time), &of).map(drop);
        let loaded = tokio::task::spawn_blocking(load).await;
        let fault = match loaded {
            Ok(Ok(())) => None,
            Ok(Err(refusal)) => Some(refusal.to_string()),
            Err(broken) => Some(broken.to_string()),
        };
        if let Some(reason) = &fault {
            self.forget(&slot);
            slot.note_failure(self.micros());
            let (file, organization) = (slot.file(), slot.organization());
            tracing::error!(file, organization, reason, "the network could not be loaded again");
        }
        self.counts.loading_micros.fetch_add(self.micros().saturating_sub(began), Ordering::Relaxed);
        let count = if fault.is_none() { &self.counts.loaded } else { &self.counts.failed };
        count.fetch_add(1, Ordering::Relaxed);
        report.send_replace(if fault.is_none() { LoadState::Loaded } else { LoadState::Failed });
    }

    /// Loads the network of `slot` into it, unless it is already there. Blocks.
    ///
    /// # Errors
    /// Returns an error if its file no longer holds the snapshot, or there is not enough memory.
    pub(crate) fn load(&self, slot: &Arc<Slot>) -> Result<Arc<LiveNetwork>, RefusedNetwork> {
        self.load_on(None, slot)
    }

    /// Like [`ByNeed::load`], with most of the work on `spare` threads. The lock is not taken on them: others would
    /// wait for a thread that gets no processor.
    fn load_on(
        &self,
        spare: Option<&SpareThreads>,
        slot: &Arc<Slot>,
    ) -> Result<Arc<LiveNetwork>, RefusedNetwork> {
        if let Some(network) = slot.network() {
            return Ok(network);
        }
        self.note_use(slot);
        // Before reading, so that both are never in memory at once.
        self.make_room(slot)?;
        let load = || load_again(slot, &self.folder.join(slot.file()), &self.memory);
        let loaded = match spare {
            Some(spare) => spare.run(load),
            None => load(),
        };
        let network = loaded.inspect_err(|_| self.forget(slot))?;
        let (file, organization) = (slot.file(), slot.organization());
        if let (true, Err(reason)) = (slot.had_store(), &network.store) {
            tracing::warn!(file, organization, %reason, "relational store refused when the network was loaded again");
        }
        slot.note_bytes(network.size_bytes_at_most() as u64);
        let network = slot.put(network);
        tracing::debug!(file, organization, "network loaded again");
        self.make_room(slot)?;
        Ok(network)
    }

    /// Charges `slot` to the budget and evicts the least recently used networks.
    fn make_room(&self, slot: &Arc<Slot>) -> Result<(), RefusedNetwork> {
        let (bytes, most) = (slot.bytes(), self.budget / 2);
        if bytes > most {
            let file = slot.file().to_owned();
            return Err(RefusedNetwork::OverBudget { file, needed: megabytes(bytes), most: most >> 20 });
        }
        let mut held = self.held();
        held.retain(|held| !held.is_of(slot) && held.slot.strong_count() > 0);
        let mut used = held.iter().map(|held| held.bytes).sum::<u64>() + bytes;
        let mut gone = Vec::new();
        if used > self.budget {
            held.sort_by_cached_key(|held| held.slot.upgrade().map(|slot| slot.used_at()));
            held.retain(|held| {
                let network = if used > self.budget {
                    held.slot.upgrade().and_then(|slot| slot.let_go())
                } else {
                    None
                };
                used -= if network.is_some() { held.bytes } else { 0 };
                let is_kept = network.is_none();
                gone.extend(network);
                is_kept
            });
        }
        held.push(Held { slot: Arc::downgrade(slot), bytes });
        drop(held);
        self.counts.let_go.fetch_add(gone.len() as u64, Ordering::Relaxed);
        gone.into_iter().for_each(free);
        Ok(())
    }

    /// Stops counting `slot`.
    fn forget(&self, slot: &Arc<Slot>) {
        self.held().retain(|held| !held.is_of(slot));
    }

    /// Microseconds since the service began.
    fn micros(&self) -> u64 {
        let since = clock::now().saturating_duration_since(self.began);
        u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
    }

    /// The state is consistent between changes, so a panic elsewhere does not spoil it.
    fn held(&self) -> MutexGuard<'_, Vec<Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Frees a network that is no longer in a slot, never on the thread of a request that still reads it.
fn free(network: Arc<LiveNetwork>) {
    if Arc::strong_count(&network) > 1 {
        drop(retire(network, Vec::new()));
    }
}

#[cfg(test)]
mod tests;
