//! `kith import`: exports that people have to source tables, and a snapshot if one is asked for.

pub(crate) mod brought;
mod explained;
mod planned;
pub(crate) mod reload;
mod shown;
pub(crate) mod watch;

use std::error::Error;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::cli::build::build;
use crate::cli::drafts;
use crate::cli::import::brought::BroughtArgs;
use crate::cli::import::watch::{NotDone, WatchArgs, Watched, is_within};
use crate::cli::listing::grouped;
use crate::cli::observing;
use crate::cli::progress::{self, Meter, ProgressArgs};
use crate::cli::table::escaped;
use crate::exports::error::ExportsError;
use crate::exports::read::today;
use crate::file_system::put_in_place;
use crate::regular_file::folder_of;
use crate::relational::pair;
use crate::stderr;
use crate::suppress::file;
use kith_import::arrivals::Arrivals;
use kith_import::forgetting::ForgettingKey;
use kith_import::import_error::ImportError;
use kith_import::imported::{ImportSettings, Imported, import_watched};
use kith_import::manifest::fault::ManifestError;
use kith_import::manifest::overrides::{Overrides, read_overrides};
use kith_import::plan::{ImportPlan, ReadAs};
use kith_import::tables::folder::TableFolder;
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;

/// Make source tables of the exports that members have
///
/// By a team file: kith import team.toml --tables tables --out acme.kith. Or straight from the files of one member:
/// kith import --org Acme --me "Ana Ruiz" --tables tables Connections.csv. docs/import.md describes both.
#[derive(Clone, Debug, Default, Args)]
pub struct ImportCommand {
    /// The team file, such as team.toml; with --org the files of one member
    #[arg(value_name = "MANIFEST or FILES")]
    pub(super) files: Vec<PathBuf>,
    /// The folder for the tables; it may hold those of the last import, whose ids stay
    #[arg(long, value_name = "DIR")]
    pub(super) tables: PathBuf,
    /// The name of the organization, if there is no team file
    #[arg(long, value_name = "NAME")]
    pub(super) org: Option<String>,
    /// The name of the member whose files they are, if there is no team file
    #[arg(long, value_name = "NAME", requires = "org")]
    pub(super) me: Option<String>,
    /// An address of that member; again for each further one
    #[arg(long, value_name = "ADDRESS", requires = "me")]
    pub(super) email: Vec<String>,
    #[command(flatten)]
    pub(super) brought: BroughtArgs,
    /// Build this snapshot of the tables at once
    #[arg(long, value_name = "FILE.kith")]
    out: Option<PathBuf>,
    /// Write the report here, as JSON
    #[arg(long, value_name = "FILE.json")]
    pub(super) report: Option<PathBuf>,
    /// Read everything and report, and write no tables
    #[arg(long)]
    dry_run: bool,
    /// Rows and people that are one person or two, whatever the rules say
    #[arg(long, value_name = "FILE")]
    pub(super) overrides: Option<PathBuf>,
    /// The list of people to forget: they are never written
    #[arg(long, value_name = "FILE")]
    pub(super) suppressions: Option<PathBuf>,
    /// Derive no ties of people who gave no files
    #[arg(long)]
    pub(super) no_derive: bool,
    /// Keep the people of last time who are in none of these files, with their edges as they were
    #[arg(long)]
    pub(super) keep: bool,
    /// The file of asks: note what mail and calendars show of them, and whom the import merged
    #[arg(long, value_name = "FILE")]
    pub(super) asks: Option<PathBuf>,
    /// Print which rows a person in the tables was made of, and import nothing
    #[arg(long, value_name = "person_…", conflicts_with_all = ["org", "out", "report", "dry_run", "overrides", "suppressions", "keep", "asks", "exports"])]
    explain: Option<String>,
    /// Whether each file belongs to the person whose profile lies in or beside it.
    #[arg(skip)]
    by_owner: bool,
    #[command(flatten)]
    watch: WatchArgs,
    #[command(flatten)]
    progress: ProgressArgs,
}

