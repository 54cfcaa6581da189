//! The asks of a snapshot's organization; listing and exporting them.

use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use kith::asks::overlay::AskOverlay;

use crate::api::endpoints::asks::{AskFilter, AskStates, list};
use crate::ask_file::keeper::AskKeeper;
use crate::ask_file::store::each_event;
use crate::cli::ask::ask_file_arg::AskFile;
use crate::cli::ask::shown::{print_asks, write_ask_line, write_event_line};
use crate::cli::listing::reader_may_leave;
use crate::cli::mcp::find_member;
use crate::cli::opened::{ListArg, open};
use crate::model::ix::MemberIx;

/// A snapshot, and the member who writes.
#[derive(Debug, Args)]
pub(super) struct AskedSnapshot {
    #[command(flatten)]
    pub(super) file: AskFile,
    /// The snapshot of the organization
    #[arg(long, value_name = "FILE")]
    pub(super) snapshot: PathBuf,
    /// Who you are: the member's user_ id, person_ id or e-mail address; if none is named, the only one there is
    #[arg(long = "as", value_name = "MEMBER")]
    pub(super) member: Option<String>,
    #[command(flatten)]
    pub(super) list: ListArg,
}

impl AskedSnapshot {
    /// The asks laid over the snapshot.
    pub(super) fn overlay(&self) -> Result<AskOverlay, Box<dyn Error>> {
        overlay(&self.snapshot, &self.list, &self.file.asks)
    }

    /// The writing member.
    pub(super) fn member(&self, overlay: &AskOverlay) -> Result<MemberIx, Box<dyn Error>> {
        find_member(&overlay.index, &self.snapshot, self.member.as_deref())?.ok_or_else(|| {
            format!("{} has several members: say who you are by --as", self.snapshot.display()).into()
        })
    }
}

/// The asks in the file `asks`, laid over the snapshot at `path`.
pub(super) fn overlay(path: &Path, forgotten: &ListArg, asks: &Path) -> Result<AskOverlay, Box<dyn Error>> {
    let index = open(path, forgotten)?;
    let book = AskKeeper::open(asks)?.book(&index.data.organization.id)?;
    Ok(AskOverlay::build(&index, &book))
}

/// List asks, the latest first
#[derive(Debug, Args)]
pub struct ListCommand {
    #[command(flatten)]
    of: AskedSnapshot,
    /// Which: open, closed or all
    #[arg(long, default_value = "open", value_parser = parse_listed)]
    state: AskStates,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

impl ListCommand {
    /// Prints the asks; with `--as`, those of that member.
    pub(super) fn run(self) -> Result<(), Box<dyn Error>> {
        let overlay = self.of.overlay()?;
        let asker = match &self.of.member {
            Some(_) => Some(self.of.member(&overlay)?),
            None => None,
        };
        let asks = list(&overlay, &AskFilter { listed: Some(self.state), asker, ..AskFilter::default() });
        let mut out = BufWriter::new(io::stdout().lock());
        let print = |out: &mut BufWriter<_>| match self.json {
            true => asks.iter().try_for_each(|found| write_ask_line(out, &overlay, found)),
            false => print_asks(out, &overlay, &asks),
        };
        Ok(reader_may_leave(print(&mut out).and_then(|()| out.flush()))?)
    }
}

fn parse_listed(text: &str) -> Result<AskStates, String> {
    let named = AskStates::ALL.into_iter().find(|listed| listed.name() == text);
    named.ok_or_else(|| "one of open, closed, all".to_owned())
}

/// Write all events of all organizations, one JSON object a line, in the order written
#[derive(Debug, Args)]
pub struct ExportCommand {
    #[command(flatten)]
    file: AskFile,
}

impl ExportCommand {
    pub(super) fn run(self) -> Result<(), Box<dyn Error>> {
        let mut out = BufWriter::new(io::stdout().lock());
        each_event(&self.file.asks, |org, written| write_event_line(&mut out, org, written))?;
        Ok(reader_may_leave(out.flush())?)
    }
}
