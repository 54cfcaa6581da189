//! The built-in parser: reads a query without help from outside.
//!
//! It knows the network's own vocabulary (companies, positions, industries, places, names) and the lexicon, reads a
//! query from left to right and joins what belongs together: "head" and "finance", "not" and "consultants". It never
//! fails: anything unknown is a topic.

mod absent;
mod apart;
mod clause;
mod codes;
pub mod cues;
mod description;
mod floor;
pub mod item;
pub mod items;
mod joiner;
pub mod learned;
mod mend;
pub mod names;
mod nicknames;
mod opening;
mod operators;
pub mod readings;
mod relation;
mod scope;
#[cfg(test)]
mod tests;
pub mod tokens;
mod unknown;
mod unwanted;
pub mod view;
pub mod written;

use crate::graph::index::GraphIndex;
use crate::model::ix::PersonIx;
use crate::model::text::plain;
use crate::query::person::degree;
use crate::search::conditions::{Draft, TERMS_MAX, Term, TermKind};
use crate::search::index::SearchIndex;
use crate::search::language::{is_read, spoken};
use crate::search::parse::apart::{ItemsRead, read_items};
use crate::search::parse::cues::has_word;
use crate::search::parse::joiner::Joiner;
use crate::search::parse::mend::is_said;
use crate::search::parse::tokens::TokensRead;
use crate::search::parse::view::Whose;
use crate::search::parse::written::written;
use crate::search::words::stem;

/// Parses `query`. Costs a few look-ups per word, and for a misspelt one a look at the known words with its first
/// letter.
#[must_use]
pub fn parse(index: &GraphIndex, search: &SearchIndex, query: &str) -> Draft {
    operators::read(query, &|words| parse_words(index, search, words))
        .unwrap_or_else(|| parse_words(index, search, query))
}

/// Like [`parse`], for words without operators.
fn parse_words(index: &GraphIndex, search: &SearchIndex, query: &str) -> Draft {
    let ItemsRead { view, read, items, .. } = read_items(index, search, query);
    let items = learned::read(search, &read, items);
    let TokensRead { tokens, unsaid, language, .. } = read;
    let mut draft = Joiner::default().join(&items);
    readings::add_other_readings(search, &tokens, &mut draft);
    if let Some(view) = view {
        match view.whose {
            Whose::Member(member) => {
                draft.view = Some(member);
                draft.view_name = view.name.join(" ");
                if !draft.networks.contains(&view.network) {
                    draft.networks.push(view.network);
                }
            }
            Whose::People(people) => draft.known_by = vec![(people, view.name.join(" "))],
            Whose::Both(both) => draft.known_by = both,
            Whose::Several => draft.ignored.extend(view.name),
        }
    }
    if draft.terms.is_empty() && draft.view.is_none() && draft.known_by.is_empty() {
        draft.terms.extend(named_by_cues(index, query));
    }
    draft.language = spoken(query, language);
    let unsaid = [unsaid, floor::leave_dead_topics(index, search, &mut draft)].concat();
    if draft.view.is_none() && draft.known_by.is_empty() && relation::asks_who_knows(query) {
        who_knows(&mut draft);
    }
    if draft.language.is_some_and(|code| !is_read(code)) {
        read_by_words(search, &mut draft, query);
    }
    if !unsaid.is_empty() {
        ignore_too(&mut draft, unsaid, query);
    }
    for token in tokens {
        let mended = token.written.filter(|written| *written != token.word);
        draft.mended.extend(mended.map(|written| (written, token.word)));
    }
    draft
}

/// Turns the draft of a name into one of who knows its people. A company beside the name only says which person is
/// meant, so it is dropped, and so is how well they know them.
fn who_knows(draft: &mut Draft) {
    let is_beside = |term: &mut Term| matches!(term.kind, TermKind::Company | TermKind::Connections);
    let is_person = |term: &Term| term.kind == TermKind::Name || is_beside(&mut term.clone());
    let is_person = |term: &Term| is_person(term) && !term.negated;
    if draft.terms.iter().all(is_person) && draft.terms.iter().any(|term| term.kind == TermKind::Name) {
        draft.asks_who_knows = true;
        let beside = draft.terms.extract_if(.., is_beside);
        draft.ignored.extend(beside.map(|term| term.text));
    }
}

/// Reads `query`, which is in an unsupported language, by those of its words that texts of the network contain; the
/// others have no meaning. A draft with a name or a company stays, and so does one without any known word.
fn read_by_words(search: &SearchIndex, draft: &mut Draft, query: &str) {
    if draft.terms.iter().any(|term| matches!(term.kind, TermKind::Name | TermKind::Company)) {
        return;
    }
    let words = written(query).into_iter().map(|it| it.word);
    let (known, unknown): (Vec<String>, Vec<String>) =
        words.partition(|word| is_said(search, word, &stem(word)) && !has_word(word));
    if known.is_empty() {
        return;
    }
    let topic = |text: String| Term { kind: TermKind::Topic, text, negated: false, past: false };
    draft.terms = known.into_iter().take(TERMS_MAX).map(topic).collect();
    draft.listed.clear();
    draft.ignored.clear();
    ignore_too(draft, unknown, query);
}

/// Adds `words` of `query` to the ignored ones, which stay in its order.
fn ignore_too(draft: &mut Draft, words: Vec<String>, query: &str) {
    for word in words {
        if !draft.ignored.contains(&word) {
            draft.ignored.push(word);
        }
    }
    let in_order: Vec<String> = written(query).into_iter().map(|written| written.word).collect();
    let place = |ignored: &String| in_order.iter().position(|word| ignored.split(' ').next() == Some(word));
    draft.ignored.sort_by_key(|ignored| place(ignored).unwrap_or(usize::MAX));
}

/// The company, or for a single word the person, that a query of seemingly other words names: "people at Outside",
/// "Weiss". The longest of several names.
fn named_by_cues(index: &GraphIndex, query: &str) -> Option<Term> {
    let words: Vec<String> = written(query).into_iter().map(|written| plain(&written.word)).collect();
    let runs = (1..=words.len()).rev().flat_map(|length| words.windows(length));
    let is_company = |name: &String| index.company_names().equal(name).next().is_some();
    let company = runs.map(|run| run.join(" ")).find(is_company).map(|name| (TermKind::Company, name));
    let person = || {
        let [word] = &words[..] else { return None };
        // People outside count as nobody.
        let is_inside = |&row: &u32| degree(index, PersonIx(row)).is_some();
        let mut words = index.person_names().words_equal(word);
        let is_of_somebody = words.any(|word| index.person_names().rows_with(word).iter().any(is_inside));
        is_of_somebody.then(|| (TermKind::Name, word.clone()))
    };
    let (kind, text) = company.or_else(person)?;
    Some(Term { kind, text, negated: false, past: false })
}