/// A command line that cannot be carried out: exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum ImportUsageError {
    /// The manifest or the overrides are wrong.
    #[error("{0}")]
    Manifest(ManifestError),
    /// The files of the manifest cannot be imported.
    #[error("{0}")]
    Plan(ImportError),
    /// The exports that colleagues brought cannot be used.
    #[error("{0}")]
    Exports(ExportsError),
    /// A manifest in a watched folder names a file outside of it.
    #[error("{0} lies outside of the folder that is watched, whose own team.toml names only files in it")]
    Outside(String),
    /// A manifest in a watched folder is of another organization.
    #[error("team.toml says {other} and the folder that is watched is that of {organization}")]
    OtherOrganization {
        /// The organization of the folder.
        organization: String,
        /// The one that the manifest names.
        other: String,
    },
    /// The arguments do not say what to import.
    #[error("{0}")]
    Arguments(&'static str),
}

/// Files that gave nothing: exit code 1, and the others are imported.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct FilesFailed(pub(crate) Vec<String>);

/// The manifest that a watched folder may hold.
pub(super) const MANIFEST: &str = "team.toml";
/// The most files that gave nothing which are named on stderr.
const FAILED_SHOWN: usize = 20;

impl ImportCommand {
    /// The import of what `manifest` lists.
    pub(super) fn of_manifest(manifest: PathBuf) -> Self {
        Self { files: vec![manifest], ..Self::default() }
    }

    /// An import of files that belong to the person whose profile lies in or beside each of them.
    pub(super) fn of_owners(files: Vec<PathBuf>, org: Option<String>) -> Self {
        Self { files, org, by_owner: true, ..Self::default() }
    }

    /// The import of what colleagues of the organization `org` brought.
    pub(super) fn of_brought(org: String) -> Self {
        Self { org: Some(org), ..Self::default() }
    }

    /// The import of the files of one member, `me`, into a network of the organization `org`.
    pub(super) fn of_files(files: Vec<PathBuf>, org: String, me: String) -> Self {
        Self { files, org: Some(org), me: Some(me), ..Self::default() }
    }

