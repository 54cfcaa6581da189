//! `kith digest`: what is new since the snapshot before, as a text, a mail or JSON.

mod html;

use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use kith::asks::overlay::AskOverlay;
use kith::limits::Limits;

use crate::api::json::Json;
use crate::ask_file::keeper::AskKeeper;
use crate::cli::diff::people_of;
use crate::cli::listing::{grouped, reader_may_leave};
use crate::cli::opened::{ListArg, open, open_both};
use crate::cli::table::{write_fitted, write_line};
use crate::cli::targets;
use crate::digest::section::{DigestSection, SHOWN_MAX, asks, changes, doubles, quiet};
use crate::digest::{FoundChanges, News, doubles as likely, newly_quiet};
use crate::graph::index::GraphIndex;
use crate::model::dataset::Dataset;
use crate::query::changes::Comparison;
use crate::query::members::data_as_of;

/// Say what is new since the snapshot before
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kith digest friday.kith --before monday.kith --targets wanted.txt
  kith digest friday.kith --before monday.kith --html | mail -a 'Content-Type: text/html' -s 'This week' team@acme.example")]
pub(super) struct DigestCommand {
    /// The snapshot
    snapshot: PathBuf,
    /// The snapshot before; without it everything is new
    #[arg(long, value_name = "SNAPSHOT")]
    before: Option<PathBuf>,
    /// The people and companies to look at, one a line, as people write them
    #[arg(long, value_name = "FILE")]
    targets: Option<PathBuf>,
    /// The folder with the tables of the import: then also who may be there twice
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// The file of asks, which `kith ask create` makes: then also which asks wait
    #[arg(long, value_name = "FILE")]
    asks: Option<PathBuf>,
    /// Print JSON
    #[arg(long, conflicts_with_all = ["html", "text"])]
    json: bool,
    /// Print a page of HTML, as a mail has it
    #[arg(long, conflicts_with = "text")]
    html: bool,
    /// Print a text, which is the default
    #[arg(long)]
    text: bool,
    #[command(flatten)]
    list: ListArg,
}

/// The most entries of a section in a text and in a mail.
const READ_MAX: usize = 10;

impl DigestCommand {
    /// Prints the digest.
    ///
    /// # Errors
    /// Returns an error if a file cannot be used, or the snapshots are of two organizations.
    pub(super) fn run(self) -> Result<(), Box<dyn Error>> {
        let [old, new] = match &self.before {
            Some(before) => open_both([before, &self.snapshot], &self.list)?,
            None => {
                let new = open(&self.snapshot, &self.list)?;
                let organization = new.data.organization.clone();
                [GraphIndex::build(Dataset { organization, ..Dataset::default() }), new]
            }
        };
        let targets = self.targets.as_deref().map(targets::read).transpose()?;
        let comparison = Comparison::new(&old, &new, &Limits::DEFAULT);
        let everybody = comparison.notes(&comparison.everybody().collect::<Vec<_>>());
        let everybody = FoundChanges::of(&comparison, &everybody, &|change| comparison.is_of_member(change));
        let mut sections = vec![changes("people", everybody.reachable)];
        if let Some(targets) = &targets {
            let noted = comparison.notes(&people_of(&comparison, targets)?);
            sections.push(changes("targets", FoundChanges::of(&comparison, &noted, &|_| false).of_paths));
        }
        sections.push(changes("moved", everybody.moved));
        sections.push(quiet(newly_quiet(Some(&old), &new, None)));
        if let Some(tables) = &self.tables {
            sections.push(doubles(likely::read(tables)?));
        }
        let overlay;
        if let Some(file) = &self.asks {
            overlay = AskOverlay::build(&new, &AskKeeper::open(file)?.book(&new.data.organization.id)?);
            sections.push(asks(&overlay, None));
        }
        let digest =
            News { index: &new, since: self.before.as_ref().and_then(|_| data_as_of(&old)), sections };
        let mut out = BufWriter::new(io::stdout().lock());
        let printed = if self.json {
            digest.write_json(&mut out)
        } else if self.html {
            digest.write_html(&mut out)
        } else {
            digest.write_text(&mut out)
        };
        Ok(reader_may_leave(printed.and_then(|()| out.flush()))?)
    }
}

impl News<'_> {
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        write_line(out, &self.title())?;
        for section in &self.sections {
            writeln!(out)?;
            write_line(out, &format!("{}: {}", section.title, grouped(section.total as u64)))?;
            let rows: Vec<[String; 3]> = section.rows().take(READ_MAX).collect();
            if !rows.is_empty() {
                write_fitted(out, section.headings, &rows)?;
            }
            if let Some(more) = more(section, READ_MAX) {
                write_line(out, &more)?;
            }
        }
        Ok(())
    }

    fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        let json = Json::of_object(4096, |json| {
            json.object_field("organization", |json| {
                json.field("id", self.index.data.organization.id.as_str());
                json.field("name", self.index.data.organization.name.as_str());
            });
            json.field_if("dataAsOf", data_as_of(self.index));
            json.field_if("since", self.since);
            for section in &self.sections {
                json.object_field(section.key, |json| section.write(json));
            }
        });
        out.write_all(&json.into_bytes())?;
        writeln!(out)
    }
}

/// The line that counts the entries of `section` beyond `shown`.
fn more(section: &DigestSection<'_>, shown: usize) -> Option<String> {
    let left = section.total.saturating_sub(shown);
    (left > 0).then(|| format!("and {} more; --json has the first {SHOWN_MAX}", grouped(left as u64)))
}
