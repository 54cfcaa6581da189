//! `kith verify`: checks every byte, checksum and cross-reference, and the prepared results.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::cli::progress::{self, Meter, ProgressArgs};
use crate::relational::error::StoreUnusable;
use crate::relational::path_beside;
use crate::relational::store::check_store;
use crate::snapshot::{Prepared, read};
use kith_embed::of_tables;
use kith_tables::progress::Progress;

/// Read every byte of a snapshot and check everything that can be checked.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kith verify snapshots/acme.kith")]
pub struct VerifyCommand {
    /// The snapshot
    file: PathBuf,
    #[command(flatten)]
    progress: ProgressArgs,
}

impl VerifyCommand {
    /// Prints that the snapshot is sound, and the relational store beside it if there is one.
    ///
    /// # Errors
    /// Returns the first fault.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let file = self.file.display();
        let meter = Meter::start(progress::VERIFY, self.progress);
        let loaded = read::load(&self.file).map_err(|error| format!("{file}: {error}"))?;
        meter.stage("names and vectors");
        let checked =
            of_tables::check_prepared(&loaded.dataset).map_err(|error| format!("{file}: {error}"))?;
        meter.stage("relational store");
        let people = u32::try_from(loaded.dataset.people.len()).unwrap_or(u32::MAX);
        let store = match check_store(&self.file, loaded.identity, people) {
            Ok(()) => format!("{} is sound and belongs to it", path_beside(&self.file).display()),
            // Everything but the relational engine works without one.
            Err(absent @ StoreUnusable::Absent { .. }) => format!("note: {absent}"),
            Err(unusable) => return Err(format!("{file} is sound, but {unusable}").into()),
        };
        drop(meter);
        let (size_bytes, identity) = (loaded.size_bytes, loaded.identity);
        let mut out = std::io::stdout().lock();
        writeln!(out, "{file} is sound: {size_bytes} bytes, identity {identity}\n{store}")?;
        if checked == Prepared::AllButVectors {
            writeln!(
                out,
                "its vectors are of another model than this program's and were not made again to compare: \
                 build it anew to have them searched"
            )?;
        }
        Ok(())
    }
}
