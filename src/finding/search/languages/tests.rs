//! Queries in other languages.
//!
//! Promise: Queries in German, French, Spanish and Dutch are said in English, and no English query is taken for one of
//!   them.
//! Control: names and English words that these languages have too ("van der Berg", "personal assistants"); the 180
//!   judged queries.

use super::*;
use crate::model::text::fold;
use crate::search::lexicon::LEXICON;
use crate::search::parse::cues::find_cue;
use crate::search::words::{stems, words};

/// A query's translation to English, as far as its language's file has it.
fn english(query: &str) -> String {
    let folded = fold(query);
    let words: Vec<&str> = words(&folded).collect();
    let found = translate(&words, &KeptWords::nothing(words.len())).map(|it| it.said).unwrap_or_default();
    let mut said: Vec<&str> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match found.iter().find(|it| it.at == at) {
            Some(it) => {
                said.push(it.english);
                at += it.length;
            }
            None => {
                said.push(words[at]);
                at += 1;
            }
        }
    }
    said.retain(|word| !word.is_empty());
    said.join(" ")
}

#[test]
fn queries_in_four_languages_are_said_in_english() {
    for (query, expected) in [
        ("Vertriebsleiter", "head of sales"),
        ("Entwicklungsleiterin", "head of engineering"),
        ("Vertriebsleiterinnen", "head of sales"),
        ("Geschaeftsfuehrer", "ceo"),
        ("wer kennt jemanden bei Google", "who know someone at google"),
        ("Finanzchefs die nicht in Berlin sind", "cfo the not in berlin are"),
        ("Ingenieure außerhalb von Berlin", "engineer outside berlin"),
        ("qui connaît des développeuses à Londres", "who know of software developer in londres"),
        ("directrices financières sauf à Paris", "cfo not in paris"),
        ("quién conoce a alguien en Acme", "who know to someone in acme"),
        ("ingenieras de software que no estén en Madrid", "software engineer not in madrid"),
        ("wie kent iemand bij Philips", "who know someone at philips"),
        ("verkoopleiders in Amsterdam", "head of sales in amsterdam"),
        ("verkoopster zonder ervaring", "salesperson without experience"),
    ] {
        assert_eq!(english(query), expected, "{query}");
    }
}

#[test]
fn english_queries_and_names_stay_as_they_are() {
    for query in [
        "who knows someone at Google",
        "van der Berg",
        "engineers in Den Haag",
        "personal assistants",
        "Kent State",
        "people of the arts",
        "de la Cruz",
        "Die Hard fans at Uber",
    ] {
        assert_eq!(english(query), fold(query), "{query}");
    }
}

#[test]
fn no_english_query_of_the_judged_set_is_taken_for_another_language() {
    let lines = include_str!("../../../../tests/api/judged/queries.ndjson").lines().take(180);
    let queries =
        lines.filter_map(|line| Some(line.split_once("\"query\"")?.1.split('"').nth(1)?.to_owned()));
    let changed: Vec<String> = queries
        .filter(|query| {
            let folded = fold(query);
            let words: Vec<&str> = words(&folded).collect();
            translate(&words, &KeptWords::nothing(words.len())).is_some()
        })
        .collect();
    assert_eq!(changed.len(), 0, "{changed:?}");
}

#[test]
fn every_title_is_english_that_the_lexicon_has() {
    for language in LANGUAGES.iter() {
        let roles: Vec<_> = language.roles().collect();
        assert!(roles.len() > 200, "{}", roles.len());
        let words: HashSet<String> =
            roles.iter().flat_map(|&(number, _)| stems(language.in_english(number))).collect();
        let unknown: Vec<_> =
            words.iter().filter(|word| !LEXICON.has_stem(word) && find_cue(word).is_none()).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}
