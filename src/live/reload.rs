//! Reloads of a folder of snapshots: one at a time, whoever asks for them.

use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Instant, SystemTime};

use tokio::sync::oneshot;

use crate::live::flight::{Flight, Joined, Wish};
use crate::live::folder::FolderLook;
use crate::live::networks::{LiveNetworks, Networks};
use crate::live::pass::{Pass, Passed, SoundFiles};
use crate::live::report::{Counts, FileOutcome, Outcome, Report, Status};
use crate::live::suppression::{ListPlace, ListStatus, Suppression};
use crate::suppress::error::ListError;

/// What a reload comes to; shared by all who asked for it.
pub type Reloaded = Result<Arc<Report>, ReloadError>;

/// Why a reload changed nothing at all.
#[derive(Clone, Debug)]
pub enum ReloadError {
    /// The folder of snapshots cannot be listed.
    Folder(Arc<io::Error>),
    /// Something of ours broke, or the system has no thread to run it on.
    Broken,
}

/// Keeps the networks in service as a folder of snapshots holds them, without the people that a list
/// names.
#[derive(Debug)]
pub struct Reloader {
    folder: PathBuf,
    live: Arc<LiveNetworks>,
    suppression: Suppression,
    flight: Flight<Task, Reloaded>,
    reading: Flight<ReadList, ()>,
    known: Mutex<Known>,
}

/// What is known of the reloads so far.
#[derive(Debug, Default)]
struct Known {
    status: Status,
    /// How the folder looked when the latest reload began.
    folder: FolderLook,
    /// The files that were found sound then.
    sound: SoundFiles,
}

/// What a run is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Task {
    /// Bring the networks in service in keeping with the list.
    List,
    /// All of that, and read the folder.
    Folder,
}

/// What the other runs do: read the list where it changed.
#[derive(Clone, Copy, Debug)]
struct ReadList;

/// A reload that was asked for. It goes on also where nobody waits for it.
#[derive(Debug)]
pub struct Asked {
    result: oneshot::Receiver<Reloaded>,
}

/// How often a request looks again at a list that changes all the time.
const ATTEMPTS: usize = 16;

impl Reloader {
    /// A reloader of `folder` into `live`; loads nothing yet. Where there is a list of people to forget
    /// among the snapshots it is kept to.
    ///
    /// # Errors
    /// Where there is one that cannot be used.
    pub fn new(folder: PathBuf, live: Arc<LiveNetworks>) -> Result<Arc<Self>, ListError> {
        let place = ListPlace::among(&folder);
        Self::with_list(folder, live, place)
    }

    /// As [`Self::new`], with the list at `place`.
    ///
    /// # Errors
    /// Where the list cannot be used, or there is none where there has to be one.
    pub fn with_list(
        folder: PathBuf,
        live: Arc<LiveNetworks>,
        place: ListPlace,
    ) -> Result<Arc<Self>, ListError> {
        let suppression = Suppression::start(place)?;
        let (flight, reading, known) = (Flight::default(), Flight::default(), Mutex::default());
        let reloader = Arc::new(Self { folder, live, suppression, flight, reading, known });
        reloader.live.guard_by(&reloader);
        Ok(reloader)
    }

    /// Asks for a reload that begins after this call: reads the folder and puts what it holds in
    /// service, by one swap at the end.
    ///
    /// While one runs, all who ask share the one that follows it. Runs on a thread of its own, and
    /// takes seconds for large snapshots.
    pub fn reload(self: &Arc<Self>) -> Asked {
        self.ask(Task::Folder)
    }

    /// What is known of all reloads so far.
    #[must_use]
    pub fn status(&self) -> Status {
        self.known().status
    }

    /// What is known of the list of people to forget; nothing where there is none.
    #[must_use]
    pub fn list_status(&self) -> Option<ListStatus> {
        self.suppression.status()
    }

    /// How the folder looks now, and how it looked when the latest reload began. Opens no file.
    ///
    /// # Errors
    /// Where the folder cannot be listed.
    pub fn look(&self) -> io::Result<(FolderLook, FolderLook)> {
        Ok((FolderLook::of(&self.folder)?, self.known().folder.clone()))
    }

    /// The generation for a request of `organization`, see [`LiveNetworks::pin_for`].
    pub(crate) async fn pin_for(self: &Arc<Self>, organization: &str) -> Option<Arc<Networks>> {
        for _ in 0..ATTEMPTS {
            let Some(list) = self.suppression.look() else {
                self.read_list().await.ok()?;
                continue;
            };
            let networks = self.live.pin();
            if networks.suppressed.of(organization) == list.of(organization) {
                return Some(networks);
            }
            drop(networks);
            self.ask(Task::List).ended().await.ok()?;
        }
        None
    }

