//! Resolves the terms of a query to all their synonyms.
//!
//! Promise: Talk means what most of its words belong to ("tulips and windmills": the Netherlands), and a word that
//!   neither network nor lexicon has is mended to an English one.
//! Control: one of these words alone, which means nothing; words of the lexicon, too short or too far; without both,
//!   phrases do not reach the floors (0.489, 0.510 and 0.395, 0.421 were measured)
//! Also in: `src/finding/search/lexicon.rs`, `src/finding/search/parse/tokens.rs`, `tests/api/judged/phrases.rs`.

use std::collections::HashSet;

use crate::model::ix::PersonIx;
use crate::search::companies::company_stems;
use crate::search::conditions::{Condition, Draft, KNOWING_MAX, Measure, Query, Term, TermKind, When};
use crate::search::lexicon::{LEXICON, Phrase};
use crate::search::measure;
use crate::search::parse::cues::find_cue;
use crate::search::ways::{
    Ways, industry_line, is_about_talk, is_levelled_title, is_within_level, narrow_role, place, role,
    same_line, seniority, talk,
};
use crate::search::words::stems;

/// Maximum synonyms of one condition.
const PHRASES_MAX: usize = 96;
/// Maximum synonyms compared by vector.
const SENSES_MAX: usize = 4;
/// Minimum number of words in a role that is a description.
const SENTENCE_MIN: usize = 3;
/// Minimum number of words in a topic that is a description.
const TOPIC_MIN: usize = 2;
/// Words of a role that only join the others.
const JOINING: [&str; 3] = ["of", "the", "for"];

/// Resolves `draft`. Drops terms without a word.
#[must_use]
pub fn resolve(draft: &Draft) -> Query {
    let mut query = Query {
        networks: draft.networks.clone(),
        view: draft.view,
        view_name: draft.view_name.clone(),
        language: draft.language,
        ignored: draft.ignored.clone(),
        mended: draft.mended.clone(),
        ..Query::default()
    };
    for (place, term) in draft.terms.iter().enumerate() {
        if term.kind == TermKind::Name && has_other_reading(draft, term) {
            continue;
        }
        let Some(condition) = resolve_term(term) else { continue };
        let or_name = term.kind != TermKind::Name && has_other_reading(draft, term);
        let or_knowers = term.kind == TermKind::Name && draft.asks_who_knows;
        let condition = Condition { or_name, or_knowers, ..condition };
        let list = if term.negated { &mut query.exclusions } else { &mut query.conditions };
        if list.contains(&condition) {
            continue;
        }
        let is_listed = draft.listed.contains(&place);
        let is_alternative = list.last().is_some_and(|before| {
            is_listed && draft.is_stated
                || (before.kind, before.when) == (condition.kind, condition.when)
                    && (has_one(condition.kind) || is_listed && may_be_listed(condition.kind))
        });
        if is_alternative && !term.negated {
            query.alternatives.push(list.len());
        }
        list.push(condition);
    }
    query.conditions.extend(draft.known_by.iter().map(|(people, name)| known_by(people, name)));
    query
}

/// Whether people have only one thing of a kind, so that two adjacent ones cannot both be meant.
fn has_one(kind: TermKind) -> bool {
    matches!(kind, TermKind::Place | TermKind::Company | TermKind::Name | TermKind::Industry)
}

/// Whether listed things of a kind are alternatives: "CEO or founder".
fn may_be_listed(kind: TermKind) -> bool {
    matches!(kind, TermKind::Role | TermKind::Industry | TermKind::Seniority)
}

/// Whether the same words of `draft` are both a name and something else: then they are one condition.
fn has_other_reading(draft: &Draft, term: &Term) -> bool {
    let is_name = |term: &Term| term.kind == TermKind::Name;
    let is_same = |other: &Term| other.text == term.text && other.negated == term.negated;
    draft.terms.iter().any(|other| is_same(other) && is_name(other) != is_name(term))
}

/// The words of the term itself, as texts spell them.
#[must_use]
pub fn own_words(condition: &Condition) -> Phrase {
    stems(&condition.term).into_iter().filter(|word| !JOINING.contains(&word.as_str())).collect()
}

