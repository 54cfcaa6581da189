//! What an answer says of how its query was understood, if it is asked for.
//!
//! Every text in it that is no word of the query stands in a field of a person in the pool, and every number counts
//! people of the pool: of those outside, nothing shows.

use std::borrow::Cow;

use crate::model::named::named;
use crate::search::conditions::TermKind;
use crate::search::field::SearchField;

/// What an answer to a search may hold besides, if it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchExtra {
    /// What other systems know people by.
    Ids,
    /// What was understood of the query, and why each person fits.
    Understood,
}

named! {
    /// All of them.
    SearchExtra { Ids = "ids", Understood = "understood" }
}

/// What was understood of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Understood<'a> {
    /// Its terms, in the order of the terms that an answer says it searched for.
    pub terms: Vec<UnderstoodTerm<'a>>,
    /// The code of the language it was read as; `None` if it was not recognized.
    pub language: Option<&'static str>,
    /// Its words that say nothing of whom to find.
    pub ignored: Vec<String>,
    /// How many people fit how many of its conditions.
    pub counts: SearchCounts,
}

/// A term of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnderstoodTerm<'a> {
    /// Its words as the query has them.
    pub term: String,
    /// As what they were read, if it is not the same.
    pub read_as: Option<String>,
    /// What it says about a person.
    pub kind: TermKind,
    /// Whether the people wanted are those it does *not* fit.
    pub negated: bool,
    /// Whether it was so in the past.
    pub past: bool,
    /// Texts of people in the pool that say the same in other words, those that most have first; at most
    /// [`WIDENED_MAX`].
    pub widened_to: Vec<&'a str>,
    /// How many people of the pool it fits.
    pub people: u64,
}

/// The most texts that a term says it was widened to.
pub const WIDENED_MAX: usize = 3;

/// How many people of the pool whom no negated term fits match how many conditions.
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
    /// Its place in [`Understood::terms`].
    pub term: usize,
    /// What of the person it fits.
    pub field: SearchField,
    /// The text there, whole.
    pub text: Cow<'a, str>,
    /// In what way it fits.
    pub how: How,
}

/// In what way a term fits a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum How {
    /// The text has the words of the term.
    Words,
    /// It says the same in other words.
    Sense,
    /// It was so in the past.
    Past,
    /// By what is counted: how many people a company has, how many connections a person has, how warm an edge is.
    Number,
}

named! {
    /// All ways.
    How { Words = "words", Sense = "sense", Past = "past", Number = "number" }
}
