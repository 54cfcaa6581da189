//! `kith push`: copies snapshots to an object store, and puts them in force with the manifest of a cell.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use crate::auth::store::CredentialStore;
use crate::cells::remote::address::RemoteCell;
use crate::cells::remote::lists::{CellListKind, RemoteList};
use crate::cells::remote::push::{Pushed, push};
use crate::cli::environment;
use crate::suppress::replica;

/// Push snapshots to an object store, and put them in force in a cell
///
/// Each is checked as `kith verify` does, with the store beside it, and sent under a name that says what it holds, unless
/// it is there. The cell's manifest is replaced last, only if no other push changed the same organizations meanwhile.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kith push snapshots/acme.kith --cell s3://kith/cells/eu-1
  kith push --remove org_acme --cell s3://kith/cells/eu-1
  kith push --credentials credentials.db \\
    --suppressions suppressions.txt --cell s3://kith/cells/eu-1

The store's settings come from the environment: AWS_REGION, AWS_ENDPOINT, AWS_ACCESS_KEY_ID and others of its kind for
s3://, GOOGLE_… for gs://, AZURE_… for az://.")]
pub struct PushCommand {
    /// The snapshots; the store of each (.kith.sqlite) has to lie beside it
    #[arg(value_name = "SNAPSHOT", required_unless_present_any = ["remove", "credentials", "suppressions"])]
    snapshots: Vec<PathBuf>,
    /// The cell: s3://BUCKET/PREFIX/cells/NAME, gs://…, az://… or file:///FOLDER/cells/NAME
    #[arg(long, value_name = "URL")]
    cell: String,
    /// An organization that leaves the cell; may be repeated
    #[arg(long, value_name = "ORG")]
    remove: Vec<String>,
    /// The credential store whose keys and tokens the cell's replicas are to know, as hashes
    #[arg(long, value_name = "FILE")]
    credentials: Option<PathBuf>,
    /// The list of people to forget that they are to keep to
    #[arg(long, value_name = "FILE")]
    suppressions: Option<PathBuf>,
}

impl PushCommand {
    /// Pushes, and prints a summary.
    ///
    /// # Errors
    /// Returns an error if a file is not sound, the store fails, or another push was first; then no snapshot of this
    /// push is in force.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let cell = RemoteCell::open(&self.cell, environment::variables())?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let done = runtime.block_on(self.push(&cell));
        // Does not wait for a name look-up still under way.
        runtime.shutdown_background();
        let done = done?;
        io::stdout().lock().write_all(done.as_bytes())?;
        Ok(())
    }

    async fn push(&self, cell: &RemoteCell) -> Result<String, Box<dyn Error>> {
        // Before any snapshot: revocations and people to forget are the most urgent.
        let mut said = String::new();
        if let Some(path) = &self.credentials {
            let list = CredentialStore::open_existing(path)?.list_for_replicas()?;
            RemoteList::of(cell.clone(), CellListKind::Credentials).put(list).await?;
            said += "pushed the credentials\n";
        }
        if let Some(path) = &self.suppressions {
            let list = replica::list_for_replicas(path)?;
            RemoteList::of(cell.clone(), CellListKind::Suppressions).put(list).await?;
            said += "pushed the list of people to forget\n";
        }
        if !self.snapshots.is_empty() || !self.remove.is_empty() {
            let Pushed { uploaded, kept, changed } = push(cell, &self.snapshots, &self.remove).await?;
            said += &format!(
                "pushed {uploaded} files, {kept} were there; the manifest of {} changed for {changed} organizations\n",
                cell.name
            );
        }
        Ok(said)
    }
}