fn resolve_term(term: &Term) -> Option<Condition> {
    if term.kind.is_measured() {
        return measured(term);
    }
    let words = if term.kind == TermKind::Company { company_stems(&term.text) } else { stems(&term.text) };
    let whole = words.clone();
    let words: Phrase = words.into_iter().filter(|word| !JOINING.contains(&word.as_str())).collect();
    if words.is_empty() {
        return None;
    }
    // "the land of fire and ice": some names have these words.
    let is_name = LEXICON.meanings(&words).is_empty() && !LEXICON.meanings(&whole).is_empty();
    let named = if is_name { &whole } else { &words };
    let is_sentence = is_sentence(term, named);
    let ways = match term.kind {
        _ if is_sentence => talk(&words),
        // Exclusions are narrow: "not consultants" leaves strategists in.
        TermKind::Role if term.negated => narrow_role(named),
        TermKind::Role => role(named),
        // "not interns" leaves juniors in.
        TermKind::Seniority if term.negated && is_within_level(named) => Ways::default(),
        TermKind::Seniority => seniority(named),
        TermKind::Industry | TermKind::Topic => same_line(named, &LEXICON.industries, industry_line),
        TermKind::Place => place(named),
        _ => Ways::default(),
    };
    let mut seen = HashSet::new();
    // A level goes by its titles: an "account executive" is not an executive.
    let is_other =
        term.kind == TermKind::Seniority && !ways.phrases.is_empty() && !ways.phrases.contains(&words);
    let said = if is_other { vec![] } else { vec![words] };
    let mut phrases = [said, ways.phrases].concat();
    phrases.retain(|phrase| !phrase.is_empty() && seen.insert(phrase.clone()));
    phrases.truncate(PHRASES_MAX);
    let mut senses = vec![term.text.clone()];
    senses.extend(ways.senses.into_iter().filter(|sense| *sense != term.text).take(SENSES_MAX - 1));
    Some(Condition {
        kind: term.kind,
        term: term.text.clone(),
        phrases,
        senses,
        when: when(term),
        or_name: false,
        or_knowers: false,
        is_sentence,
        measure: None,
    })
}

/// When `term` must be true.
fn when(term: &Term) -> When {
    match (term.past, term.negated) {
        (false, _) => When::Now,
        (true, false) => When::Once,
        (true, true) => When::Ever,
    }
}

/// Whether the words of a term are a description, not a name: "keeps the servers alive".
fn is_sentence(term: &Term, words: &[String]) -> bool {
    let mut said = term.text.split(' ');
    let (count, is_new) = (said.clone().count(), LEXICON.meanings(words).is_empty());
    let is_small = |word: &str| find_cue(word).is_some() && !JOINING.contains(&word);
    match term.kind {
        _ if term.negated => false,
        TermKind::Topic => is_new && count >= TOPIC_MIN,
        TermKind::Role => {
            is_new
                && count >= SENTENCE_MIN
                && !is_levelled_title(words)
                && (said.any(is_small) || is_about_talk(words))
        }
        _ => false,
    }
}

/// The condition that one of `people`, whom the query calls `name`, knows them.
fn known_by(people: &[PersonIx], name: &str) -> Condition {
    let mut knowing = [None; KNOWING_MAX];
    knowing.iter_mut().zip(people).for_each(|(place, &person)| *place = Some(person));
    Condition {
        kind: TermKind::Relation,
        term: name.to_owned(),
        phrases: Vec::new(),
        senses: Vec::new(),
        when: When::Now,
        or_name: false,
        or_knowers: false,
        is_sentence: false,
        measure: Some(Measure::KnownBy(knowing)),
    }
}

