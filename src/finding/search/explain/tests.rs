//! The content of explanations, the people they cover, and their cost.
//!
//! Promise: What a search reports as understood neither counts nor quotes people outside or suppressed.
//! Control: a pool of everybody in the tables; the same tables without some of those inside.
//! Also in: `tests/api/hidden_existence/understood.rs`, `tests/api/suppression/rebuilt.rs`,
//!   `tests/api/suppression/residues.rs`.
//!
//! Promise: And a search that is not asked why does no more work.
//! Control: the same count of a search that always explains.

use super::*;

use std::collections::BTreeSet;
use std::time::Instant;

use crate::search::conditions::{Draft, NetworkKind};
use crate::search::engine::{Engines, Mode};
use crate::search::fit::work;
use crate::search::pool::default_member;
use crate::search::question::{Found, Question, ask};
use crate::search::rank::Strictness;
use crate::search::threads::OwnThreads;
use crate::search::understood::SearchCounts;
use kith::sketch::Net;
use kith_embed::sketch::net;

/// The member ann knows bob, her advocate dan knows eve, and the member ben knows kim. zed, who fits all of the
/// queries, is known by nobody near.
fn around_ann(zed: &str) -> Net {
    net(&format!(
        "
        member ann
        member ben
        advocate dan of ann
        ann -80-> bob
        bob -> gus
        dan -70-> eve
        ben -> kim
        bob (name: Bob Quill, position: Head of Finance, city: Oslo)
        eve (name: Eve Lund, position: CFO, city: Berlin)
        kim (name: Kim Dahl, position: VP Finance, city: Berlin) @ tin
        company tin (name: Tin Works, industry: Robotics)
        {zed}
    "
    ))
}

const ZED: &str =
    "zed (name: Zed Holm, position: Chief Financial Officer, city: Berlin, country: Germany) @ tin";
const QUERIES: [&str; 6] = [
    "heads of finance",
    "head of finance in Berlin",
    "chief financial officer, not in Berlin",
    "finance people in robotics",
    "at Tin Works",
    "zed",
];

fn asked<'a>(
    net: &'a Net,
    search: &'a SearchIndex,
    text: &str,
    networks: &[NetworkKind],
    explains: bool,
) -> Found<'a> {
    asked_of(net, search, text, networks, explains, Engine::Keyword)
}

fn asked_of<'a>(
    net: &'a Net,
    search: &'a SearchIndex,
    text: &str,
    networks: &[NetworkKind],
    explains: bool,
    engine: Engine,
) -> Found<'a> {
    let searched =
        Searched { index: net, search, store: None, engines: Engines::ALL, deadline: Instant::now() };
    let question = Question {
        text: text.to_owned(),
        networks: Some(networks.to_vec()),
        strictness: Strictness::Relaxed,
        view: None,
        acting: default_member(net),
        limit: 50,
        mode: Mode::Pinned(engine),
        explains,
        names_ties: false,
    };
    ask(searched, &question, None::<Draft>).unwrap_or_else(|reason| panic!("{}", reason.sentence()))
}

/// `term: people [widened to]`, for each term, and the counts.
fn shown(found: &Found<'_>) -> Vec<String> {
    let understood = found.understood.as_ref().map(|it| (&it.terms, it.counts));
    let Some((terms, SearchCounts { every, most, any })) = understood else { return Vec::new() };
    let term = |term: &UnderstoodTerm<'_>| {
        let not = if term.negated { "not " } else { "" };
        format!("{not}{} {}: {} {:?}", term.kind.name(), term.term, term.people, term.widened_to)
    };
    terms.iter().map(term).chain([format!("{every} {most} {any}")]).collect()
}

/// `name: term field text how`, for each person and term.
fn reasons(found: &Found<'_>) -> Vec<String> {
    let of = |person: &crate::search::question::FoundPerson<'_>| {
        let name = person.person.name.to_owned();
        let reason = move |it: &TermMatch<'_>| {
            format!("{name}: {} {} {:?} {}", it.term, it.field.name(), it.text, it.how.name())
        };
        person.matched.iter().map(reason).collect::<Vec<_>>()
    };
    // The order is not tested here.
    found.people.iter().flat_map(of).collect::<BTreeSet<_>>().into_iter().collect()
}

#[test]
fn each_term_says_how_many_fit_and_what_it_was_widened_to_and_each_person_why() {
    use NetworkKind::{Advocate, Organization, User};
    let net = around_ann(ZED);
    let search = SearchIndex::build(&net);
    for (text, networks, expected, why) in [
        (
            "heads of finance",
            &[User][..],
            &["role heads of finance: 1 []", "1 1 1"][..],
            &["Bob Quill: 0 position \"Head of Finance\" words"][..],
        ),
        (
            "heads of finance",
            &[User, Advocate],
            &["role heads of finance: 2 [\"CFO\"]", "2 2 2"],
            &["Bob Quill: 0 position \"Head of Finance\" words", "Eve Lund: 0 position \"CFO\" sense"],
        ),
        (
            "heads of finance in Berlin",
            &[User, Advocate, Organization],
            &["role heads of finance: 3 [\"CFO\", \"VP Finance\"]", "place berlin: 2 []", "2 2 3"],
            &[
                "Bob Quill: 0 position \"Head of Finance\" words",
                "Eve Lund: 0 position \"CFO\" sense",
                "Eve Lund: 1 city \"Berlin\" words",
                "Kim Dahl: 0 position \"VP Finance\" sense",
                "Kim Dahl: 1 city \"Berlin\" words",
            ],
        ),
        (
            "heads of finance, not in Berlin",
            &[Organization],
            &["role heads of finance: 2 [\"VP Finance\"]", "not place berlin: 1 []", "1 1 1"],
            &["Bob Quill: 0 position \"Head of Finance\" words"],
        ),
        (
            "robotics companies",
            &[Organization],
            &["industry robotics: 1 []", "1 1 1"],
            &["Kim Dahl: 0 industry \"Robotics\" words"],
        ),
    ] {
        let found = asked(&net, &search, text, networks, true);
        assert_eq!(shown(&found), expected, "{text} in {networks:?}");
        assert_eq!(reasons(&found), why, "{text} in {networks:?}");
    }
}

