//! `kith mcp`: the tools for an assistant on this machine, from a snapshot and without a server.

use std::error::Error;
use std::path::PathBuf;

use clap::Args;
use tokio::runtime::Builder;

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
        let member = match &self.member {
            Some(who) => {
                let file = self.snapshot.display();
                Some(find(&index, who).ok_or_else(|| format!("no member in {file} is meant by {who:?}"))?)
            }
            None => Some(MemberIx(0)).filter(|_| index.data.members.len() == 1),
        };
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let served = runtime.block_on(serve(index, member));
        // A thread may still wait for input.
        runtime.shutdown_background();
        served
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
