//! `kith digest`: what is new since the snapshot before, as a text, a mail or JSON.
//!
//! Promise: A digest says who came within reach, what became of the targets, who moved, who went quiet, who may be there twice
//!   and which asks wait, each with how many there are in all; without a snapshot before, everything is new.
//! Control: the digest of a snapshot with itself, which has nothing new.
//! Also in: `tests/process/shell/weekly.rs`.

mod html;
mod section;

use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use kith::asks::overlay::AskOverlay;
use kith::limits::Limits;

use crate::api::json::Json;
use crate::ask_file::keeper::AskKeeper;
use crate::cli::diff::people_of;
use crate::cli::digest::section::{DigestSection, FirstOf, SHOWN_MAX, asks, changes, doubles, quiet};
use crate::cli::doubles;
use crate::cli::listing::{grouped, reader_may_leave};
use crate::cli::opened::{ListArg, open, open_both};
use crate::cli::table::{write_fitted, write_line};
use crate::cli::targets;
use crate::graph::index::GraphIndex;
use crate::model::dataset::Dataset;
use crate::model::time::Timestamp;
use crate::query::changes::{Change, ChangeKind, ChangedValue, ComparedPerson, Comparison};
use crate::query::members::data_as_of;
use crate::query::quiet::{QUIET_DAYS, QuietTie, quiet_ties};

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
/// So many people are compared at a time.
const PART: usize = 1 << 14;

/// The newest time in the tables of both snapshots, and the sections.
struct Digest<'a> {
    index: &'a GraphIndex,
    since: Option<Timestamp>,
    sections: Vec<DigestSection<'a>>,
}

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
        let everybody =
            found_in(&comparison, &comparison.everybody().collect::<Vec<_>>(), &|id| is_member(&new, id));
        let mut sections = vec![changes("people", everybody.reachable)];
        if let Some(targets) = &targets {
            let people = people_of(&comparison, targets)?;
            sections.push(changes("targets", found_in(&comparison, &people, &|_| false).of_paths));
        }
        sections.push(changes("moved", everybody.moved));
        sections.push(quiet(newly_quiet(&old, &new)));
        if let Some(tables) = &self.tables {
            sections.push(doubles(doubles::read(tables)?));
        }
        let overlay;
        if let Some(file) = &self.asks {
            overlay = AskOverlay::build(&new, &AskKeeper::open(file)?.book(&new.data.organization.id)?);
            sections.push(asks(&overlay));
        }
        let digest =
            Digest { index: &new, since: self.before.as_ref().and_then(|_| data_as_of(&old)), sections };
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

/// Changes by what a digest does with them, each with how many there are in all: the warmest paths first.
struct FoundChanges<'a> {
    reachable: FirstOf<Change<'a>>,
    of_paths: FirstOf<Change<'a>>,
    moved: FirstOf<Change<'a>>,
}

const fn is_move(kind: ChangeKind) -> bool {
    matches!(kind, ChangeKind::Position | ChangeKind::Company)
}

fn is_member(index: &GraphIndex, person_id: &str) -> bool {
    index.find_person(person_id).is_some_and(|person| index.near.standing(person).member.is_some())
}

/// The changes of `people`, but for those whom `is_left_out` names by id.
fn found_in<'a>(
    comparison: &Comparison<'a>,
    people: &[ComparedPerson],
    is_left_out: &dyn Fn(&str) -> bool,
) -> FoundChanges<'a> {
    let wanted: [fn(ChangeKind) -> bool; 3] =
        [|kind| kind == ChangeKind::Reachable, |kind| !is_move(kind), is_move];
    let mut found = wanted.map(|_| (Vec::new(), 0));
    let warmth = |change: &Change<'_>| {
        let of = |value: &Option<ChangedValue<'_>>| match value {
            Some(ChangedValue::Path(path)) => path.warmness,
            _ => 0,
        };
        std::cmp::Reverse(of(&change.after).max(of(&change.before)))
    };
    for part in people.chunks(PART) {
        let mut changes = comparison.changes(part);
        changes.retain(|change| !is_left_out(change.person.id));
        for ((first, total), is_wanted) in found.iter_mut().zip(&wanted) {
            let before = first.len();
            first.extend(changes.iter().filter(|change| is_wanted(change.kind)).copied());
            *total += first.len() - before;
            // Stable: of equally warm ones the first by id stay.
            first.sort_by_key(warmth);
            first.truncate(SHOWN_MAX);
        }
    }
    let [reachable, of_paths, moved] = found.map(|(first, total)| FirstOf::of(first, total));
    FoundChanges { reachable, of_paths, moved }
}

/// The ties that are quiet in `new` and were not in `old`.
fn newly_quiet<'a>(old: &GraphIndex, new: &'a GraphIndex) -> FirstOf<QuietTie<'a>> {
    let ends = |tie: &QuietTie<'_>| (tie.member.id.to_owned(), tie.person.id.to_owned());
    let before: std::collections::HashSet<_> = quiet_ties(old, None, QUIET_DAYS).iter().map(ends).collect();
    let mut ties = quiet_ties(new, None, QUIET_DAYS);
    ties.retain(|tie| !before.contains(&ends(tie)));
    let total = ties.len();
    FirstOf::of(ties, total)
}

impl Digest<'_> {
    fn title(&self) -> String {
        let name = &self.index.data.organization.name;
        let day = |at: Timestamp| at.to_rfc3339_ms()[..10].to_owned();
        match (self.since.map(day), data_as_of(self.index).map(day)) {
            (Some(since), Some(until)) => format!("{name}: what is new from {since} to {until}"),
            (_, Some(until)) => format!("{name}: what is known on {until}"),
            _ => format!("{name}: what is new"),
        }
    }

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        write_line(out, &self.title())?;
        for section in &self.sections {
            writeln!(out)?;
            write_line(out, &format!("{}: {}", section.title, grouped(section.total as u64)))?;
            let rows: Vec<[String; 3]> = section.rows().take(READ_MAX).collect();
            if !rows.is_empty() {
                write_fitted(out, section.headings, &rows)?;
            }
            if let Some(more) = section.more(READ_MAX) {
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
