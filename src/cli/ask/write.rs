//! Writes to the file of asks on behalf of a member.

use std::error::Error;
use std::io::{self, Write};

use clap::Args;
use kith::asks::event::EventKind;
use kith::asks::overlay::AskOverlay;

use crate::api::asking::{AskWords, AskWriter, HowWritten, write_answer};
use crate::api::error::ApiError;
use crate::ask_file::store::AskStore;
use crate::ask_file::writing::{WrittenAsk, outcome_names};
use crate::cli::ask::book::AskedSnapshot;
use crate::cli::table::write_line;
use crate::clock;
use crate::model::time::Timestamp;
use crate::query::card::PersonCard;
use kith::limits::Limits;

/// How it is written.
#[derive(Debug, Args)]
struct HowArgs {
    /// A note, of at most 500 characters
    #[arg(long)]
    note: Option<String>,
    /// A key of your own: the same command again by it writes nothing
    #[arg(long)]
    key: Option<String>,
    /// When it happened (RFC 3339); now if no time is named
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    at: Option<Timestamp>,
    /// Only say what would be written
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Say that you asked for an introduction
#[derive(Debug, Args)]
pub struct AddCommand {
    /// Whom you want to reach, as people write it
    who: String,
    /// Whom you asked to introduce you; without, you went to them directly
    #[arg(long, value_name = "WHO")]
    connector: Option<String>,
    /// The advocate whom you asked first
    #[arg(long, value_name = "WHO")]
    via_advocate: Option<String>,
    /// Ask although they do not want to be asked
    #[arg(long = "override")]
    overrides: bool,
    #[command(flatten)]
    of: AskedSnapshot,
    #[command(flatten)]
    how: HowArgs,
}

/// Say what came of an ask
#[derive(Debug, Args)]
pub struct OutcomeCommand {
    #[command(flatten)]
    named: NamedAsk,
    /// What came of it
    #[arg(value_parser = parse_outcome)]
    kind: EventKind,
}

/// Say what the connector answered
#[derive(Debug, Args)]
pub struct AnswerCommand {
    #[command(flatten)]
    named: NamedAsk,
    /// agreed or declined
    #[arg(value_parser = ["agreed", "declined"])]
    answer: String,
}

/// An ask by its id
#[derive(Debug, Args)]
pub struct NamedAsk {
    /// The id of the ask (`ask_…`)
    ask: String,
    #[command(flatten)]
    of: AskedSnapshot,
    #[command(flatten)]
    how: HowArgs,
}

impl AddCommand {
    pub(super) fn run(self) -> Result<(), Box<dyn Error>> {
        let Self { who: target, connector, via_advocate, overrides, of, how } = self;
        let words = AskWords { target, connector, via_advocate, overrides };
        write(&of, how, |writer, store, how| writer.record(store, &words, how, clock::wall_time()))
    }
}

impl OutcomeCommand {
    pub(super) fn run(self) -> Result<(), Box<dyn Error>> {
        self.named.run(self.kind.name())
    }
}

impl AnswerCommand {
    pub(super) fn run(self) -> Result<(), Box<dyn Error>> {
        self.named.run(&self.answer)
    }
}

impl NamedAsk {
    /// Writes an event of the kind with this name.
    pub(super) fn run(self, kind: &str) -> Result<(), Box<dyn Error>> {
        let kind = parse_outcome(kind)?;
        let Self { ask, of, how } = self;
        write(&of, how, |writer, store, how| writer.report(store, &ask, kind, how, clock::wall_time()))
    }
}

fn write(
    of: &AskedSnapshot,
    how: HowArgs,
    work: impl FnOnce(&AskWriter<'_>, &AskStore, &HowWritten) -> Result<WrittenAsk, ApiError>,
) -> Result<(), Box<dyn Error>> {
    let store = AskStore::open(&of.file.asks)?;
    let overlay = of.overlay()?;
    let writer = AskWriter { overlay: &overlay, member: of.member(&overlay)?, limits: &Limits::DEFAULT };
    let HowArgs { note, key, at, dry_run: is_dry_run, json } = how;
    let how = HowWritten { note, key, is_dry_run, at };
    let written = work(&writer, &store, &how).map_err(|error| said(&error))?;
    let mut out = io::stdout().lock();
    if json {
        out.write_all(&write_answer(&overlay, &written).into_bytes())?;
        writeln!(out)?;
    } else {
        print(&mut out, &overlay, &written)?;
    }
    Ok(())
}

/// The sentence of `error` after its code, which scripts rely on.
fn said(error: &ApiError) -> String {
    format!("{}: {}", error.code(), error.sentence())
}

fn print(out: &mut impl Write, overlay: &AskOverlay, written: &WrittenAsk) -> io::Result<()> {
    let index = &overlay.index;
    let person = index.find_person(overlay.book.present_id(&written.ask.people.person));
    let name = person.map_or("", |person| PersonCard::of(index, person).name);
    let was = if written.is_new { "written" } else { "not written" };
    write_line(out, &format!("{} {name}: {} ({was})", written.ask.id, written.ask.state().name()))
}

fn parse_time(text: &str) -> Result<Timestamp, &'static str> {
    Timestamp::parse(text).ok_or("a time as 2026-11-27T09:00:00Z")
}

fn parse_outcome(text: &str) -> Result<EventKind, String> {
    EventKind::outcome(text).ok_or_else(|| format!("one of {}", outcome_names().join(", ")))
}
