//! `kith cut`: source tables of many organizations to source tables of each.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use crate::cli::listing::grouped;
use crate::cli::progress::{self, Meter, ProgressArgs};
use crate::source::cut::cut;
use crate::source::cut::report::Cut;

/// Cut the source tables of organizations out of a lake: what is within their reach
///
/// A lake is a folder of source tables of many organizations, as NDJSON, CSV or Parquet: organizations, members,
/// advocates, intro_requests and ghost_opportunities, each with a column org; connections and evidence, with a column
/// visibleTo on edges that one organization alone may see; people, person_aliases and companies. A folder with the
/// tables of one organization will do too.
///
/// An organization gets its own rows, the edges that start at its members, its accepted advocates or a person one of
/// them knows, and the people and companies that these name: docs/lake.md says what that changes. The lake is read
/// row by row; what is held are the ids within reach.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kith cut lake --org org_acme --org org_bolt --out tables
  kith build tables/org_acme --out snapshots/acme.kith")]
pub struct CutCommand {
    /// The folder with the tables of all organizations
    lake: PathBuf,
    /// The id of an organization to cut out; may be given up to 64 times
    #[arg(long = "org", required = true, value_name = "ID")]
    organizations: Vec<String>,
    /// The folder in which a folder for each organization is written, TABLES/ID; one that is there is replaced once all
    /// are whole
    #[arg(long, value_name = "TABLES")]
    out: PathBuf,
    #[command(flatten)]
    progress: ProgressArgs,
}

impl CutCommand {
    /// Writes the folders, prints a line for each.
    ///
    /// # Errors
    /// Returns the faults of the lake, or why a folder cannot be written.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let cut = {
            let meter = Meter::start(progress::CUT, self.progress);
            cut(&self.lake, &self.organizations, &self.out, &meter)?
        };
        let mut err = io::stderr().lock();
        cut.warnings.iter().try_for_each(|field| writeln!(err, "kith: warning: {field}"))?;
        print(&cut)?;
        Ok(())
    }
}

fn print(cut: &Cut) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for organization in &cut.organizations {
        let count = |(table, rows): &(&str, u64)| format!("{} {table}", grouped(*rows));
        let rows: Vec<String> = organization.rows.iter().map(count).collect();
        writeln!(out, "{}: {}", organization.folder.display(), rows.join(", "))?;
    }
    Ok(())
}
