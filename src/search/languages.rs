//! German, French, Spanish and Dutch queries, said in English.
//!
//! The words are in the text files `lexicon/german.txt` and so on. A query is read as one of these languages if it has
//! a word that shows it; each phrase that the language's file has then becomes the English one, and the parser, the
//! lexicon and the embedding model stay English. What a person's position says in these languages is found because
//! `titles` adds it to the ways to say a role.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;
use std::thread;

use rapidfuzz::distance::osa;

use crate::model::text::fold;
use crate::search::lexicon::LEXICON;
use crate::search::parse::cues::{Cue, find_cue};
use crate::search::word_list;
use crate::search::words::{pair, plain, stem, words};

/// The languages, made once, each on a thread of its own.
pub static LANGUAGES: LazyLock<Vec<QueryLanguage>> = LazyLock::new(|| {
    let files = [
        include_str!("lexicon/german.txt"),
        include_str!("lexicon/french.txt"),
        include_str!("lexicon/spanish.txt"),
        include_str!("lexicon/dutch.txt"),
    ];
    // Threads of a pool could take up other work that waits for the languages.
    thread::scope(|scope| {
        let reading = files.map(|file| scope.spawn(|| QueryLanguage::read(file)));
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
#[derive(Debug, Default)]
pub struct QueryLanguage {
    /// Whether nouns begin with capitals in it, and no other words.
    pub has_nouns_in_capitals: bool,
    /// Words of which [`COMMON_MIN`] together show the language.
    common: HashSet<String>,
    /// What its phrases are in English, by their words as people type them, joined by spaces.
    phrases: BTreeMap<String, English>,
    /// The first words of phrases of several words.
    openings: HashSet<String>,
    /// The most words of a phrase.
    words_max: usize,
}

/// What a phrase is in English.
#[derive(Clone, Debug, PartialEq, Eq)]
struct English {
    said: String,
    /// Whether the phrase shows the language: English and names do not have it.
    shows: bool,
    /// Whether it is a title, or work, that English does not have.
    is_role: bool,
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
    /// Its titles and words for work that English does not have, each with what it is in English, ascending.
    pub fn roles(&self) -> impl Iterator<Item = (&str, &str)> {
        let roles = self.phrases.iter().filter(|(_, english)| english.is_role);
        roles.map(|(phrase, english)| (phrase.as_str(), english.said.as_str()))
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
        let all = self.phrases.range(initial.to_owned()..).map(|(phrase, _)| phrase.as_str());
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
            let most =
                if self.openings.contains(&words[at]) { self.words_max.min(free) } else { free.min(1) };
            let longest = (cue + 1..=most).rev().find_map(|length| {
                let phrase = if length == 1 {
                    self.phrases.get(&words[at])
                } else {
                    self.phrases.get(&words[at..at + length].join(" "))
                };
                phrase.map(|english| (length, english))
            });
            let former = || words[at].strip_prefix(FORMER).and_then(|role| self.phrases.get(role));
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
            found.push(Translated { at, length, english: &english.said, is_former });
            at += length;
        }
        (shown.max(self.common_in(words, kept)), found)
    }

    /// Whether `word` alone shows the language.
    fn shows(&self, word: &str) -> bool {
        self.phrases.get(word).is_some_and(|english| english.shows)
    }

    /// How many different ones of `words` are common ones; 0 if too few are.
    fn common_in(&self, words: &[String], kept: &KeptWords) -> usize {
        let words = words.iter().zip(&kept.is_thing).filter(|(_, is_thing)| !**is_thing);
        let all = words.map(|(word, _)| word).chain(&kept.beside);
        let common: HashSet<&String> = all.filter(|word| self.common.contains(*word)).collect();
        if common.len() < COMMON_MIN { 0 } else { common.len() }
    }

    fn read(text: &str) -> Self {
        let mut language = Self::default();
        let (mut section, mut firsts, mut lasts, mut endings) = ("", Vec::new(), Vec::new(), Vec::new());
        for line in word_list::lines(text) {
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                section = name;
                language.has_nouns_in_capitals |= name == "nouns in capitals";
                continue;
            }
            let (phrases, english) = line.split_once('=').unwrap_or((line, ""));
            let english = english.trim();
            for phrase in phrases.split(',').flat_map(typed) {
                match section {
                    "first" => firsts.push((phrase, english)),
                    "last" => lasts.push((phrase, english)),
                    "ending" => endings.push((phrase, english)),
                    "common" => {
                        language.common.insert(phrase);
                    }
                    _ => language.add(phrase, english, section),
                }
            }
        }
        for (first, of) in &firsts {
            for (last, pattern) in &lasts {
                language.add(format!("{first}{last}"), &pattern.replace('_', of), "role");
            }
        }
        language.add_endings(&endings);
        language
    }

    fn add(&mut self, phrase: String, english: &str, section: &str) {
        let count = phrase.split(' ').count();
        self.words_max = self.words_max.max(count);
        if let Some((opening, _)) = phrase.split_once(' ') {
            self.openings.insert(opening.to_owned());
        }
        let is_own = phrase != english && !is_english(&phrase, section);
        let shows = section != "small" && is_own && !is_misspelt(&phrase);
        let is_role = section == "role" && is_own;
        let english = English { said: english.to_owned(), shows, is_role };
        self.phrases.entry(phrase).or_insert(english);
    }

    /// Adds each word of a role with other endings: "in" behind it, or "trice" for "teur"; of a role of several words
    /// the plural.
    fn add_endings(&mut self, endings: &[(String, &str)]) {
        let roles = self.phrases.iter().filter(|(_, it)| it.is_role);
        let inflected = roles.flat_map(|(phrase, english)| {
            let forms = endings
                .iter()
                .filter_map(|(ending, base)| Some(format!("{}{ending}", phrase.strip_suffix(base)?)));
            let single: Vec<String> =
                if phrase.contains(' ') { plurals(phrase, endings) } else { forms.collect() };
            single.into_iter().map(|form| (form, english.clone()))
        });
        for (form, english) in inflected.collect::<Vec<_>>() {
            if !is_english(&form, "role") {
                if let Some((opening, _)) = form.split_once(' ') {
                    self.openings.insert(opening.to_owned());
                }
                self.phrases.entry(form).or_insert(english);
            }
        }
    }
}

/// A phrase in the plural, if the language has an "s" for it: every long word of it, or the first.
fn plurals(phrase: &str, endings: &[(String, &str)]) -> Vec<String> {
    if !endings.iter().any(|(ending, base)| ending == "s" && base.is_empty()) {
        return Vec::new();
    }
    let plural = |word: &str| {
        let end =
            if word.ends_with('r') && endings.iter().any(|(ending, _)| ending == "ora") { "es" } else { "s" };
        if word.len() < 4 || word.ends_with(['s', 'x']) { word.to_owned() } else { format!("{word}{end}") }
    };
    let first = |phrase: &str| phrase.split_once(' ').map(|(word, rest)| format!("{} {rest}", plural(word)));
    let all = phrase.split(' ').map(plural).collect::<Vec<_>>().join(" ");
    first(phrase).into_iter().chain([all]).collect()
}

/// Whether an English query may have the phrase too.
fn is_english(phrase: &str, section: &str) -> bool {
    let is_pair = |(one, other)| pair(one, other).is_some();
    // Words for "not", "formerly" and the like are cues in whatever language.
    let is_said_in_any = |cue| {
        matches!(
            cue,
            Cue::Not
                | Cue::NotBefore
                | Cue::Past
                | Cue::PastBefore
                | Cue::NotAsked
                | Cue::Indifferent
                | Cue::Or
                | Cue::CompanyNoun
        )
    };
    find_cue(phrase).is_some_and(|cue| section != "ask" || !is_said_in_any(cue))
        || phrase.split_once(' ').map_or_else(|| LEXICON.has_stem(&stem(phrase)), is_pair)
}

/// Whether the word may be one of the lexicon with a letter wrong: then it shows nothing.
fn is_misspelt(word: &str) -> bool {
    let (letters, initial) = (word.chars().count(), word.get(..1).unwrap_or_default());
    if word.contains(' ') || letters < 4 {
        return false;
    }
    let most = if letters < 10 { 1 } else { 2 };
    let (near, args) = (osa::BatchComparator::new(word.chars()), osa::Args::default().score_cutoff(most));
    // "personaler" is a word with an ending.
    let is_near =
        |known: &str| !word.starts_with(known) && near.distance_with_args(known.chars(), &args).is_some();
    LEXICON.stems_from(initial).any(|known| known.chars().count().abs_diff(letters) <= most && is_near(known))
}

/// A phrase of a file as people type it, and with the marks of its vowels written out, if it has any.
fn typed(phrase: &str) -> Vec<String> {
    let joined = |phrase: &str| words(&plain(&fold(phrase))).collect::<Vec<_>>().join(" ");
    let written_out = phrase.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue");
    let mut both = vec![joined(phrase), joined(&written_out)];
    both.dedup();
    both.retain(|phrase| !phrase.is_empty());
    both
}
