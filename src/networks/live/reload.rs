//! Reloads of a folder of snapshots: one at a time, coalesced.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use tokio::sync::oneshot;

use crate::audit;
use crate::clock;
use crate::graph::index::GraphIndex;
use crate::live::by_need::ByNeed;
use crate::live::flight::{Flight, Joined, Merge};
use crate::live::folder::FolderStamp;
use crate::live::generation::generation_of;
use crate::live::networks::LiveNetworks;
use crate::live::next_generation::{BuiltGeneration, GenerationBuilder, SoundFiles};
use crate::live::predecessor::{Keep, Predecessor};
use crate::live::report::{FileCounts, FileOutcome, Outcome, Report, Status};
use crate::live::spare::giving_way;
use crate::live::suppression::{ListPlace, ListStatus, Suppression};
use crate::memory::Memory;
use crate::relational::error::StoreUnusable;
use crate::snapshot;
use crate::snapshot::error::SnapshotError;
use crate::snapshot::read::Loaded;
use crate::suppress::error::ListError;
use crate::suppress::list::SuppressionList;

/// The result of a reload; shared by all requests for it.
pub type Reloaded = Result<Arc<Report>, ReloadError>;

/// Why a reload changed nothing at all.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ReloadError {
    /// The folder of snapshots cannot be listed.
    #[error("the snapshots cannot be listed: {0}")]
    Folder(Arc<io::Error>),
    /// The reload panicked, or the system has no thread to run it on.
    #[error("the reload broke off; what was served before goes on being served")]
    Broken,
}

/// Keeps the networks in service equal to a folder of snapshots, without the people on a list.
#[derive(Debug)]
pub struct Reloader {
    folder: PathBuf,
    live: Arc<LiveNetworks>,
    suppression: Suppression,
    memory: Memory,
    keep: Keep,
    by_need: Option<Arc<ByNeed>>,
    reloads: Flight<ReloadScope, Reloaded>,
    list_reads: Flight<(), ()>,
    known: Mutex<Known>,
}

/// The state of the reloads so far.
#[derive(Debug, Default)]
struct Known {
    status: Status,
    /// The folder's stamps at the start of the latest reload.
    folder: FolderStamp,
    /// The files found sound then.
    sound: SoundFiles,
}

/// The networks to keep in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InMemory {
    /// All in service, and these generations of them.
    All(Keep),
    /// Keeps the networks in use in memory, within a budget; loads the others when needed.
    ByNeed {
        /// In bytes.
        budget: u64,
    },
}

/// How much a reload reads, from less to more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ReloadScope {
    /// The list: rebuilds the networks in service to keep to it.
    List,
    /// The list and the folder.
    Folder,
}

/// A requested reload. It goes on even if this is dropped.
#[derive(Debug)]
pub struct PendingReload {
    result: oneshot::Receiver<Reloaded>,
}

impl Reloader {
    /// A reloader of `folder` into `live`; loads nothing yet. Keeps to a list of people to forget among the snapshots,
    /// if there is one.
    ///
    /// # Errors
    /// Returns an error if the list cannot be used.
    pub fn new(folder: PathBuf, live: Arc<LiveNetworks>) -> Result<Arc<Self>, ListError> {
        let place = ListPlace::among(&folder);
        Self::with_list(folder, live, place)
    }

    /// Like [`Self::new`], with the list at `place`.
    ///
    /// # Errors
    /// Returns an error if the list cannot be used, or is missing although it was named.
    pub fn with_list(
        folder: PathBuf,
        live: Arc<LiveNetworks>,
        place: ListPlace,
    ) -> Result<Arc<Self>, ListError> {
        Self::within(folder, live, place, Memory::unbounded(), InMemory::All(Keep::InService), usize::MAX)
    }

    /// Like [`Self::with_list`], with bounds. A snapshot that does not fit in `memory` beside the networks in service
    /// is refused before it is read; `in_memory` says which networks to keep in memory. With loading by need, at most
    /// `snapshots_max` are served, whose files stay open.
    ///
    /// # Errors
    /// Returns the errors of [`Self::with_list`].
    pub fn within(
        folder: PathBuf,
        live: Arc<LiveNetworks>,
        place: ListPlace,
        memory: Memory,
        in_memory: InMemory,
        snapshots_max: usize,
    ) -> Result<Arc<Self>, ListError> {
        let suppression = Suppression::start(place)?;
        let (keep, by_need) = match in_memory {
            InMemory::All(keep) => (keep, None),
            InMemory::ByNeed { budget } => {
                let by_need = ByNeed::new(budget, snapshots_max, folder.clone(), memory.clone());
                (Keep::InService, Some(Arc::new(by_need)))
            }
        };
        let (reloads, list_reads, known) = (Flight::default(), Flight::default(), Mutex::default());
        Ok(Arc::new(Self { folder, live, suppression, memory, keep, by_need, reloads, list_reads, known }))
    }

