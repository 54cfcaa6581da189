//! `kith doubles`: lists people who may be one person but were not joined, to be answered in the file of overrides.

use std::error::Error;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;

use crate::cli::table::{write_fitted, write_sentence};
use crate::digest::doubles::{LikelyDouble, read};
use kith_import::tables::folder::DOUBLES;

/// List who may be one person and was not joined
#[derive(Debug, Args)]
#[command(after_help = "Answer in the file for kith import --overrides:
  [[same]]
  people = [\"person_…\", \"person_…\"]
  [[apart]]
  people = [\"person_…\", \"person_…\"]")]
pub(super) struct DoublesCommand {
    /// The folder with the tables of an import
    #[arg(long, value_name = "DIR")]
    tables: PathBuf,
    /// Print the lines of doubles.ndjson
    #[arg(long)]
    json: bool,
}

impl DoublesCommand {
    /// Prints the pairs, likeliest first.
    ///
    /// # Errors
    /// Returns an error if the tables cannot be read, or do not come from an import.
    pub(super) fn run(self) -> Result<(), Box<dyn Error>> {
        let path = self.tables.join(DOUBLES);
        let mut out = BufWriter::new(io::stdout().lock());
        if self.json {
            let text = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            out.write_all(&text)?;
            return Ok(out.flush()?);
        }
        let cells = |double: LikelyDouble| {
            let (score, reasons) = (format!("{:.2}", double.score()), double.reasons().join(", "));
            [score, double.one, double.other, reasons]
        };
        let rows: Vec<[String; 4]> = read(&self.tables)?.into_iter().map(cells).collect();
        if rows.is_empty() {
            write_sentence(&mut out, "Nobody of these people is likely to be there twice.")?;
        } else {
            write_fitted(&mut out, ["SCORE", "ONE", "OTHER", "WHY"], &rows)?;
        }
        Ok(out.flush()?)
    }
}
