//! Translates German, French, Spanish and Dutch queries to English.
//!
//! The words are in the text files `lexicon/german.txt` and so on. A query is in one of these languages if a word of it
//! shows that. Each phrase in the language's file is then replaced by the English one, so the parser, the lexicon and
//! the embedding model stay English. `titles` adds these languages to the synonyms of a role, so that positions in them
//! are found.

mod phrase_book;
mod reading;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::LazyLock;
use std::thread;

use rapidfuzz::distance::osa;

use crate::search::languages::reading::{LanguageFile, read};
use crate::search::words::plain;

/// The languages, built once, each on a thread of its own.
pub static LANGUAGES: LazyLock<Vec<QueryLanguage>> = LazyLock::new(|| {
    let files = [
        ("de", include_str!("lexicon/german.txt")),
        ("fr", include_str!("lexicon/french.txt")),
        ("es", include_str!("lexicon/spanish.txt")),
        ("nl", include_str!("lexicon/dutch.txt")),
    ];
    // Threads of a pool could take up other work that waits for the languages.
    thread::scope(|scope| {
        let reading = files.map(|(code, file)| scope.spawn(move || QueryLanguage { code, file: read(file) }));
        reading.map(|language| language.join().expect("the program's own files are read by the tests")).into()
    })
});

/// The prefix of a former role in each of these languages.
const FORMER: &str = "ex";
/// Minimum length of a word to correct: too many words are near shorter ones.
const MENDED_LETTERS_MIN: usize = 5;
/// Minimum length of a word with two wrong letters.
const MENDED_LETTERS_OF_TWO: usize = 9;

/// Minimum number of a language's words that are not English, but also occur in names or other languages, to show it.
const COMMON_MIN: usize = 2;

/// The words of a query that must not be translated.
#[derive(Clone, Debug)]
pub struct KeptWords {
    /// Whether each word is part of a name, or of a company or place of several words.
    pub is_thing: Vec<bool>,
    /// Whether each word is part of a phrase about who knows whom, in any language.
    pub is_relation: Vec<bool>,
    /// For each word, the length of the cue that begins there in any language; 0 or at least 2. A longer phrase of the
    /// language takes precedence: "que no sean" within "que no sean de".
    pub cues: Vec<usize>,
    /// Folded words of the query that were already read: those around numbers.
    pub beside: Vec<String>,
}

impl KeptWords {
    /// Keeps none of `words` words.
    #[must_use]
    pub fn nothing(words: usize) -> Self {
        Self {
            is_thing: vec![false; words],
            is_relation: vec![false; words],
            cues: vec![0; words],
            beside: Vec::new(),
        }
    }
}

/// One language.
#[derive(Debug)]
pub struct QueryLanguage {
    /// Its code, such as `de`.
    pub code: &'static str,
    file: LanguageFile,
}

/// Words of a query with their translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translated {
    /// The first word.
    pub at: usize,
    /// How many words.
    pub length: usize,
    /// The English words joined by spaces; empty if they mean nothing.
    pub english: &'static str,
    /// Whether they refer to the past: `exconsultores`.
    pub is_former: bool,
}

/// A query's translation to English.
pub struct Translation {
    /// The language.
    pub language: &'static QueryLanguage,
    /// The translated words, ascending, without overlaps.
    pub said: Vec<Translated>,
}

/// Translates the folded `words` to English, except those `kept`; `None` if none of them shows a language. Costs a
/// look-up for each word and language, and a few where a phrase may begin.
#[must_use]
pub fn translate(words: &[&str], kept: &KeptWords) -> Option<Translation> {
    let typed: Vec<String> = words.iter().map(|word| plain(word)).collect();
    let read = LANGUAGES.iter().map(|language| (language, language.read_words(&typed, kept)));
    let shown = read.filter(|(_, (shown, _))| *shown > 0).enumerate();
    let best = shown.max_by_key(|(at, (_, (shown, found)))| {
        let length: usize = found.iter().map(|it| it.length).sum();
        (length, *shown, std::cmp::Reverse(*at))
    });
    best.map(|(_, (language, (_, said)))| Translation { language, said })
}

impl QueryLanguage {
    /// Whether only nouns begin with capitals in it.
    #[must_use]
    pub fn has_nouns_in_capitals(&self) -> bool {
        self.file.has_nouns_in_capitals
    }

