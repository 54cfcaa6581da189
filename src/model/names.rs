//! Names prepared for look-up: in name order, and taken apart into words.

use super::column::TextColumn;

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

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        let numbers = self.order.capacity() + self.row_offsets.capacity() + self.row_words.capacity();
        self.sorted.size_bytes() + self.words.size_bytes() + numbers * size_of::<u32>()
    }
}