    /// Requests a reload that begins after this call: reads the folder and puts its networks in service, by one swap at
    /// the end. Requests during a run share the one after it. Takes seconds for large snapshots.
    pub fn reload(self: &Arc<Self>) -> PendingReload {
        self.request(ReloadScope::Folder)
    }

    /// Keeps the snapshot at `earlier` as the previous generation of its organization, so that changes since then can
    /// be reported. Reads and indexes it; takes seconds for a large one.
    ///
    /// # Errors
    /// Returns an error if it cannot be loaded. Nothing is kept if its organization is not in service.
    pub fn keep_before(&self, earlier: &Path) -> Result<(), SnapshotError> {
        let Loaded { dataset, identity, .. } = snapshot::read::load(earlier)?;
        let networks = self.live.pin();
        let organization = dataset.organization.id.clone();
        let Some(network) = networks.network_of(&organization) else { return Ok(()) };
        let old = Arc::new(GraphIndex::build(dataset));
        let (generation, wanted) =
            (generation_of(&organization, identity, None), networks.suppressed.of(&organization));
        let kept = Predecessor::keeping_to(generation, [&old, &network.index], wanted, &[]);
        self.live.swap(networks.with_predecessor(organization, kept));
        Ok(())
    }

    /// The status of all reloads so far.
    #[must_use]
    pub fn status(&self) -> Status {
        self.known().status
    }

    /// The status of the list of people to forget, if there ever was one.
    #[must_use]
    pub fn list_status(&self) -> Option<ListStatus> {
        self.suppression.status()
    }

    /// Loading by need, if it is on.
    #[must_use]
    pub fn by_need(&self) -> Option<&Arc<ByNeed>> {
        self.by_need.as_ref()
    }

    /// The folder's stamps now, and when the latest reload began. Opens no file.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be listed.
    pub fn folder_stamps(&self) -> io::Result<(FolderStamp, FolderStamp)> {
        Ok((FolderStamp::of(&self.folder)?, self.known().folder.clone()))
    }

    /// The networks in service, including those that do not yet keep to the list.
    pub(crate) fn live(&self) -> &LiveNetworks {
        &self.live
    }

    /// The list in force, see [`Suppression::current`].
    pub(crate) fn current_list(&self) -> Option<Arc<SuppressionList>> {
        self.suppression.current()
    }

    /// The file of the list.
    pub(crate) fn list_path(&self) -> &Path {
        self.suppression.path()
    }

    /// The list read last.
    pub(crate) fn list_in_force(&self) -> Arc<SuppressionList> {
        self.suppression.list()
    }

    /// Requests that the networks in service are rebuilt to keep to the list, from memory if possible.
    pub(crate) fn keep_to_list(self: &Arc<Self>) -> PendingReload {
        self.request(ReloadScope::List)
    }

    fn request(self: &Arc<Self>, scope: ReloadScope) -> PendingReload {
        let Joined { result, must_run } = self.reloads.join(scope);
        if must_run {
            let reloader = Arc::clone(self);
            let run = move || reloader.run_all();
            if thread::Builder::new().name("kith-reload".to_owned()).spawn(run).is_err() {
                self.reloads.give_up();
            }
        }
        PendingReload { result }
    }

    /// Reads the list again, on a thread of its own; a changed list is kept to from then on, even without a request.
    pub(crate) fn read_list(self: &Arc<Self>) -> oneshot::Receiver<()> {
        let Joined { result, must_run } = self.list_reads.join(());
        if must_run {
            let reloader = Arc::clone(self);
            let run = move || {
                let before = reloader.suppression.list();
                reloader.list_reads.run(|()| {
                    reloader.suppression.read();
                });
                // Now requests know the list, and those of other organizations continue.
                let list = reloader.suppression.list();
                if !Arc::ptr_eq(&before, &list) {
                    reloader.live.pin().look_for_leaving(&list);
                    drop(reloader.keep_to_list());
                }
            };
            if thread::Builder::new().name("kith-suppress".to_owned()).spawn(run).is_err() {
                self.list_reads.give_up();
            }
        }
        result
    }

    /// Runs what is requested; then, if there is a list, hashes the people in service for its next changes.
    fn run_all(self: &Arc<Self>) {
        self.reloads.run(|scope| self.run(scope));
        if self.list_status().is_some() {
            giving_way(|| self.live.pin().hash_people(&self.suppression.list()));
        }
    }

