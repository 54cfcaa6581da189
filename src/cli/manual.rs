//! `kith manual`: manual pages, one for the program and one for each command.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use clap::Args;

/// Write manual pages (man 1) into a folder
#[derive(Debug, Args)]
#[command(after_help = "Example:
  kith manual /usr/local/share/man/man1 && man kith-serve")]
pub struct ManualCommand {
    /// The folder, which is made if there is none; pages of the same names are replaced
    dir: PathBuf,
}

impl ManualCommand {
    /// Writes `kith.1`, `kith-serve.1`, `kith-keys-create.1` and so on, from the text of `--help`.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be made or written.
    pub fn run(self, program: clap::Command) -> Result<(), Box<dyn Error>> {
        let dir = self.dir.display();
        fs::create_dir_all(&self.dir).map_err(|error| format!("{dir}: {error}"))?;
        clap_mangen::generate_to(program, &self.dir).map_err(|error| format!("{dir}: {error}").into())
    }
}
