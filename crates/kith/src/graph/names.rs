//! Searchable names: ranks and postings over a table of names, and the plain forms of names and words with foreign
//! letters.

use std::ops::Range;

use crate::model::column::{TextColumn, held};
use crate::model::csr::Csr;
use crate::model::names::NameTable;
use crate::model::text::{has_foreign_letters, plain};

/// An index over a table of names, which is stored elsewhere.
#[derive(Debug)]
pub struct NameLookup {
    /// For each row, its position in name order.
    ranks: Vec<u32>,
    /// The rows of each word, ascending; a row is repeated if its name repeats the word.
    postings: Csr<u32>,
    /// Maximum number of words in a name.
    words_max: usize,
    /// The names that have foreign letters, and their rows.
    foreign_names: ForeignTexts,
    /// The words that have foreign letters.
    foreign_words: ForeignTexts,
}

/// Invariant: no plain form is longer than its text.
const SHORTER: &str = "plain forms of some texts of a column take no more room than all texts";

/// Texts whose plain form differs.
#[derive(Debug, Default)]
pub struct ForeignTexts {
    /// Their plain forms, in order.
    pub plain: TextColumn,
    /// The position in the table of each; equal forms by position.
    pub places: Vec<u32>,
}

impl ForeignTexts {
    fn of<'a>(texts: impl Iterator<Item = (&'a str, u32)>) -> Self {
        let foreign = texts.filter(|(text, _)| has_foreign_letters(text));
        let mut all: Vec<_> = foreign.map(|(text, place)| (plain(text), place)).collect();
        all.sort_unstable();
        let plain = TextColumn::from_texts(all.iter().map(|(text, _)| text.as_str()));
        Self { plain: plain.expect(SHORTER), places: all.iter().map(|&(_, place)| place).collect() }
    }

    /// The texts whose plain form begins with `prefix`, in the order of their plain forms.
    fn beginning<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, u32)> + 'a {
        let start = self.plain.lower_bound(prefix);
        let all =
            (start..self.plain.len() as u32).map(|row| (self.plain.get(row), self.places[row as usize]));
        all.take_while(move |(text, _)| text.starts_with(prefix))
    }

    fn size_bytes(&self) -> usize {
        self.plain.size_bytes() + held(&self.places)
    }
}

/// The names of one table, with their index.
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
        let foreign = self.foreign_names.size_bytes() + self.foreign_words.size_bytes();
        held(&self.ranks) + self.postings.size_bytes() + foreign
    }

    /// Builds the look-up over `table`. Costs two counting sorts, and a check of each name.
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
        let words = ForeignTexts::of(table.words.iter().zip(0..));
        // A name has foreign letters only if one of its words does.
        let names = if words.places.is_empty() {
            ForeignTexts::default()
        } else {
            ForeignTexts::of(table.sorted.iter().zip(table.order.iter().copied()))
        };
        Self { ranks, postings, words_max, foreign_names: names, foreign_words: words }
    }
}

impl<'a> Names<'a> {
    /// The names of `table`, from which `lookup` was built.
    #[must_use]
    pub fn new(table: &'a NameTable, lookup: &'a NameLookup) -> Self {
        Self { table, lookup }
    }

    /// The position of `row` in name order: positions compare like (folded name, id).
    #[must_use]
    pub fn rank(self, row: u32) -> u32 {
        self.lookup.ranks[row as usize]
    }

