//! `kith build`: builds a snapshot and its relational store from source tables.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::drafts;
use crate::cli::listing::grouped;
use crate::cli::progress::{self, Meter, ProgressArgs};
use crate::clock;
use crate::relational::pair::{self, Pair};
use kith_tables::progress::Progress;
use kith_tables::source::blocks::BlockSize;
use kith_tables::source::build::{Built, read_tables};
use kith_tables::source::ignored::{IgnoredFiles, UnknownField};

/// Build a snapshot from a folder of source tables
///
/// Each table is NAME.ndjson or NAME.csv, with .gz or .zst behind it if it is packed, or NAME.parquet, or a
/// folder NAME of *.parquet parts; docs/source-tables.md has their columns.
///
/// Beside the snapshot NET.kith its relational store NET.kith.sqlite is written, which search by SQL
/// reads. The two belong together: move and copy them as a pair.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kith build tables --out snapshots/acme.kith")]
pub struct BuildCommand {
    /// The folder with the source tables of one organization
    source_dir: PathBuf,
    /// The snapshot to write, NET.kith; its folder is made if there is none, and an older snapshot is replaced only
    /// once the new one is whole
    #[arg(long)]
    out: PathBuf,
    /// Refuse what is otherwise ignored with a warning: files that hold no table, and fields that no table has
    #[arg(long)]
    strict: bool,
    /// Make edges, too, between people who were at one place of at most 50 people for at least 12 months, by the table of
    /// affiliations (docs/scoring.md)
    #[arg(long)]
    derive: bool,
    #[command(flatten)]
    progress: ProgressArgs,
}

impl BuildCommand {
    /// Reads the tables, writes the snapshot and its store, prints a summary.
    ///
    /// # Errors
    /// Returns the first faults of the tables, or what `--strict` refuses, and then writes nothing; or why a file
    /// cannot be written.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        drafts::sweep_beside(&self.out);
        let started = clock::now();
        let meter = Meter::start(progress::BUILD, self.progress);
        let read = read_tables(&self.source_dir, &meter, BlockSize::DEFAULT, self.derive);
        let (ignored, unknown) = match &read {
            Ok(built) => (&built.ignored, &built.warnings),
            Err(faults) => (&faults.ignored, &faults.warnings),
        };
        warn(ignored, unknown)?;
        let built = read?;
        if self.strict && is_lossy(&built) {
            return Err(
                "with --strict nothing is ignored: mend what the warnings name; nothing was written".into()
            );
        }
        make_folder_of(&self.out)?;
        let out = self.out.display();
        meter.stage("writing");
        let pair = pair::write(&self.out, &built.dataset).map_err(|error| format!("{out}: {error}"))?;
        drop(meter);
        print_summary(&built, started.elapsed().as_secs_f64(), &pair).map_err(|error| {
            io::Error::new(
                error.kind(),
                format!("{out} is built, but its summary cannot be printed: {error}"),
            )
        })?;
        Ok(())
    }
}

/// Builds the snapshot `out` from the tables in `tables`, like the command.
///
/// # Errors
/// Returns the errors of [`BuildCommand::run`].
pub(super) fn build(tables: &Path, out: &Path, progress: ProgressArgs) -> Result<(), Box<dyn Error>> {
    BuildCommand {
        source_dir: tables.to_owned(),
        out: out.to_owned(),
        strict: false,
        derive: false,
        progress,
    }
    .run()
}

fn is_lossy(built: &Built) -> bool {
    built.ignored.count() > 0 || !built.warnings.is_empty()
}

/// Prints a line on stderr for each ignored file or field.
fn warn(ignored: &IgnoredFiles, unknown: &[UnknownField]) -> io::Result<()> {
    let mut err = io::stderr().lock();
    for file in &ignored.files {
        writeln!(err, "kith: warning: {file}")?;
    }
    if ignored.more > 0 {
        writeln!(err, "kith: warning: {} more files are no tables and ignored", ignored.more)?;
    }
    unknown.iter().try_for_each(|field| writeln!(err, "kith: warning: {field}"))
}

/// Creates the folder of `file`, if it is missing.
fn make_folder_of(file: &Path) -> Result<(), String> {
    let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) else { return Ok(()) };
    if folder.exists() {
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(|error| {
        format!("{}: its folder {} cannot be made: {error}", file.display(), folder.display())
    })
}

fn print_summary(built: &Built, seconds: f64, pair: &Pair) -> io::Result<()> {
    let Built { dataset, report, evidence_dropped, derived, .. } = built;
    let organization = &dataset.organization;
    let mut out = io::stdout().lock();
    writeln!(out, "organization   {} ({})", organization.name, organization.id)?;
    for (label, count) in [
        ("people", dataset.people.len() as u64),
        ("companies", dataset.companies.ids.len() as u64),
        ("members", dataset.members.len() as u64),
        ("advocacies", dataset.advocates.len() as u64),
        ("edges", dataset.edges.out.ends.len() as u64),
        ("  merged", report.merged),
        ("  self-edges", report.self_edges),
        ("  implied", report.implied),
        ("intro requests", dataset.intro_requests.people.len() as u64),
        ("opportunities", dataset.opportunities.ids.len() as u64),
        ("evidence", dataset.evidence.len() as u64),
        ("  dropped", *evidence_dropped),
        ("aliases", (dataset.people.aliases.handles.len() + dataset.people.aliases.emails.len()) as u64),
        ("bytes", pair.snapshot.size_bytes),
        ("store bytes", pair.store_bytes),
    ] {
        writeln!(out, "{label:14} {:>14}", grouped(count))?;
    }
    if *derived > 0 {
        writeln!(out, "{:14} {:>14}", "derived edges", grouped(*derived))?;
    }
    writeln!(out, "{:14} {seconds:>14.2}", "seconds")
}
