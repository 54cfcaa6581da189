//! `kith import --watch`: imports, builds and has a server reload whenever an export arrives in a folder.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;

use crate::cli::import::reload::{ReloadArgs, ReloadTarget};
use crate::clock;
use crate::limits::{IMPORT_POLL_SECONDS, IMPORT_POLL_SECONDS_MAX, IMPORT_RETRY};
use crate::system::{self, Coming};
use kith_import::arrivals::{ArrivalPolls, Arrivals};

/// The arguments of `--watch`.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct WatchArgs {
    /// Stay, and import and build again whenever an export in this folder is new or has changed. Without a team file or
    /// --org, the folder has a team.toml
    #[arg(long, value_name = "FOLDER", requires = "out", conflicts_with_all = ["dry_run", "explain"])]
    watch: Option<PathBuf>,
    /// Seconds between two looks at the folder; a file is read once it is the same at two of them
    #[arg(long, value_name = "SECONDS", requires = "watch", default_value_t = IMPORT_POLL_SECONDS,
        value_parser = clap::value_parser!(u64).range(1..=IMPORT_POLL_SECONDS_MAX))]
    every: u64,
    /// The organization whose team.toml lies in the folder; needed if --tables holds no tables yet
    #[arg(long, value_name = "org_…", requires = "watch", conflicts_with = "org")]
    organization: Option<String>,
    #[command(flatten)]
    reload: ReloadArgs,
}

/// Imports the files as they are, and returns what is said of it.
type ImportArrived = dyn Fn(&Arrivals) -> Result<String, NotDone> + Send + Sync;

/// The files and commands of a watch's loop.
pub(super) struct Watched {
    /// The files as they lie there now.
    pub(super) look: Box<dyn Fn() -> Arrivals + Send + Sync>,
    /// Imports them as they are, and returns what is said of it.
    pub(super) import: Box<ImportArrived>,
}

/// Why an import was not put in place.
pub(super) enum NotDone {
    /// The files cannot be used as they are; the watch tries again once they change.
    Arrived(String),
    /// It could not be written: it is tried again in a while.
    Unwritten(String),
    /// The files changed while they were read.
    Changing,
}

/// The last complaint on stderr: each is printed once for as long as it holds.
#[derive(Default)]
pub(crate) struct Complaint(Option<String>);

impl WatchArgs {
    /// The folder to watch.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.watch.as_deref()
    }

    /// The organization that a team file in the folder is of.
    pub(super) fn organization(&self) -> Option<&str> {
        self.organization.as_deref()
    }

    /// The server that is to reload.
    ///
    /// # Errors
    /// Returns an error if the URL is none, or a token would be sent to where others can read it.
    pub(super) fn reload(&self) -> Result<Option<ReloadTarget>, &'static str> {
        self.reload.target()
    }
}

/// Looks and imports until SIGTERM or SIGINT; an import that is under way then is finished.
///
/// # Errors
/// Returns an error if the system gives no threads or no signals.
pub(super) fn run(watched: Watched, args: &WatchArgs, reload: Option<ReloadTarget>) -> io::Result<()> {
    let every = Duration::from_secs(args.every);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ended = runtime.block_on(async {
        let stop = system::stop()?;
        Watch { watched: Arc::new(watched), every, reload, complaint: Complaint::default() }
            .until(stop)
            .await;
        io::Result::Ok(())
    });
    // A look-up of a name that still runs is not waited for.
    runtime.shutdown_background();
    ended
}

/// Whether `path`, which need not exist, lies in `folder`.
pub(super) fn is_within(path: &Path, folder: &Path) -> bool {
    let Ok(folder) = fs::canonicalize(folder) else { return false };
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.ancestors()
        .find_map(|ancestor| fs::canonicalize(ancestor).ok())
        .is_some_and(|real| real.starts_with(folder))
}

struct Watch {
    watched: Arc<Watched>,
    every: Duration,
    reload: Option<ReloadTarget>,
    complaint: Complaint,
}

impl Watch {
    /// Looks at the folder again and again, until `stop` comes.
    async fn until(&mut self, mut stop: Coming) {
        let (mut polls, mut retry, mut owes_reload) = (ArrivalPolls::default(), None, false);
        loop {
            let now = (self.watched.look)();
            let is_retry = retry.is_some_and(|at: Instant| clock::now() >= at);
            if polls.is_due(&now) || is_retry {
                (retry, owes_reload) = self.import(&mut polls, now, owes_reload).await;
            }
            if owes_reload {
                owes_reload = !self.has_reloaded().await;
            }
            tokio::select! {
                () = tokio::time::sleep(self.every) => {}
                () = stop.comes() => return,
            }
        }
    }

    /// Imports what lies there `now`. Returns when to try again if not before a change, and whether a server is to reload.
    async fn import(
        &mut self,
        polls: &mut ArrivalPolls,
        now: Arrivals,
        owes_reload: bool,
    ) -> (Option<Instant>, bool) {
        let (watched, before) = (Arc::clone(&self.watched), now.clone());
        let done = tokio::task::spawn_blocking(move || (watched.import)(&before)).await;
        match done.unwrap_or_else(|_| Err(NotDone::Arrived("the import broke off".to_owned()))) {
            Ok(said) => {
                polls.was_read(now);
                self.complaint = Complaint::default();
                say(&said);
                (None, self.reload.is_some())
            }
            Err(NotDone::Arrived(why)) => {
                polls.was_read(now);
                self.complaint.say(format!(
                    "{why}\nthe snapshot stays as it is; mend or remove what is named, and it is imported again"
                ));
                (None, owes_reload)
            }
            Err(NotDone::Unwritten(why)) => {
                polls.was_read(now);
                let seconds = IMPORT_RETRY.as_secs();
                self.complaint
                    .say(format!("{why}\nthe snapshot stays as it is; next attempt in {seconds} s"));
                (Some(clock::now() + IMPORT_RETRY), owes_reload)
            }
            Err(NotDone::Changing) => (None, owes_reload),
        }
    }

    /// Has the server reload. Returns whether it did; if it did not, that is said.
    async fn has_reloaded(&mut self) -> bool {
        let Some(target) = &self.reload else { return true };
        match target.reload().await {
            Ok(()) => {
                self.complaint = Complaint::default();
                say("the server has reloaded");
                true
            }
            Err(why) => {
                self.complaint.say(why.to_string());
                false
            }
        }
    }
}

/// Prints a line. That nobody reads it any more is no reason to end.
pub(crate) fn say(line: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

impl Complaint {
    /// Says `why` on stderr unless it was what was said last.
    pub(crate) fn say(&mut self, why: String) {
        if self.0.as_ref() != Some(&why) {
            let _ = writeln!(io::stderr().lock(), "kith: {}", why.replace('\n', "\nkith: "));
            self.0 = Some(why);
        }
    }
}
