//! Corrects misspelt words to the nearest known ones.

use std::collections::HashMap;
use std::sync::LazyLock;

use rapidfuzz::distance::osa;

use crate::search::index::SearchIndex;
use crate::search::lexicon::LEXICON;
use crate::search::parse::cues::has_word;
use crate::search::sizes;
use crate::search::words::stem;
use kith_embed::model::Model;

/// Minimum length of a word to correct: too many words are near shorter ones.
const LETTERS_MIN: usize = 4;
/// Minimum length for words of other languages: many are near an English one.
const LETTERS_MIN_ELSEWHERE: usize = 6;
/// Minimum length of a word with two wrong letters.
const LETTERS_OF_TWO: usize = 8;

/// Whether the word has a meaning, or is English.
pub(super) fn is_known(search: &SearchIndex, word: &str, stem: &String) -> bool {
    is_said(search, word, stem) || [word, stem].into_iter().any(|form| Model::own().knows(form))
}

/// Whether the word has a meaning: a cue, a word of the lexicon or of the network.
pub(super) fn is_said(search: &SearchIndex, word: &str, stem: &String) -> bool {
    has_word(word)
        || sizes::has_word(word)
        || LEXICON.knows_stem(stem)
        || search.columns().iter().any(|column| column.knows(stem))
        || search.past.names().knows(stem)
        || search.names.has_word(word)
        || search.is_company(std::slice::from_ref(stem))
        || search.company_names.has_typed(stem)
        || search.is_short_company(stem)
}

/// The kind of a misspelt word, which limits its corrections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MendedFrom {
    /// Any word.
    Word,
    /// A word with a capital among small ones: not a short word that is just English; "Moderna" is not "modern".
    Name,
    /// A word of another language: only a word of the lexicon or the network, not another English one, and no name.
    OtherLanguage,
    /// The same with a capital, in a language whose nouns have none.
    OtherName,
}

impl MendedFrom {
    /// Whether the word is of another language.
    pub(super) fn is_other(self) -> bool {
        matches!(self, Self::OtherLanguage | Self::OtherName)
    }
}

/// The nearest known stem to an unknown one: one letter off, or two in a long word.
///
/// Costs a look at every known stem with the same first letter.
pub(super) fn mend(search: &SearchIndex, word: &str, stem: &str, from: MendedFrom) -> Option<String> {
    let letters = word.chars().count();
    let least = if from == MendedFrom::OtherLanguage { LETTERS_MIN_ELSEWHERE } else { LETTERS_MIN };
    if letters < least || !word.is_ascii() || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // "koeln"
    let folded = ["ae", "oe", "ue"].iter().fold(word.to_owned(), |word, it| word.replace(it, &it[..1]));
    if folded != word && is_said(search, &folded, &self::stem(&folded)) {
        return Some(folded);
    }
    let most = if letters >= LETTERS_OF_TWO { 2 } else { 1 };
    let (of_stem, of_word) =
        (osa::BatchComparator::new(stem.chars()), osa::BatchComparator::new(word.chars()));
    let initial = stem.get(..1)?;
    // An apparent plural may be one letter short instead: "busines".
    let distance = |known: &str| {
        if known.chars().count() < LETTERS_MIN {
            return None;
        }
        let args = osa::Args::default().score_cutoff(most);
        let of_stem = of_stem.distance_with_args(known.chars(), &args);
        of_word.distance_with_args(known.chars(), &args).into_iter().chain(of_stem).min()
    };
    let of_lexicon = LEXICON.stems_from(initial).filter_map(|known| Some((distance(known)?, 0, known)));
    let of_network = search.columns().into_iter().flat_map(|column| column.words_from(initial));
    let of_network = of_network.filter_map(|known| Some((distance(known)?, 1, known)));
    let nearest = of_lexicon.chain(of_network).min_by_key(|&(near, rank, known)| {
        // Few typos are in the last letter: "enginers" are not an engine.
        (near, rank, !known.ends_with(|last| stem.ends_with(last)), known)
    });
    let is_english = from == MendedFrom::Word || letters >= LETTERS_OF_TWO;
    let english = |most| english(word, initial, most).filter(|_| is_english);
    match nearest {
        Some((near, _, known)) if from.is_other() => (near == 1).then(|| known.to_owned()),
        None if from.is_other() => None,
        Some((near, _, known)) if near > 1 => english(near - 1).or_else(|| Some(known.to_owned())),
        Some((.., known)) => Some(known.to_owned()),
        None => search.names.mend(word).map(str::to_owned).or_else(|| english(most)),
    }
}

/// The stem of the first of the English words nearest to `word`, within `most` edits.
///
/// Costs a look at every English word of similar length with the same first letter.
fn english(word: &str, initial: &str, most: usize) -> Option<String> {
    let (of_word, args) = (osa::BatchComparator::new(word.chars()), osa::Args::default().score_cutoff(most));
    let words = ENGLISH.get(initial)?.iter().enumerate();
    let near = words
        .filter(|(_, it)| it.len().abs_diff(word.len()) <= most)
        .filter_map(|(rank, it)| Some((of_word.distance_with_args(it.chars(), &args)?, rank, it)));
    near.min().map(|(.., it)| stem(it))
}

/// The English words that the model knows, by first letter; only those that a word may be corrected to.
static ENGLISH: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let mut words: HashMap<&str, Vec<&str>> = HashMap::new();
    let all = Model::own().vocabulary().first_wordpieces();
    for word in all.filter(|it| it.len() >= LETTERS_MIN && it.bytes().all(|byte| byte.is_ascii_lowercase())) {
        words.entry(&word[..1]).or_default().push(word);
    }
    words
});
