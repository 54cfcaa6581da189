//! `kith suppress`: the list of people to forget.

use std::collections::BTreeSet;
use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::{Args, Subcommand};
use serde::Serialize;

use crate::auth::subject::parse_organization_id;
use crate::cli::listing::reader_may_leave;
use crate::cli::table::write_whole;
use crate::clock;
use crate::model::time::Timestamp;
use crate::snapshot;
use crate::snapshot::error::SnapshotError;
use crate::suppress::entry::{Entry, EntryKind};
use crate::suppress::error::ListError;
use crate::suppress::file;
use crate::suppress::list::SuppressionList;

/// Make, change and show the list of people to forget.
#[derive(Debug, Subcommand)]
pub enum SuppressCommand {
    /// Make an empty list
    Create {
        /// The list
        #[arg(long, value_name = "FILE")]
        suppressions: PathBuf,
        /// Leave a list that is there alone; one that has disappeared is refused
        #[arg(long)]
        if_new: bool,
    },
    /// Put people on the list; made if there is none
    Add(PeopleArgs),
    /// Take people off the list
    Remove(PeopleArgs),
    /// Show what is on the list; whom an entry names nobody can read from it
    List {
        /// The list
        #[arg(long, value_name = "FILE")]
        suppressions: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Look whether a snapshot holds people who are on the list; exit code 1 if it does
    Check {
        /// The list
        #[arg(long, value_name = "FILE")]
        suppressions: PathBuf,
        /// The snapshot
        #[arg(value_name = "SNAPSHOT")]
        snapshot: PathBuf,
    },
}

/// People of one organization.
#[derive(Debug, Args)]
pub struct PeopleArgs {
    /// The list
    #[arg(long, value_name = "FILE")]
    suppressions: PathBuf,
    /// The organization (`org_…`) that is to forget them
    #[arg(long, value_parser = parse_organization_id)]
    org: String,
    #[command(flatten)]
    named: Named,
}

/// Keys of people: at least one of these.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
struct Named {
    /// A person's handle, or the address of their profile; may be repeated
    #[arg(long, value_name = "HANDLE", value_parser = parse_not_blank)]
    linkedin_id: Vec<String>,
    /// A person's e-mail address; may be repeated
    #[arg(long, value_name = "ADDRESS", value_parser = parse_not_blank)]
    email: Vec<String>,
}

/// Why a command on a list failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum SuppressError {
    /// The list cannot be used.
    #[error("{0}")]
    List(ListError),
    /// So many of those who were to be taken off are not on it.
    #[error("{missing} of the {of} given are not on the list of {org}; nothing was removed")]
    NotListed { missing: usize, of: usize, org: String },
    /// The snapshot cannot be read.
    #[error("{path}: {cause}")]
    Snapshot { path: PathBuf, cause: Box<SnapshotError> },
    /// The snapshot holds so many people who are on the list.
    #[error("{} in {path} and on the list; build it again from tables without them", people_are(*.people))]
    Found { people: usize, path: PathBuf },
}

impl SuppressCommand {
    /// Does what the command says and prints its result on stdout.
    ///
    /// # Errors
    /// Returns an error if the list or the snapshot cannot be used, a person to be taken off is not listed, or the
    /// snapshot holds a person who is.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        self.execute(&mut io::stdout().lock(), now()?)
    }

    fn execute(self, out: &mut impl Write, now: Timestamp) -> Result<(), Box<dyn Error>> {
        match self {
            Self::Create { suppressions, if_new: true } => {
                if file::create_if_new(&suppressions)? {
                    warn_of_stranger(&suppressions)?;
                }
            }
            Self::Create { suppressions, if_new: false } => {
                file::create(&suppressions)?;
                warn_of_stranger(&suppressions)?;
            }
            Self::Add(people) => people.add(out, now)?,
            Self::Remove(people) => people.remove(out)?,
            Self::List { suppressions, json } => {
                let list = file::read(&suppressions)?;
                reader_may_leave(if json { print_json(out, &list) } else { print_table(out, &list) })?;
            }
            Self::Check { suppressions, snapshot } => check(out, &suppressions, &snapshot)?,
        }
        Ok(())
    }
}

