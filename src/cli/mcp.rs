//! `kith mcp`: the tools for an assistant on this machine, from a snapshot and without a server.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use tokio::runtime::Builder;

use crate::ask_file::service::{AskService, AskSettings};
use crate::cli::opened::{ListArg, open};
use crate::graph::index::GraphIndex;
use crate::mcp::stdio::serve;
use crate::model::ix::MemberIx;
use crate::query::paths::request::TargetQuery;
use crate::query::paths::target::{Target, find_target};

/// Answer an assistant on this machine: tools over stdin and stdout (Model Context Protocol)
#[derive(Debug, Args)]
pub struct McpCommand {
    /// The snapshot
    #[arg(long, value_name = "FILE")]
    snapshot: PathBuf,
    /// The member who asks, by user_ id, person_ id or e-mail address; if none is named, the only one there is
    #[arg(long = "as", value_name = "MEMBER")]
    member: Option<String>,
    /// The file of asks, which `kith ask create` makes: then the assistant may note whom you asked
    #[arg(long, value_name = "FILE")]
    asks: Option<PathBuf>,
    #[command(flatten)]
    list: ListArg,
}

impl McpCommand {
    /// Answers until the input ends.
    ///
    /// # Errors
    /// Returns an error if the snapshot or the list cannot be used, there is no such member, or the other side does
    /// not speak the protocol.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let index = open(&self.snapshot, &self.list)?;
        let member = find_member(&index, &self.snapshot, self.member.as_deref())?;
        let asks = self.asks.as_deref().map(|file| AskService::open(AskSettings::of(file))).transpose()?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let served = runtime.block_on(serve(index, member, asks.map(Arc::new)));
        // A thread may still be waiting for input.
        runtime.shutdown_background();
        served
    }
}

/// The member of `index`, read from `file`, that `who` means; without `who`, the only member if there is just one.
///
/// # Errors
/// Returns an error if no member is meant.
pub(super) fn find_member(
    index: &GraphIndex,
    file: &Path,
    who: Option<&str>,
) -> Result<Option<MemberIx>, String> {
    match who {
        Some(who) => {
            let missing = || format!("no member in {} is meant by {who:?}", file.display());
            find(index, who).ok_or_else(missing).map(Some)
        }
        None => Ok(Some(MemberIx(0)).filter(|_| index.data.members.len() == 1)),
    }
}

/// The member that `who` means.
fn find(index: &GraphIndex, who: &str) -> Option<MemberIx> {
    let by_email = || match find_target(index, TargetQuery::Email(who))?.1 {
        Target::Person(person) => index.near.standing(person).member,
        Target::Company(_) => None,
    };
    index.find_member(who).or_else(by_email)
}
