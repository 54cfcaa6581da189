//! Everybody who can be found is found by their exact name: first, or among people of the same name.
//!
//! Promise: Everybody who can be found is first, or among their namesakes, by their exact full name, in each engine at
//!   each strictness.
//! Control: a reader that takes each word for a name of its own: it misses 10 of every tenth person of Harbourlight.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use kith_server::live::network::LiveNetwork;
use kith_server::model::text::fold;
use kith_server::search::conditions::{Draft, NetworkKind, Term, TermKind};
use kith_server::search::engine::{Engine, Engines, Mode};
use kith_server::search::parse::parse;
use kith_server::search::pool::{OUTSIDE, Pool, default_member};
use kith_server::search::question::{Question, ask};
use kith_server::search::rank::Strictness;
use rayon::prelude::*;

use crate::judged::case::{NETWORKS, folder_of};
use crate::support::stored;

/// Makes a draft of a query.
type Reader = fn(&LiveNetwork, &str) -> Draft;

/// Maximum entries of a page.
const PAGE_MAX: usize = 50;

/// The people of `network` whom a search by their exact name does not put first or among their namesakes, in some
/// engine or at some strictness; of every so many people one is asked for.
fn missed(network: &LiveNetwork, read: Reader, every: usize) -> Vec<String> {
    let index = &*network.index;
    let pool = Pool::new(index, default_member(index), &NetworkKind::ALL);
    let name = |row: u32| index.data.people.names.get(row);
    let people: Vec<u32> = (0..index.data.people.ids.len() as u32)
        .filter(|&row| pool.coldness()[row as usize] != OUTSIDE)
        .filter(|&row| name(row).chars().any(char::is_alphanumeric))
        .collect();
    let mut namesakes: BTreeMap<String, usize> = BTreeMap::new();
    people.iter().for_each(|&row| *namesakes.entry(letters(name(row))).or_default() += 1);
    let asked: Vec<u32> = people.iter().copied().step_by(every).collect();
    let is_missed = |&row: &u32| {
        let text = name(row);
        let draft = read(network, text);
        let among = namesakes[&letters(text)].min(PAGE_MAX);
        let id = index.data.people.ids.get(row);
        Engine::ALL.into_iter().any(|engine| {
            Strictness::ALL.into_iter().any(|strictness| {
                let found = find(network, text, draft.clone(), engine, strictness);
                !found.iter().take(among).any(|it| it == id)
            })
        })
    };
    let missed = asked.into_par_iter().filter(is_missed);
    missed.map(|row| format!("{}: {:?}", name(row), read(network, name(row)).terms)).collect()
}

/// A folded name without signs: people whose names differ by a sign alone are namesakes.
fn letters(name: &str) -> String {
    fold(name).chars().filter(|character| character.is_alphanumeric()).collect()
}

fn find(
    network: &LiveNetwork,
    text: &str,
    draft: Draft,
    engine: Engine,
    strictness: Strictness,
) -> Vec<String> {
    let question = Question {
        text: text.to_owned(),
        networks: None,
        strictness,
        view: None,
        acting: None,
        explains: false,
        names_ties: false,
        limit: PAGE_MAX as u32,
        mode: Mode::Pinned(engine),
    };
    let searched = network.searched(Engines::ALL, Instant::now() + Duration::from_secs(60));
    let found = ask(searched, &question, Some(draft)).unwrap();
    found.people.into_iter().map(|it| it.person.id.to_owned()).collect()
}

/// Reads it as the service does.
fn as_served(network: &LiveNetwork, text: &str) -> Draft {
    parse(&network.index, &network.search, text)
}

/// The control: each word a name of its own.
fn word_by_word(_: &LiveNetwork, text: &str) -> Draft {
    let folded = fold(text);
    let words = kith_server::model::text::words(&folded);
    let term = |word: &str| Term { kind: TermKind::Name, text: word.to_owned(), negated: false, past: false };
    Draft { terms: words.map(term).collect(), ..Draft::default() }
}

/// The networks that are here.
fn each_network(mut test: impl FnMut(&str, &LiveNetwork)) {
    for name in &NETWORKS[..3] {
        if let Some(folder) = folder_of(name) {
            let place = tempfile::tempdir().unwrap();
            test(name, &stored(&folder, place.path()));
        }
    }
}

#[test]
fn everybody_is_first_or_among_their_namesakes_by_their_exact_name_in_each_engine_at_each_strictness() {
    each_network(|name, network| {
        let missed = missed(network, as_served, 1);
        assert!(
            missed.is_empty(),
            "{name}: {} are not: {:#?}",
            missed.len(),
            &missed[..missed.len().min(40)]
        );
    });
}

/// The control: the same trial of a reader that takes names apart.
#[test]
fn a_reader_that_takes_each_word_for_a_name_is_caught() {
    let mut found = 0;
    each_network(|_, network| found += missed(network, word_by_word, 10).len());
    assert!(found > 0, "nobody is missed in any network");
}