    /// Its titles and words for work that are not English, ascending, each with its number among all phrases.
    pub fn roles(&self) -> impl Iterator<Item = (u32, &str)> {
        (0..self.file.phrases.len())
            .filter(|&at| self.file.phrases.english(at).is_role)
            .map(|at| (at, self.phrase(at)))
    }

    /// The phrase with this number.
    #[must_use]
    pub fn phrase(&self, number: u32) -> &str {
        self.file.phrases.phrase(number)
    }

    /// The English for the phrase with this number.
    #[must_use]
    pub fn in_english(&self, number: u32) -> &str {
        self.file.phrases.said(self.file.phrases.english(number))
    }

    /// Translates the folded `words` of this language, as [`translate`] does.
    #[must_use]
    pub fn translate(&'static self, words: &[&str], kept: &KeptWords) -> Vec<Translated> {
        let typed: Vec<String> = words.iter().map(|word| plain(word)).collect();
        self.read_words(&typed, kept).1
    }

    /// The nearest word of this language to the unknown `word`: one letter off, or two in a long word, with the same
    /// first letter. `None` if there is none, or `word` is short. Costs a look at each of its words with that letter.
    #[must_use]
    pub fn mend(&self, word: &str) -> Option<&str> {
        let typed = plain(word);
        let letters = typed.chars().count();
        if letters < MENDED_LETTERS_MIN || !typed.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return None;
        }
        let most = if letters < MENDED_LETTERS_OF_TWO { 1 } else { 2 };
        let (near, args) =
            (osa::BatchComparator::new(typed.chars()), osa::Args::default().score_cutoff(most));
        let initial = &typed[..1];
        let all = self.file.phrases.from(initial);
        let alike = all.take_while(|it| it.starts_with(initial)).filter(|it| {
            !it.contains(' ') && it.len() >= MENDED_LETTERS_MIN && it.len().abs_diff(typed.len()) <= most
        });
        let nearest = alike.filter_map(|it| Some((near.distance_with_args(it.chars(), &args)?, it))).min();
        nearest.map(|(_, it)| it)
    }

    /// The phrases of the language in `words`, and the number of words that show it.
    fn read_words(&'static self, words: &[String], kept: &KeptWords) -> (usize, Vec<Translated>) {
        let (mut shown, mut found) = (kept.beside.iter().filter(|word| self.shows(word)).count(), Vec::new());
        let mut at = 0;
        while at < words.len() {
            let cue = kept.cues[at];
            let is_kept = |place: &usize| kept.is_thing[*place] || kept.is_relation[*place];
            let free = (at..words.len()).take_while(|place| !is_kept(place)).count();
            let most = if self.file.openings.contains(&words[at]) {
                self.file.words_max.min(free)
            } else {
                free.min(1)
            };
            let longest = (cue + 1..=most).rev().find_map(|length| {
                let phrase = if length == 1 {
                    self.file.phrases.get(&words[at])
                } else {
                    self.file.phrases.get(&words[at..at + length].join(" "))
                };
                phrase.map(|english| (length, english))
            });
            let former = || words[at].strip_prefix(FORMER).and_then(|role| self.file.phrases.get(role));
            let (length, english, is_former) = match (longest, former()) {
                (Some((length, english)), _) => (length, english, false),
                (None, Some(english)) if english.is_role && most > 0 => (1, english, true),
                _ => {
                    let passed = &words[at..at + cue.max(usize::from(kept.is_relation[at]))];
                    shown += passed.iter().filter(|&word| self.shows(word)).count();
                    at += cue.max(1);
                    continue;
                }
            };
            shown += if english.shows { length } else { 0 };
            found.push(Translated { at, length, english: self.file.phrases.said(english), is_former });
            at += length;
        }
        (shown.max(self.common_in(words, kept)), found)
    }

    /// Whether `word` alone shows the language.
    fn shows(&self, word: &str) -> bool {
        self.file.phrases.get(word).is_some_and(|english| english.shows)
    }

    /// Counts the distinct common words of the language in `words`; 0 if too few.
    fn common_in(&self, words: &[String], kept: &KeptWords) -> usize {
        let words = words.iter().zip(&kept.is_thing).filter(|(_, is_thing)| !**is_thing);
        let all = words.map(|(word, _)| word).chain(&kept.beside);
        let common: HashSet<&String> = all.filter(|word| self.file.common.contains(*word)).collect();
        if common.len() < COMMON_MIN { 0 } else { common.len() }
    }
}