impl PeopleArgs {
    fn add(&self, out: &mut impl Write, now: Timestamp) -> Result<(), Box<dyn Error>> {
        let is_new = !self.suppressions.exists();
        let (added, of) = file::change_or_create(&self.suppressions, |list| {
            let entries = self.entries(list);
            let added = entries.iter().filter(|&&entry| list.add(&self.org, entry, now)).count();
            Ok::<_, ListError>((added, entries.len()))
        })?;
        writeln!(out, "{added} added, {} there already", of - added)?;
        if is_new {
            writeln!(out, "the list is new: {}", self.suppressions.display())?;
            warn_of_stranger(&self.suppressions)?;
        }
        Ok(())
    }

    fn remove(&self, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
        let removed = file::change(&self.suppressions, |list| {
            let entries = self.entries(list);
            let removed = entries.iter().filter(|entry| list.remove(&self.org, entry)).count();
            match entries.len() - removed {
                0 => Ok(removed),
                missing => {
                    let (of, org) = (entries.len(), self.org.clone());
                    Err(SuppressError::NotListed { missing, of, org })
                }
            }
        })?;
        Ok(writeln!(out, "{removed} removed")?)
    }

    /// Returns the entries for the people named, each once.
    fn entries(&self, list: &SuppressionList) -> BTreeSet<Entry> {
        let given = |kind, texts: &'_ [String]| {
            let entry = |text: &String| list.entry(&self.org, kind, text);
            texts.iter().filter_map(entry).collect::<Vec<Entry>>()
        };
        let handles = given(EntryKind::LinkedinId, &self.named.linkedin_id);
        handles.into_iter().chain(given(EntryKind::Email, &self.named.email)).collect()
    }
}

/// Says on stderr if a server that runs as another user cannot read the new list at `path`.
fn warn_of_stranger(path: &Path) -> io::Result<()> {
    let Some((list, folder)) = file::stranger(path) else { return Ok(()) };
    let path = path.display();
    let owner = if list == folder { "the server's user".to_owned() } else { folder.to_string() };
    writeln!(
        io::stderr(),
        "kith: user {list} alone may read {path}: if the server runs as another one, it keeps to no list and \
         `/readyz` says so until `chown {owner} {path}`"
    )
}

fn check(out: &mut impl Write, list: &Path, path: &Path) -> Result<(), Box<dyn Error>> {
    let list = file::read(list)?;
    let dataset = snapshot::read::load(path)
        .map_err(|error| SuppressError::Snapshot { path: path.to_owned(), cause: Box::new(error) })?
        .dataset;
    let wanted = list.of(&dataset.organization.id);
    match wanted.map_or(0, |wanted| wanted.named_in(&dataset.people).len()) {
        0 => Ok(writeln!(out, "nobody in {} is on the list", path.display())?),
        people => Err(SuppressError::Found { people, path: path.to_owned() }.into()),
    }
}

/// One entry in `kith suppress list --json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedEntry<'a> {
    organization: &'a str,
    kind: &'static str,
    hash: String,
    added_at: String,
}

fn listed(list: &SuppressionList) -> impl Iterator<Item = ListedEntry<'_>> {
    list.iter().map(|(organization, entry, added)| ListedEntry {
        organization,
        kind: entry.kind.name(),
        hash: entry.digest.short(),
        added_at: added.to_rfc3339_ms(),
    })
}

fn print_json(out: &mut impl Write, list: &SuppressionList) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &listed(list).collect::<Vec<_>>())?;
    writeln!(out)?;
    out.flush()
}

fn print_table(out: &mut impl Write, list: &SuppressionList) -> io::Result<()> {
    let row = |entry: ListedEntry<'_>| {
        [entry.organization.to_owned(), entry.kind.to_owned(), entry.hash, entry.added_at]
    };
    let rows: Vec<[String; 4]> = listed(list).map(row).collect();
    write_whole(out, ["ORGANIZATION", "KIND", "HASH", "ADDED"], &rows)?;
    out.flush()
}

fn parse_not_blank(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() { Err("it is blank") } else { Ok(text.to_owned()) }
}

/// The time now, in the units of a list.
fn now() -> Result<Timestamp, &'static str> {
    let since = clock::wall_time().duration_since(SystemTime::UNIX_EPOCH);
    let since = since.map_err(|_| "the system's clock is before 1970")?;
    let seconds = i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
    let nanos = since.subsec_millis() * 1_000_000;
    Timestamp::new(seconds, nanos).ok_or("the system's clock is past the year 9999")
}

/// So many people, as the subject of a sentence.
fn people_are(people: usize) -> String {
    format!("{people} {}", if people == 1 { "person is" } else { "people are" })
}

impl From<ListError> for SuppressError {
    fn from(error: ListError) -> Self {
        Self::List(error)
    }
}