    /// Imports, writes tables and the report, prints a summary.
    ///
    /// # Errors
    /// Returns an error if the manifest is wrong or nothing could be imported: nothing is written then. Returns an error
    /// too, once everything is written, if a file gave nothing.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        if let Some(id) = &self.explain {
            return explained::print(&self.tables, id);
        }
        match self.watch.folder().map(Path::to_owned) {
            Some(folder) => self.watch(&folder),
            None => {
                let plan = self.plan()?;
                say_owners(&plan);
                self.finish(&self.import(plan)?)
            }
        }
    }

    /// Imports what arrives in `folder`, until a signal.
    fn watch(&self, folder: &Path) -> Result<(), Box<dyn Error>> {
        let reload = self.watch.reload().map_err(ImportUsageError::Arguments)?;
        let command = Arc::new(self.watching(folder)?);
        let (looking, importing) = (Arc::clone(&command), Arc::clone(&command));
        let (looked_at, imported_from) = (folder.to_owned(), folder.to_owned());
        let watched = Watched {
            look: Box::new(move || looking.arrivals(&looked_at)),
            import: Box::new(move |before| importing.import_arrived(&imported_from, before)),
        };
        Ok(watch::run(watched, &command.watch, reload)?)
    }

    /// The command with what `folder` has to import.
    fn watching(&self, folder: &Path) -> Result<Self, ImportUsageError> {
        if !folder.is_dir() {
            return Err(ImportUsageError::Arguments("--watch names a folder that is there"));
        }
        let written = [Some(&self.tables), self.out.as_ref(), self.report.as_ref()];
        if written.into_iter().flatten().any(|path| is_within(path, folder)) {
            return Err(ImportUsageError::Arguments(
                "--tables, --out and --report lie outside of the folder that is watched",
            ));
        }
        let mut command = self.clone();
        match (&command.org, command.files.is_empty()) {
            // Without a member's own files what colleagues bring is all there is, and is looked at anyway.
            (Some(_), _) if command.me.is_none() => {}
            (Some(_), _) => command.files.push(folder.to_owned()),
            (None, true) => command.files.push(folder.join(MANIFEST)),
            (None, false) => {}
        }
        command.plan()?;
        Ok(command)
    }

    /// Returns the files that the command reads, as they lie there now.
    fn arrivals(&self, folder: &Path) -> Arrivals {
        let named = [self.overrides.clone(), self.suppressions.clone()].into_iter().flatten();
        let manifest = self.org.is_none().then(|| self.files.first().cloned()).flatten();
        let (planned, parts) =
            self.plan_with_parts().map(|(plan, parts)| (plan.files, parts)).unwrap_or_default();
        let planned = planned.into_iter().map(|file| file.path);
        Arrivals::of(folder, named.chain(manifest).chain(planned).chain(parts))
    }

    /// Imports everything, and puts tables and snapshot in place if every file gave something and none has changed since
    /// `before`. Returns what is said of it.
    fn import_arrived(&self, folder: &Path, before: &Arrivals) -> Result<String, NotDone> {
        let imported = self
            .plan()
            .map_err(Into::into)
            .and_then(|plan| self.import(plan))
            .map_err(|error| NotDone::Arrived(error.to_string()))?;
        if self.arrivals(folder) != *before {
            return Err(NotDone::Changing);
        }
        let failed = imported.failed();
        if !failed.is_empty() || imported.is_empty() {
            return Err(NotDone::Arrived(failed_lines(&imported, &failed).join("\n")));
        }
        self.put(&imported).map_err(|error| NotDone::Unwritten(error.to_string()))?;
        let (totals, facts) = (imported.totals(), imported.facts());
        let [read, skipped, people, edges] =
            [totals.read, totals.skipped, facts.people as u64, facts.edges as u64].map(grouped);
        Ok(format!(
            "imported {} files: {read} rows read, {skipped} skipped; {people} people, {edges} edges",
            grouped(imported.files().len() as u64)
        ))
    }

    /// Writes the tables, the report and the snapshot, and prints nothing.
    pub(super) fn put(&self, imported: &Imported) -> Result<(), Box<dyn Error>> {
        let named = |path: &Path, error: io::Error| format!("{}: cannot be written: {error}", path.display());
        write_tables(&self.tables, imported).map_err(|error| named(&self.tables, error))?;
        if let Some(report) = &self.report {
            write_report(report, imported).map_err(|error| named(report, error))?;
        }
        self.note_asks(imported)?;
        let Some(out) = &self.out else { return Ok(()) };
        let built = read_folder(&self.tables, &Silent)?;
        if let Some(folder) = out.parent() {
            fs::create_dir_all(folder).map_err(|error| named(folder, error))?;
        }
        pair::write(out, &built.dataset).map_err(|error| format!("{}: {error}", out.display()))?;
        Ok(())
    }

    /// Notes in the file of asks what `imported` shows of them; how many events, `None` without a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be used.
    pub(super) fn note_asks(&self, imported: &Imported) -> Result<Option<usize>, Box<dyn Error>> {
        self.asks.as_deref().map(|asks| observing::note(imported, asks)).transpose()
    }

    /// Imports what `plan` says; writes nothing.
    ///
    /// # Errors
    /// Returns an error if the manifest, the overrides, the suppression list or the tables of last time cannot be used.
    pub(super) fn import(&self, plan: ImportPlan) -> Result<Imported, Box<dyn Error>> {
        drafts::sweep(&self.tables);
        self.out.iter().for_each(|out| drafts::sweep_beside(out));
        let overrides = self.overrides.as_deref().map(read_overrides).transpose();
        let overrides: Overrides = overrides.map_err(ImportUsageError::Manifest)?.unwrap_or_default();
        let list = self.suppressions.as_deref().map(file::read).transpose()?.unwrap_or_default();
        let is_forgotten = |organization: &str, key: &ForgettingKey<'_>| {
            list.of(organization).is_some_and(|listed| listed.names(key))
        };
        let settings = ImportSettings {
            today: today(),
            tables: &self.tables,
            overrides,
            keep: self.keep,
            is_forgotten: (!list.is_empty()).then_some(&is_forgotten),
        };
        let meter = Meter::start(progress::IMPORT, self.progress);
        import_watched(plan, &settings, &meter).map_err(|error| -> Box<dyn Error> {
            match error {
                ImportError::Earlier(fault) => fault.into(),
                error => ImportUsageError::Plan(error).into(),
            }
        })
    }

    /// Writes what is to be written, and prints what became of the rows.
    ///
    /// # Errors
    /// Returns an error if something cannot be written; once everything is, if a file gave nothing.
    pub(super) fn finish(&self, imported: &Imported) -> Result<(), Box<dyn Error>> {
        let writes = !self.dry_run && !imported.is_empty();
        if writes {
            write_tables(&self.tables, imported)
                .map_err(|error| format!("{}: cannot be written: {error}", self.tables.display()))?;
        }
        if let Some(path) = self.report.as_ref().filter(|_| self.dry_run || !imported.is_empty()) {
            write_report(path, imported)
                .map_err(|error| format!("{}: cannot be written: {error}", path.display()))?;
        }
        let mut out = BufWriter::new(io::stdout().lock());
        shown::print(&mut out, imported, writes.then_some(self.tables.as_path()))?;
        out.flush()?;
        if writes && let Some(observed) = self.note_asks(imported)? {
            writeln!(out, "asks: {observed} events observed")?;
        }
        out.flush()?;
        drop(out);
        if let Some(snapshot) = self.out.as_ref().filter(|_| writes) {
            build(&self.tables, snapshot, self.progress)?;
        }
        let failed = imported.failed();
        if failed.is_empty() {
            return Ok(());
        }
        let mut lines = failed_lines(imported, &failed);
        if !imported.is_empty() {
            let gave = if failed.len() == 1 {
                "1 file gave nothing"
            } else {
                &format!("{} files gave nothing", failed.len())
            };
            lines.push(format!("{gave}; all others were imported"));
        }
        Err(FilesFailed(lines).into())
    }
}