/// The condition of a counted term; `None` if its words count nothing.
fn measured(term: &Term) -> Option<Condition> {
    Some(Condition {
        kind: term.kind,
        term: term.text.clone(),
        phrases: Vec::new(),
        senses: Vec::new(),
        when: When::Now,
        or_name: false,
        or_knowers: false,
        is_sentence: false,
        measure: Some(measure::read(term.kind, &term.text)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(kind: TermKind, text: &str) -> Condition {
        let term = Term { kind, text: text.to_owned(), negated: false, past: false };
        resolve(&Draft { terms: vec![term], ..Draft::default() }).conditions.remove(0)
    }

    fn says(condition: &Condition, text: &str) -> bool {
        condition.phrases.contains(&stems(text))
    }

    #[test]
    fn a_role_is_said_in_every_way_its_field_has() {
        for (role, same, other) in [
            (
                "head of finance",
                &["CFO", "VP Finance", "chief financial officer", "director finance"][..],
                "accountant",
            ),
            ("VP Eng", &["CTO", "vice president engineering", "head engineering"], "software programmer"),
            ("recruiter", &["talent acquisition", "sourcer"], "hr manager"),
            ("CFO", &["chief financial officer", "head finance"], "accountant"),
            ("finance", &["CFO", "accountant", "treasury"], "buyer"),
            ("senior recruiters", &["senior recruiter", "lead talent acquisition"], "sourcer"),
            ("head of robotics", &["vp robotics", "director robotics"], "vp"),
        ] {
            let condition = condition(TermKind::Role, role);
            for same in same {
                let sorted =
                    |phrase: &Phrase| phrase.iter().cloned().collect::<std::collections::BTreeSet<_>>();
                let wanted = sorted(&stems(same));
                assert!(
                    condition.phrases.iter().any(|it| sorted(it) == wanted),
                    "{role}: {same}: {condition:?}"
                );
            }
            assert!(!says(&condition, other), "{role}: {other}");
        }
    }

    #[test]
    fn what_is_listed_or_cannot_be_both_is_an_alternative() {
        use TermKind::{Place, Role, Seniority, Topic};
        for (terms, listed, expected) in [
            (&[(Role, "CEO"), (Role, "founder")][..], &[1][..], &[1][..]),
            (&[(Place, "Oslo"), (Place, "Lima"), (Role, "CEO"), (Place, "Bern")], &[], &[1]),
            (&[(Role, "sales"), (Place, "Oslo"), (Place, "Lima")], &[1, 2], &[2]),
            // The controls: "founders who are engineers", topics, and things of two kinds.
            (&[(Role, "founder"), (Role, "engineer")], &[], &[]),
            (&[(Topic, "quantum"), (Topic, "lasers")], &[1], &[]),
            (&[(Seniority, "executive"), (Role, "sales")], &[1], &[]),
        ] {
            let term = |&(kind, text): &(TermKind, &str)| Term {
                kind,
                text: text.to_owned(),
                negated: false,
                past: false,
            };
            let terms: Vec<Term> = terms.iter().map(term).collect();
            let draft = Draft { terms, listed: listed.to_vec(), ..Draft::default() };
            assert_eq!(resolve(&draft).alternatives, expected, "{:?}", draft.terms);
        }
    }

    #[test]
    fn a_level_of_a_field_is_a_title_whatever_its_words_are_besides() {
        for (role, is_sentence) in [("head of people", false), ("repairs equipment on site", true)] {
            assert_eq!(condition(TermKind::Role, role).is_sentence, is_sentence, "{role}");
        }
    }

    #[test]
    fn places_and_industries_are_said_as_data_says_them() {
        assert!(says(&condition(TermKind::Place, "Germany"), "DEU"));
        assert!(
            !says(&condition(TermKind::Place, "Germany"), "Ciudad de México"),
            "a word, not the code of a country"
        );
        assert!(says(&condition(TermKind::Place, "Munich"), "München"));
        assert!(says(&condition(TermKind::Place, "Scandinavia"), "Norway"));
        assert!(says(&condition(TermKind::Industry, "fintech"), "financial services"));
        assert!(!says(&condition(TermKind::Place, "Norway"), "Sweden"));
        // A byname of one place gets all synonyms of the place; one of several places only those of its line.
        assert!(says(&condition(TermKind::Place, "golden city"), "Praha"));
        assert!(!says(&condition(TermKind::Place, "Scandinavia"), "Noruega"));
    }

    #[test]
    fn names_with_small_words_within_are_found_by_them() {
        for (kind, text, meant) in [
            (TermKind::Place, "land of the rising sun", "Japan"),
            (TermKind::Role, "started the whole thing", "founder"),
        ] {
            assert!(says(&condition(kind, text), meant), "{text}");
        }
        // The control: the same without the small words is no name.
        assert!(!says(&condition(TermKind::Place, "land rising sun"), "Japan"));
    }

    #[test]
    fn senses_are_plain_words_the_term_first() {
        assert_eq!(
            condition(TermKind::Role, "heads of finance").senses,
            ["heads of finance", "cfo", "chief financial officer", "head of finance"]
        );
        assert_eq!(condition(TermKind::Topic, "quantum").senses, ["quantum"]);
    }

    #[test]
    fn talk_means_what_most_of_its_words_belong_to_and_its_words_alone_mean_nothing() {
        for (talk, meant) in [
            ("among tulips and windmills", "netherlands"),
            ("lends out money for mortgages", "banking"),
            ("settles each accident claim", "insurance"),
        ] {
            let condition = condition(TermKind::Topic, talk);
            assert!(condition.is_sentence && says(&condition, meant), "{talk}: {condition:?}");
        }
        // The control: one of these words alone is not a description.
        assert!(!says(&condition(TermKind::Topic, "windmills"), "netherlands"));
        assert!(LEXICON.meanings(&stems("windmills")).is_empty());
    }

    #[test]
    fn what_is_not_wanted_is_meant_narrowly_and_apart() {
        let negated = Term { kind: TermKind::Role, text: "consultants".into(), negated: true, past: false };
        let interns = Term { kind: TermKind::Seniority, text: "interns".into(), negated: true, past: false };
        let alone = resolve(&Draft { terms: vec![interns], ..Draft::default() });
        assert!(says(&alone.exclusions[0], "intern") && !says(&alone.exclusions[0], "junior"));
        // The control: interns that are wanted.
        assert!(says(&condition(TermKind::Seniority, "interns"), "junior"));
        let empty = Term { kind: TermKind::Topic, text: "?!".into(), negated: false, past: false };
        let query = resolve(&Draft { terms: vec![negated, empty], ..Draft::default() });
        assert!(query.conditions.is_empty());
        assert!(
            says(&query.exclusions[0], "management consultant") && !says(&query.exclusions[0], "strategy")
        );
    }
}
