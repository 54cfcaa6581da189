//! Look-ups find the same people as the oracle, with the same fits.
//!
//! Promise: The texts that the store finds, and the people who have them, give the same people as the store's own
//!   search.
//! Control: an index in which nobody is in reach, in the same trial.

use std::collections::BTreeSet;
use std::thread;
use std::time::Instant;

use kith_server::graph::index::GraphIndex;
use kith_server::limits::{PHRASE_BYTES_MAX, PHRASE_WORDS_MAX};
use kith_server::model::dataset::{Dataset, Members};
use kith_server::model::text::fold;
use kith_server::relational::error::RelationalError;
use kith_server::relational::lookup::{Lookup, Match, TextField};
use kith_server::relational::store::RelationalStore;
use kith_server::search::conditions::{Condition, TermKind, When};
use kith_server::search::fit::MATCH;
use kith_server::search::index::SearchIndex;
use kith_server::search::relational;

use crate::relational::networks::{Files, PATIENCE, STRANGE, find, fixture, phrases, set_positions, strange};
use crate::relational::oracle::Oracle;
use crate::relational::words::{stem, words};

const DEMO: &str = "fixtures/demo/harbourlight";

/// Phrases for any network; each row is one look-up.
const PLAIN: &[&[&str]] = &[
    &["manager"],
    &["managers"],
    &["managing"],
    &["manager", "managing director"],
    &["sales manager", "manager", "head of sales"],
    &["engineering", "chief technology officer", "cto"],
    &["vp sales", "vice president sales", "vice president of sales"],
    &["director director director"],
    &["of"],
    &["germany", "united states", "london"],
    &["united kingdom"],
    &["software"],
    &["developments"],
    &["o'brien"],
    &["łuczak"],
    &["nobody has this"],
];

/// Texts with a meaning in SQL, in a full-text query, or nowhere.
const STRANGE_PHRASES: &[&[&str]] = &[
    &["and"],
    &["AND"],
    &["or"],
    &["head OR"],
    &["manager NOT"],
    &["not near"],
    &["NEAR(manager east,", "5)"],
    &["manager*"],
    &["man*"],
    &["^head"],
    &["text:manager"],
    &["{text}", ":manager"],
    &["-minus"],
    &["+plus"],
    &["\""],
    &["\"\""],
    &["\"quoted\""],
    &["quoted\" OR \"manager"],
    &["'"],
    &["manager's"],
    &["'; drop table people; --"],
    &["('"],
    &["(manager"],
    &["manager)"],
    &["🦀"],
    &["rust 🦀"],
    &["🦀 rust engineer"],
    &["★"],
    &["★ engineer"],
    &["☃"],
    &["x\0y"],
    &["\0"],
    &["z\0"],
    &["c++"],
    &["c#"],
    &["c"],
    &["vice-president"],
    &["president-vice"],
    &["vice president"],
    &["हिन्दी"],
    &["अनुवादक"],
    &["東京"],
    &["東"],
    &["strasse"],
    &["straße"],
    &["facade naive"],
    &["한국어"],
    &[""],
    &["  "],
    &["", "manager"],
    &["?1"],
    &["%", "_", "\\"],
];

/// Asks for each look-up, in each field and in all, of the store and of `oracle`.
fn differences(dataset: &Dataset, oracle: &Oracle, table: &[&[&str]]) -> Vec<String> {
    let files = Files::of(dataset);
    let store = files.open().unwrap();
    let mut differences = Vec::new();
    for asked in table {
        let phrases = folded(asked);
        for fields in TextField::ALL.chunks(1).chain([&TextField::ALL[..], &TextField::ALL[3..5]]) {
            let (found, expected) = (find(&store, fields, &phrases).unwrap(), oracle.find(fields, &phrases));
            if found != expected {
                differences.push(format!("{asked:?} in {fields:?}: {found:?} instead of {expected:?}"));
            }
        }
    }
    differences
}

