//! `kith score`: the warmness of one edge of source tables, and the terms of its score.

mod derived;
mod outcomes;

use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Map, Value};

use crate::cli::opened::{ListArg, open};
use crate::cli::table::{write_fitted, write_line, write_sentence};
use crate::graph::index::GraphIndex;
use crate::model::aliases::PersonTexts;
use crate::model::column::DictionaryColumn;
use crate::model::dataset::Dataset;
use crate::model::ix::PersonIx;
use crate::model::text::lower;
use crate::query::handle::handle_of;
use kith::limits::EVIDENCE_ENTRIES_MAX;
use kith_import::score::breakdown::Factor;
use kith_tables::progress::Silent;
use kith_tables::source::blocks::BlockSize;
use kith_tables::source::build::read_tables;

/// Say how warm one edge is, how often derived edges are right, or whether warmer paths took
#[derive(Debug, Args)]
pub struct ScoreCommand {
    /// The folder with the source tables
    #[arg(long, value_name = "DIR", required_unless_present = "snapshot")]
    tables: Option<PathBuf>,
    /// Print each factor with its points, their sum, and the evidence
    #[arg(long)]
    explain: bool,
    /// Print how often it is right that two people know each other whom others' mail shows together
    #[arg(long, conflicts_with_all = ["explain", "ends"])]
    derived: bool,
    /// Print whether warmer paths took, and from 200 asks that ended on the weights that fit it
    #[arg(long, conflicts_with_all = ["explain", "ends", "derived"], requires = "asks")]
    outcomes: bool,
    /// With --outcomes: the file of asks
    #[arg(long, value_name = "FILE", requires = "outcomes")]
    asks: Option<PathBuf>,
    /// With --outcomes, in place of --tables: the snapshot of the organization
    #[arg(long, value_name = "FILE", requires = "outcomes", conflicts_with = "tables")]
    snapshot: Option<PathBuf>,
    #[command(flatten)]
    list: ListArg,
    /// With --derived or --outcomes: print JSON
    #[arg(long, conflicts_with = "ends")]
    json: bool,
    /// Who knows the other, and the other: each a person_ or user_ id, a handle or the address of a profile, an e-mail
    /// address, a name
    #[arg(value_name = "FROM TO", num_args = 2, required_unless_present_any = ["derived", "outcomes"])]
    ends: Vec<String>,
}

/// An edge with its evidence.
struct ExplainedEdge<'a> {
    from: &'a str,
    to: &'a str,
    warmness: Option<u8>,
    /// Compact JSON; empty if there is none.
    breakdown: &'a str,
    /// Day, kind, source and note.
    evidence: Vec<[String; 4]>,
}

impl ScoreCommand {
    /// Prints the score of the edge.
    ///
    /// # Errors
    /// Returns an error if the tables cannot be read, or there is no such person or edge.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        if let (true, Some(asks)) = (self.outcomes, &self.asks) {
            let index = match &self.snapshot {
                Some(snapshot) => open(snapshot, &self.list)?,
                None => GraphIndex::build(self.dataset()?),
            };
            return outcomes::print(&index, asks, self.json);
        }
        if self.derived {
            return derived::print(self.folder()?, self.json);
        }
        let [from, to] = self.ends.as_slice() else { return Err("name two people".into()) };
        let dataset = self.dataset()?;
        let edge = find_edge(&dataset, from, to)?;
        let mut out = BufWriter::new(io::stdout().lock());
        if self.explain {
            explain(&mut out, &edge)?;
        } else {
            write_line(&mut out, &score_of(&edge))?;
        }
        Ok(out.flush()?)
    }
}

impl ScoreCommand {
    fn folder(&self) -> Result<&Path, &'static str> {
        self.tables.as_deref().ok_or("name the folder with the source tables: --tables DIR")
    }

    fn dataset(&self) -> Result<Dataset, Box<dyn Error>> {
        Ok(read_tables(self.folder()?, &Silent, BlockSize::DEFAULT, false)?.dataset)
    }
}

fn find_edge<'a>(dataset: &'a Dataset, from: &str, to: &str) -> Result<ExplainedEdge<'a>, String> {
    let (from, to) = (find_person(dataset, from)?, find_person(dataset, to)?);
    let name = |person: PersonIx| dataset.people.names.get(person.0);
    let row = dataset.edges.out.row(from);
    let Some(place) = row.ends.iter().position(|end| *end == to) else {
        return Err(format!("there is no edge from {} to {}", name(from), name(to)));
    };
    let breakdown = dataset.edges.breakdowns.get(row.start + place);
    Ok(ExplainedEdge {
        from: name(from),
        to: name(to),
        warmness: row.scores[place].score(),
        breakdown: dataset.breakdowns.get(breakdown),
        evidence: evidence_of(dataset, from, to),
    })
}

/// The newest evidence of an edge.
fn evidence_of(dataset: &Dataset, from: PersonIx, to: PersonIx) -> Vec<[String; 4]> {
    let table = &dataset.evidence;
    let text = |column: &DictionaryColumn, row| column.value(row).unwrap_or("-").to_owned();
    let rows = table.rows_of(from, to).take(EVIDENCE_ENTRIES_MAX).map(|row| {
        let at = table.at[row].to_rfc3339_ms();
        let day = at.split('T').next().unwrap_or_default().to_owned();
        let row = row as u32;
        let note = table.notes.value(row).unwrap_or("-").to_owned();
        [day, text(&table.kinds, row), text(&table.sources, row), note]
    });
    rows.collect()
}

