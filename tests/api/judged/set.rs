//! The judged queries as in their files.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use kith_server::search::conditions::TermKind;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::project;

/// The first set: one query a line.
const QUERIES: &str = include_str!("queries.ndjson");
/// The third set, which states only the fields.
const UNSEEN: &str = include_str!("unseen.ndjson");
/// The sets that were written later, each by another writer when those before it had been looked at.
const LATER: [(&str, &str); LATER_SETS] = [
    ("later/1.ndjson", include_str!("later/1.ndjson")),
    ("later/2.ndjson", include_str!("later/2.ndjson")),
    ("later/3.ndjson", include_str!("later/3.ndjson")),
    ("later/4.ndjson", include_str!("later/4.ndjson")),
    ("later/5.ndjson", include_str!("later/5.ndjson")),
];
pub(crate) const LATER_SETS: usize = 5;
/// The folder of the second set: a file for each class.
const MORE: &str = "tests/api/judged/queries";

/// A query, and the people it means.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Judged {
    pub(crate) id: String,
    /// The folder of the network.
    pub(crate) network: String,
    #[serde(rename = "split")]
    pub(crate) half: Half,
    pub(crate) class: String,
    pub(crate) query: String,
    /// The caller: a user id; `None` for the oldest admin.
    pub(crate) as_user: Option<String>,
    /// The networks that the query names.
    #[serde(default)]
    pub(crate) networks: Vec<String>,
    /// The fields that a good parser finds.
    pub(crate) fields: Vec<Field>,
    pub(crate) relevant: Rule,
    /// The language, of the second and third set; `none` if the query has no words.
    #[serde(default)]
    pub(crate) language: Option<String>,
    /// What the query says that is no field, of the second and third set.
    #[serde(default)]
    pub(crate) other: Vec<Field>,
    /// Whom the query means half, beside those of `relevant`.
    #[serde(default)]
    pub(crate) partly: Option<Rule>,
    /// The answer expected if nobody fits.
    #[serde(default)]
    pub(crate) expect: Option<Expected>,
}

/// The expected result of a query that means nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Expected {
    /// Those who come nearest, or nobody.
    Nearest,
    /// Nobody.
    Nobody,
}

/// Whether an engine may be tuned on a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Half {
    Tune,
    HeldOut,
}

impl Half {
    pub(crate) const BOTH: [Self; 2] = [Self::Tune, Self::HeldOut];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Tune => "tune",
            Self::HeldOut => "held_out",
        }
    }
}

/// One thing that a query says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Field {
    /// The name of a [`TermKind`].
    pub(crate) kind: String,
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) negated: bool,
    #[serde(default)]
    pub(crate) past: bool,
}

impl Field {
    /// The kind named, if there is one.
    pub(crate) fn kind(&self) -> Option<TermKind> {
        TermKind::ALL.into_iter().find(|kind| kind.name() == self.kind)
    }
}

/// Whom a query means: those whom every clause fits. A clause whose name starts with `not_` fits those
/// whom the same clause without it does not.
pub(crate) type Rule = BTreeMap<String, Clause>;

/// One part of a rule.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Clause {
    /// One of these values, of what the clause is called.
    Values(Vec<String>),
    /// One of the values of any of these, by what they are values of.
    Any(BTreeMap<String, Vec<String>>),
}

impl Clause {
    /// The examined attributes, each with the values that fit.
    pub(crate) fn parts<'a>(&'a self, name: &'a str) -> Vec<(&'a str, &'a [String])> {
        match self {
            Self::Values(values) => vec![(name, values)],
            Self::Any(parts) => {
                parts.iter().map(|(name, values)| (name.as_str(), values.as_slice())).collect()
            }
        }
    }
}

/// The queries of the first set, in the order of the file.
pub(crate) fn judged_queries() -> Vec<Judged> {
    read("queries.ndjson", QUERIES)
}

/// The queries of the second set, by class, each class in the order of its file.
pub(crate) fn more_queries() -> Vec<Judged> {
    let files = fs::read_dir(project(MORE)).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|it| it == "ndjson")).collect();
    files.sort();
    let read = |file: PathBuf| read(&file.display().to_string(), &fs::read_to_string(&file).unwrap());
    files.into_iter().flat_map(read).collect()
}

/// The queries that were written later, set by set, in the order of the files.
pub(crate) fn later_queries() -> [Vec<Judged>; LATER_SETS] {
    LATER.map(|(file, text)| read(file, text))
}

/// The queries of the third set, in the order of the file. The people they mean are not judged.
pub(crate) fn unseen_queries() -> Vec<Judged> {
    let with_rule = |line: &str| {
        let mut row: Value = serde_json::from_str(line).unwrap();
        row["relevant"] = json!({"people": []});
        format!("{row}\n")
    };
    read("unseen.ndjson", &UNSEEN.lines().map(with_rule).collect::<String>())
}

fn read(file: &str, text: &str) -> Vec<Judged> {
    let read = |(at, line)| {
        let query: Result<Judged, _> = serde_json::from_str(line);
        query.unwrap_or_else(|error| panic!("{file}, line {}: {error}", at + 1))
    };
    text.lines().enumerate().map(read).collect()
}