fn folded(asked: &[&str]) -> Vec<Vec<String>> {
    let texts: Vec<String> = asked.iter().map(|phrase| fold(phrase)).collect();
    phrases(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn look_ups_find_whom_reading_everybody_finds() {
    for dataset in [fixture("fixtures/tiny"), fixture(DEMO), fixture("fixtures/demo/fernhollow"), strange()] {
        let oracle = Oracle::of(&dataset);
        assert_eq!(differences(&dataset, &oracle, PLAIN), [""; 0], "{}", dataset.organization.id);
    }
}

/// The fits of everybody by the texts that the store finds, as searches look them up.
fn by_texts(
    store: &RelationalStore,
    index: &GraphIndex,
    search: &SearchIndex,
    lookup: Lookup<'_>,
) -> Vec<u8> {
    let condition = Condition {
        kind: TermKind::Topic,
        term: String::new(),
        phrases: lookup.phrases.to_vec(),
        senses: Vec::new(),
        when: When::Now,
        or_name: false,
        or_knowers: false,
        is_sentence: false,
        measure: None,
    };
    let deadline = Instant::now() + PATIENCE;
    relational::by_fields((index, search, store), &condition, lookup.fields, deadline).unwrap()
}

/// How many look-ups give other fits by texts than by people.
fn found_otherwise_by_texts(dataset: &Dataset, in_reach: &Dataset) -> usize {
    let files = Files::of(dataset);
    let store = files.open().unwrap();
    let index = GraphIndex::build(in_reach.clone());
    let search = SearchIndex::build(&index);
    let mut differences = 0;
    for asked in PLAIN {
        let phrases = folded(asked);
        for fields in TextField::ALL.chunks(1).chain([&TextField::ALL[..], &TextField::ALL[3..5]]) {
            let mut expected = vec![0; dataset.people.len()];
            for found in find(&store, fields, &phrases).unwrap() {
                expected[found.person as usize] = MATCH + found.fit / 2;
            }
            let found = by_texts(&store, &index, &search, Lookup { fields, phrases: &phrases });
            differences += usize::from(found != expected);
        }
    }
    differences
}

#[test]
fn texts_that_fit_and_who_has_them_are_whom_the_store_itself_finds() {
    for dataset in [fixture("fixtures/tiny"), fixture(DEMO), fixture("fixtures/demo/fernhollow"), strange()] {
        assert_eq!(found_otherwise_by_texts(&dataset, &dataset), 0, "{}", dataset.organization.id);
    }
    // The control: the same texts, of an index in which nobody is in reach.
    let dataset = fixture(DEMO);
    let mut alone = dataset.clone();
    alone.advocates.clear();
    alone.members = Members::default();
    assert!(found_otherwise_by_texts(&dataset, &alone) > 20);
}

#[test]
fn nothing_in_a_phrase_is_more_than_a_word() {
    for dataset in [strange(), fixture("fixtures/tiny")] {
        let oracle = Oracle::of(&dataset);
        assert_eq!(differences(&dataset, &oracle, STRANGE_PHRASES), [""; 0]);
    }
    let dataset = strange();
    assert_eq!(differences(&dataset, &Oracle::of(&dataset), &[&STRANGE[..]]), [""; 0]);
}

/// Every word there is: of the texts that few share, all; of names, some.
#[test]
fn each_word_of_a_text_finds_that_text() {
    let dataset = fixture(DEMO);
    let files = Files::of(&dataset);
    let (store, oracle) = (files.open().unwrap(), Oracle::of(&dataset));
    let mut asked = 0;
    for (fields, texts, step) in [
        (&[TextField::Position][..], &dataset.people.positions.values, 1),
        (&[TextField::City, TextField::Country], &dataset.people.cities.values, 1),
        (&[TextField::Industry, TextField::Headquarters], &dataset.companies.industries.values, 1),
        (&[TextField::CompanyName], &dataset.companies.names, 7),
        (&[TextField::PersonName], &dataset.people.names, 29),
    ] {
        let all: BTreeSet<String> = texts
            .iter()
            .flat_map(|text| words(&fold(text)).iter().map(|&w| w.to_owned()).collect::<Vec<_>>())
            .collect();
        for word in all.iter().step_by(step) {
            let phrases = [vec![word.clone()]];
            assert!(find(&store, fields, &phrases).unwrap() == oracle.find(fields, &phrases), "{word}");
            asked += 1;
        }
    }
    assert!(asked > 300, "only {asked} words");
}

/// The controls: an oracle that takes everybody, and words that only their stems make equal.
#[test]
fn a_wrong_reach_and_missing_stems_are_caught() {
    let dataset = fixture("fixtures/tiny");
    let everybody = Oracle::over(&dataset, 0..dataset.people.len() as u32);
    let names: Vec<&str> = dataset.people.names.iter().collect();
    assert!(!differences(&dataset, &everybody, &[&names[..]]).is_empty());

    let dataset = strange();
    let (files, field) = (Files::of(&dataset), &[TextField::Position][..]);
    let found = find(&files.open().unwrap(), field, &phrases(&["managers"])).unwrap();
    assert!(!found.is_empty() && stem("managers") == stem("manager"));
    assert!(STRANGE.iter().all(|text| !text.contains("managers")));
}

#[test]
fn who_fits_better_has_the_higher_fit() {
    let mut dataset = strange();
    let positions: Vec<&str> =
        (0..16).map(|row| ["CFO", "Group CFO", "CFO, Europe and Asia", "Finance chief"][row % 4]).collect();
    set_positions(&mut dataset, &positions);
    let files = Files::of(&dataset);
    let asked = phrases(&["cfo", "finance chief"]);
    let found = find(&files.open().unwrap(), &[TextField::Position], &asked).unwrap();
    let fits: Vec<u8> = found.iter().take(4).map(|found| found.fit).collect();
    assert_eq!(fits, [255, 191, 159, 251]);
}

#[test]
fn a_person_found_in_many_ways_is_there_once_with_the_best() {
    let dataset = strange();
    let files = Files::of(&dataset);
    let asked = phrases(&["manager", "manager", "east manager", "managing"]);
    let found = find(&files.open().unwrap(), &TextField::ALL, &asked).unwrap();
    let people: BTreeSet<u32> = found.iter().map(|found| found.person).collect();
    assert_eq!(people.len(), found.len());
    assert_eq!(found, Oracle::of(&dataset).find(&TextField::ALL, &asked));
}

#[test]
fn a_phrase_at_the_bound_is_looked_up_and_one_past_it_is_refused() {
    let files = Files::of(&strange());
    let store = files.open().unwrap();
    let letters =
        |count: usize| vec![(0..count).map(|at| char::from(b'a' + (at % 26) as u8).to_string()).collect()];
    let found = find(&store, &[TextField::Position], &letters(PHRASE_WORDS_MAX)).unwrap();
    assert_eq!(found.len(), 1);
    let many = find(&store, &[TextField::Position], &letters(PHRASE_WORDS_MAX + 1));
    assert_eq!(many, Err(RelationalError::PhraseTooLong));
    assert_eq!(find(&store, &TextField::ALL, &[vec!["a".repeat(PHRASE_BYTES_MAX)]]), Ok(Vec::new()));
    let long = find(&store, &TextField::ALL, &[vec!["a".repeat(PHRASE_BYTES_MAX + 1)]]);
    assert_eq!(long, Err(RelationalError::PhraseTooLong));
    assert_eq!(find(&store, &[], &phrases(&["manager"])), Ok(Vec::new()));
    assert_eq!(find(&store, &TextField::ALL, &[]), Ok(Vec::new()));
    assert_eq!(find(&store, &TextField::ALL, &[vec![]]), Ok(Vec::new()));
}

#[test]
fn a_text_of_megabytes_is_found_like_any_other() {
    let mut dataset = strange();
    let long = format!("{} needle {}", "hay ".repeat(500_000), "x".repeat(100_000));
    let positions: Vec<&str> = (0..16).map(|row| if row == 3 { long.as_str() } else { "" }).collect();
    set_positions(&mut dataset, &positions);
    let files = Files::of(&dataset);
    let found = find(&files.open().unwrap(), &[TextField::Position], &phrases(&["needle"])).unwrap();
    assert_eq!(found, [Match { person: 3, fit: 127 }]);
}

#[test]
fn a_look_up_past_its_deadline_is_late_and_the_next_one_is_answered() {
    let files = Files::of(&strange());
    let store = files.open().unwrap();
    let asked = phrases(&["manager"]);
    let lookup = Lookup { fields: &TextField::ALL, phrases: &asked };
    assert_eq!(store.find(&lookup, Instant::now()), Err(RelationalError::Late));
    assert!(!find(&store, &TextField::ALL, &asked).unwrap().is_empty());
}

#[test]
fn many_threads_find_what_one_does() {
    let dataset = fixture(DEMO);
    let files = Files::of(&dataset);
    let (store, oracle) = (files.open().unwrap(), Oracle::of(&dataset));
    let expect = |asked: &&[&str]| {
        let phrases = folded(asked);
        let expected = oracle.find(&TextField::ALL, &phrases);
        (phrases, expected)
    };
    let table: Vec<_> = PLAIN.iter().map(expect).collect();
    thread::scope(|scope| {
        for turn in 0..24 {
            let (store, table) = (&store, &table);
            scope.spawn(move || {
                for (phrases, expected) in table.iter().cycle().skip(turn).take(6) {
                    assert!(find(store, &TextField::ALL, phrases).unwrap() == *expected);
                }
            });
        }
    });
}
