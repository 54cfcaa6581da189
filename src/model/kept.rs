//! Some rows of a table, and the numbers they get in a table of them alone.

use std::iter;

use crate::model::column::{DictionaryColumn, TextColumn};
use crate::model::ix::{Ix, OptionalIx};

/// The rows of a table that stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Their numbers before, ascending.
    pub rows: Vec<u32>,
    /// For each row before its number now; none for one that is gone.
    pub numbers: Vec<OptionalIx<u32>>,
}

impl Kept {
    /// Some `rows`, ascending, of a table of `count`. Costs a pass over the table.
    ///
    /// # Panics
    /// Panics if `rows` holds a row that the table does not have.
    #[must_use]
    pub fn of_rows(count: usize, rows: Vec<u32>) -> Self {
        let mut numbers = vec![OptionalIx::NONE; count];
        for (number, &row) in rows.iter().enumerate() {
            numbers[row as usize] = OptionalIx::from_stored(number as u32);
        }
        Self { rows, numbers }
    }

    /// The rows of a table of `count` that `stays` is true of. Costs a pass over the table.
    #[must_use]
    pub fn of(count: usize, stays: impl Fn(u32) -> bool) -> Self {
        Self::of_rows(count, (0..count as u32).filter(|&row| stays(row)).collect())
    }

    /// The rows of a table of `count` that `references` lead to, in any order and however often. Costs a
    /// pass over both.
    ///
    /// # Panics
    /// Panics if a reference leads to no row of the table.
    #[must_use]
    pub fn used(count: usize, references: impl IntoIterator<Item = u32>) -> Self {
        let mut is_used = vec![false; count];
        references.into_iter().for_each(|row| is_used[row as usize] = true);
        Self::of(count, |row| is_used[row as usize])
    }

    /// The texts of a dictionary that `rows` have; the first, the empty one, stays always.
    ///
    /// # Panics
    /// Panics if a row refers to a text that is not in the dictionary, or if the dictionary is empty.
    #[must_use]
    pub fn used_texts(values: &TextColumn, rows: impl IntoIterator<Item = u32>) -> Self {
        Self::used(values.len(), iter::once(0).chain(rows))
    }

    /// Whether row `row` stays.
    #[must_use]
    pub fn has<I: Ix>(&self, row: I) -> bool {
        self.number(row).is_some()
    }

    /// The number that row `row` gets, or `None` if it is gone.
    ///
    /// # Panics
    /// Panics if there was no such row.
    #[must_use]
    pub fn number<I: Ix>(&self, row: I) -> Option<I> {
        self.numbers[row.number() as usize].get().map(I::from_number)
    }

    /// The number that row `row`, which stays, gets.
    ///
    /// # Panics
    /// Panics if it does not stay.
    #[must_use]
    pub fn renumber<I: Ix>(&self, row: I) -> I {
        self.number(row).expect("what stays refers to what stays")
    }

    /// What stays of a column.
    ///
    /// # Panics
    /// Panics if it is shorter than the table; so do the functions below.
    #[must_use]
    pub fn of_column<T: Copy>(&self, column: &[T]) -> Vec<T> {
        self.rows.iter().map(|&row| column[row as usize]).collect()
    }

    /// What stays of a column that refers to `others`, all of which stay if it does.
    #[must_use]
    pub fn of_references<I: Ix>(&self, column: &[I], others: &Self) -> Vec<I> {
        self.rows.iter().map(|&row| others.renumber(column[row as usize])).collect()
    }

    /// Returns the rows of a dictionary that stay, and the texts that stay.
    #[must_use]
    pub fn of_dictionary(&self, column: &DictionaryColumn) -> (DictionaryColumn, Self) {
        let texts = Self::used_texts(&column.values, self.of_column(&column.rows));
        let rows = self.of_references(&column.rows, &texts);
        (DictionaryColumn { values: column.values.gather(&texts.rows), rows }, texts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_numbered_alike_by_list_by_rule_and_by_reference() {
        let kept = Kept::of_rows(5, vec![1, 4]);
        let numbers: Vec<Option<u32>> = (0..5).map(|row| kept.number(row)).collect();
        assert_eq!((&kept.rows[..], &numbers[..]), (&[1, 4][..], &[None, Some(0), None, None, Some(1)][..]));
        assert_eq!([kept.has(0_u32), kept.has(4_u32)], [false, true]);
        assert_eq!(Kept::of(5, |row| row % 3 == 1), kept);
        assert_eq!(Kept::used(5, [4, 1, 4]), kept);
        assert_eq!(Kept::used(0, []), Kept::of_rows(0, vec![]));
    }
}