    /// The folded name of `row`.
    #[must_use]
    pub fn folded(self, row: u32) -> &'a str {
        self.table.sorted.get(self.rank(row))
    }

    /// The rows whose plain name is `plain`, in no order. Costs three binary searches.
    pub fn equal(self, plain: &'a str) -> impl Iterator<Item = u32> + 'a {
        let sorted = &self.table.sorted;
        let start = sorted.lower_bound(plain) as usize;
        let mut end = start;
        while end < sorted.len() && sorted.get(end as u32) == plain {
            end += 1;
        }
        let foreign = self.lookup.foreign_names.beginning(plain).take_while(move |(name, _)| *name == plain);
        self.table.order[start..end].iter().copied().chain(foreign.map(|(_, row)| row))
    }

    /// The rows whose name has foreign letters and a plain form beginning with `prefix`, with that form.
    pub fn foreign_with_prefix(self, prefix: &'a str) -> impl Iterator<Item = (&'a str, u32)> + 'a {
        self.lookup.foreign_names.beginning(prefix)
    }

    /// The words with foreign letters.
    #[must_use]
    pub fn foreign_words(self) -> &'a ForeignTexts {
        &self.lookup.foreign_words
    }

    /// The words whose plain form is `plain`, in no order. Costs two binary searches.
    pub fn words_equal(self, plain: &'a str) -> impl Iterator<Item = u32> + 'a {
        let foreign = self.lookup.foreign_words.beginning(plain).take_while(move |(word, _)| *word == plain);
        self.table.words.find_sorted(plain).into_iter().chain(foreign.map(|(_, word)| word))
    }

    /// The words with foreign letters whose plain form begins with `prefix`, ascending.
    #[must_use]
    pub fn foreign_words_with_prefix(self, prefix: &str) -> Vec<u32> {
        let mut words: Vec<u32> = self.lookup.foreign_words.beginning(prefix).map(|(_, word)| word).collect();
        words.sort_unstable();
        words
    }

    /// The words whose folded form begins with `prefix`. Costs two binary searches.
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

    /// The rows whose name contains `word`, ascending.
    #[must_use]
    pub fn rows_with(self, word: u32) -> &'a [u32] {
        self.lookup.postings.row(word)
    }

    /// Maximum number of words in a name.
    #[must_use]
    pub fn words_max(self) -> usize {
        self.lookup.words_max
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::column::ColumnFull;

    #[test]
    fn names_are_found_whole_by_word_and_by_beginning() -> Result<(), ColumnFull> {
        let names = TextColumn::from_texts(["Ann Lee", "Bo", "ann  LEE", "Anna B. Lee"])?;
        let table = crate::prepare::names::build(&names)?;
        let lookup = NameLookup::build(&table);
        let lookup = Names::new(&table, &lookup);
        assert_eq!(lookup.equal("ann lee").collect::<Vec<_>>(), [0, 2]);
        assert_eq!(lookup.equal("ann").count() + lookup.foreign_words().places.len(), 0);
        let with_prefix: Vec<&str> =
            lookup.words_with_prefix("ann").map(|word| lookup.table.words.get(word)).collect();
        assert_eq!(with_prefix, ["ann", "anna"]);
        let lee = lookup.table.words.find_sorted("lee");
        assert_eq!(lee.map(|word| lookup.rows_with(word)), Some(&[0, 2, 3][..]));
        assert_eq!((lookup.words_max(), lookup.folded(3)), (3, "anna b. lee"));
        Ok(())
    }

    #[test]
    fn names_with_foreign_letters_are_found_by_what_others_type() -> Result<(), ColumnFull> {
        let names = TextColumn::from_texts(["Łukasz Weiß", "Lukasz Weiss", "Ægir", "Lu"])?;
        let table = crate::prepare::names::build(&names)?;
        let lookup = NameLookup::build(&table);
        let lookup = Names::new(&table, &lookup);
        assert_eq!(lookup.equal("lukasz weiss").collect::<Vec<_>>(), [1, 0]);
        let words = |plain| lookup.words_equal(plain).map(|word| table.words.get(word)).collect::<Vec<_>>();
        assert_eq!((words("weiss"), words("aegir")), (vec!["weiss", "weiß"], vec!["ægir"]));
        let begun = lookup.foreign_words_with_prefix("l");
        assert_eq!(begun.iter().map(|&word| table.words.get(word)).collect::<Vec<_>>(), ["łukasz"]);
        Ok(())
    }
}
