//! The file of asks on a command line.

use std::path::PathBuf;

use clap::Args;

/// The file of asks.
#[derive(Debug, Args)]
pub(super) struct AskFile {
    /// The file of asks, which `kith ask create` makes
    #[arg(long, value_name = "FILE", env = "KITH_ASKS", hide_env_values = true)]
    pub(super) asks: PathBuf,
}
