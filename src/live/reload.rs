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
use crate::live::networks::LiveNetworks;
use crate::live::pass::{Pass, Passed, SoundFiles};
use crate::live::report::{Counts, FileOutcome, Outcome, Report, Status};

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

/// Keeps the networks in service as a folder of snapshots holds them.
#[derive(Debug)]
pub struct Reloader {
    folder: PathBuf,
    live: Arc<LiveNetworks>,
    flight: Flight<Reload, Reloaded>,
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

/// What a run is to do: there is one thing so far.
#[derive(Clone, Copy, Debug)]
struct Reload;

/// A reload that was asked for. It goes on also where nobody waits for it.
#[derive(Debug)]
pub struct Asked {
    result: oneshot::Receiver<Reloaded>,
}

impl Reloader {
    /// A reloader of `folder` into `live`; loads nothing yet.
    #[must_use]
    pub fn new(folder: PathBuf, live: Arc<LiveNetworks>) -> Arc<Self> {
        Arc::new(Self { folder, live, flight: Flight::default(), known: Mutex::default() })
    }

    /// Asks for a reload that begins after this call: reads the folder and puts what it holds in
    /// service, by one swap at the end.
    ///
    /// While one runs, all who ask share the one that follows it. Runs on a thread of its own, and
    /// takes seconds for large snapshots.
    pub fn reload(self: &Arc<Self>) -> Asked {
        let Joined { result, must_run } = self.flight.join(Reload);
        if must_run {
            let reloader = Arc::clone(self);
            let run = move || reloader.flight.run(|Reload| reloader.run());
            if thread::Builder::new().name("kith-reload".to_owned()).spawn(run).is_err() {
                self.flight.give_up();
            }
        }
        Asked { result }
    }

    /// What is known of all reloads so far.
    #[must_use]
    pub fn status(&self) -> Status {
        self.known().status
    }

    /// How the folder looks now, and how it looked when the latest reload began. Opens no file.
    ///
    /// # Errors
    /// Where the folder cannot be listed.
    pub fn look(&self) -> io::Result<(FolderLook, FolderLook)> {
        Ok((FolderLook::of(&self.folder)?, self.known().folder.clone()))
    }

    fn run(&self) -> Reloaded {
        // Never more than two generations in memory: the one in service and the next.
        self.live.wait_until_retired();
        let started = Instant::now();
        let reloaded = catch_unwind(AssertUnwindSafe(|| self.reload_folder(started)));
        let reloaded = match reloaded {
            Ok(Ok(report)) => Ok(Arc::new(report)),
            Ok(Err(error)) => Err(ReloadError::Folder(Arc::new(error))),
            Err(_panic) => Err(ReloadError::Broken),
        };
        let files = reloaded.as_ref().ok().map(|report| report.counts());
        self.known().status.note(SystemTime::now(), started.elapsed(), files);
        log(&reloaded);
        reloaded
    }

    fn reload_folder(&self, started: Instant) -> io::Result<Report> {
        let before = self.live.pin();
        self.known().folder = FolderLook::of(&self.folder)?;
        let sound = std::mem::take(&mut self.known().sound);
        let Passed { next, files, sound } = Pass::over(&self.folder, &before, &sound)?;
        self.known().sound = sound;
        let generation_before = before.generation;
        // What is replaced waits for nobody longer than for requests.
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

impl Wish for Reload {
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
fn log(reloaded: &Reloaded) {
    let Ok(report) = reloaded else { return };
    for FileOutcome { file, organization, outcome } in &report.files {
        let organization = organization.as_deref().unwrap_or("unknown");
        match outcome {
            Outcome::Refused(reason) => tracing::warn!(file, organization, reason, "snapshot refused"),
            _ => tracing::info!(file, organization, outcome = outcome.name(), "snapshot"),
        }
    }
    let Counts { loaded, unchanged, refused, unloaded } = report.counts();
    tracing::info!(
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
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(error) => write!(out, "the snapshots cannot be listed: {error}"),
            Self::Broken => write!(out, "the reload broke off; what was served before goes on being served"),
        }
    }
}

impl std::error::Error for ReloadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Folder(error) => Some(error.as_ref()),
            Self::Broken => None,
        }
    }
}
