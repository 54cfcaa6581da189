//! `kith diff`: the changes between two snapshots of one organization.

use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;

use crate::api::changes;
use crate::api::json::Json;
use crate::cli::opened::{ListArg, open_both};
use crate::cli::table::{escaped, write_row};
use crate::cli::targets::{self, ListedTarget};
use crate::digest::cells;
use crate::query::changes::{Change, ComparedPerson, Comparison};
use kith::limits::Limits;

/// Say what changed from one snapshot of an organization to a later one
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kith diff monday.kith friday.kith
  kith diff monday.kith friday.kith --targets wanted.txt --json")]
pub struct DiffCommand {
    /// The earlier snapshot
    old: PathBuf,
    /// The later one
    new: PathBuf,
    /// The people and companies to look at, one a line: an id, or a JSON object; else all of first or second degree
    #[arg(long, value_name = "FILE")]
    targets: Option<PathBuf>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    list: ListArg,
}

/// People compared at a time before their changes are written, to bound the memory.
const PART: usize = 1 << 14;
const HEADINGS: [&str; 4] = ["CHANGE", "PERSON", "BEFORE", "AFTER"];
/// The widths of the columns. Fixed: the widest cell is not known before the last change.
const WIDTHS: [usize; 4] = [11, 23, 20, 20];

impl DiffCommand {
    /// Prints the changes, by person and kind.
    ///
    /// # Errors
    /// Returns an error if the list of targets, a snapshot or the list of people to forget cannot be used, or the
    /// snapshots belong to two organizations.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        self.write(&mut BufWriter::new(io::stdout().lock()))
    }

    /// Like [`Self::run`], to `out`.
    ///
    /// # Errors
    /// Returns the errors of [`Self::run`].
    pub fn write(&self, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
        let targets = self.targets.as_deref().map(targets::read).transpose()?;
        let [old, new] = open_both([&self.old, &self.new], &self.list)?;
        let comparison = Comparison::new(&old, &new, &Limits::DEFAULT);
        let people = match &targets {
            None => comparison.everybody().collect(),
            Some(targets) => people_of(&comparison, targets)?,
        };
        let mut is_first = true;
        for part in people.chunks(PART) {
            for change in comparison.changes(part) {
                if self.json {
                    write_json(out, &change)?;
                } else {
                    if is_first {
                        write_row(out, &HEADINGS, WIDTHS)?;
                    }
                    write_row(out, &cells::change(&change), WIDTHS)?;
                }
                is_first = false;
            }
        }
        if is_first && !self.json {
            writeln!(out, "nothing changed")?;
        }
        Ok(out.flush()?)
    }
}

/// The people that `targets` mean; reports on stderr targets that mean nobody.
pub(super) fn people_of(
    comparison: &Comparison<'_>,
    targets: &[ListedTarget],
) -> io::Result<Vec<ComparedPerson>> {
    let mut people = Vec::new();
    for target in targets {
        let (meant, position) = target.read().map_err(|error| io::Error::other(error.sentence()))?;
        match comparison.people_of(meant, position.as_deref()) {
            Some(meant) => people.extend(meant),
            None => {
                let (line, text) = (target.line, escaped(&target.text));
                writeln!(io::stderr(), "kith: line {line} of the targets is in neither snapshot: {text}")?;
            }
        }
    }
    Ok(comparison.in_order(people))
}

fn write_json(out: &mut impl Write, change: &Change<'_>) -> io::Result<()> {
    out.write_all(&Json::of_object(128, |json| changes::Change::write(json, change)).into_bytes())?;
    writeln!(out)
}
