//! Matching of names in the contract's four classes; the best class wins.
//!
//! `loose` finds names that are said or typed otherwise, and the nearest names.

mod loose;

use std::cmp::Reverse;
use std::ops::Range;

use rapidfuzz::distance::osa;

use crate::graph::names::{ForeignTexts, Names};
use crate::model::text::{plain, words};

/// The names to match, and the rules for ties.
pub struct Candidates<'a> {
    /// The names.
    pub names: Names<'a>,
    /// Within a class, rows rank by weight, descending, then by row.
    pub weight: &'a dyn Fn(u32) -> u32,
    /// Filters the rows, unless all are candidates.
    pub among: Option<&'a dyn Fn(u32) -> bool>,
}

/// A class of name match, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameClass {
    /// The plain names are equal.
    Equal,
    /// The same words in another order.
    Reordered,
    /// Each word of the query begins a different word of the name.
    Prefix,
    /// Like `Prefix`, with misspellings.
    Fuzzy,
}

impl Candidates<'_> {
    /// The row that `query` names: see [`Self::find_equal`], then [`Self::find_similar`].
    #[must_use]
    pub fn find(&self, query: &str) -> Option<(NameClass, u32)> {
        let equal = self.find_equal(query).map(|row| (NameClass::Equal, row));
        equal.or_else(|| self.find_similar(query))
    }

    /// The row whose plain name equals that of `query` (class 1). A query without words matches nobody.
    #[must_use]
    pub fn find_equal(&self, query: &str) -> Option<u32> {
        let plain = plain(query);
        words(&plain).next()?;
        self.best(self.names.equal(&plain))
    }

    /// The row whose name is most like `query`: the same words in another order (class 2), each word of the query
    /// beginning a different word of the name (3), or the same with misspellings (4).
    ///
    /// Costs a check of each name with the query's rarest word; class 4 also costs one edit distance per distinct word
    /// of all names and word of the query.
    #[must_use]
    pub fn find_similar(&self, query: &str) -> Option<(NameClass, u32)> {
        let plain = plain(query);
        let query: Vec<&str> = words(&plain).collect();
        if query.is_empty() || query.len() > self.names.words_max() {
            return None;
        }
        let reordered = self.best(self.reordered(&query).into_iter());
        let matching = |accepted: &[Accepted]| self.find_matching(accepted);
        reordered
            .map(|row| (NameClass::Reordered, row))
            .or_else(|| Some((NameClass::Prefix, matching(&self.beginnings(&query))?)))
            .or_else(|| Some((NameClass::Fuzzy, matching(&self.misspellings(&query))?)))
    }

    /// All rows that match `query` in `class`, which must be its best; the row that [`Self::find`] returns comes first,
    /// then the others by the rules for ties.
    ///
    /// Costs [`Self::find`], and a matching and a sort over the names with the query's rarest word.
    #[must_use]
    pub fn all_in(&self, class: NameClass, query: &str) -> Vec<u32> {
        let plain = plain(query);
        let query: Vec<&str> = words(&plain).collect();
        let mut rows: Vec<u32> = match class {
            NameClass::Equal => self.names.equal(&plain).collect(),
            NameClass::Reordered => self.reordered(&query),
            NameClass::Prefix => self.all_matching(&self.beginnings(&query)),
            NameClass::Fuzzy => self.all_matching(&self.misspellings(&query)),
        };
        rows.retain(|&row| self.has(row));
        self.in_order(rows)
    }

    /// `rows` ordered by the rules for ties, each once.
    fn in_order(&self, mut rows: Vec<u32>) -> Vec<u32> {
        rows.sort_by_cached_key(|&row| (Reverse((self.weight)(row)), row));
        rows.dedup();
        rows
    }

    /// The rows whose names have the words of `query` in any order.
    fn reordered(&self, query: &[&str]) -> Vec<u32> {
        // For each word of the query, the equal words of names, including those with foreign letters.
        let same: Vec<Vec<u32>> = query.iter().map(|word| self.names.words_equal(word).collect()).collect();
        let count = |same: &[u32]| same.iter().map(|&word| self.names.rows_with(word).len()).sum::<usize>();
        let rarest = same.iter().min_by_key(|same| count(same)).filter(|same| !same.is_empty());
        let Some(rarest) = rarest else { return Vec::new() };
        let number = |word: u32| same.iter().position(|same| same.contains(&word));
        let mut wanted: Vec<_> = same.iter().map(|same| number(*same.first()?)).collect();
        wanted.sort_unstable();
        let has_all = |&row: &u32| {
            let mut held: Vec<_> = self.names.table.words_of(row).iter().map(|&word| number(word)).collect();
            held.sort_unstable();
            held == wanted
        };
        let mut rows: Vec<u32> =
            rarest.iter().flat_map(|&word| self.names.rows_with(word)).copied().collect();
        rows.retain(has_all);
        rows
    }

    /// For each word of the query: the words of names that begin with it.
    fn beginnings(&self, query: &[&str]) -> Vec<Accepted> {
        let accepted = |word: &&str| Accepted {
            begun: self.names.words_with_prefix(word),
            near: self.names.foreign_words_with_prefix(word),
        };
        query.iter().map(accepted).collect()
    }

    /// For each word of the query: the words of names that begin with it or nearly equal it.
    fn misspellings(&self, query: &[&str]) -> Vec<Accepted> {
        let mut accepted = self.beginnings(query);
        for (at, word) in query.iter().enumerate() {
            let near = match query[..at].iter().position(|earlier| earlier == word) {
                Some(earlier) => accepted[earlier].near.clone(),
                None => self.words_near(word),
            };
            let begun = &mut accepted[at].near;
            begun.extend(near);
            begun.sort_unstable();
            begun.dedup();
        }
        accepted
    }

    /// The words of names within the edits that the length of `word` allows, ascending.
    fn words_near(&self, word: &str) -> Vec<u32> {
        match word.chars().count() {
            0..=3 => Vec::new(),
            4..=7 => self.words_within(word, 1),
            _ => self.words_within(word, 2),
        }
    }

    /// The words of names within `edits_max` edits of `word`, which is longer, ascending.
    fn words_within(&self, word: &str, edits_max: usize) -> Vec<u32> {
        let length = word.chars().count();
        let comparator = osa::BatchComparator::new(word.chars());
        let cutoff = osa::Args::default().score_cutoff(edits_max);
        let longest_bytes = 4 * (length + edits_max);
        let is_near = |other: &str| {
            (length - edits_max..=longest_bytes).contains(&other.len())
                && comparator.distance_with_args(other.chars(), &cutoff).is_some()
        };
        let all = self.names.table.words.iter().zip(0..);
        let mut near: Vec<u32> = all.filter(|(other, _)| is_near(other)).map(|(_, place)| place).collect();
        let ForeignTexts { plain, places } = self.names.foreign_words();
        if !places.is_empty() {
            near.retain(|near| !places.contains(near));
            let all = plain.iter().zip(places);
            near.extend(all.filter(|(other, _)| is_near(other)).map(|(_, &word)| word));
            near.sort_unstable();
        }
        near
    }

    /// The best row whose name has a different word for each entry of `accepted`.
    fn find_matching(&self, accepted: &[Accepted]) -> Option<u32> {
        let mut found: Option<(Reverse<u32>, u32)> = None;
        for row in self.rows_of_rarest(accepted).filter(|&row| self.has(row)) {
            let key = (Reverse((self.weight)(row)), row);
            if found.is_none_or(|best| key < best) && has_matching(accepted, self.names.table.words_of(row)) {
                found = Some(key);
            }
        }
        found.map(|(_, row)| row)
    }

    /// The rows whose names have a different word for each entry of `accepted`, with repeats.
    fn all_matching(&self, accepted: &[Accepted]) -> Vec<u32> {
        let rows = self.rows_of_rarest(accepted).filter(|&row| self.has(row));
        rows.filter(|&row| has_matching(accepted, self.names.table.words_of(row))).collect()
    }

    /// The rows with a word of the rarest entry, with repeats.
    fn rows_of_rarest(&self, accepted: &[Accepted]) -> impl Iterator<Item = u32> {
        let rarest = accepted.iter().min_by_key(|accepted| {
            accepted.words().map(|word| self.names.rows_with(word).len()).sum::<usize>()
        });
        let words = rarest.into_iter().flat_map(Accepted::words);
        words.flat_map(|word| self.names.rows_with(word)).copied()
    }

    fn best(&self, rows: impl Iterator<Item = u32>) -> Option<u32> {
        rows.filter(|&row| self.has(row)).min_by_key(|&row| (Reverse((self.weight)(row)), row))
    }

    fn has(&self, row: u32) -> bool {
        self.among.is_none_or(|among| among(row))
    }
}

