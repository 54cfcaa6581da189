//! Maps ids to row numbers without a string for each: the look-up stores numbers that point into the id column.

use hashbrown::{DefaultHashBuilder, HashTable};
use rayon::prelude::*;
use std::hash::BuildHasher;

use crate::source::error::{Reason, TableFault};
use kith::model::column::{ColumnFull, TextColumn};

/// Distinct texts, numbered in order of first occurrence, with a look-up from text to number.
#[derive(Default)]
pub(crate) struct Distinct {
    texts: TextColumn,
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

/// The ids of a table's rows, in the order of the rows.
pub(crate) struct Ids {
    /// The table's name in faults.
    pub(crate) table: &'static str,
    /// The prefix of its ids.
    pub(crate) prefix: &'static str,
    ids: Distinct,
    /// The line of each row; empty once the ids are sorted.
    lines: Vec<u64>,
}

impl Distinct {
    /// The number of `text`, and whether it is new.
    ///
    /// # Errors
    /// Returns an error if the texts would exceed 4 GiB.
    pub(crate) fn number(&mut self, text: &str) -> Result<(u32, bool), ColumnFull> {
        let Self { texts, numbers, hasher } = self;
        let hash = hasher.hash_one(text);
        if let Some(&number) = numbers.find(hash, |&number| texts.get(number) == text) {
            return Ok((number, false));
        }
        let number = texts.len() as u32;
        texts.push(text)?;
        numbers.insert_unique(hash, number, |&number| hasher.hash_one(texts.get(number)));
        Ok((number, true))
    }

    /// The number of `text`, if known.
    pub(crate) fn find(&self, text: &str) -> Option<u32> {
        self.numbers.find(self.hasher.hash_one(text), |&number| self.texts.get(number) == text).copied()
    }

    /// The texts, in the order of their numbers.
    pub(crate) fn texts(&self) -> &TextColumn {
        &self.texts
    }

    /// Renumbers the texts by byte order; returns the previous number for each new one. Costs a sort.
    pub(crate) fn sort(&mut self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.texts.len() as u32).collect();
        order.par_sort_unstable_by(|&a, &b| self.texts.get(a).cmp(self.texts.get(b)));
        self.texts = self.texts.gather(&order);
        let ranks = inverse(&order);
        self.numbers.iter_mut().for_each(|number| *number = ranks[*number as usize]);
        order
    }

    /// The texts alone.
    pub(crate) fn into_texts(self) -> TextColumn {
        self.texts
    }
}

/// The inverse of a permutation.
pub(crate) fn inverse(order: &[u32]) -> Vec<u32> {
    let mut places = vec![0; order.len()];
    for (place, &number) in order.iter().enumerate() {
        places[number as usize] = place as u32;
    }
    places
}

impl Ids {
    /// No ids yet, for the table `table`, whose ids begin with `prefix`.
    pub(crate) fn new(table: &'static str, prefix: &'static str) -> Self {
        Self { table, prefix, ids: Distinct::default(), lines: Vec::new() }
    }

    /// Adds the row of line `line`, whose id is in the field `field`.
    ///
    /// # Errors
    /// Returns an error if an earlier row has the id, or if the ids would exceed 4 GiB.
    pub(crate) fn add(&mut self, line: u64, field: &str, id: &str) -> Result<(), TableFault> {
        let (row, new) = self.ids.number(id)?;
        if !new {
            let earlier = self.lines[row as usize];
            return Err(TableFault::of(
                field,
                Reason::IdTwice { id: id.to_owned(), earlier: earlier.into() },
            ));
        }
        self.lines.push(line);
        Ok(())
    }

    /// The row whose id is `id`.
    pub(crate) fn find(&self, id: &str) -> Option<u32> {
        self.ids.find(id)
    }

    /// The id of row `row`.
    pub(crate) fn get(&self, row: u32) -> &str {
        self.ids.texts().get(row)
    }

    /// Sorts the rows by id; returns the previous position of each row.
    pub(crate) fn sort(&mut self) -> Vec<u32> {
        self.lines = Vec::new();
        self.ids.sort()
    }

    /// The ids alone.
    pub(crate) fn into_column(self) -> TextColumn {
        self.ids.into_texts()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_by_their_new_numbers_once_sorted() -> Result<(), ColumnFull> {
        let mut texts = Distinct::default();
        for (text, expected) in [("c", (0, true)), ("a", (1, true)), ("c", (0, false)), ("b", (2, true))] {
            assert_eq!(texts.number(text)?, expected);
        }
        assert_eq!(texts.sort(), [1, 2, 0]);
        assert_eq!(["a", "b", "c", "d"].map(|text| texts.find(text)), [Some(0), Some(1), Some(2), None]);
        assert!(texts.into_texts().iter().is_sorted_by(|a, b| a < b));
        Ok(())
    }
}
