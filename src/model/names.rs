//! Names prepared for look-up: in name order, and taken apart into words.

use crate::model::column::{ColumnFull, TextColumn};
use crate::model::kept::Kept;

/// The names of one table (people or companies), folded, in name order, and their words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameTable {
    /// The folded names, ascending; at equal names the row ascending.
    pub sorted: TextColumn,
    /// For each place in `sorted`, the row it names. A permutation of the rows.
    pub order: Vec<u32>,
    /// The distinct words of all names, strictly ascending, none empty.
    pub words: TextColumn,
    /// Where each row's words begin in `row_words`; one longer than the rows.
    pub row_offsets: Vec<u32>,
    /// For each row its words, in the order of the name, as places in `words`.
    pub row_words: Vec<u32>,
}

impl NameTable {
    /// The words of row `row`, in the order of the name.
    ///
    /// # Panics
    /// Where there is no such row.
    #[must_use]
    pub fn words_of(&self, row: u32) -> &[u32] {
        let row = row as usize;
        &self.row_words[self.row_offsets[row] as usize..self.row_offsets[row + 1] as usize]
    }

    /// The table of the rows that are `kept`: what is made of their names alone. Costs one pass.
    ///
    /// # Errors
    /// Never: no column grows.
    ///
    /// # Panics
    /// Where `kept` is of a table of another length.
    pub fn gather(&self, kept: &Kept) -> Result<Self, ColumnFull> {
        let places = Kept::of(self.order.len(), |place| kept.has(self.order[place as usize]));
        let words_of_rows = || kept.rows.iter().map(|&row| self.words_of(row));
        let words = Kept::used(self.words.len(), words_of_rows().flatten().copied());
        let (mut row_offsets, mut row_words) = (Vec::with_capacity(kept.rows.len() + 1), Vec::new());
        row_offsets.push(0);
        for of_row in words_of_rows() {
            row_words.extend(of_row.iter().map(|&word| words.number(word)));
            row_offsets.push(row_words.len() as u32);
        }
        Ok(Self {
            sorted: self.sorted.gather(&places.rows)?,
            order: places.rows.iter().map(|&place| kept.number(self.order[place as usize])).collect(),
            words: self.words.gather(&words.rows)?,
            row_offsets,
            row_words,
        })
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        let numbers = self.order.capacity() + self.row_offsets.capacity() + self.row_words.capacity();
        self.sorted.size_bytes() + self.words.size_bytes() + numbers * size_of::<u32>()
    }
}
