//! Names as people type them: short forms, missing umlauts and accents, misspellings.

use std::cmp::Reverse;

use rapidfuzz::distance::osa;

use super::{Accepted, Candidates, has_matching};
use crate::model::nicknames::forms_of;
use crate::model::text::{plain, words};

/// Maximum number of spellings of one word to look up.
const SPELLINGS_MAX: usize = 64;
/// Maximum edits of one word of a name shown as near.
const NEAR_EDITS_MAX: usize = 2;

impl Candidates<'_> {
    /// All rows whose names have the words of `query` in any order, with short forms, or with umlauts typed otherwise:
    /// `ae` for `ä`, `oe` for `ö`, `ue` for `ü`, and the reverse. Ordered by the rules for ties.
    #[must_use]
    pub fn all_otherwise(&self, query: &str) -> Vec<u32> {
        let plain = plain(query);
        let query: Vec<&str> = words(&plain).collect();
        if query.is_empty() || query.len() > self.names.words_max() {
            return Vec::new();
        }
        let said_so = |word: &&str| {
            let spelled = forms_of(word).flat_map(spellings);
            let mut near: Vec<u32> =
                spelled.flat_map(|spelling| self.names.words_equal(&spelling).collect::<Vec<_>>()).collect();
            near.sort_unstable();
            near.dedup();
            Accepted { begun: 0..0, near }
        };
        let mut rows = self.all_matching(&query.iter().map(said_so).collect::<Vec<_>>());
        rows.retain(|&row| self.names.table.words_of(row).len() == query.len());
        self.in_order(rows)
    }

    /// All rows of which the name has all words of `query`, or all whose words `query` has, two or more, in any order: another
    /// name, a role or an initial stands beside. Names with hyphens are two words. Ordered by the rules for ties.
    #[must_use]
    pub fn all_wider(&self, query: &str) -> Vec<u32> {
        let plain = plain(query);
        let asked = pieces(&plain);
        let words = asked.iter().flat_map(|word| self.names.words_equal(word));
        let rows = words.flat_map(|word| self.names.rows_with(word)).copied().filter(|&row| self.has(row));
        let is_wider = |row: &u32| {
            let name = crate::model::text::plain(self.names.folded(*row));
            let held = pieces(&name);
            let has =
                |one: &[&str], other: &[&str]| other.len() > 1 && other.iter().all(|word| one.contains(word));
            has(&asked, &held) || has(&held, &asked)
        };
        self.in_order(rows.filter(is_wider).collect())
    }

    /// The `most` rows whose names are nearest to `query`: each word of it within two edits, and half its length, of a
    /// different word. Fewest edits first, then fewest other words, then by the rules for ties.
    ///
    /// Costs an edit distance for each distinct word of all names and word of the query.
    #[must_use]
    pub fn nearest(&self, query: &str, most: usize) -> Vec<u32> {
        let plain = plain(query);
        let query: Vec<&str> = words(&plain).collect();
        if query.is_empty() || query.len() > self.names.words_max() {
            return Vec::new();
        }
        let accepted: Vec<Accepted> = query
            .iter()
            .map(|word| {
                let most = NEAR_EDITS_MAX.min(word.chars().count() / 2);
                Accepted { begun: 0..0, near: self.words_within(word, most) }
            })
            .collect();
        let edits = |row: u32| -> usize {
            let held = self.names.table.words_of(row);
            let least = |word: &&str| {
                let texts =
                    held.iter().map(|&held| crate::model::text::plain(self.names.table.words.get(held)));
                texts.map(|held| osa::distance(word.chars(), held.chars())).min().unwrap_or(0)
            };
            query.iter().map(least).sum()
        };
        let mut rows: Vec<u32> = self.rows_of_rarest(&accepted).filter(|&row| self.has(row)).collect();
        rows.sort_unstable();
        rows.dedup();
        rows.retain(|&row| has_matching(&accepted, self.names.table.words_of(row)));
        rows.sort_by_cached_key(|&row| {
            (edits(row), self.names.table.words_of(row).len(), Reverse((self.weight)(row)), row)
        });
        rows.truncate(most);
        rows
    }
}

/// The words of a plain `name` with more than one letter, those with hyphens cut.
fn pieces(name: &str) -> Vec<&str> {
    words(name).flat_map(|word| word.split('-')).filter(|word| word.chars().count() > 1).collect()
}

/// The spellings of a plain `word` with and without the second letter of an umlaut, including itself.
fn spellings(word: &str) -> Vec<String> {
    let short = word.replace("ae", "a").replace("oe", "o").replace("ue", "u");
    let mut all = vec![String::new()];
    for character in short.chars() {
        let is_vowel = matches!(character, 'a' | 'o' | 'u') && 2 * all.len() <= SPELLINGS_MAX;
        let longer: Vec<String> = if is_vowel {
            all.iter().map(|begun| format!("{begun}{character}e")).collect()
        } else {
            Vec::new()
        };
        all.iter_mut().for_each(|begun| begun.push(character));
        all.extend(longer);
    }
    if !all.iter().any(|spelling| spelling == word) {
        all.push(word.to_owned());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::names::{NameLookup, Names};
    use crate::model::column::{ColumnFull, TextColumn};

    fn with_names<T>(names: &[&str], ask: impl FnOnce(&Candidates<'_>) -> T) -> Result<T, ColumnFull> {
        let table = crate::prepare::names::build(&TextColumn::from_texts(names.iter().copied())?)?;
        let lookup = NameLookup::build(&table);
        Ok(ask(&Candidates { names: Names::new(&table, &lookup), weight: &|_| 0, among: None }))
    }

    #[test]
    fn names_are_found_by_short_forms_and_by_umlauts_typed_otherwise() -> Result<(), ColumnFull> {
        let names = ["Robert Jäger", "Bob Jaeger", "Rob Q. Jager", "Jörg Weiß", "Joerg Weiss", "Lena Meier"];
        for (query, rows) in [
            ("Bobby Jager", &[0, 1][..]),
            ("jaeger robert", &[0, 1]),
            ("JÖRG WEIẞ", &[3, 4]),
            ("Lena Maier", &[]),
            ("Jörg", &[]),
            ("", &[]),
        ] {
            assert_eq!(with_names(&names, |names| names.all_otherwise(query))?, rows, "{query}");
        }
        Ok(())
    }

    #[test]
    fn the_nearest_names_have_the_fewest_edits_of_each_word() -> Result<(), ColumnFull> {
        let names = ["Anna Meier", "Anne Maier", "Anna Meier Olsen", "Berta Meier", "An Li"];
        for (query, rows) in [
            ("Anna Meyer", &[0, 2, 1][..]),
            ("Anne Meier", &[0, 1, 2]),
            ("Ann Lee", &[]),
            ("Quux", &[]),
            ("", &[]),
        ] {
            assert_eq!(with_names(&names, |names| names.nearest(query, 3))?, rows, "{query}");
        }
        Ok(())
    }
}