    fn run(self: &Arc<Self>, scope: ReloadScope) -> Reloaded {
        if scope == ReloadScope::Folder {
            // At most the generation in service, the next, and the previous one if kept are in memory. A change of the
            // list does not wait for that: requests wait for it.
            self.live.wait_until_retired();
        }
        let started = clock::now();
        let build = || self.build_and_swap(scope, started);
        // Nobody asks before the first load.
        let built = || if self.live.pin().by_organization.is_empty() { build() } else { giving_way(build) };
        let reloaded = match catch_unwind(AssertUnwindSafe(built)) {
            Ok(Ok(report)) => Ok(Arc::new(report)),
            Ok(Err(error)) => Err(ReloadError::Folder(Arc::new(error))),
            Err(_panic) => Err(ReloadError::Broken),
        };
        if scope == ReloadScope::Folder {
            let files = reloaded.as_ref().ok().map(|report| report.counts());
            self.known().status.note(clock::wall_time(), started.elapsed(), files);
        }
        log(scope, &reloaded);
        reloaded
    }

    fn build_and_swap(self: &Arc<Self>, scope: ReloadScope, started: Instant) -> io::Result<Report> {
        if scope == ReloadScope::Folder {
            self.known().folder = FolderStamp::of(&self.folder)?;
        }
        self.suppression.read();
        let before = self.live.pin();
        let sound = self.known().sound.clone();
        let builder =
            GenerationBuilder::new(&self.folder, &before, &sound, self.suppression.list(), &self.memory)
                .keeping(self.keep)
                .by_need(self.by_need.as_deref());
        let BuiltGeneration { next, files, sound } = match scope {
            ReloadScope::Folder => builder.build_from_folder()?,
            ReloadScope::List => builder.build_from_service(),
        };
        self.known().sound = sound;
        let generation_before = before.generation;
        // From here on, only requests hold the replaced generation.
        drop(before);
        let generation_after = next.as_ref().map_or(generation_before, |next| next.generation);
        if let Some(next) = next {
            self.live.swap(next);
        }
        Ok(Report { files, generation_before, generation_after, duration: started.elapsed() })
    }

    /// The state is consistent between changes, so a panic elsewhere does not spoil it.
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Merge for ReloadScope {
    fn merge(self, other: Self) -> Self {
        self.max(other)
    }
}

impl Merge for () {
    fn merge(self, (): Self) {}
}

impl PendingReload {
    /// The reload's report, when it has ended.
    ///
    /// # Errors
    /// Returns an error if it changed nothing at all. A refused file is not an error: the report names it.
    pub async fn ended(self) -> Reloaded {
        self.result.await.unwrap_or(Err(ReloadError::Broken))
    }

    /// Like [`Self::ended`], for a thread that may block.
    ///
    /// # Errors
    /// Returns the errors of [`Self::ended`].
    pub fn wait(self) -> Reloaded {
        self.result.blocking_recv().unwrap_or(Err(ReloadError::Broken))
    }
}

/// One line per file, then one for the whole. The requester logs a failed reload.
fn log(scope: ReloadScope, reloaded: &Reloaded) {
    let Ok(report) = reloaded else { return };
    for FileOutcome { file, organization, outcome, store_fault } in &report.files {
        let organization = organization.as_deref().unwrap_or("unknown");
        match outcome {
            Outcome::Refused(reason) => tracing::warn!(file, organization, reason, "snapshot refused"),
            _ => tracing::info!(file, organization, outcome = outcome.name(), "snapshot"),
        }
        match store_fault {
            None => {}
            Some(reason @ StoreUnusable::Absent { .. }) => {
                tracing::info!(file, organization, %reason, "no relational store");
            }
            Some(reason) => tracing::warn!(file, organization, %reason, "relational store refused"),
        }
    }
    let FileCounts { loaded, unchanged, refused, unloaded } = report.counts();
    let cause = match scope {
        ReloadScope::Folder => "snapshots",
        ReloadScope::List => "suppressions",
    };
    if report.generation_after != report.generation_before {
        audit::networks_changed(cause, report.generation_before, report.generation_after);
    }
    tracing::info!(
        cause,
        generation_before = report.generation_before,
        generation_after = report.generation_after,
        duration_ms = u64::try_from(report.duration.as_millis()).unwrap_or(u64::MAX),
        loaded,
        unchanged,
        refused,
        unloaded,
        "reload"
    );
}

#[cfg(test)]
mod tests;
