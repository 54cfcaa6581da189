//! Names prepared for look-up: in name order, and split into words.

use crate::model::column::{TextColumn, held};
use crate::model::csr::Csr;
use crate::model::kept::Kept;

/// The names of one table (people or companies), folded, in name order, and their words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameTable {
    /// The folded names, ascending; equal names by row.
    pub sorted: TextColumn,
    /// For each place in `sorted`, the row it names. A permutation of the rows.
    pub order: Vec<u32>,
    /// The distinct words of all names, strictly ascending, none empty.
    pub words: TextColumn,
    /// The words of each row, in the order of the name, as positions in `words`.
    pub row_words: Csr<u32>,
}

impl NameTable {
    /// The words of row `row`, in the order of the name.
    ///
    /// # Panics
    /// Panics if there is no such row.
    #[must_use]
    pub fn words_of(&self, row: u32) -> &[u32] {
        self.row_words.row(row)
    }

    /// The table of the `kept` rows, built from their names alone. Costs one pass.
    ///
    /// # Panics
    /// Panics if `kept` belongs to a table of another length.
    #[must_use]
    pub fn gather(&self, kept: &Kept) -> Self {
        let places = Kept::of(self.order.len(), |place| kept.has(self.order[place as usize]));
        let words_of_rows = || kept.rows.iter().map(|&row| self.words_of(row));
        let words = Kept::used(self.words.len(), words_of_rows().flatten().copied());
        let mut row_words = Csr::with_capacity(kept.rows.len(), 0);
        words_of_rows()
            .for_each(|of_row| row_words.push_row(of_row.iter().map(|&word| words.renumber(word))));
        Self {
            sorted: self.sorted.gather(&places.rows),
            order: places.rows.iter().map(|&place| kept.renumber(self.order[place as usize])).collect(),
            words: self.words.gather(&words.rows),
            row_words,
        }
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.sorted.size_bytes() + self.words.size_bytes() + held(&self.order) + self.row_words.size_bytes()
    }
}