    fn ask(self: &Arc<Self>, task: Task) -> Asked {
        let Joined { result, must_run } = self.flight.join(task);
        if must_run {
            let reloader = Arc::clone(self);
            let run = move || reloader.flight.run(|task| reloader.run(task));
            if thread::Builder::new().name("kith-reload".to_owned()).spawn(run).is_err() {
                self.flight.give_up();
            }
        }
        Asked { result }
    }

    /// Reads the list again, on a thread of its own; one that changed is kept to from then on, also
    /// where nobody asks for anything.
    fn read_list(self: &Arc<Self>) -> oneshot::Receiver<()> {
        let Joined { result, must_run } = self.reading.join(ReadList);
        if must_run {
            let reloader = Arc::clone(self);
            let run = move || {
                reloader.reading.run(|ReadList| {
                    if reloader.suppression.read() {
                        drop(reloader.ask(Task::List));
                    }
                });
            };
            if thread::Builder::new().name("kith-suppress".to_owned()).spawn(run).is_err() {
                self.reading.give_up();
            }
        }
        result
    }

    fn run(self: &Arc<Self>, task: Task) -> Reloaded {
        if task == Task::Folder {
            // Never more than two generations in memory: the one in service and the next. A change of
            // the list does not wait for that: requests wait for it.
            self.live.wait_until_retired();
        }
        let started = Instant::now();
        let reloaded = match catch_unwind(AssertUnwindSafe(|| self.pass(task, started))) {
            Ok(Ok(report)) => Ok(Arc::new(report)),
            Ok(Err(error)) => Err(ReloadError::Folder(Arc::new(error))),
            Err(_panic) => Err(ReloadError::Broken),
        };
        if task == Task::Folder {
            let files = reloaded.as_ref().ok().map(|report| report.counts());
            self.known().status.note(SystemTime::now(), started.elapsed(), files);
        }
        log(task, &reloaded);
        reloaded
    }

    fn pass(self: &Arc<Self>, task: Task, started: Instant) -> io::Result<Report> {
        if task == Task::Folder {
            self.known().folder = FolderLook::of(&self.folder)?;
        }
        self.suppression.read();
        let before = self.live.pin();
        let sound = self.known().sound.clone();
        let pass = Pass::new(&self.folder, &before, &sound, self.suppression.list());
        let Passed { next, files, sound } = match task {
            Task::Folder => pass.over_folder()?,
            Task::List => pass.over_list(),
        };
        self.known().sound = sound;
        let generation_before = before.generation;
        // What is replaced waits for requests alone.
        drop(before);
        let generation_after = next.as_ref().map_or(generation_before, |next| next.generation);
        if let Some(next) = next {
            self.live.swap(next);
        }
        Ok(Report { files, generation_before, generation_after, duration: started.elapsed() })
    }

    /// What is known holds between any two of its changes, so a panic elsewhere does not spoil it.
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Wish for Task {
    fn merge(self, other: Self) -> Self {
        self.max(other)
    }
}

impl Wish for ReadList {
    fn merge(self, _same: Self) -> Self {
        self
    }
}

impl Asked {
    /// What the reload comes to.
    ///
    /// # Errors
    /// Where it changed nothing at all. A file that was refused is no error: the report tells it.
    pub async fn ended(self) -> Reloaded {
        self.result.await.unwrap_or(Err(ReloadError::Broken))
    }

    /// As [`Self::ended`], for a thread that may block.
    ///
    /// # Errors
    /// As [`Self::ended`].
    pub fn wait(self) -> Reloaded {
        self.result.blocking_recv().unwrap_or(Err(ReloadError::Broken))
    }
}

/// One line for each file, then one for the whole. A reload that failed is for those to tell who asked.
fn log(task: Task, reloaded: &Reloaded) {
    let Ok(report) = reloaded else { return };
    for FileOutcome { file, organization, outcome } in &report.files {
        let organization = organization.as_deref().unwrap_or("unknown");
        match outcome {
            Outcome::Refused(reason) => tracing::warn!(file, organization, reason, "snapshot refused"),
            _ => tracing::info!(file, organization, outcome = outcome.name(), "snapshot"),
        }
    }
    let Counts { loaded, unchanged, refused, unloaded } = report.counts();
    let cause = match task {
        Task::Folder => "snapshots",
        Task::List => "suppressions",
    };
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

impl fmt::Display for ReloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(error) => write!(f, "the snapshots cannot be listed: {error}"),
            Self::Broken => write!(f, "the reload broke off; what was served before goes on being served"),
        }
    }
}

impl std::error::Error for ReloadError {}
