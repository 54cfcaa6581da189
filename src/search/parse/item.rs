//! One or more words of a query that belong together, and what they are.

use crate::search::conditions::TermKind;
use crate::search::parse::cues::Cue;

/// One or more words of a query, and what they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The words, folded, joined by spaces.
    pub text: String,
    /// What they are.
    pub sense: Sense,
    /// The place of their first token.
    pub from: usize,
}

/// What words are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// They say how others are meant.
    Cue(Cue),
    /// A level: "head", "senior".
    Level(usize),
    /// A level as a verb: "runs".
    Verb(usize),
    /// A field of work, by its own name (true) or by talk about it (false).
    Field(usize, bool),
    /// A whole role: a chief, an occupation, a position of the network.
    Role,
    /// A term of another kind.
    Thing(TermKind),
    /// A word for how many people a company has, by itself (true) or beside a word for companies (false).
    Size(bool),
    /// A number, of a company's people or of a person's connections.
    Number(TermKind),
    /// A word that means nothing known.
    Word,
}

/// A number of a query, for which a mark stands among its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// As the query has it.
    pub text: String,
    /// What it is of.
    pub kind: TermKind,
}

/// The mark of a number: a word that has a digit, so that it is not mended.
#[must_use]
pub fn mark(number: usize) -> String {
    format!("0number{number}")
}
