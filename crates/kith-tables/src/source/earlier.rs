//! An earlier row that a fault refers to.

use std::fmt;

/// An earlier row. Displays as its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierRow {
    /// Its line; in Parquet the row within its part. Counted from 1.
    pub row: u64,
    /// The part of a Parquet table that contains it; `None` in other formats.
    pub part: Option<String>,
}

impl From<u64> for EarlierRow {
    fn from(row: u64) -> Self {
        Self { row, part: None }
    }
}

impl fmt::Display for EarlierRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.part {
            Some(part) => write!(f, "row {} of {part}", self.row),
            None => write!(f, "line {}", self.row),
        }
    }
}
