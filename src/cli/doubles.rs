//! `kith doubles`: lists people who may be one person but were not joined, to be answered in the file of overrides.

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;

use crate::api::json::{Json, Raw};
use crate::cli::table::{joined, write_fitted, write_sentence};
use kith_import::tables::earlier::{EarlierFault, each_line};
use kith_import::tables::folder::DOUBLES;

/// List who may be one person and was not joined
#[derive(Debug, Args)]
#[command(after_help = "Answer in the file for kith import --overrides:
  [[same]]
  people = [\"person_…\", \"person_…\"]
  [[apart]]
  people = [\"person_…\", \"person_…\"]")]
pub(super) struct DoublesCommand {
    /// The folder with the tables of an import
    #[arg(long, value_name = "DIR")]
    tables: PathBuf,
    /// Print the lines of doubles.ndjson
    #[arg(long)]
    json: bool,
}

/// Two people of the tables who may be one.
pub(super) struct LikelyDouble {
    line: DoubleLine,
    /// The two people, described for printing.
    pub(super) one: String,
    pub(super) other: String,
}

impl LikelyDouble {
    /// Why they may be one.
    pub(super) fn reasons(&self) -> &[String] {
        &self.line.reasons
    }

    /// Writes the fields of its line.
    pub(super) fn write(&self, json: &mut Json) {
        json.field("a", &self.line.a);
        json.field("b", &self.line.b);
        json.field("score", Raw(&self.line.score.to_string()));
        json.array_field("reasons", &self.line.reasons, |json, reason| json.element(reason));
    }
}

/// The likely doubles in the folder `tables`, likeliest first.
///
/// # Errors
/// Returns an error if the tables cannot be read, or do not come from an import.
pub(super) fn read(tables: &Path) -> Result<Vec<LikelyDouble>, EarlierFault> {
    let mut people: HashMap<String, PersonLine> = HashMap::new();
    each_line(&tables.join("people.ndjson"), |person: PersonLine| {
        people.insert(person.id.clone(), person);
    })?;
    let said = |id: &str| {
        let person = people.get(id);
        let text = |of: fn(&PersonLine) -> Option<&str>| person.and_then(of);
        let known =
            [text(|it| Some(&it.name)), text(|it| it.position.as_deref()), text(|it| it.email.as_deref())];
        format!("{} ({id})", joined(&known))
    };
    let mut doubles = Vec::new();
    each_line(&tables.join(DOUBLES), |line: DoubleLine| {
        doubles.push(LikelyDouble { one: said(&line.a), other: said(&line.b), line });
    })?;
    Ok(doubles)
}

#[derive(Deserialize)]
struct DoubleLine {
    a: String,
    b: String,
    score: f64,
    reasons: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PersonLine {
    id: String,
    name: String,
    position: Option<String>,
    email: Option<String>,
}

impl DoublesCommand {
    /// Prints the pairs, likeliest first.
    ///
    /// # Errors
    /// Returns an error if the tables cannot be read, or do not come from an import.
    pub(super) fn run(self) -> Result<(), Box<dyn Error>> {
        let path = self.tables.join(DOUBLES);
        let mut out = BufWriter::new(io::stdout().lock());
        if self.json {
            let text = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            out.write_all(&text)?;
            return Ok(out.flush()?);
        }
        let cells = |double: LikelyDouble| {
            let score = format!("{:.2}", double.line.score);
            [score, double.one, double.other, double.line.reasons.join(", ")]
        };
        let rows: Vec<[String; 4]> = read(&self.tables)?.into_iter().map(cells).collect();
        if rows.is_empty() {
            write_sentence(&mut out, "Nobody of these people is likely to be there twice.")?;
        } else {
            write_fitted(&mut out, ["SCORE", "ONE", "OTHER", "WHY"], &rows)?;
        }
        Ok(out.flush()?)
    }
}
