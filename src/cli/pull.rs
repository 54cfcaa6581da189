//! `kith pull`: copies a cell's snapshots, and whatever else its replicas need, from an object store to the folder that
//! a server serves. It runs beside `kith serve`, which knows nothing of the store.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use crate::auth::store::CredentialStore;
use crate::cells::folder::MARK_FILE;
use crate::cells::remote::address::RemoteCell;
use crate::cells::remote::lists::{CellListKind, RemoteList};
use crate::cells::remote::pull::{Puller, Round};
use crate::cli::environment;
use crate::cli::import::reload::ReloadTarget;
use crate::cli::import::watch::{Complaint, say};
use crate::clock;
use crate::limits::{CELL_EVERY_SECONDS, CELL_EVERY_SECONDS_MAX, CELL_PAUSE};
use crate::suppress::replica;
use crate::system;

/// Pull a cell's snapshots from an object store into the folder that a server serves
///
/// What is missing arrives in DIR/.part, is checked as `kith verify` does, and takes its name; then the server reloads. A
/// store that is down changes nothing. Files of an organization that left the cell go a day later.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kith pull --cell s3://kith/cells/eu-1 --into snapshots --once
  kith pull --cell s3://kith/cells/eu-1 --into snapshots --reload
  kith pull --cell s3://kith/cells/eu-1 --into snapshots --reload \\
    --credentials credentials.db --suppressions forget.txt")]
pub struct PullCommand {
    /// The cell: s3://BUCKET/PREFIX/cells/NAME, gs://…, az://… or file:///FOLDER/cells/NAME
    #[arg(long, value_name = "URL")]
    cell: String,
    /// The folder to keep as the cell's manifest says: that of `kith serve --snapshots`; no other cell's
    #[arg(long, value_name = "DIR")]
    into: PathBuf,
    /// Pull once, and end
    #[arg(long, conflicts_with = "every")]
    once: bool,
    /// Seconds between two looks at the store
    #[arg(long, value_name = "SECONDS", default_value_t = CELL_EVERY_SECONDS,
        value_parser = clap::value_parser!(u64).range(1..=CELL_EVERY_SECONDS_MAX))]
    every: u64,
    /// The operator's listener of the server that serves the folder: it reloads when there is news
    #[arg(long, value_name = "URL", num_args = 0..=1, default_missing_value = "http://127.0.0.1:9090")]
    reload: Option<String>,
    /// The file with the operator's token (admin.token_file), if the server asks for one
    #[arg(long, value_name = "FILE", requires = "reload")]
    reload_token_file: Option<PathBuf>,
    /// A file with the process id of that server, which gets SIGHUP when there is news
    #[arg(long, value_name = "FILE", conflicts_with = "reload")]
    reload_pid_file: Option<PathBuf>,
    /// The server's credential store, made if there is none: it learns what the cell's credentials are
    #[arg(long, value_name = "FILE")]
    credentials: Option<PathBuf>,
    /// The server's list of people to forget: the cell's takes its place
    #[arg(long, value_name = "FILE")]
    suppressions: Option<PathBuf>,
}

/// How to notify the server of changes.
enum Reload {
    /// Requests the reload; the answer says whether all snapshots were loaded.
    Ask(ReloadTarget),
    /// Signals the process named in this file.
    Signal(PathBuf),
    /// Not at all: the server looks by itself, or is not there yet.
    No,
}

/// Keeps a replica's credentials and list of people to forget equal to the cell's.
struct Lists {
    credentials: Option<(CredentialStore, RemoteList)>,
    suppressions: Option<(PathBuf, RemoteList)>,
    mark: PathBuf,
}

impl PullCommand {
    /// Pulls once, or until SIGTERM or SIGINT.
    ///
    /// # Errors
    /// Returns an error if the address, the folder or a file cannot be used; with `--once`, if anything could not be
    /// pulled.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let cell = RemoteCell::open(&self.cell, environment::variables())?;
        let puller = Puller::new(cell.clone(), &self.into)?;
        let reload = self.reload()?;
        let lists = Lists::new(&cell, &self)?;
        // Two threads, so that writing or checking a snapshot does not delay credentials.
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let ended = runtime.block_on(async {
            if self.once {
                once(puller, lists, &reload).await
            } else {
                self.until_stopped(puller, lists, reload).await
            }
        });
        // Does not wait for a name look-up still under way.
        runtime.shutdown_background();
        ended
    }

    fn reload(&self) -> Result<Reload, Box<dyn Error>> {
        match (&self.reload, &self.reload_pid_file) {
            (Some(url), _) => Ok(Reload::Ask(ReloadTarget::new(url, self.reload_token_file.as_deref())?)),
            (None, Some(file)) => Ok(Reload::Signal(file.clone())),
            (None, None) => Ok(Reload::No),
        }
    }

    async fn until_stopped(
        &self,
        puller: Puller,
        lists: Lists,
        reload: Reload,
    ) -> Result<(), Box<dyn Error>> {
        let every = Duration::from_secs(self.every);
        let mut stop = system::stop()?;
        let snapshots = tokio::spawn(keep_snapshots(puller, reload, every));
        let lists = tokio::spawn(keep_lists(lists, every));
        tokio::select! {
            () = stop.comes() => Ok(()),
            ended = snapshots => Err(format!("pulling snapshots broke off: {}", said(ended)).into()),
            ended = lists => Err(format!("pulling credentials broke off: {}", said(ended)).into()),
        }
    }
}

