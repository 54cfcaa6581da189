//! Positions in German, French, Spanish and Dutch, by their English.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::LazyLock;

use crate::search::languages::{LANGUAGES, QueryLanguage};
use crate::search::lexicon::Phrase;
use crate::search::text_index::TextIndex;
use crate::search::words::{each_stem, stems};

/// Maximum English words of a role to look for in other languages.
const ELSEWHERE_MAX: usize = 24;

/// Builds the languages and their titles, unless they are built already.
pub(crate) fn prepare() {
    LazyLock::force(&TITLES);
}

/// A title in a language.
struct Title {
    /// The lower half of the hash of its first stem.
    first: u32,
    /// Its number among the phrases of the language.
    number: u32,
}

/// The titles of each language, ascending by `first`. Their stems are not kept: there are tens of thousands, and a
/// network uses few.
static TITLES: LazyLock<Vec<Box<[Title]>>> = LazyLock::new(|| {
    let of = |language: &QueryLanguage| {
        let titles = language
            .roles()
            .filter_map(|(number, phrase)| Some(Title { first: hash(&each_stem(phrase).next()?), number }));
        let mut titles: Box<[Title]> = titles.collect();
        titles.sort_unstable_by_key(|title| title.first);
        titles
    };
    LANGUAGES.iter().map(of).collect()
});

fn hash(stem: &str) -> u32 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(stem) as u32
}

/// The titles whose first stem has the hash of `stem`, each with its English.
fn titles_from(stem: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let first = hash(stem);
    LANGUAGES.iter().zip(TITLES.iter()).flat_map(move |(language, titles)| {
        let start = titles.partition_point(|title| title.first < first);
        let of_stem = titles[start..].iter().take_while(move |title| title.first == first);
        of_stem.map(|title| (language.phrase(title.number), language.in_english(title.number)))
    })
}

/// The positions of a network in these languages, by their English.
#[derive(Debug, Default)]
pub struct Elsewhere(HashMap<String, Vec<Phrase>>);

impl Elsewhere {
    /// Finds those that the known texts of `positions` contain. Costs a binary search for each distinct stem.
    #[must_use]
    pub fn of(positions: &TextIndex) -> Self {
        let mut said: HashMap<String, Vec<Phrase>> = HashMap::new();
        for first in positions.words_from("") {
            for (title, english) in titles_from(first) {
                let words = stems(title);
                if words.first().is_some_and(|word| word == first) && positions.knows_together(&words) {
                    said.entry(sense(&stems(english))).or_default().push(words);
                }
            }
        }
        said.values_mut().for_each(|phrases| phrases.sort_unstable());
        Self(said)
    }

    /// The positions for one of these English phrases, at most as many as a search looks for.
    #[must_use]
    pub fn of_phrases(&self, phrases: &[Phrase]) -> Vec<Phrase> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let found = phrases.iter().filter_map(|phrase| self.0.get(&sense(phrase))).flatten();
        found.take(ELSEWHERE_MAX).cloned().collect()
    }
}

/// The words of a role in a fixed order, without those that join them.
fn sense(phrase: &[String]) -> String {
    let mut words: Vec<&str> =
        phrase.iter().map(String::as_str).filter(|word| !["of", "the", "for"].contains(word)).collect();
    words.sort_unstable();
    words.join(" ")
}
