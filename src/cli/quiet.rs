//! `kith quiet`: lists strong ties that went quiet, from a snapshot and without a server.

use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;

use crate::api::json::Json;
use crate::api::quiet;
use crate::cli::listing::reader_may_leave;
use crate::cli::mcp::find_member;
use crate::cli::opened::{ListArg, open};
use crate::cli::table::{write_fitted, write_sentence};
use crate::digest::cells;
use crate::query::quiet::{QUIET_DAYS, STRONG_MIN, newest_evidence, quiet_ties};

/// Say which strong ties went quiet, the warmest first
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kith quiet snapshots/acme.kith
  kith quiet snapshots/acme.kith --as ana@acme.example --days 180")]
pub(super) struct QuietCommand {
    /// The snapshot
    snapshot: PathBuf,
    /// Of this member alone, by user_ id, person_ id or e-mail address
    #[arg(long = "as", value_name = "MEMBER")]
    member: Option<String>,
    /// The days without contact from which a tie is quiet
    #[arg(long, value_name = "N", default_value_t = QUIET_DAYS)]
    days: u32,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    list: ListArg,
}

impl QuietCommand {
    /// Prints the ties.
    ///
    /// # Errors
    /// Returns an error if the snapshot or the list cannot be used, or there is no such member.
    pub(super) fn run(self) -> Result<(), Box<dyn Error>> {
        let index = open(&self.snapshot, &self.list)?;
        let member = match &self.member {
            Some(who) => find_member(&index, &self.snapshot, Some(who))?,
            None => None,
        };
        let ties = quiet_ties(&index, member, self.days);
        let mut out = BufWriter::new(io::stdout().lock());
        let printed = if self.json {
            ties.iter().try_for_each(|tie| {
                out.write_all(&Json::of_object(128, |json| quiet::write(json, tie)).into_bytes())?;
                writeln!(out)
            })
        } else if ties.is_empty() {
            let (days, has_days) = (self.days, newest_evidence(&index).is_some());
            let why = if has_days {
                format!("No tie of {STRONG_MIN} or more has been quiet for {days} days.")
            } else {
                "The snapshot has no evidence of members' ties, so nothing says when they last were in contact."
                    .to_owned()
            };
            write_sentence(&mut out, &why)
        } else {
            write_fitted(&mut out, HEADINGS, &ties.iter().map(cells::quiet).collect::<Vec<_>>())
        };
        Ok(reader_may_leave(printed.and_then(|()| out.flush()))?)
    }
}

/// The headings of [`cells::quiet`].
const HEADINGS: [&str; 4] = ["WARM", "LAST", "PERSON", "KNOWN BY"];
