//! `kith suppress`: the list of people to forget.

mod given;
pub(crate) mod usage;

use std::collections::BTreeSet;
use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::{Args, Subcommand};
use serde::Serialize;

use crate::auth::subject::parse_organization_id;
use crate::cli::listing::reader_may_leave;
use crate::cli::suppress::given::NamedPeople;
use crate::cli::suppress::usage::SuppressUsageError;
use crate::cli::table::write_whole;
use crate::clock;
use crate::model::dataset::Dataset;
use crate::model::ix::PersonIx;
use crate::model::time::Timestamp;
use crate::snapshot;
use crate::snapshot::error::SnapshotError;
use crate::suppress::entry::{Entry, EntryKind};
use crate::suppress::error::ListError;
use crate::suppress::file;
use crate::suppress::known::{Identities, KeyForm, KnownPeople, identities_in};
use crate::suppress::list::SuppressionList;
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;

/// Maximum number of people listed to choose from.
const PEOPLE_SHOWN: usize = 50;

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
    /// The organization (`org_…`) that is to forget them; with --tables or --snapshot theirs
    #[arg(long, value_parser = parse_organization_id)]
    org: Option<String>,
    #[command(flatten)]
    named: NamedPeople,
}

/// The organization and the keys that a command names.
struct Wanted {
    organization: String,
    keys: BTreeSet<KeyForm>,
    /// The number of people looked up, if any were.
    people: Option<usize>,
}

/// Why a command on a list failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum SuppressError {
    /// The list cannot be used.
    #[error("{0}")]
    List(ListError),
    /// Some of the people to remove are not on it.
    #[error("{missing} of the {of} given are not on the list of {org}; nothing was removed")]
    NotListed { missing: usize, of: usize, org: String },
    /// The snapshot cannot be read.
    #[error("{path}: {cause}")]
    Snapshot { path: PathBuf, cause: Box<SnapshotError> },
    /// The tables or the snapshot belong to another organization than the given one.
    #[error("{path} is of {found} and not of {given}; nothing was changed")]
    OtherOrganization { path: PathBuf, found: String, given: String },
    /// Nobody there has this name.
    #[error("nobody in {path} has the {kind} that was given (the {place}. of {of}); nothing was changed")]
    NobodyMatched { path: PathBuf, kind: &'static str, place: usize, of: usize },
    /// Several people have this name, and were listed.
    #[error(
        "{people} people in {path} have the {kind} that was given, see above: name one by --id; nothing was changed"
    )]
    SeveralMatched { path: PathBuf, kind: &'static str, people: usize },
    /// Others would be suppressed with them, and were listed.
    #[error(
        "an import cannot distinguish {people} more in {path} from them, see above: name them too by --id, or nobody; nothing was changed"
    )]
    Indistinct { path: PathBuf, people: usize },
    /// The snapshot contains people who are on the list.
    #[error("{} in {path} and on the list; build it again from tables without them", people_are(*.people))]
    Found { people: usize, path: PathBuf },
}