/// The words of names that match one word of a query.
struct Accepted {
    begun: Range<u32>,
    /// Ascending; may repeat words of `begun`.
    near: Vec<u32>,
}

impl Accepted {
    fn contains(&self, word: u32) -> bool {
        self.begun.contains(&word) || self.near.binary_search(&word).is_ok()
    }

    fn words(&self) -> impl Iterator<Item = u32> + '_ {
        self.begun.clone().chain(self.near.iter().copied().filter(|word| !self.begun.contains(word)))
    }
}

/// Whether each of `accepted` can take a different word of `held`: a maximum bipartite matching by augmenting paths.
fn has_matching(accepted: &[Accepted], held: &[u32]) -> bool {
    let mut owner: Vec<Option<usize>> = vec![None; held.len()];
    (0..accepted.len()).all(|from| {
        let mut seen = vec![false; held.len()];
        augment(from, accepted, held, &mut owner, &mut seen)
    })
}

/// Gives `from` a word, moving earlier owners on. The words of one name bound its depth.
fn augment(
    from: usize,
    accepted: &[Accepted],
    held: &[u32],
    owner: &mut [Option<usize>],
    seen: &mut [bool],
) -> bool {
    for place in 0..held.len() {
        if seen[place] || !accepted[from].contains(held[place]) {
            continue;
        }
        seen[place] = true;
        let free = match owner[place] {
            None => true,
            Some(other) => augment(other, accepted, held, owner, seen),
        };
        if free {
            owner[place] = Some(from);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::names::NameLookup;
    use crate::model::column::{ColumnFull, TextColumn};

    /// Finds `query` among `names`; later names are better connected.
    fn find(names: &[&str], query: &str) -> Result<Option<usize>, ColumnFull> {
        let column = TextColumn::from_texts(names.iter().copied())?;
        let table = crate::prepare::names::build(&column)?;
        let lookup = NameLookup::build(&table);
        let candidates = Candidates { names: Names::new(&table, &lookup), weight: &|row| row, among: None };
        Ok(candidates.find(query).map(|(_, row)| row as usize))
    }

    #[test]
    fn the_best_class_wins_and_ties_go_to_the_better_connected() -> Result<(), ColumnFull> {
        let names = ["Maria Lopez", "Lopez, Maria", "Maria Lopez Ruiz", "Marie Lopes", "Mária  LOPEZ"];
        for (query, expected) in [
            ("maria lopez", Some(4)),
            ("lopez maria", Some(4)),
            ("lopez, maria", Some(1)),
            ("ruiz maria", Some(2)),
            ("mar lop", Some(4)),
            ("ruis mari", Some(2)),
            ("lopes marie", Some(3)),
            ("marai lopez", Some(4)),
            ("maria maria", None),
            ("mra lopez", None),
            ("zzz", None),
            (" , . ", None),
        ] {
            assert_eq!(find(&names, query)?, expected, "{query}");
        }
        Ok(())
    }

    #[test]
    fn only_rows_that_are_looked_at_match_and_a_worse_class_wins_among_them() -> Result<(), ColumnFull> {
        let column = TextColumn::from_texts(["Ana Li", "Li, Ana", "Anabel Lin", "Anna Li"])?;
        let table = crate::prepare::names::build(&column)?;
        let lookup = NameLookup::build(&table);
        for (row, query) in [(0, "ana li"), (1, "ana li"), (2, "ana li"), (3, "anna li"), (3, "anaa li")] {
            let only = |other| other == row;
            let names = Names::new(&table, &lookup);
            let candidates = Candidates { names, weight: &|row| row, among: Some(&only) };
            assert_eq!(candidates.find(query).map(|(_, row)| row), Some(row), "{query}");
            let nobody = Candidates { among: Some(&|_| false), ..candidates };
            assert_eq!(nobody.find(query), None, "{query}");
        }
        Ok(())
    }

    #[test]
    fn all_who_match_in_the_best_class_come_once_and_the_one_found_is_the_first() -> Result<(), ColumnFull> {
        use NameClass::*;
        let names =
            ["Ana Li", "Li, Ana", "ANA LI", "Li Ana", "Anabel Lin", "An Lisa Ana Lin", "Anna Li", "Anya Li"];
        let column = TextColumn::from_texts(names)?;
        let table = crate::prepare::names::build(&column)?;
        let lookup = NameLookup::build(&table);
        // Of equal weights, the lesser row wins.
        let candidates =
            Candidates { names: Names::new(&table, &lookup), weight: &|row| row / 2, among: None };
        for (query, class, rows) in [
            ("ana li", Equal, &[2, 0][..]),
            ("li,  ana", Equal, &[1]),
            ("li. ana", Reordered, &[2, 3, 0, 1]),
            ("an l", Prefix, &[6, 7, 4, 5, 2, 3, 0, 1]),
            ("lin an", Prefix, &[4, 5]),
            ("anba li", Fuzzy, &[6, 7, 5, 2, 3, 0, 1]),
            ("anan lin", Fuzzy, &[5]),
        ] {
            let found = candidates.find(query);
            let all = found.map_or_else(Vec::new, |(class, _)| candidates.all_in(class, query));
            assert_eq!(all, rows, "{query}");
            assert_eq!(found, rows.first().map(|&row| (class, row)), "{query}");
        }
        Ok(())
    }

    #[test]
    fn edits_are_counted_by_the_query_words_length() -> Result<(), ColumnFull> {
        for (name, query, found) in [
            ("abc", "abd", false),
            ("abcd", "abce", true),
            ("abdc", "abcd", true),
            ("abcdefgh", "abcdxfgx", true),
            ("abcdefg", "abcdxfx", false),
            ("abcdefgh", "xbcdxfgx", false),
            ("abcdefghij", "abcdefgh", true),
            ("łukasz", "łukazs", true),
            ("weiß", "weisz", true),
            ("weiß", "weszz", false),
            ("øster", "ostre", true),
        ] {
            assert_eq!(find(&[name], query)?.is_some(), found, "{name} for {query}");
        }
        Ok(())
    }

    #[test]
    fn each_query_word_needs_a_name_word_to_itself() -> Result<(), ColumnFull> {
        assert_eq!(find(&["anna an"], "an ann")?, Some(0));
        assert_eq!(find(&["anna bo"], "an ann")?, None);
        assert_eq!(find(&["anna annab bo"], "anna an b")?, Some(0));
        Ok(())
    }
}
