//! `kith build`: source tables to a snapshot and its relational store.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use crate::cli::listing::grouped;
use crate::cli::progress::Bar;
use crate::clock;
use crate::relational::pair::{self, Pair};
use crate::source::build::{Built, UnknownField, read_folder};

/// Build a snapshot from a folder of source tables
///
/// Beside the snapshot NET.kith its relational store NET.kith.sqlite is written, which search by SQL
/// reads. The two belong together: move and copy them as a pair.
#[derive(Debug, Args)]
pub struct BuildCommand {
    /// The folder with the source tables of one organization
    source_dir: PathBuf,
    /// The snapshot to write, NET.kith; an older one is replaced only once the new one is whole
    #[arg(long)]
    out: PathBuf,
}

impl BuildCommand {
    /// Reads the tables, writes the snapshot and its store, prints a summary.
    ///
    /// # Errors
    /// The first fault of the tables; nothing is written then. Or why a file cannot be written.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let started = clock::now();
        let built = {
            let bar = Bar::new();
            read_folder(&self.source_dir, &bar)?
        };
        for warning in &built.warnings {
            let UnknownField { table, field } = warning;
            writeln!(io::stderr(), "kith: warning: {table}: field {field} is unknown and ignored")?;
        }
        let out = self.out.display();
        let pair = pair::write(&self.out, &built.dataset).map_err(|error| format!("{out}: {error}"))?;
        print_summary(&built, started.elapsed().as_secs_f64(), &pair).map_err(|error| {
            io::Error::new(
                error.kind(),
                format!("{out} is built, but its summary cannot be printed: {error}"),
            )
        })?;
        Ok(())
    }
}

fn print_summary(built: &Built, seconds: f64, pair: &Pair) -> io::Result<()> {
    let Built { dataset, report, evidence_dropped, .. } = built;
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
        ("bytes", pair.snapshot.size_bytes),
        ("store bytes", pair.store_bytes),
    ] {
        writeln!(out, "{label:14} {:>14}", grouped(count))?;
    }
    writeln!(out, "{:14} {seconds:>14.2}", "seconds")
}
