//! German, French, Spanish and Dutch queries, said in English.
//!
//! The words are in the text files `lexicon/german.txt` and so on. A query is read as one of these languages if it has
//! a word that shows it; each phrase that the language's file has then becomes the English one, and the parser, the
//! lexicon and the embedding model stay English. What a person's position says in these languages is found because
//! `titles` adds it to the ways to say a role.

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

/// The languages, made once, each on a thread of its own.
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

/// What stands before a role that people had, as one word with it, in each of these languages.
const FORMER: &str = "ex";
/// A misspelt word of fewer letters is left as it is: too many words are near.
const MENDED_LETTERS_MIN: usize = 5;
/// A word of this many letters may have two letters wrong.
const MENDED_LETTERS_OF_TWO: usize = 9;

/// So many words of a language that English has not, but names have or several languages, show it.
const COMMON_MIN: usize = 2;

/// The words of a query that stay as they are.
#[derive(Clone, Debug)]
pub struct KeptWords {
    /// For each word, whether it is part of a name, or of a company or a place of several words.
    pub is_thing: Vec<bool>,
    /// For each word, whether a sentence on who knows whom has it, in whatever language.
    pub is_relation: Vec<bool>,
    /// For each word, how many from it on are a cue in whatever language; 0 or at least 2. A longer phrase of the
    /// language is read all the same: "que no sean" within "que no sean de".
    pub cues: Vec<usize>,
    /// Folded words of the query that were read already: those around numbers.
    pub beside: Vec<String>,
}

impl KeptWords {
    /// None of so many words.
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

/// Words of a query that are said in English otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translated {
    /// The first word.
    pub at: usize,
    /// How many words.
    pub length: usize,
    /// The English words joined by spaces; empty if they say nothing.
    pub english: &'static str,
    /// Whether they say it of the past: `exconsultores`.
    pub is_former: bool,
}

/// What a query in another language says in English.
pub struct Translation {
    /// The language.
    pub language: &'static QueryLanguage,
    /// What is to be said in English, ascending; nothing overlaps.
    pub said: Vec<Translated>,
}

/// What the folded `words` say in English; `None` if none of them shows a language. Those that are `kept` stay as they
/// are. Costs a look-up for each word and language, and a few where a phrase may begin.
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
    /// Whether nouns begin with capitals in it, and no other words.
    #[must_use]
    pub fn has_nouns_in_capitals(&self) -> bool {
        self.file.has_nouns_in_capitals
    }

    /// Its titles and words for work that English does not have, ascending, each with its number among all phrases.
    pub fn roles(&self) -> impl Iterator<Item = (u32, &str)> {
        (0..self.file.phrases.len())
            .filter(|&at| self.file.phrases.english(at).is_role)
            .map(|at| (at, self.phrase(at)))
    }

    /// The phrase of this number.
    #[must_use]
    pub fn phrase(&self, number: u32) -> &str {
        self.file.phrases.phrase(number)
    }

    /// What the phrase of this number is in English.
    #[must_use]
    pub fn in_english(&self, number: u32) -> &str {
        self.file.phrases.said(self.file.phrases.english(number))
    }

    /// What of the folded `words`, which are in this language, is to be said in English, as [`translate`] does.
    #[must_use]
    pub fn translate(&'static self, words: &[&str], kept: &KeptWords) -> Vec<Translated> {
        let typed: Vec<String> = words.iter().map(|word| plain(word)).collect();
        self.read_words(&typed, kept).1
    }

    /// The word of this language nearest to `word`, which it does not have: one letter off, or two in a long word, and
    /// with the same first letter. Returns `None` if none is, or `word` is short. Costs a look at each of its words
    /// with that letter.
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

    /// What of `words` the language has, and how many of them show it.
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

    /// How many different ones of `words` are common ones; 0 if too few are.
    fn common_in(&self, words: &[String], kept: &KeptWords) -> usize {
        let words = words.iter().zip(&kept.is_thing).filter(|(_, is_thing)| !**is_thing);
        let all = words.map(|(word, _)| word).chain(&kept.beside);
        let common: HashSet<&String> = all.filter(|word| self.file.common.contains(*word)).collect();
        if common.len() < COMMON_MIN { 0 } else { common.len() }
    }
}
