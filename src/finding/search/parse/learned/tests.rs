//! The trained reader on descriptions.

use super::*;
use crate::search::parse::parse;
use kith_embed::sketch::net;

/// The terms of `query`.
fn said(index: &GraphIndex, search: &SearchIndex, query: &str) -> Vec<String> {
    let draft = parse(index, search, query);
    draft.terms.iter().map(|term| format!("{} {}", term.kind.name(), term.text)).collect()
}

#[test]
fn what_is_said_in_talk_is_read_and_its_filler_is_not() {
    let net = net("ann");
    let search = SearchIndex::build(&net);
    for (query, expected) in [
        ("so yeah im after teachers in porto mostly", &["role teachers", "place porto"][..]),
        ("uh hi, would you have an accountant somewhere near Oslo thx", &["role accountant", "place oslo"]),
    ] {
        assert_eq!(said(&net, &search, query), expected, "{query}");
    }
}

#[test]
fn a_query_of_filler_alone_is_what_the_rules_make_of_it() {
    let net = net("ann");
    let search = SearchIndex::build(&net);
    assert_eq!(said(&net, &search, "zzgrub"), ["topic zzgrub"]);
    assert_eq!(said(&net, &search, "asdfgh please").len(), 1, "it fits nobody, not everybody");
    // The control: only small words ask for everybody.
    assert!(said(&net, &search, "who do we know").is_empty());
}

#[test]
fn without_weights_every_item_stays_what_the_rules_know() {
    assert!(ReaderWeights::default().tags(&[]).is_empty());
    let tags = ReaderWeights::default();
    let features =
        Features { names: vec!["s0=Word".to_owned()], vector: kith_embed::model::Vector([0.0; 256]) };
    assert!(tags.tags(&[features]).is_empty(), "no weights, no tags");
}
