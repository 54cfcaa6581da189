//! `kith verify`: every byte, every checksum, every cross-reference, and what was prepared.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::snapshot::{Prepared, prepared, read};

/// Read every byte of a snapshot and check everything that can be checked.
#[derive(Debug, Args)]
pub struct VerifyCommand {
    /// The snapshot
    file: PathBuf,
}

impl VerifyCommand {
    /// Prints that the snapshot is sound.
    ///
    /// # Errors
    /// The first fault.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let file = self.file.display();
        let loaded = read::load(&self.file).map_err(|error| format!("{file}: {error}"))?;
        let checked =
            prepared::check_prepared(&loaded.dataset).map_err(|error| format!("{file}: {error}"))?;
        writeln!(
            std::io::stdout(),
            "{file} is sound: {} bytes, identity {}",
            loaded.size_bytes,
            loaded.identity
        )?;
        if checked == Prepared::AllButVectors {
            writeln!(
                std::io::stdout(),
                "its vectors are of another model than this program's and were not made again to compare: \
                 build it anew to have them searched"
            )?;
        }
        Ok(())
    }
}
