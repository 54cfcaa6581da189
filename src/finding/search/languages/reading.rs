//! Parses the file of a language: its phrases, their English, and derived forms.

use std::collections::HashSet;
use std::sync::LazyLock;

use hashbrown::HashMap;
use rapidfuzz::distance::osa;

use crate::model::text::fold;
use crate::search::languages::phrase_book::{English, PhraseBook, PhraseList};
use crate::search::lexicon::LEXICON;
use crate::search::parse::cues::{Cue, find_cue};
use crate::search::word_list;
use crate::search::words::{pair, plain, stem, words};

/// The parsed file of a language.
#[derive(Debug, Default)]
pub(super) struct LanguageFile {
    /// Whether only nouns begin with capitals in it.
    pub(super) has_nouns_in_capitals: bool,
    /// Words of which several together show the language.
    pub(super) common: HashSet<String>,
    /// Its phrases with their English; a phrase is typed words joined by spaces.
    pub(super) phrases: PhraseBook,
    /// The first words of phrases of several words.
    pub(super) openings: HashSet<String>,
    /// Maximum number of words in a phrase.
    pub(super) words_max: usize,
}

/// Parses `text`. Compounds cost the most: each first part with each last one, and each result with every ending.
pub(super) fn read(text: &str) -> LanguageFile {
    let mut reading = Reading::default();
    let (mut section, mut firsts, mut lasts, mut endings) = ("", Vec::new(), Vec::new(), Vec::new());
    for line in word_list::lines(text) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = name;
            reading.file.has_nouns_in_capitals |= name == "nouns in capitals";
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
                    reading.file.common.insert(phrase);
                }
                _ => reading.add(&phrase, english, section),
            }
        }
    }
    for (first, of) in &firsts {
        for (last, pattern) in &lasts {
            reading.add(&format!("{first}{last}"), &pattern.replace('_', of), "role");
        }
    }
    reading.add_endings(&endings);
    LanguageFile { phrases: reading.phrases.finish(), ..reading.file }
}

/// A partly read file: everything but its phrases, and the list of phrases.
#[derive(Default)]
struct Reading {
    file: LanguageFile,
    phrases: PhraseList,
}

impl Reading {
    fn add(&mut self, phrase: &str, english: &str, section: &str) {
        let count = phrase.split(' ').count();
        self.file.words_max = self.file.words_max.max(count);
        self.note_opening(phrase);
        let is_own = phrase != english && !is_english(phrase, section);
        let shows = section != "small" && is_own && !is_misspelt(phrase);
        self.phrases.add(phrase, english, shows, section == "role" && is_own);
    }

    /// Records the first word of `phrase`, if it has several.
    fn note_opening(&mut self, phrase: &str) {
        if let Some((opening, _)) = phrase.split_once(' ') {
            self.file.openings.insert(opening.to_owned());
        }
    }

    /// Adds the other forms of each role: with "in" appended, or "trice" for "teur"; for a role of several words, the
    /// plural.
    fn add_endings(&mut self, endings: &[(String, &str)]) {
        let (mut word, mut form) = (String::new(), String::new());
        for place in 0..self.phrases.settle() {
            let (phrase, english) = self.phrases.at(place);
            if !english.is_role {
                continue;
            }
            if phrase.contains(' ') {
                plurals(phrase, endings).iter().for_each(|form| self.add_form(form, english));
                continue;
            }
            phrase.clone_into(&mut word);
            for (ending, base) in endings {
                let Some(root) = word.strip_suffix(base) else { continue };
                root.clone_into(&mut form);
                form.push_str(ending);
                self.add_form(&form, english);
            }
        }
    }

    /// Adds a form of a role, unless it is English.
    fn add_form(&mut self, form: &str, english: English) {
        if !is_english(form, "role") {
            self.note_opening(form);
            self.phrases.add_as(form, english);
        }
    }
}

/// The plural of a phrase, if the language uses "s": of every long word, or of the first.
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

/// Whether an English query may contain the phrase too.
fn is_english(phrase: &str, section: &str) -> bool {
    let is_pair = |(one, other)| pair(one, other).is_some();
    // Words for "not", "formerly" and the like are cues in any language.
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
        || phrase.split_once(' ').map_or_else(|| STEMS.contains(&*stem(phrase)), is_pair)
}

/// The stems of the lexicon: a hundred thousand words are looked up in them.
static STEMS: LazyLock<hashbrown::HashSet<&str>> = LazyLock::new(|| LEXICON.stems_from("").collect());

/// The stems of the lexicon, by their first letter and length.
static STEMS_ALIKE: LazyLock<HashMap<(char, usize), Vec<&str>>> = LazyLock::new(|| {
    let mut alike: HashMap<_, Vec<_>> = HashMap::new();
    for stem in LEXICON.stems_from("") {
        if let Some(initial) = stem.chars().next() {
            alike.entry((initial, stem.chars().count())).or_default().push(stem);
        }
    }
    alike
});

/// Whether the word may be a misspelt word of the lexicon: then it shows nothing.
fn is_misspelt(word: &str) -> bool {
    let (letters, initial) = (word.chars().count(), word.chars().next().unwrap_or_default());
    if word.contains(' ') || letters < 4 {
        return false;
    }
    let most = if letters < 10 { 1 } else { 2 };
    let as_long = |letters| STEMS_ALIKE.get(&(initial, letters)).into_iter().flatten();
    // "personaler" is a word with an ending.
    let mut alike = (letters - most..=letters + most)
        .flat_map(as_long)
        .filter(|known| !word.starts_with(**known))
        .peekable();
    // Most long words have no similar stem.
    if alike.peek().is_none() {
        return false;
    }
    let (near, args) = (osa::BatchComparator::new(word.chars()), osa::Args::default().score_cutoff(most));
    alike.any(|known| near.distance_with_args(known.chars(), &args).is_some())
}

/// A phrase of a file as people type it, and also with umlauts written out, if it has any.
fn typed(phrase: &str) -> Vec<String> {
    let joined = |phrase: &str| words(&plain(&fold(phrase))).collect::<Vec<_>>().join(" ");
    let written_out = phrase.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue");
    let mut both = vec![joined(phrase), joined(&written_out)];
    both.dedup();
    both.retain(|phrase| !phrase.is_empty());
    both
}
