//! `kith import`: exports that people have to source tables, and a snapshot if one is asked for.

mod explained;
mod shown;

use std::error::Error;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use clap::Args;

use crate::cli::build::build;
use crate::clock;
use crate::import::dates::CalendarDay;
use crate::import::imported::{ImportError, ImportSettings, Imported, import};
use crate::import::manifest::fault::ManifestError;
use crate::import::manifest::overrides::{Overrides, read_overrides};
use crate::import::manifest::{plan_of_files, read_manifest};
use crate::import::plan::ImportPlan;
use crate::import::tables::folder::TableFolder;
use crate::suppress::entry::EntryKind;
use crate::suppress::file;
use crate::suppress::list::SuppressionList;

/// Make source tables of the exports that members have
///
/// By a manifest: kith import team.toml --tables tables --out acme.kith. Or straight from the files of one member:
/// kith import --org Acme --me "Ana Ruiz" --tables tables Connections.csv. docs/import.md describes both.
#[derive(Debug, Default, Args)]
pub struct ImportCommand {
    /// The manifest, such as team.toml; with --org the files of one member
    #[arg(value_name = "MANIFEST or FILES")]
    pub(super) files: Vec<PathBuf>,
    /// The folder for the tables; it may hold those of the last import, whose ids stay
    #[arg(long, value_name = "DIR")]
    pub(super) tables: PathBuf,
    /// The name of the organization, if there is no manifest
    #[arg(long, value_name = "NAME", requires = "me")]
    pub(super) org: Option<String>,
    /// The name of the member whose files they are, if there is no manifest
    #[arg(long, value_name = "NAME", requires = "org")]
    pub(super) me: Option<String>,
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
    /// Print which rows a person in the tables was made of, and import nothing
    #[arg(long, value_name = "person_…", conflicts_with_all = ["org", "out", "report", "dry_run", "overrides", "suppressions"])]
    explain: Option<String>,
}

/// What a command line asks for that cannot be: exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum ImportUsageError {
    /// The manifest or the overrides are wrong.
    #[error("{0}")]
    Manifest(ManifestError),
    /// What the manifest says cannot be imported.
    #[error("{0}")]
    Plan(ImportError),
    /// The arguments do not say what to import.
    #[error("{0}")]
    Arguments(&'static str),
}

/// Files that gave nothing: exit code 1, and the others are imported.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct FilesFailed(pub(crate) Vec<String>);

/// Seconds of a day.
const DAY_SECONDS: u64 = 86_400;
/// The most files that gave nothing which are named on stderr.
const FAILED_SHOWN: usize = 20;

impl ImportCommand {
    /// The import of what `manifest` lists.
    pub(super) fn of_manifest(manifest: PathBuf) -> Self {
        Self { files: vec![manifest], ..Self::default() }
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
        let imported = self.import(self.plan()?)?;
        self.finish(&imported)
    }

    /// Imports what `plan` says; writes nothing.
    ///
    /// # Errors
    /// Returns an error if the manifest, the overrides, the suppression list or the tables of last time cannot be used.
    pub(super) fn import(&self, plan: ImportPlan) -> Result<Imported, Box<dyn Error>> {
        let overrides = self.overrides.as_deref().map(read_overrides).transpose();
        let overrides: Overrides = overrides.map_err(ImportUsageError::Manifest)?.unwrap_or_default();
        let list = self.suppressions.as_deref().map(file::read).transpose()?.unwrap_or_default();
        let settings = ImportSettings {
            today: today(),
            tables: &self.tables,
            overrides,
            is_forgotten: &|organization, text| is_forgotten(&list, organization, text),
        };
        import(plan, &settings).map_err(|error| -> Box<dyn Error> {
            match error {
                ImportError::Earlier(fault) => fault.into(),
                error => ImportUsageError::Plan(error).into(),
            }
        })
    }

    /// What is to be imported.
    ///
    /// # Errors
    /// Returns an error if the arguments do not say it, or the manifest is wrong.
    pub(super) fn plan(&self) -> Result<ImportPlan, ImportUsageError> {
        let plan = match (&self.org, &self.me, self.files.as_slice()) {
            (Some(_), Some(_), []) => return Err(ImportUsageError::Arguments("name the files to import")),
            (Some(organization), Some(me), files) => plan_of_files(organization, me, files),
            (_, _, [manifest]) => read_manifest(manifest),
            (_, _, []) => {
                return Err(ImportUsageError::Arguments("name a manifest, or --org, --me and files"));
            }
            (_, _, _) => {
                return Err(ImportUsageError::Arguments(
                    "name one manifest; files are imported without one by --org NAME --me NAME",
                ));
            }
        };
        plan.map_err(ImportUsageError::Manifest)
    }

    /// Writes what is to be written, and prints what became of the rows.
    ///
    /// # Errors
    /// Returns an error if something cannot be written; once everything is, if a file gave nothing.
    pub(super) fn finish(&self, imported: &Imported) -> Result<(), Box<dyn Error>> {
        let writes = !self.dry_run && !imported.is_empty();
        if writes {
            let written = TableFolder::open(&self.tables).and_then(|mut folder| {
                imported.write(&mut folder)?;
                folder.put()
            });
            written.map_err(|error| format!("{}: cannot be written: {error}", self.tables.display()))?;
        }
        if let Some(path) = self.report.as_ref().filter(|_| self.dry_run || !imported.is_empty()) {
            write_report(path, imported)
                .map_err(|error| format!("{}: cannot be written: {error}", path.display()))?;
        }
        let mut out = BufWriter::new(io::stdout().lock());
        shown::print(&mut out, imported, writes.then_some(self.tables.as_path()))?;
        out.flush()?;
        drop(out);
        if let Some(snapshot) = self.out.as_ref().filter(|_| writes) {
            build(&self.tables, snapshot)?;
        }
        let failed = imported.failed();
        if failed.is_empty() {
            return Ok(());
        }
        let more = failed.len().saturating_sub(FAILED_SHOWN);
        let mut lines: Vec<String> =
            failed.iter().take(FAILED_SHOWN).map(|(file, reason)| format!("{file}: {reason}")).collect();
        if more > 0 {
            lines.push(format!("{more} more files gave nothing"));
        }
        if imported.is_empty() {
            lines.push("no file gave anything; nothing was written".to_owned());
        }
        Err(FilesFailed(lines).into())
    }
}

/// The day of the machine's clock, in UTC.
fn today() -> CalendarDay {
    let seconds = clock::wall_time().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let day = i64::try_from(seconds / DAY_SECONDS).ok().and_then(CalendarDay::from_number);
    day.unwrap_or(CalendarDay { year: 9999, month: 12, day: 31 })
}

/// Whether the handle or the address `text` is on the list of the organization.
fn is_forgotten(list: &SuppressionList, organization: &str, text: &str) -> bool {
    let Some(of_organization) = list.of(organization) else { return false };
    EntryKind::ALL.into_iter().any(|kind| of_organization.holds(kind, text))
}

fn write_report(path: &Path, imported: &Imported) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    imported.write_report(&mut out)?;
    out.flush()
}
