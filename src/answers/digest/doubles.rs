//! People who may be in the network twice, from the tables of an import.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;

use crate::api::json::{Json, Raw};
use crate::digest::cells::joined;
use kith_import::tables::earlier::{EarlierFault, each_line};
use kith_import::tables::folder::DOUBLES;

/// Two people of the tables who may be one.
pub(crate) struct LikelyDouble {
    line: DoubleLine,
    /// The two people, described for printing.
    pub(crate) one: String,
    pub(crate) other: String,
}

impl LikelyDouble {
    /// How likely they are one, 0 to 1.
    pub(crate) fn score(&self) -> f64 {
        self.line.score
    }

    /// Why they may be one.
    pub(crate) fn reasons(&self) -> &[String] {
        &self.line.reasons
    }

    /// Writes the fields of its line.
    pub(crate) fn write(&self, json: &mut Json) {
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
pub(crate) fn read(tables: &Path) -> Result<Vec<LikelyDouble>, EarlierFault> {
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
