//! Names made searchable: ranks and postings over a table of names.

use std::ops::Range;

use crate::model::column::held;
use crate::model::csr::Csr;
use crate::model::names::NameTable;

/// The ways into a table of names, which lies elsewhere.
#[derive(Debug)]
pub struct NameLookup {
    /// For each row, its place in name order.
    ranks: Vec<u32>,
    /// The rows of each word, ascending; a row whose name repeats a word stands once for each.
    postings: Csr<u32>,
    /// The most words any name has.
    words_max: usize,
}

/// The names of one table, with the ways into them.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The names in order, and their words.
    pub table: &'a NameTable,
    lookup: &'a NameLookup,
}

impl NameLookup {
    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        held(&self.ranks) + self.postings.size_bytes()
    }

    /// The look-up over `table`. Costs two counting sorts.
    #[must_use]
    pub fn build(table: &NameTable) -> Self {
        let rows = table.order.len();
        let mut ranks = vec![0_u32; rows];
        for (place, &row) in table.order.iter().enumerate() {
            ranks[row as usize] = place as u32;
        }
        let words_of = |row| table.words_of(row).iter().map(move |&word| (word, row));
        let postings = Csr::scatter(table.words.len(), (0..rows as u32).flat_map(words_of));
        let words_max = table.row_words.iter().map(<[u32]>::len).max().unwrap_or(0);
        Self { ranks, postings, words_max }
    }
}

impl<'a> Names<'a> {
    /// The names of `table`, from which `lookup` was built.
    #[must_use]
    pub fn new(table: &'a NameTable, lookup: &'a NameLookup) -> Self {
        Self { table, lookup }
    }

    /// The place of `row` in name order: comparing places is comparing (folded name, id).
    #[must_use]
    pub fn rank(self, row: u32) -> u32 {
        self.lookup.ranks[row as usize]
    }

    /// The folded name of `row`.
    #[must_use]
    pub fn folded(self, row: u32) -> &'a str {
        self.table.sorted.get(self.rank(row))
    }

    /// The rows whose folded name is `folded`, ascending. Costs two binary searches.
    #[must_use]
    pub fn equal(self, folded: &str) -> &'a [u32] {
        let sorted = &self.table.sorted;
        let start = sorted.lower_bound(folded) as usize;
        let mut end = start;
        while end < sorted.len() && sorted.get(end as u32) == folded {
            end += 1;
        }
        &self.table.order[start..end]
    }

    /// The words that begin with `prefix`. Costs two binary searches.
    #[must_use]
    pub fn words_with_prefix(self, prefix: &str) -> Range<u32> {
        let words = &self.table.words;
        let start = words.lower_bound(prefix);
        let (mut low, mut high) = (start, words.len() as u32);
        while low < high {
            let middle = low + (high - low) / 2;
            if words.get(middle).starts_with(prefix) { low = middle + 1 } else { high = middle }
        }
        start..low
    }

    /// The rows whose name holds `word`, ascending.
    #[must_use]
    pub fn rows_with(self, word: u32) -> &'a [u32] {
        self.lookup.postings.row(word)
    }

    /// The most words any name has.
    #[must_use]
    pub fn words_max(self) -> usize {
        self.lookup.words_max
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::column::{ColumnFull, TextColumn};

    #[test]
    fn names_are_found_whole_by_word_and_by_beginning() -> Result<(), ColumnFull> {
        let names = TextColumn::from_texts(["Ann Lee", "Bo", "ann  LEE", "Anna B. Lee"])?;
        let table = crate::prepare::names::build(&names)?;
        let lookup = NameLookup::build(&table);
        let lookup = Names::new(&table, &lookup);
        assert_eq!(lookup.equal("ann lee"), [0, 2]);
        assert!(lookup.equal("ann").is_empty());
        let with_prefix: Vec<&str> =
            lookup.words_with_prefix("ann").map(|word| lookup.table.words.get(word)).collect();
        assert_eq!(with_prefix, ["ann", "anna"]);
        let lee = lookup.table.words.find_sorted("lee");
        assert_eq!(lee.map(|word| lookup.rows_with(word)), Some(&[0, 2, 3][..]));
        assert_eq!((lookup.words_max(), lookup.folded(3)), (3, "anna b. lee"));
        Ok(())
    }
}
