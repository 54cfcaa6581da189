//! Excluded people are never preferred: every word for "not", every kind of term, engine and strictness.
//!
//! Promise: People whom a query excludes are not found, and those of whom nothing is known come after those known not
//!   to fit the exclusion: each word for "not", 9 terms of 8 kinds, the engines `vector` and `graph`, each strictness.
//! Control: a parser without the words that are new: faults with each of them, with none of the 8 old ones.
//!
//! Promise: "Not" and "formerly" reach to the end of a list and no further; sizes, ties and clauses are terms.
//! Control: ranges just outside do not fit.
//! Also in: `src/finding/search/sizes.rs`.

use std::collections::BTreeSet;
use std::time::Instant;

use crate::graph::index::GraphIndex;
use crate::model::column::TextColumn;
use crate::search::conditions::{Draft, TermKind};
use crate::search::engine::{Engine, Engines, Mode};
use crate::search::index::SearchIndex;
use crate::search::parse::cues::{Cue, phrases_of};
use crate::search::parse::parse;
use crate::search::question::{Question, ask};
use crate::search::rank::Strictness;
use crate::search::searched::Searched;
use kith_embed::sketch::{dataset, net};

/// Every term below fits Ada and none fits Bob; nothing is known of Cy, whose edge is warmer than Bob's.
fn around_ann() -> GraphIndex {
    let mut data = dataset(
        "
        member ann
        ann -90-> ada
        ann -80-> cy
        ann -10-> bob
        ada (name: Ada Lark, position: Chief Recruiter, city: Oslo) @ acme
        bob (name: Bob Finch, position: Baker, city: Lima) @ mill
        cy (name: Cy Wren)
        company acme (name: Acme Works, industry: Insurance)
        company mill (name: Zephyr Mill, industry: Farming)
    ",
    );
    // By id: acme and mill; ada, ann, bob and cy.
    data.companies.min_sizes = [2, 5000].map(|size| Some(size).into()).to_vec();
    data.companies.max_sizes = [10, 9000].map(|size| Some(size).into()).to_vec();
    data.people.connections_counts = [Some(900), None, Some(3), None].map(Into::into).to_vec();
    GraphIndex::build(data)
}

const EXCLUDED: [(&str, TermKind); 9] = [
    ("recruiters", TermKind::Role),
    ("executives", TermKind::Seniority),
    ("acme works", TermKind::Company),
    ("insurance", TermKind::Industry),
    ("oslo", TermKind::Place),
    ("ada lark", TermKind::Name),
    ("startups", TermKind::Size),
    ("well connected", TermKind::Connections),
    ("more than 500 connections", TermKind::Connections),
];

/// The words for "not" known before.
const OLD: [&str; 8] = ["not", "no", "except", "excluding", "without", "but not", "other than", "non"];

/// The names of the people found, in the order of the answer.
fn found(
    net: &GraphIndex,
    search: &SearchIndex,
    draft: Draft,
    engine: Engine,
    strictness: Strictness,
) -> Vec<String> {
    let searched =
        Searched { index: net, search, store: None, engines: Engines::ALL, deadline: Instant::now() };
    let question = Question {
        text: "whom".to_owned(),
        networks: None,
        strictness,
        view: None,
        acting: None,
        explains: false,
        names_ties: false,
        limit: 10,
        mode: Mode::Pinned(engine),
    };
    let found = ask(searched, &question, Some(draft)).map_err(|reason| reason.sentence());
    found
        .unwrap_or_else(|reason| panic!("{reason}"))
        .people
        .iter()
        .map(|it| it.person.name.to_owned())
        .collect()
}

/// The wrong answers to queries with each word for "not", by cue.
fn faults(read: impl Fn(&GraphIndex, &SearchIndex, &str, &str) -> Draft) -> BTreeSet<String> {
    let net = around_ann();
    let search = SearchIndex::build(&net);
    let mut faults = BTreeSet::new();
    for cue in phrases_of(Cue::Not) {
        for (excluded, kind) in EXCLUDED {
            // Sizes have words of their own: "no more than 500".
            if excluded.starts_with("more") && cue != "without" {
                continue;
            }
            let draft = read(&net, &search, cue, &format!("{cue} {excluded}"));
            for engine in [Engine::Vector, Engine::Keyword] {
                for strictness in Strictness::ALL {
                    let people = found(&net, &search, draft.clone(), engine, strictness);
                    let expected: &[&str] = match kind {
                        TermKind::Name => &["Cy Wren", "Bob Finch"],
                        _ => &["Bob Finch", "Cy Wren"],
                    };
                    if people != expected {
                        faults.insert(format!("{cue}: {excluded}: {people:?}"));
                    }
                }
            }
        }
    }
    faults
}

#[test]
fn whom_a_query_excludes_is_not_found_and_those_of_whom_nothing_is_known_come_last() {
    let faults = faults(|net, search, _, query| parse(net, search, query));
    assert!(faults.is_empty(), "{} faults: {faults:#?}", faults.len());
}

/// The control: a parser for which the new words have no meaning prefers excluded people.
#[test]
fn a_parser_that_does_not_know_the_words_is_caught() {
    let faults = faults(|net, search, cue, query| {
        let mut draft = parse(net, search, query);
        draft.terms.iter_mut().for_each(|term| term.negated &= OLD.contains(&cue));
        draft
    });
    let cues: BTreeSet<&str> = faults.iter().filter_map(|fault| fault.split(':').next()).collect();
    assert_eq!(cues.len(), phrases_of(Cue::Not).len() - OLD.len());
}

