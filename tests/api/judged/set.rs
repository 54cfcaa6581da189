//! The judged queries as they stand in the file.

use std::collections::BTreeMap;

use kith::search::conditions::TermKind;
use serde::Deserialize;

/// The file: one query a line.
const QUERIES: &str = include_str!("queries.ndjson");

/// A query, and whom it means.
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
    /// What a good parser understands.
    pub(crate) fields: Vec<Field>,
    pub(crate) relevant: Rule,
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
    /// What is looked at, each with the values that fit.
    pub(crate) fn parts<'a>(&'a self, name: &'a str) -> Vec<(&'a str, &'a [String])> {
        match self {
            Self::Values(values) => vec![(name, values)],
            Self::Any(parts) => {
                parts.iter().map(|(name, values)| (name.as_str(), values.as_slice())).collect()
            }
        }
    }
}

/// All queries, in the order of the file.
pub(crate) fn judged_queries() -> Vec<Judged> {
    let read = |(at, line)| {
        let query: Result<Judged, _> = serde_json::from_str(line);
        query.unwrap_or_else(|error| panic!("queries.ndjson, line {}: {error}", at + 1))
    };
    QUERIES.lines().enumerate().map(read).collect()
}