impl SuppressCommand {
    /// Runs the command and prints its result on stdout.
    ///
    /// # Errors
    /// Returns an error if the list or the snapshot cannot be used, a person to remove is not listed, or the snapshot
    /// contains a person who is.
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
        let Wanted { organization, keys, people } = self.wanted(out)?;
        let is_new = !self.suppressions.exists();
        let (added, is_strange) = file::change_or_create(&self.suppressions, |list| {
            let is_strange = !list.is_empty() && list.of(&organization).is_none();
            let entries = entries(list, &organization, &keys);
            let added = entries.iter().filter(|&&entry| list.add(&organization, entry, now)).count();
            Ok::<_, ListError>((added, is_strange))
        })?;
        writeln!(out, "{added} added, {} there already", keys.len() - added)?;
        if is_new {
            writeln!(out, "the list is new: {}", self.suppressions.display())?;
            warn_of_stranger(&self.suppressions)?;
        }
        match people {
            Some(people) => writeln!(
                out,
                "they are all that is known of {people} in {organization}",
                people = counted(people)
            )?,
            None => {
                if is_strange {
                    say(&format!(
                        "the list had no entry of {organization} before; see that it is spelt right"
                    ))?;
                }
                say(
                    "a row without what was given brings the person back at an import: --tables or --snapshot enters all that is known of them",
                )?;
            }
        }
        Ok(())
    }

    fn remove(&self, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
        let Wanted { organization, keys, people } = self.wanted(out)?;
        let (removed, left) = file::change(&self.suppressions, |list| {
            let entries = entries(list, &organization, &keys);
            let times: BTreeSet<Timestamp> = list
                .iter()
                .filter(|(of, entry, _)| *of == organization && entries.contains(entry))
                .map(|(_, _, added)| added)
                .collect();
            let removed = entries.iter().filter(|entry| list.remove(&organization, entry)).count();
            let left =
                list.iter().filter(|(of, _, added)| *of == organization && times.contains(added)).count();
            match entries.len() - removed {
                missing if missing > 0 && (people.is_none() || removed == 0) => {
                    let (of, org) = (entries.len(), organization.clone());
                    Err(SuppressError::NotListed { missing, of, org })
                }
                _ => Ok((removed, left)),
            }
        })?;
        writeln!(out, "{removed} removed")?;
        if left > 0 {
            say(&format!(
                "{left} entries that were added at the same time stay on the list; `kith suppress list` shows them"
            ))?;
        }
        Ok(())
    }

    /// Resolves the people that the command names.
    fn wanted(&self, out: &mut impl Write) -> Result<Wanted, Box<dyn Error>> {
        let given = self.named.given()?;
        let (path, dataset, identities) = match (&self.named.tables, &self.named.snapshot) {
            (Some(folder), _) => (folder, read_folder(folder, &Silent)?.dataset, identities_in(folder)?),
            (None, Some(path)) => (path, load(path)?, Identities::new()),
            (None, None) => {
                let organization = self.org.clone().ok_or(SuppressUsageError::NoOrganization)?;
                let keys = given.iter().filter_map(|given| EntryKind::of_key(&given.key()?)).collect();
                return Ok(Wanted { organization, keys, people: None });
            }
        };
        let known = KnownPeople::of(&dataset, identities);
        let organization = dataset.organization.id.clone();
        if let Some(given) = self.org.clone().filter(|given| *given != organization) {
            let (path, found) = (path.clone(), organization);
            return Err(SuppressError::OtherOrganization { path, found, given }.into());
        }
        let mut people = BTreeSet::new();
        for (place, one) in given.iter().enumerate() {
            let (path, kind) = (path.clone(), one.kind());
            match known.find(one).as_slice() {
                [person] => people.insert(person.0),
                [] => {
                    let (place, of) = (place + 1, given.len());
                    return Err(SuppressError::NobodyMatched { path, kind, place, of }.into());
                }
                several => {
                    print_people(out, &known, several)?;
                    return Err(SuppressError::SeveralMatched { path, kind, people: several.len() }.into());
                }
            };
        }
        let keys = known.keys(&people);
        let doubles = known.doubles(&people, &keys);
        if !doubles.is_empty() {
            print_people(out, &known, &doubles)?;
            return Err(SuppressError::Indistinct { path: path.clone(), people: doubles.len() }.into());
        }
        Ok(Wanted { organization, keys, people: Some(people.len()) })
    }
}

/// The entries of `keys` in `list`.
fn entries(list: &SuppressionList, organization: &str, keys: &BTreeSet<KeyForm>) -> BTreeSet<Entry> {
    keys.iter().map(|(kind, form)| list.entry_of_form(organization, *kind, form)).collect()
}

/// Lists people to choose from, at most a screenful.
fn print_people(out: &mut impl Write, known: &KnownPeople<'_>, people: &[PersonIx]) -> io::Result<()> {
    let rows: Vec<[String; 4]> = people.iter().take(PEOPLE_SHOWN).map(|person| known.line(*person)).collect();
    write_whole(out, ["ID", "NAME", "COMPANY", "HANDLE"], &rows)?;
    out.flush()
}

fn load(path: &Path) -> Result<Dataset, SuppressError> {
    let loaded = snapshot::read::load(path)
        .map_err(|error| SuppressError::Snapshot { path: path.to_owned(), cause: Box::new(error) })?;
    Ok(loaded.dataset)
}

/// Prints a remark on stderr.
fn say(sentence: &str) -> io::Result<()> {
    writeln!(io::stderr(), "kith: {sentence}")
}

/// Warns on stderr if a server that runs as another user cannot read the new list at `path`.
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
    let dataset = load(path)?;
    let (path, organization) = (path.to_owned(), &dataset.organization.id);
    let Some(wanted) = list.of(organization) else {
        return Ok(writeln!(
            out,
            "the list has no entry of {organization}, so nobody in {} is on it",
            path.display()
        )?);
    };
    match wanted.named_in(&dataset).len() {
        0 => Ok(writeln!(
            out,
            "nobody in {} has a handle, address, id or name with company of the {} of {organization} on the list",
            path.display(),
            if wanted.len() == 1 { "one entry".to_owned() } else { format!("{} entries", wanted.len()) },
        )?),
        people => Err(SuppressError::Found { people, path }.into()),
    }
}

/// An entry in `kith suppress list --json`.
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

/// The present time, in the units of a list.
fn now() -> Result<Timestamp, &'static str> {
    let since = clock::wall_time().duration_since(SystemTime::UNIX_EPOCH);
    let since = since.map_err(|_| "the system's clock is before 1970")?;
    let seconds = i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
    let nanos = since.subsec_millis() * 1_000_000;
    Timestamp::new(seconds, nanos).ok_or("the system's clock is past the year 9999")
}

/// Writes a number of people: "1 person", "2 people".
fn counted(people: usize) -> String {
    format!("{people} {}", if people == 1 { "person" } else { "people" })
}

/// A number of people, as the subject of a sentence.
fn people_are(people: usize) -> String {
    format!("{people} {}", if people == 1 { "person is" } else { "people are" })
}

impl From<ListError> for SuppressError {
    fn from(error: ListError) -> Self {
        Self::List(error)
    }
}

#[cfg(test)]
mod tests;
