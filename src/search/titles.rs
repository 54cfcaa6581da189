//! Positions in German, French, Spanish and Dutch, by what they are in English.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::LazyLock;

use crate::search::languages::LANGUAGES;
use crate::search::lexicon::Phrase;
use crate::search::text_index::TextIndex;
use crate::search::words::stems;

/// The most English words of a role that are looked for in other languages.
const ELSEWHERE_MAX: usize = 24;

/// Makes the languages and their titles, if they are not yet made.
pub(crate) fn prepare() {
    LazyLock::force(&TITLES);
}

/// A title in one of these languages.
struct Title {
    /// The hash of its first stem.
    first: u64,
    phrase: &'static str,
    english: &'static str,
}

/// The titles of all these languages, ascending by the hash of their first stem. Their stems are not kept: there are tens
/// of thousands, and a network has few.
static TITLES: LazyLock<Vec<Title>> = LazyLock::new(|| {
    let titles = LANGUAGES.iter().flat_map(|language| language.roles()).filter_map(|(phrase, english)| {
        let first = hash(stems(phrase).first()?);
        Some(Title { first, phrase, english })
    });
    let mut titles: Vec<Title> = titles.collect();
    titles.sort_unstable_by_key(|title| title.first);
    titles
});

fn hash(stem: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(stem)
}

/// The titles whose first stem has the hash of `stem`.
fn titles_from(stem: &str) -> impl Iterator<Item = &'static Title> {
    let first = hash(stem);
    let start = TITLES.partition_point(|title| title.first < first);
    TITLES[start..].iter().take_while(move |title| title.first == first)
}

/// The positions of a network in these languages, by what they are in English.
#[derive(Debug, Default)]
pub struct Elsewhere(HashMap<String, Vec<Phrase>>);

impl Elsewhere {
    /// Those that the known texts of `positions` have. Costs a binary search for each of their distinct stems.
    #[must_use]
    pub fn of(positions: &TextIndex) -> Self {
        let mut said: HashMap<String, Vec<Phrase>> = HashMap::new();
        for first in positions.known_words_from("") {
            for title in titles_from(first) {
                let words = stems(title.phrase);
                if words.first().is_some_and(|word| word == first) && positions.knows_together(&words) {
                    said.entry(sense(&stems(title.english))).or_default().push(words);
                }
            }
        }
        said.values_mut().for_each(|phrases| phrases.sort_unstable());
        Self(said)
    }

    /// What stands in the positions for one of these English phrases, at most so much as a search looks for.
    #[must_use]
    pub fn of_phrases(&self, phrases: &[Phrase]) -> Vec<Phrase> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let found = phrases.iter().filter_map(|phrase| self.0.get(&sense(phrase))).flatten();
        found.take(ELSEWHERE_MAX).cloned().collect()
    }
}

/// The words of a role in any order, without those that join them.
fn sense(phrase: &[String]) -> String {
    let mut words: Vec<&str> =
        phrase.iter().map(String::as_str).filter(|word| !["of", "the", "for"].contains(word)).collect();
    words.sort_unstable();
    words.join(" ")
}