/// The person that `who` means: by id, user id, handle, e-mail address or name.
pub(super) fn find_person(dataset: &Dataset, who: &str) -> Result<PersonIx, String> {
    let people = &dataset.people;
    let of_user =
        || dataset.members.user_ids.find_sorted(who).map(|row| dataset.members.people[row as usize]);
    if let Some(person) = people.ids.find_sorted(who).map(PersonIx).or_else(of_user) {
        return Ok(person);
    }
    let handle = lower(&handle_of(who));
    let address = lower(who.trim());
    let equals = |value: &str, sought: &str| !value.is_empty() && lower(value) == sought;
    let has = |texts: PersonTexts<'_>, row: u32, sought: &str| {
        texts.of(PersonIx(row)).any(|value| equals(value, sought))
    };
    let rows = || 0..people.len() as u32;
    let found = [
        rows().filter(|row| has(people.handle_texts(), *row, &handle)).collect::<Vec<u32>>(),
        rows().filter(|row| has(people.email_texts(), *row, &address)).collect(),
        rows().filter(|row| equals(people.names.get(*row), &address)).collect(),
    ];
    match found.iter().find(|rows| !rows.is_empty()).map(Vec::as_slice) {
        Some([row]) => Ok(PersonIx(*row)),
        Some(several) => Err(format!("{who:?} is meant by {} people; name one by the id", several.len())),
        None => Err(format!("nobody in the tables is meant by {who:?}")),
    }
}

fn score_of(edge: &ExplainedEdge<'_>) -> String {
    edge.warmness.map_or_else(|| "unscored".to_owned(), |warmness| warmness.to_string())
}

/// Prints the factors with their points, and whether they add up.
fn explain(out: &mut impl Write, edge: &ExplainedEdge<'_>) -> io::Result<()> {
    write_line(out, &format!("{} → {}", edge.from, edge.to))?;
    writeln!(out)?;
    let factors: Map<String, Value> = serde_json::from_str(edge.breakdown).unwrap_or_default();
    // In the order of the sum; factors of other programs come last.
    let mut entries: Vec<(&String, &Value)> = factors.iter().collect();
    entries.sort_by_key(|(name, _)| Factor::named(name).map_or(Factor::ALL.len(), |factor| factor as usize));
    let rows = entries.iter().filter_map(|(name, value)| row_of(name, value, &factors));
    let mut rows: Vec<[String; 3]> = rows.collect();
    rows.push([score_of(edge), "warmness".to_owned(), "0 to 100".to_owned()]);
    let width = rows.iter().map(|[points, ..]| points.chars().count()).max().unwrap_or(0).max(POINTS.len());
    rows.iter_mut().for_each(|[points, ..]| *points = format!("{points:>width$}"));
    write_fitted(out, [&format!("{POINTS:>width$}"), "FACTOR", "WHAT IT COUNTS"], &rows)?;
    writeln!(out)?;
    write_sentence(out, &verdict(edge, &factors))?;
    if edge.evidence.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    write_fitted(out, ["DAY", "EVIDENCE", "SOURCE", "NOTE"], &edge.evidence)
}

const POINTS: &str = "POINTS";

/// The row of a factor; `None` for a name that belongs to a factor.
fn row_of(name: &str, value: &Value, factors: &Map<String, Value>) -> Option<[String; 3]> {
    if name == PAST_COMPANY_NAME {
        return None;
    }
    let factor = Factor::named(name);
    let company = factors.get(PAST_COMPANY_NAME).and_then(Value::as_str);
    let meaning = match (factor, company) {
        (Some(Factor::PastCompanyOverlap), Some(company)) => format!("{company} at the same time"),
        (Some(factor), _) => factor.meaning().to_owned(),
        (None, _) => "a factor of another program".to_owned(),
    };
    Some([value.to_string(), name.to_owned(), meaning])
}

const PAST_COMPANY_NAME: &str = "pastCompanyName";

/// Returns a sentence on the sum of the factors.
fn verdict(edge: &ExplainedEdge<'_>, factors: &Map<String, Value>) -> String {
    let Some(warmness) = edge.warmness else { return "The edge has no score.".to_owned() };
    let points = factors.iter().filter(|(name, _)| name.as_str() != PAST_COMPANY_NAME);
    let points: Vec<(Option<Factor>, f64)> =
        points.map(|(name, value)| (Factor::named(name), value.as_f64().unwrap_or(f64::NAN))).collect();
    let sum: f64 = points.iter().map(|(_, points)| points).sum();
    let is_of_connection = |factor: Option<Factor>| factor.is_some_and(Factor::is_of_connection_alone);
    if points.is_empty() {
        "The table has no breakdown for this score.".to_owned()
    } else if sum != f64::from(warmness) {
        format!("The factors add up to {sum}, not to {warmness}: the score was not made by kith import.")
    } else if points.iter().all(|(factor, _)| is_of_connection(*factor)) {
        "Nothing is known but the connection: no message, no meeting, nothing that both share.".to_owned()
    } else {
        format!("The factors add up to {warmness}.")
    }
}