/// Says whose each folder of `plan` was taken for, if no team file says it.
pub(super) fn say_owners(plan: &ImportPlan) {
    let line = |read: &ReadAs| {
        let place = escaped(&read.place);
        match &read.name {
            Some(name) => format!("read {place} as {}'s exports, {}", escaped(name), read.by),
            None => format!("read {place} as an export of {}", escaped(&plan.organization)),
        }
    };
    let lines: Vec<String> = plan.read_as.iter().map(line).collect();
    if !lines.is_empty() {
        let otherwise = "to put it otherwise, write a team file, team.toml (docs/import.md)";
        stderr::write(format!("{}\n{otherwise}\n", lines.join("\n")).as_bytes());
    }
}

/// Returns the lines on the files that gave nothing.
fn failed_lines(imported: &Imported, failed: &[(&str, &str)]) -> Vec<String> {
    let more = failed.len().saturating_sub(FAILED_SHOWN);
    let shown = failed.iter().take(FAILED_SHOWN);
    let mut lines: Vec<String> = shown.map(|(file, reason)| format!("{}: {reason}", escaped(file))).collect();
    if more > 0 {
        lines.push(format!("{more} more files gave nothing"));
    }
    if imported.is_empty() {
        lines.push("no file gave anything; nothing was written".to_owned());
    }
    lines
}

fn write_tables(tables: &Path, imported: &Imported) -> io::Result<()> {
    let mut folder = TableFolder::open(tables)?;
    imported.write(&mut folder)?;
    folder.put()
}

/// Writes the report for its owner alone. It takes over the name, so a link there is replaced and not followed.
fn write_report(path: &Path, imported: &Imported) -> io::Result<()> {
    let folder = folder_of(path);
    let draft = tempfile::Builder::new().prefix(".kith-").suffix(".tmp").tempfile_in(folder)?;
    let mut out = BufWriter::new(draft);
    imported.write_report(&mut out)?;
    let draft = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    put_in_place(draft.into_temp_path(), path)
}
