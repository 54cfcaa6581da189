//! A subset of a table's rows, and the numbers of these rows in a table of their own.

use std::iter;
use std::mem::replace;

use crate::model::column::{DictionaryColumn, TextColumn};
use crate::model::ix::{Ix, OptionalIx};

/// The rows of a table that are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Their previous numbers, ascending.
    pub rows: Vec<u32>,
    /// The number of rows before.
    count: u32,
    /// A bit for each previous row, lowest bit first, 64 to a word; set if the row is kept. With the ranks it takes a
    /// twentieth of a number per row, so that look-ups in any order stay in the cache.
    stays: Vec<u64>,
    /// For each word, the number of kept rows before it.
    ranks: Vec<u32>,
}

impl Kept {
    /// Keeps `rows`, ascending, of a table of `count`. Costs a pass over them.
    ///
    /// # Panics
    /// Panics if `rows` contains a row that the table does not have.
    #[must_use]
    pub fn of_rows(count: usize, rows: Vec<u32>) -> Self {
        let mut stays = vec![0_u64; count.div_ceil(64)];
        for &row in &rows {
            assert!((row as usize) < count, "a table of {count} rows has no row {row}");
            stays[row as usize / 64] |= 1 << (row % 64);
        }
        let before = stays.iter().scan(0, |before, word| Some(replace(before, *before + word.count_ones())));
        Self { ranks: before.collect(), count: count as u32, rows, stays }
    }

    /// Keeps the rows of a table of `count` for which `stays` returns true. Costs a pass over the table.
    #[must_use]
    pub fn of(count: usize, stays: impl Fn(u32) -> bool) -> Self {
        Self::of_rows(count, (0..count as u32).filter(|&row| stays(row)).collect())
    }

    /// Keeps all rows of a table of `count` but `gone`, which is in any order. Costs a pass over the table.
    ///
    /// # Panics
    /// Panics if `gone` contains a row that the table does not have.
    #[must_use]
    pub fn all_but(count: usize, gone: &[u32]) -> Self {
        let mut is_gone = vec![false; count];
        gone.iter().for_each(|&row| is_gone[row as usize] = true);
        Self::of(count, |row| !is_gone[row as usize])
    }

    /// Keeps the rows of a table of `count` that `references` name, in any order and with repeats. Costs a pass over
    /// both.
    ///
    /// # Panics
    /// Panics if a reference names no row of the table.
    #[must_use]
    pub fn used(count: usize, references: impl IntoIterator<Item = u32>) -> Self {
        let mut is_used = vec![false; count];
        references.into_iter().for_each(|row| is_used[row as usize] = true);
        Self::of(count, |row| is_used[row as usize])
    }

    /// Keeps the texts of a dictionary that `rows` use, and always the first, empty one.
    ///
    /// # Panics
    /// Panics if a row refers to a text that is not in the dictionary, or if the dictionary is empty.
    #[must_use]
    pub fn used_texts(values: &TextColumn, rows: impl IntoIterator<Item = u32>) -> Self {
        Self::used(values.len(), iter::once(0).chain(rows))
    }

    /// Whether row `row` is kept.
    ///
    /// # Panics
    /// Panics if there was no such row.
    #[inline]
    #[must_use]
    pub fn has<I: Ix>(&self, row: I) -> bool {
        let row = row.number();
        assert!(row < self.count, "a table of {} rows has no row {row}", self.count);
        self.stays[row as usize / 64] >> (row % 64) & 1 == 1
    }

    /// The new number of row `row`, or `None` if it is gone.
    ///
    /// # Panics
    /// Panics if there was no such row.
    #[inline]
    #[must_use]
    pub fn number<I: Ix>(&self, row: I) -> Option<I> {
        let stays = self.has(row);
        let (word, bit) = (row.number() as usize / 64, row.number() % 64);
        let before = self.stays[word] & ((1 << bit) - 1);
        stays.then(|| I::from_number(self.ranks[word] + before.count_ones()))
    }

    /// The rows that are not kept, ascending. Costs a pass over the table.
    pub fn gone(&self) -> impl Iterator<Item = u32> {
        (0..self.count).filter(|&row| !self.has(row))
    }

    /// The new number of each previous row; none if it is gone. Costs a pass over the table.
    #[must_use]
    pub fn numbers<I: Ix>(&self) -> Vec<OptionalIx<I>> {
        (0..self.count).map(|row| self.number(I::from_number(row)).into()).collect()
    }

    /// The new number of row `row`, which must be kept.
    ///
    /// # Panics
    /// Panics if it is not.
    #[must_use]
    pub fn renumber<I: Ix>(&self, row: I) -> I {
        self.number(row).expect("what stays refers to what stays")
    }

    /// The kept rows of a column.
    ///
    /// # Panics
    /// Panics if the column is shorter than the table; so do the functions below.
    #[must_use]
    pub fn of_column<T: Copy>(&self, column: &[T]) -> Vec<T> {
        self.rows.iter().map(|&row| column[row as usize]).collect()
    }

    /// The kept rows of a column of references to `others`; a kept row must refer to a kept one.
    #[must_use]
    pub fn of_references<I: Ix>(&self, column: &[I], others: &Self) -> Vec<I> {
        self.rows.iter().map(|&row| others.renumber(column[row as usize])).collect()
    }

    /// Returns the kept rows of a dictionary column, and the texts they use.
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
        assert_eq!(kept.gone().collect::<Vec<_>>(), [0, 2, 3]);
        assert_eq!(Kept::of(5, |row| row % 3 == 1), kept);
        assert_eq!(Kept::used(5, [4, 1, 4]), kept);
        assert_eq!(Kept::used(0, []), Kept::of_rows(0, vec![]));
    }

    #[test]
    fn numbers_are_counted_across_all_words() {
        for count in [0, 1, 63, 64, 65, 128, 1_000] {
            for step in [1, 2, 7, 64, 65] {
                let rows: Vec<u32> = (0..count).filter(|row| row % step == step - 1).collect();
                let kept = Kept::of_rows(count as usize, rows.clone());
                let expected: Vec<Option<u32>> = (0..count)
                    .map(|row| rows.iter().position(|&kept| kept == row).map(|at| at as u32))
                    .collect();
                let numbers: Vec<Option<u32>> = kept.numbers().into_iter().map(OptionalIx::get).collect();
                assert_eq!(numbers, expected, "{count} rows, one of {step}");
            }
        }
    }
}
