//! Unknown companies, recognized by their spelling: "Napoleon Bonaparte Ltd", "inside Gossamer & Copper".
//!
//! Promise: A company that nobody knows is read by its legal form, or by capitals after "at" and the like.
//! Control: small letters without a form, words that mean something, capitals elsewhere.
//! Also in: `tests/api/judged/misread.rs`.

use crate::search::companies::is_legal_form;
use crate::search::lexicon::LEXICON;
use crate::search::parse::cues::find_cue;
use crate::search::parse::tokens::Token;

/// Maximum words of a name, including its legal form.
const WORDS_MAX: usize = 4;

/// The number of words at the start of `words` that are a company's name: words without meaning, up to a legal form, or
/// with `by_capitals` those with capitals. `None` if there are none. Costs a look-up per word.
#[must_use]
pub(super) fn unknown_company(words: &[Token], by_capitals: bool) -> Option<usize> {
    let is_new = |token: &&Token| {
        let meanings = LEXICON.meanings(std::slice::from_ref(&token.stem));
        find_cue(&token.word).is_none() && meanings.is_empty()
    };
    let unknown = words.iter().take_while(is_new).count();
    let form = words[..unknown.min(WORDS_MAX)].iter().position(|token| is_legal_form(&token.word));
    if let Some(form) = form.filter(|&form| form > 0) {
        return Some(form + 1);
    }
    let named = words[..unknown].iter().take_while(|token| token.initial).count();
    (by_capitals && named > 0).then_some(named)
}

#[cfg(test)]
mod tests {
    use crate::search::conditions::TermKind;
    use crate::search::index::SearchIndex;
    use crate::search::parse::parse;
    use kith_embed::sketch::net;

    #[test]
    fn a_legal_form_or_capitals_behind_a_word_for_employers_make_a_company() {
        let net = net("ann");
        let search = SearchIndex::build(&net);
        for (query, company) in [
            ("people at Ivorycombe BV", Some("ivorycombe bv")),
            ("Citigroup Inc bankers", Some("citigroup inc")),
            ("who do we know inside Gossamer & Copper", Some("gossamer copper")),
            // The controls: no form and no capitals, words with a meaning, and a form alone.
            ("people inside gossamer and copper today", None),
            ("Gossamer bankers", None),
            ("anyone in Berlin Inc", None),
        ] {
            let terms = parse(&net, &search, query).terms;
            let found = terms.iter().find(|term| term.kind == TermKind::Company);
            assert_eq!(found.map(|term| term.text.as_str()), company, "{query}: {terms:?}");
        }
    }
}