/// Ada works at Acme, and once did before; Bob once did; Cy never.
#[test]
fn never_leaves_out_those_who_are_there_and_once_those_who_are_still() {
    let mut data = dataset(
        "
        member ann
        ann -90 former-> ada
        ann -80 former-> bob
        ann -70-> cy
        ada (name: Ada Lark) @ acme (name: Acme Works)
        bob (name: Bob Finch)
        cy (name: Cy Wren)
    ",
    );
    data.breakdowns = TextColumn::from_texts(["", r#"{"pastCompanyName":"Acme Works"}"#]).unwrap();
    let net = GraphIndex::build(data);
    let search = SearchIndex::build(&net);
    for (query, expected) in [
        ("never worked at Acme Works", &["Cy Wren"][..]),
        ("not at Acme Works", &["Bob Finch", "Cy Wren"]),
        ("used to work at Acme Works", &["Bob Finch"]),
        ("at Acme Works", &["Ada Lark"]),
    ] {
        for engine in [Engine::Vector, Engine::Keyword] {
            let people = found(&net, &search, parse(&net, &search, query), engine, Strictness::Strict);
            assert_eq!(people, expected, "{query}, {engine:?}");
        }
    }
}

#[test]
fn who_is_at_a_company_now_is_never_among_those_who_used_to_be() {
    let text = "
        member ann
        ann -90-> ada
        ann -80-> bob
        ann -70-> cy
        ada (name: Ada Lark, position: Designer) @ acme (name: Acme Works)
        bob (name: Bob Finch, position: Designer | ex-Acme Works)
        cy (name: Cy Wren, position: Designer)
    ";
    // The control: without his position nobody used to be there.
    for (text, once, designers) in [
        (text.to_owned(), &["Bob Finch"][..], &["Bob Finch", "Cy Wren"][..]),
        (text.replace(" | ex-Acme Works", ""), &[], &["Bob Finch", "Cy Wren"]),
    ] {
        let net = net(&text);
        let search = SearchIndex::build(&net);
        for (query, expected) in [
            ("used to work at Acme Works", once),
            ("ex-Acme Works", once),
            ("former Acme people", once),
            ("ex-Acme Works designers", designers),
        ] {
            for engine in [Engine::Vector, Engine::Keyword] {
                let people = found(&net, &search, parse(&net, &search, query), engine, Strictness::Relaxed);
                assert_eq!(people, expected, "{query}, {engine:?}");
            }
        }
    }
}

/// The terms of queries: excluded ones with a minus, past ones with a tilde.
fn terms(query: &str) -> String {
    let net = net("
        member ann
        ann -> p1 -> p9
        ann -> p2
        ann -> p3
        p1 (name: Ada Lark, position: Recruiter, city: Oslo) @ acme (name: Acme Works, industry: Insurance)
        p2 (name: Bob Finch, position: Designer, city: Lima) @ zephyr (name: Zephyr Mill, industry: Farming)
        p3 (name: Eve Moss, position: Investor, city: Bern) @ quill (name: Quill Labs, industry: Advertising)
    ");
    let search = SearchIndex::build(&net);
    let draft = parse(&net, &search, query);
    let said = draft.terms.iter().map(|term| {
        let negated = if term.negated { "-" } else { "" };
        let past = if term.past { "~" } else { "" };
        format!("{negated}{past}{} {}", term.kind.name(), term.text)
    });
    said.collect::<Vec<_>>().join("; ")
}

#[test]
fn not_and_formerly_reach_to_the_end_of_a_list_and_no_further() {
    for (query, expected) in [
        ("recruiters not in Oslo or Lima", "role recruiters; -place oslo; -place lima"),
        ("recruiters not in Oslo and in insurance", "role recruiters; -place oslo; industry insurance"),
        ("recruiters outside Oslo, Lima and Bern", "role recruiters; -place oslo; -place lima; -place bern"),
        ("anyone but recruiters in Oslo", "-role recruiters; place oslo"),
        ("no recruiters, designers in Oslo", "-role recruiters; role designers; place oslo"),
        ("designers, recruiters aside", "role designers; -role recruiters"),
        ("designers who left Acme Works", "role designers; ~company acme works"),
        ("ex Acme Works or Zephyr Mill", "~company acme works; ~company zephyr mill"),
        ("Acme Works veterans in Lima", "~company acme works; place lima"),
        ("was at Acme Works before Zephyr Mill", "~company acme works; company zephyr mill"),
        ("at Acme Works previously", "~company acme works"),
        ("not at Acme Works anymore", "~company acme works"),
        ("never worked at Acme Works", "-~company acme works"),
        ("who moved away from Oslo", "-place oslo"),
        ("niemand von Acme Works ausser Oslo", "-company acme works; -place oslo"),
        ("investors who backed advertising startups", "role investors; industry advertising; size startups"),
        ("who repairs equipment on site", "role repairs equipment on site"),
        ("sells the thing and can explain how it works", "role sales"),
        ("who leads sales in Oslo", "role head of sales; place oslo"),
        ("sales leads in Oslo", "role sales leads; place oslo"),
        ("recruiters in NL", "role recruiters; place netherlands"),
        ("shipping in Lima", "industry shipping; place lima"),
        (
            "small insurance firms with over 500 people",
            "size small; industry insurance; size over 500 people",
        ),
        ("best connected recruiters", "connections best connected; role recruiters"),
        ("recruiters we have not asked yet", "role recruiters; -connections have not asked yet"),
    ] {
        assert_eq!(terms(query), expected, "{query}");
    }
}
