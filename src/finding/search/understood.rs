//! An answer's report on how its query was understood, if requested.
//!
//! Every text in it that is not from the query comes from a field of a person in the pool, and every number counts
//! people of the pool: it reveals nothing of people outside.

use std::borrow::Cow;

use crate::model::named::named;
use crate::search::conditions::TermKind;
use crate::search::field::SearchField;

/// An optional part of a search's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchExtra {
    /// The ids of people in other systems.
    Ids,
    /// How the query was understood, and why each person fits.
    Understood,
    /// The members who know each person.
    Ties,
}

named! {
    /// All of them.
    SearchExtra { Ids = "ids", Understood = "understood", Ties = "ties" }
}

/// How a query was understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Understood<'a> {
    /// Its terms, in the order of the answer's list of terms.
    pub terms: Vec<UnderstoodTerm<'a>>,
    /// The code of its language, if recognized.
    pub language: Option<&'static str>,
    /// Its words without meaning for the search.
    pub ignored: Vec<String>,
    /// The number of people by how many conditions they fit.
    pub counts: SearchCounts,
}

/// A term of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnderstoodTerm<'a> {
    /// Its words as in the query.
    pub term: String,
    /// Its words as read, if different.
    pub read_as: Option<String>,
    /// Its subject.
    pub kind: TermKind,
    /// Whether the people wanted do *not* fit it.
    pub negated: bool,
    /// Whether it was true in the past.
    pub past: bool,
    /// Texts of people in the pool with the same meaning, most frequent first; at most [`WIDENED_MAX`].
    pub widened_to: Vec<&'a str>,
    /// The number of people of the pool that it fits.
    pub people: u64,
}

/// Maximum texts that widen a term in the report.
pub const WIDENED_MAX: usize = 3;

/// The number of people of the pool, without those excluded, by how many conditions they match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCounts {
    /// All of them.
    pub every: u64,
    /// More than half of them.
    pub most: u64,
    /// At least one of them.
    pub any: u64,
}

/// A term that a person fits, and by what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermMatch<'a> {
    /// Its position in [`Understood::terms`].
    pub term: usize,
    /// The field that fits.
    pub field: SearchField,
    /// The whole text there.
    pub text: Cow<'a, str>,
    /// How it fits.
    pub how: How,
}

/// How a term fits a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum How {
    /// The text contains the words of the term.
    Words,
    /// It has the same meaning in other words.
    Sense,
    /// It was true in the past.
    Past,
    /// By a count or a tie: a company's size, the number of a person's connections, the warmth of an edge.
    Number,
}

named! {
    /// All ways.
    How { Words = "words", Sense = "sense", Past = "past", Number = "number" }
}