/// Why a task that should never end did.
fn said(ended: Result<(), tokio::task::JoinError>) -> String {
    ended.map_or_else(|error| error.to_string(), |()| "it ended".to_owned())
}

async fn once(mut puller: Puller, mut lists: Lists, reload: &Reload) -> Result<(), Box<dyn Error>> {
    lists.pull().await?;
    let round = puller.round(clock::wall_time()).await?;
    say_round(&round);
    if round.is_news {
        reload.reload().await?;
        puller.note_in_force(&round, clock::wall_time())?;
    }
    match round.failed.into_iter().next() {
        Some((organization, error)) => Err(format!("{organization} is not pulled: {error}").into()),
        None => Ok(()),
    }
}

/// Pulls snapshots periodically. Never ends.
async fn keep_snapshots(mut puller: Puller, reload: Reload, every: Duration) {
    let (mut complaint, mut owed) = (Complaint::default(), None::<Round>);
    loop {
        let mut pause = every;
        match puller.round(clock::wall_time()).await {
            Ok(round) => {
                say_round(&round);
                if round.failed.is_empty() {
                    complaint = Complaint::default();
                } else {
                    let line = |(organization, error)| format!("{organization} is not pulled: {error}");
                    complaint.say(
                        round
                            .failed
                            .iter()
                            .map(|(org, error)| line((org, error)))
                            .collect::<Vec<_>>()
                            .join("\n"),
                    );
                    pause = every.max(CELL_PAUSE);
                }
                if round.is_news {
                    owed = Some(round);
                }
            }
            Err(error) => complaint.say(format!("{error}\nwhat is in service stays")),
        }
        if let Some(round) = owed.take() {
            let reloaded = reload.reload().await;
            let noted = reloaded.and_then(|()| Ok(puller.note_in_force(&round, clock::wall_time())?));
            if let Err(error) = noted {
                complaint.say(error.to_string());
                owed = Some(round);
            }
        }
        tokio::time::sleep(pause).await;
    }
}

/// Pulls credentials and the list of people to forget periodically. Never ends.
async fn keep_lists(mut lists: Lists, every: Duration) {
    let mut complaint = Complaint::default();
    loop {
        match lists.pull().await {
            Ok(()) => complaint = Complaint::default(),
            Err(error) => complaint.say(error),
        }
        tokio::time::sleep(every).await;
    }
}

fn say_round(round: &Round) {
    for organization in &round.placed {
        say(&format!("{organization}: pulled"));
    }
    for organization in &round.removed {
        say(&format!("{organization}: removed, it left the cell a day ago"));
    }
}

impl Reload {
    /// Asks the server to reload. With a signal, its success is unknown.
    async fn reload(&self) -> Result<(), Box<dyn Error>> {
        match self {
            Self::Ask(target) => Ok(target.reload().await?),
            Self::Signal(file) => {
                let text =
                    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
                let process = text.trim().parse().ok().filter(|process: &i32| *process > 0);
                let process = process.ok_or_else(|| format!("{}: this is no process id", file.display()))?;
                Ok(system::hang_up(process)
                    .map_err(|error| format!("{}: the server gets no signal: {error}", file.display()))?)
            }
            Self::No => Ok(()),
        }
    }
}

impl Lists {
    fn new(cell: &RemoteCell, command: &PullCommand) -> Result<Self, Box<dyn Error>> {
        let of = |kind| RemoteList::of(cell.clone(), kind);
        let open = |path: &PathBuf| {
            Ok::<_, Box<dyn Error>>((CredentialStore::open(path)?, of(CellListKind::Credentials)))
        };
        let credentials = command.credentials.as_ref().map(open).transpose()?;
        let suppressions = command.suppressions.clone().map(|path| (path, of(CellListKind::Suppressions)));
        Ok(Self { credentials, suppressions, mark: command.into.join(MARK_FILE) })
    }

    /// Takes over new data, and renews the mark that all is fresh. Otherwise returns what is wrong.
    async fn pull(&mut self) -> Result<(), String> {
        let asked_at = clock::wall_time();
        let text = |error: &dyn std::fmt::Display| error.to_string();
        if let Some((store, remote)) = &mut self.credentials
            && let Some((bytes, e_tag)) = remote.get().await.map_err(|error| text(&error))?
        {
            let learned = store.take_over(&bytes).map_err(|error| text(&error))?;
            say(&format!("credentials: {} added, {} revoked", learned.added, learned.revoked));
            remote.taken(e_tag);
        }
        if let Some((path, remote)) = &mut self.suppressions
            && let Some((bytes, e_tag)) = remote.get().await.map_err(|error| text(&error))?
        {
            if replica::take_over(path, &bytes).map_err(|error| text(&error))? {
                say("the list of people to forget: changed");
            }
            remote.taken(e_tag);
        }
        if self.credentials.is_some() && self.suppressions.is_some() {
            mark(&self.mark, asked_at).map_err(|error| format!("{}: {error}", self.mark.display()))?;
        }
        Ok(())
    }
}

/// Sets the time of the file at `path` to `at`, creating it if needed.
fn mark(path: &Path, at: std::time::SystemTime) -> std::io::Result<()> {
    let file = fs::File::options().create(true).truncate(false).write(true).open(path)?;
    file.set_modified(at)
}
