//! Which words of a query are somebody's name.
//!
//! Words are a name if they are all of a name that the network has, in any order, or a part of one that nothing else
//! is called by. A name of one word may mean something else too ("Jordan", "Young", "Germany"): then the query gets a
//! term for each reading, and both count as one condition.

use crate::search::conditions::{Draft, TERMS_MAX, Term, TermKind};
use crate::search::index::SearchIndex;
use crate::search::lexicon::{LEXICON, Meaning};
use crate::search::parse::cues::{Cue, find_cue};
use crate::search::parse::tokens::{Token, Written};
use crate::search::words::{stem, stems};

/// The most words of a name.
const WORDS_MAX: usize = 16;
/// The most words that are taken for a part of a name.
const PART_WORDS_MAX: usize = 4;

/// For each word, how many words from it on are one name: 0 for most. Misspelt words beside known names are mended.
/// Costs a look-up for each word, and for each run of words that names have a few more.
pub fn mark(search: &SearchIndex, words: &mut [Written]) -> Vec<usize> {
    let mut reader =
        Reader { search, is_name: words.iter().map(|it| search.names.has_word(&it.word)).collect() };
    let mut lengths = vec![0; words.len()];
    if reader.is_all_one_name(words) {
        lengths[0] = words.len();
        return lengths;
    }
    reader.mend(words);
    let mut at = 0;
    while at < words.len() {
        let length = reader.length_at(words, at);
        lengths[at] = length;
        at += length.max(1);
    }
    lengths
}

struct Reader<'a> {
    search: &'a SearchIndex,
    /// For each word, whether somebody has it in their name.
    is_name: Vec<bool>,
}

impl Reader<'_> {
    /// Whether the query is a name and nothing else; one of a single word only if it says nothing otherwise.
    fn is_all_one_name(&self, words: &[Written]) -> bool {
        let is_long = (2..=WORDS_MAX).contains(&words.len());
        let is_small = words.len() == 1 && find_cue(&words[0].word).is_some();
        (is_long || is_small)
            && self.is_name.iter().all(|&is| is)
            && self.search.names.is_whole(&texts(words))
    }

    /// How many words from `at` on are a name.
    fn length_at(&self, words: &[Written], at: usize) -> usize {
        let run = self.is_name[at..].iter().take_while(|&&is| is).count();
        let whole = (2..=run.min(WORDS_MAX)).rev().find(|&length| {
            let name = &words[at..at + length];
            self.search.names.is_whole(&texts(name)) && self.is_plausible(words, at, length)
        });
        let unbroken = words[at..at + run].iter().skip(1).take_while(|word| !word.after_break).count() + 1;
        let part = || {
            (2..=run.min(unbroken).min(PART_WORDS_MAX)).rev().find(|&length| {
                let name = &words[at..at + length];
                name.iter().any(|word| self.is_only_name(&word.word))
                    && !self.search.is_company(&stems(&texts(name).join(" ")))
                    && self.search.names.has_together(&texts(name))
            })
        };
        whole.or_else(part).unwrap_or(0)
    }

    /// Whether a whole name stands as one: not an employer, nor only words that mean something else in small letters.
    fn is_plausible(&self, words: &[Written], at: usize, length: usize) -> bool {
        let name = &words[at..at + length];
        let is_employer = at > 0
            && find_cue(&words[at - 1].word) == Some(Cue::At)
            && self.search.is_company(&stems(&texts(name).join(" ")));
        let is_other = |word: &Written| find_cue(&word.word).is_some() || LEXICON.has_stem(&stem(&word.word));
        !is_employer && (name.iter().all(|word| word.initial) || !name.iter().all(is_other))
    }

    /// Whether nothing but names has the word.
    fn is_only_name(&self, word: &str) -> bool {
        let stem = stem(word);
        find_cue(word).is_none()
            && !LEXICON.has_stem(&stem)
            && self.search.columns().iter().all(|column| !column.knows(&stem))
    }

    /// Mends each word that nothing has and that stands beside a word of names, if somebody is called by both.
    fn mend(&mut self, words: &mut [Written]) {
        for at in 0..words.len() {
            if self.is_name[at] || !self.is_only_name(&words[at].word) {
                continue;
            }
            let before = at.checked_sub(1).filter(|&before| self.is_name[before]);
            let after = Some(at + 1).filter(|&after| after < words.len() && self.is_name[after]);
            let text = |at: usize| words[at].word.as_str();
            let all: Vec<&str> = before.into_iter().chain(after).map(text).collect();
            let mut mended =
                (!all.is_empty()).then(|| self.search.names.mend_beside(text(at), &all)).flatten();
            if mended.is_none() && all.len() > 1 {
                mended = all.iter().find_map(|beside| self.search.names.mend_beside(text(at), &[beside]));
            }
            if let Some(name) = mended {
                words[at].word = name;
                self.is_name[at] = true;
            }
        }
    }
}

fn texts(words: &[Written]) -> Vec<&str> {
    words.iter().map(|word| word.word.as_str()).collect()
}

/// Adds to `draft` the other reading of words that may be a name or something else: a term with the same words.
pub fn add_other_readings(search: &SearchIndex, tokens: &[Token], draft: &mut Draft) {
    let is_alone = draft.terms.len() == 1;
    let others: Vec<Term> = draft
        .terms
        .iter()
        .filter(|term| !term.negated && !term.past)
        .filter_map(|term| {
            let kind = if term.kind == TermKind::Name {
                is_alone.then(|| other_kind(search, &term.text)).flatten()
            } else {
                let may_be =
                    search.names.has_word(&term.text) && stands_as_name(tokens, &term.text, is_alone);
                may_be.then_some(TermKind::Name)
            };
            Some(Term { kind: kind?, ..term.clone() })
        })
        .collect();
    let room = TERMS_MAX.saturating_sub(draft.terms.len());
    draft.terms.extend(others.into_iter().take(room));
}

/// What a name is besides: a place, or a company.
fn other_kind(search: &SearchIndex, text: &str) -> Option<TermKind> {
    let stems = stems(text);
    let is_place = LEXICON.meanings(&stems).iter().any(|meaning| matches!(meaning, Meaning::Place(_)));
    if is_place || search.is_place(&stems) {
        Some(TermKind::Place)
    } else {
        search.is_company(&stems).then_some(TermKind::Company)
    }
}

/// Whether the one word `text` stands where a name does: alone, or with a capital where no place or employer is
/// expected and nothing follows that it could belong to.
fn stands_as_name(tokens: &[Token], text: &str, is_alone: bool) -> bool {
    let Some(at) = tokens.iter().position(|token| token.word == text) else { return false };
    let cue = |token: &Token| find_cue(&token.word);
    let before = at.checked_sub(1).and_then(|before| tokens.get(before)).filter(|_| !tokens[at].after_break);
    let is_led = before.and_then(cue).is_some_and(|cue| matches!(cue, Cue::At | Cue::In | Cue::Of));
    let after = tokens.get(at + 1).filter(|after| !after.after_break).map(cue);
    let is_closed = matches!(after, None | Some(Some(Cue::At | Cue::In | Cue::Who | Cue::Stop | Cue::Or)));
    let capitals_tell = tokens.iter().any(|token| !token.initial);
    !is_led && (is_alone || is_closed && tokens[at].initial && capitals_tell)
}