/// The answers to all queries, with zed in the tables or without, over a pool of the people near or of everybody.
fn all_shown(zed: &str, engine: Engine, of_everybody: bool) -> Vec<String> {
    let net = around_ann(zed);
    let search = SearchIndex::build(&net);
    let mut all = Vec::new();
    for text in QUERIES {
        let found = asked_of(&net, &search, text, &NetworkKind::ALL, true, engine);
        all.extend(shown(&found));
        all.extend(reasons(&found));
        if of_everybody {
            let query = crate::search::resolve::resolve(&crate::search::parse::parse(&net, &search, text));
            let fits = query.conditions.iter().map(|it| crate::search::keyword::fits(&net, &search, it));
            let pool = Pool::of_everybody(&net);
            for (condition, fits) in query.conditions.iter().zip(fits) {
                let searched = Searched {
                    index: &net,
                    search: &search,
                    store: None,
                    engines: Engines::ALL,
                    deadline: Instant::now(),
                };
                let traced = Traced::new(searched, condition, &fits, Engine::Keyword);
                all.extend(traced.map(|traced| format!("{:?}", traced.reach(&net, &pool))));
            }
        }
    }
    all
}

#[test]
fn nobody_outside_is_in_any_count_or_text() {
    for engine in [Engine::Keyword, Engine::Vector] {
        assert_eq!(all_shown(ZED, engine, false), all_shown("", engine, false), "{engine:?}");
    }
    assert!(!all_shown(ZED, Engine::Keyword, false).join(" ").contains("Chief Financial Officer\""));
    // The control: counted over everybody in the tables, the same queries reveal zed.
    let [with, without] = [ZED, ""].map(|zed| all_shown(zed, Engine::Keyword, true));
    assert_ne!(with, without);
}

/// How often a search reads a person's fit or goes over a column's words.
fn work_of(net: &Net, search: &SearchIndex, text: &str, explains: bool) -> u64 {
    // On one thread, which counts its own work.
    let threads = OwnThreads::start("search", 1).unwrap_or_else(|error| panic!("{error}"));
    threads.run(|| {
        let before = work::done();
        asked(net, search, text, &NetworkKind::ALL, explains);
        work::done() - before
    })
}

#[test]
fn a_search_that_is_not_asked_why_does_no_more_work() {
    let net = around_ann(ZED);
    let search = SearchIndex::build(&net);
    // No fit is read of ann, who asks, or of gus and zed, who are outside: four people are left, including dan.
    for (text, columns, looks) in [
        ("heads of finance", 1, 4),
        ("heads of finance in Berlin", 1 + 3, 2 * 4),
        ("heads of finance, not in Berlin", 1 + 3, 4 + 3),
    ] {
        assert_eq!(work_of(&net, &search, text, false), columns + looks, "{text}");
        // The control: the same count catches a search that always explains.
        assert!(work_of(&net, &search, text, true) > columns + looks, "{text}");
    }
}

#[test]
fn the_members_who_know_a_person_are_found_before_them_if_that_is_asked() {
    use NetworkKind::{Organization, User};
    let net = net("
        member ann
        member ben (name: Ben Ode)
        member cy (name: Cy Foss)
        ann -> ben
        ann -> cy
        ann -> gus
        ben -> kim
        kim (name: Kim Dahl)
        gus (name: Gus Dahl)
        ");
    let search = SearchIndex::build(&net);
    let (kim, ben) = ("Kim Dahl: 0 name \"Kim Dahl\" words", "Ben Ode: 0 knows \"Kim Dahl\" words");
    for (text, networks, people, why) in [
        ("who of us knows Kim Dahl?", &[User, Organization][..], 2, &[ben, kim][..]),
        ("Wer von uns kennt Kim Dahl?", &[User, Organization], 2, &[ben, kim]),
        // Ann does not know Kim, so nobody in her own network is reported as known by Kim.
        ("who of us knows Kim Dahl?", &[User], 0, &[]),
        // The controls: her name alone, and a clause about others.
        ("Kim Dahl", &[User, Organization], 1, &[kim]),
        ("people my colleagues know at Kim Dahl", &[User, Organization], 1, &[kim]),
    ] {
        for engine in [Engine::Keyword, Engine::Vector] {
            let found = asked_of(&net, &search, text, networks, true, engine);
            let understood = found.understood.as_ref().map(|it| it.terms[0].people);
            assert_eq!(
                (understood, reasons(&found)),
                (Some(people), why.iter().map(|&it| it.to_owned()).collect()),
                "{text}"
            );
            let first = found.people.first().map(|person| person.person.name);
            let expected = [None, Some("Kim Dahl"), Some("Ben Ode")][people as usize];
            assert_eq!(first, expected, "{text}");
        }
    }
}
