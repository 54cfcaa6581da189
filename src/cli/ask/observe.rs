//! `kith ask observe`: writes what an import would add to the file of asks, without an import.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use crate::cli::ask::ask_file_arg::AskFile;
use crate::cli::import::ImportCommand;
use crate::cli::observing;

/// Note introductions, replies and meetings that mail and calendars show
#[derive(Debug, Args)]
pub struct ObserveCommand {
    /// The team file of the import
    #[arg(value_name = "TEAM.toml")]
    team: PathBuf,
    /// The tables that the import wrote; they stay as they are
    #[arg(long, value_name = "DIR")]
    tables: PathBuf,
    #[command(flatten)]
    file: AskFile,
}

impl ObserveCommand {
    pub(super) fn run(self) -> Result<(), Box<dyn Error>> {
        let mut import = ImportCommand::of_manifest(self.team);
        import.tables = self.tables;
        let imported = import.import(import.plan()?)?;
        let written = observing::note(&imported, &self.file.asks)?;
        Ok(writeln!(io::stdout(), "events observed: {written}")?)
    }
}
