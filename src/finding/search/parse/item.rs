//! Items: words of a query that belong together, with their meaning.

use crate::search::conditions::TermKind;
use crate::search::parse::cues::Cue;

/// One or more words of a query, with their meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The words, folded, joined by spaces.
    pub text: String,
    /// Their meaning.
    pub sense: Sense,
    /// The position of their first token.
    pub from: usize,
}

/// The meaning of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// A cue for others.
    Cue(Cue),
    /// A level: "head", "senior".
    Level(usize),
    /// A level as a verb: "runs".
    Verb(usize),
    /// A field of work, by its own name (true) or by a description (false).
    Field(usize, bool),
    /// A whole role: a chief, an occupation, or a position in the network.
    Role,
    /// A term of another kind.
    Thing(TermKind),
    /// A word for a company's size, by itself (true) or beside a word for companies (false).
    Size(bool),
    /// A number of a company's people or of a person's connections.
    Number(TermKind),
    /// An unknown word.
    Word,
}

/// A number of a query, replaced by a mark among its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// As in the query.
    pub text: String,
    /// The kind of term: a size, connections.
    pub kind: TermKind,
}

/// The mark of a number: a word with a digit, so that it is not corrected.
#[must_use]
pub fn mark(number: usize) -> String {
    format!("0number{number}")
}
