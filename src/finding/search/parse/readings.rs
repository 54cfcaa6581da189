//! Words that may be a name or something else: "Jordan", "Young", "Germany".
//!
//! The query gets a term for each reading, and both count as one condition.

use crate::search::conditions::{Draft, TERMS_MAX, Term, TermKind};
use crate::search::index::SearchIndex;
use crate::search::lexicon::{LEXICON, Meaning};
use crate::search::parse::cues::{Cue, find_cue};
use crate::search::parse::tokens::Token;
use crate::search::words::stems;

/// Levels that also follow names: by themselves they are levels.
const BY_BIRTH: [&str; 4] = ["junior", "senior", "jr", "sr"];

/// Adds the other reading of ambiguous words to `draft`: a term with the same words.
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
                let is_level = BY_BIRTH.contains(&term.text.as_str());
                let may_be = !is_level
                    && search.names.has_word(&term.text)
                    && stands_as_name(tokens, &term.text, is_alone);
                may_be.then_some(TermKind::Name)
            };
            Some(Term { kind: kind?, ..term.clone() })
        })
        .collect();
    let room = TERMS_MAX.saturating_sub(draft.terms.len());
    draft.terms.extend(others.into_iter().take(room));
}

/// The other meaning of a name: a place, or a company.
fn other_kind(search: &SearchIndex, text: &str) -> Option<TermKind> {
    let stems = stems(text);
    let is_place = LEXICON.meanings(&stems).iter().any(|meaning| matches!(meaning, Meaning::Place(_)));
    if is_place || search.is_place(&stems) {
        Some(TermKind::Place)
    } else {
        search.is_company(&stems).then_some(TermKind::Company)
    }
}

/// Whether the one word `text` is in the position of a name: alone, or with a capital where no place or employer is
/// expected and nothing follows it.
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
