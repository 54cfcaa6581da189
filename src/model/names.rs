//! Names prepared for look-up: in name order, and taken apart into words.

use super::column::{ColumnFull, TextColumn};
use super::dataset::NO_REFERENCE;

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

    /// The table of some `rows`, ascending, numbered by their places there: what is made of their names
    /// alone. Costs one pass.
    ///
    /// # Errors
    /// Never: no column grows.
    ///
    /// # Panics
    /// Where there is no such row.
    pub fn gather(&self, rows: &[u32]) -> Result<Self, ColumnFull> {
        let numbers = numbered(self.order.len(), rows);
        let is_kept = |&place: &u32| numbers[self.order[place as usize] as usize] != NO_REFERENCE;
        let places: Vec<u32> = (0..self.order.len() as u32).filter(is_kept).collect();

        let mut is_used = vec![false; self.words.len()];
        let words_of_rows = || rows.iter().map(|&row| self.words_of(row));
        words_of_rows().flatten().for_each(|&word| is_used[word as usize] = true);
        let words: Vec<u32> = (0..is_used.len() as u32).filter(|&word| is_used[word as usize]).collect();
        let word_numbers = numbered(is_used.len(), &words);
        let (mut row_offsets, mut row_words) = (Vec::with_capacity(rows.len() + 1), Vec::new());
        row_offsets.push(0);
        for of_row in words_of_rows() {
            row_words.extend(of_row.iter().map(|&word| word_numbers[word as usize]));
            row_offsets.push(row_words.len() as u32);
        }
        Ok(Self {
            sorted: self.sorted.gather(&places)?,
            order: places.iter().map(|&place| numbers[self.order[place as usize] as usize]).collect(),
            words: self.words.gather(&words)?,
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

/// For each of `count` rows its place in `kept`, or [`NO_REFERENCE`].
fn numbered(count: usize, kept: &[u32]) -> Vec<u32> {
    let mut numbers = vec![NO_REFERENCE; count];
    for (number, &row) in kept.iter().enumerate() {
        numbers[row as usize] = number as u32;
    }
    numbers
}
