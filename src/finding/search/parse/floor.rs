//! A word that fits nobody and nothing is no condition beside others: "met" in "met wie heeft Ann contact in Londen".
//!
//! Promise: A common word near to nothing in the network is no condition beside others.
//! Control: the same word alone, a word that a title has, one that may be a name.

use crate::graph::index::GraphIndex;
use crate::search::conditions::{Draft, Term, TermKind};
use crate::search::index::SearchIndex;
use crate::search::resolve::resolve;
use crate::search::{keyword, vector};
use kith_embed::model::Model;

/// Removes topics of one common word, or of a word left untranslated, that no text has or is near to, and returns their
/// words; keeps the last term. Costs a pass over the vectors for each, which a search by sense then does not make again.
pub(super) fn leave_dead_topics(index: &GraphIndex, search: &SearchIndex, draft: &mut Draft) -> Vec<String> {
    let is_foreign = draft.language.is_some_and(|code| code != "en");
    let is_other =
        |draft: &Draft, term: &Term| draft.terms.iter().any(|it| it.text == term.text && it != term);
    let (mut dead, mut at) = (Vec::new(), 0);
    while at < draft.terms.len() && draft.terms.len() > 1 {
        let term = &draft.terms[at];
        let is_word = term.kind == TermKind::Topic && !term.negated && !term.text.contains(' ');
        let may_mean_nothing =
            is_word && (is_foreign || Model::own().knows(&term.text)) && !is_other(draft, term);
        if may_mean_nothing && !fits_any(index, search, term) {
            let term = draft.terms.remove(at);
            draft.listed.retain(|&listed| listed != at);
            draft.listed.iter_mut().filter(|listed| **listed > at).for_each(|listed| *listed -= 1);
            dead.push(term.text);
        } else {
            at += 1;
        }
    }
    dead
}

/// Whether `term` fits any text.
fn fits_any(index: &GraphIndex, search: &SearchIndex, term: &Term) -> bool {
    let alone = resolve(&Draft { terms: vec![term.clone()], ..Draft::default() });
    let has_vectors = Model::is_model_of(&index.data.vectors);
    alone.conditions.iter().any(|condition| {
        if has_vectors {
            search.recent.get_or(condition, || vector::fits(index, search, condition)).has_match()
        } else {
            keyword::fits(index, search, condition).has_match()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kith_embed::sketch::net;

    #[test]
    fn a_common_word_near_to_nothing_is_no_condition_beside_others() {
        let net = net("
            member ann
            ann -> p1
            p1 (name: Ida Berg, position: Nurse, city: Oslo) @ c1 (name: Acme)
        ");
        let search = SearchIndex::build(&net);
        let topic = |text: &&str| Term {
            kind: TermKind::Topic,
            text: (*text).to_owned(),
            negated: false,
            past: false,
        };
        for (words, language, expected) in [
            (&["nurse", "methane"][..], "en", &["methane"][..]),
            (&["methane", "stanford"], "en", &["methane"]),
            (&["nurse", "clobuchar"], "nl", &["clobuchar"]),
            // The controls: a single word, words of the network, and a word that may be a name.
            (&["methane"], "en", &[]),
            (&["nurse", "acme"], "en", &[]),
            (&["nurse", "clobuchar"], "en", &[]),
        ] {
            let terms: Vec<Term> = words.iter().map(topic).collect();
            let mut draft = Draft { terms, language: Some(language), ..Draft::default() };
            assert_eq!(leave_dead_topics(&net, &search, &mut draft), expected, "{words:?}");
            assert_eq!(draft.terms.len() + expected.len(), words.len());
        }
    }
}
