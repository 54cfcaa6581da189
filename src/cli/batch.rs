//! `kith batch`: the best introduction for each target of a list, as a CRM loads it.
//!
//! Promise: `kith batch --for` writes a row for each target with the headings of the CRM; no address leaves that the list did
//!   not have, no cell is a formula, and who is not in it is named with the line.
//! Control: the same list with the address.
//! Also in: `tests/process/shell/weekly.rs`.

use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kith::limits::Limits;

use crate::cli::listing::reader_may_leave;
use crate::cli::opened::{ListArg, open};
use crate::cli::path::through;
use crate::cli::table::escaped;
use crate::cli::targets::{self, ListedTarget};
use crate::graph::index::GraphIndex;
use crate::query::card::PersonCard;
use crate::query::page::Page;
use crate::query::paths;
use crate::query::paths::found::{FoundPath, FoundTarget};
use crate::query::paths::request::{PathExtra, PathRequest, PathSort, TargetQuery};

/// Write the best introduction for each target of a list, as a CRM loads it
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kith batch snapshots/acme.kith --targets wanted.txt --for hubspot > wanted.csv")]
pub(super) struct BatchCommand {
    /// The snapshot
    snapshot: PathBuf,
    /// The targets, one a line, as people write them
    #[arg(long, value_name = "FILE")]
    targets: PathBuf,
    /// The CRM that loads the table
    #[arg(long = "for", value_name = "NAME")]
    crm: Crm,
    #[command(flatten)]
    list: ListArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Crm {
    Hubspot,
    Salesforce,
    Affinity,
    Attio,
}

/// A column of the table.
#[derive(Clone, Copy, Debug)]
enum Cell {
    /// The name without its last word.
    First,
    /// The last word of the name.
    Last,
    Name,
    /// The address from the list.
    Email,
    Company,
    Position,
    Profile,
    /// The member to ask.
    Ask,
    /// The connector; empty if the member introduces.
    Through,
    Warmness,
    /// The target's text in the list.
    Target,
}

/// The columns in order, with the heading of each for [`Crm`]'s values; a CRM has no column with an empty heading.
const COLUMNS: [(Cell, [&str; 4]); 11] = [
    (Cell::Name, ["", "", "", "Name"]),
    (Cell::First, ["First Name", "FirstName", "First Name", ""]),
    (Cell::Last, ["Last Name", "LastName", "Last Name", ""]),
    (Cell::Email, ["Email", "Email", "Email", "Email addresses"]),
    (Cell::Company, ["Company Name", "Company", "Organization", "Company"]),
    (Cell::Position, ["Job Title", "Title", "Job Title", "Job title"]),
    (Cell::Profile, ["LinkedIn URL", "LinkedIn_URL__c", "LinkedIn URL", "LinkedIn"]),
    (Cell::Ask, ["Introduction Ask", "Introduction_Ask__c", "Introduction Ask", "Introduction ask"]),
    (
        Cell::Through,
        ["Introduction Through", "Introduction_Through__c", "Introduction Through", "Introduction through"],
    ),
    (
        Cell::Warmness,
        [
            "Introduction Strength",
            "Introduction_Strength__c",
            "Introduction Strength",
            "Introduction strength",
        ],
    ),
    (
        Cell::Target,
        ["Introduction Target", "Introduction_Target__c", "Introduction Target", "Introduction target"],
    ),
];

/// A target with the person to reach and the best path to them.
struct BatchRow<'a> {
    listed: &'a ListedTarget,
    email: Option<String>,
    person: PersonCard<'a>,
    path: Option<FoundPath<'a>>,
}

impl BatchCommand {
    /// Prints the table, and on stderr the targets without a row.
    ///
    /// # Errors
    /// Returns an error if a file cannot be used.
    pub(super) fn run(self) -> Result<(), Box<dyn Error>> {
        let index = open(&self.snapshot, &self.list)?;
        let targets = targets::read(&self.targets)?;
        let columns = COLUMNS.iter().map(|(cell, headings)| (*cell, headings[self.crm as usize]));
        let columns: Vec<(Cell, &str)> = columns.filter(|(_, heading)| !heading.is_empty()).collect();
        let mut out = csv::Writer::from_writer(BufWriter::new(io::stdout().lock()));
        let mut missing = Vec::new();
        let mut write = || -> io::Result<()> {
            out.write_record(columns.iter().map(|(_, heading)| heading))?;
            for listed in &targets {
                match row(&index, listed).map_err(io::Error::other)? {
                    Ok(row) => out.write_record(columns.iter().map(|(cell, _)| row.text(*cell)))?,
                    Err(why) => missing.push((listed, why)),
                }
            }
            out.flush()
        };
        reader_may_leave(write())?;
        for (ListedTarget { line, text, .. }, why) in missing {
            writeln!(io::stderr(), "kith: line {line} of the targets {why}: {}", escaped(text))?;
        }
        Ok(())
    }
}

/// The row of the target `listed`, or why it has none.
fn row<'a>(
    index: &'a GraphIndex,
    listed: &'a ListedTarget,
) -> Result<Result<BatchRow<'a>, &'static str>, String> {
    let (target, position) = listed.read().map_err(|error| error.sentence())?;
    let of_list = match target {
        TargetQuery::Email(email) => Some(email.to_owned()),
        _ => None,
    };
    let extras = [PathExtra::Match].into_iter().collect();
    let page = Page { limit: 1, offset: 0 };
    let request = PathRequest { position, extras, sort: PathSort::Warmness, ..PathRequest::to(target, page) };
    let found = paths::list(index, &request, &Limits::DEFAULT);
    let read = found.matched.and_then(|matched| matched.read);
    let email = of_list.or_else(|| read.and_then(|read| read.email));
    let path = found.paths.into_iter().next();
    let person = match found.target {
        None => return Ok(Err("is not in the snapshot")),
        Some(FoundTarget::Person { person, .. }) => Some(person),
        Some(FoundTarget::Company(_)) => path.as_ref().and_then(|path| path.target),
    };
    let row = person.map(|person| BatchRow { listed, email, person, path });
    Ok(row.ok_or("is a company to which no path leads"))
}

impl BatchRow<'_> {
    /// The text of `cell`, in a form that no spreadsheet takes for a formula.
    fn text(&self, cell: Cell) -> String {
        let person = &self.person;
        let (first, last) = person.name.rsplit_once(' ').unwrap_or(("", person.name));
        let path = self.path.as_ref();
        let text = match cell {
            Cell::First => first.to_owned(),
            Cell::Last => last.to_owned(),
            Cell::Name => person.name.to_owned(),
            Cell::Email => self.email.clone().unwrap_or_default(),
            Cell::Company => person.company.unwrap_or_default().to_owned(),
            Cell::Position => person.position.unwrap_or_default().to_owned(),
            Cell::Profile => person.handle.map_or_else(String::new, profile),
            Cell::Ask => path.map_or_else(String::new, |path| path.from.name.to_owned()),
            Cell::Through => path.and_then(through).unwrap_or_default(),
            Cell::Warmness => path.map_or_else(String::new, |path| path.warmness.to_string()),
            Cell::Target => self.listed.text.clone(),
        };
        if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text }
    }
}

fn profile(handle: &str) -> String {
    format!("https://www.linkedin.com/in/{handle}")
}
