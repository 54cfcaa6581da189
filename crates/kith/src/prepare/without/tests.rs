//! Removing a person: each network without some people equals one sketched without their lines.

use super::*;
use crate::model::aliases::{AliasColumn, Aliases};
use crate::model::column::{ColumnFull, DictionaryColumn, TextColumn};
use crate::model::ix::{OptionalIx, PersonIx};
use crate::model::time::Timestamp;
use crate::sketch::dataset;

/// Removes the people called `names` from the network of `text`.
fn forget(text: &str, names: &[&str]) -> (Vec<u32>, Remaining) {
    let full = dataset(text);
    let number = |name: &&str| full.people.ids.find_sorted(&format!("person_{name}"));
    let gone: Vec<u32> = names.iter().filter_map(number).collect();
    assert_eq!(gone.len(), names.len(), "{names:?} are in the sketch");
    let remaining = without(&full, &gone);
    (gone, remaining)
}

/// Checks that the network of `before` without the people `gone` is that of `after`.
#[track_caller]
fn check(before: &str, gone: &[&str], after: &str) {
    let (left, expected) = (forget(before, gone).1.dataset, dataset(after));
    // Not assert_eq: its output would be too long to read.
    assert!(left == expected, "{before}\nwithout {gone:?} is not{after}");
    assert!(dataset(before) != expected, "the sketches are the same");
}

#[test]
fn edges_to_and_from_a_person_go_and_breakdowns_that_only_they_had() {
    let before = "
        ann -80 club-> bob -70 school-> cay -60 school-> ann
        ann -50 work-> cay -90 train-> bob
    ";
    let after = "
        cay -60 school-> ann
        ann -50 work-> cay
    ";
    check(before, &["bob"], after);
    check(before, &["ann"], "bob -70 school-> cay -90 train-> bob");
    check(before, &["ann", "cay"], "bob");
}

#[test]
fn with_a_member_goes_what_they_asked_for_discovered_and_are_helped_with() {
    let before = "
        member ann as 2, bea as 3, cat as 1
        advocate zoe of ann
        advocate yan of ann pending
        advocate zoe of bea
        ann -80-> bob
        bea -70-> bob
        intro to bob by ann
        intro to bob by bea
        opportunity g1 for bob by ann via zoe
        opportunity g2 for bob by bea via zoe
    ";
    let after = "
        member bea as 3, cat as 1
        yan
        advocate zoe of bea
        bea -70-> bob
        intro to bob by bea
        opportunity g2 for bob by bea via zoe
    ";
    check(before, &["ann"], after);
}

#[test]
fn with_an_advocate_goes_their_help_and_paths_of_opportunities_through_them() {
    let before = "
        member ann
        advocate yan of ann pending
        advocate zoe of ann
        zoe -50-> bob
        opportunity g1 for bob by ann via zoe, yan, zoe
        opportunity g2 for bob by ann via zoe
    ";
    let after = "
        member ann
        advocate yan of ann pending
        opportunity g1 for bob by ann via yan
        opportunity g2 for bob by ann
    ";
    check(before, &["zoe"], after);
}

#[test]
fn with_a_prospect_go_intro_requests_and_opportunities_for_them() {
    let before = "
        member ann
        intro to bob by ann
        intro to cay by ann
        opportunity g1 for bob by ann via dan
        opportunity g2 for cay by ann via dan
    ";
    let after = "
        member ann
        dan
        intro to cay by ann
        opportunity g2 for cay by ann via dan
    ";
    check(before, &["bob"], after);
}

#[test]
fn companies_stay_and_texts_that_only_the_person_had_go() {
    let before = "
        bob (name: Bob Berg, position: Baker, city: Oslo, country: Norway) @ acme (industry: Steel)
        cay (name: Cay Berg, position: Cook, city: Oslo, country: Sweden, email: cay@mail.test) @ globex
    ";
    let after = "
        cay (name: Cay Berg, position: Cook, city: Oslo, country: Sweden, email: cay@mail.test) @ globex
        company acme (industry: Steel)
    ";
    check(before, &["bob"], after);
}

#[test]
fn with_a_person_goes_what_their_edges_rest_on() -> Result<(), ColumnFull> {
    let mut full = dataset("ann -80-> bob -70-> cay -60-> ann -50-> dan");
    let texts = |texts: [&str; 4]| TextColumn::from_texts(texts);
    full.evidence = Evidence {
        from: [0, 0, 1, 2].map(PersonIx).to_vec(),
        to: [1, 3, 2, 0].map(PersonIx).to_vec(),
        at: [4, 3, 2, 1].map(|seconds| Timestamp { seconds, nanos: 0 }).to_vec(),
        kinds: DictionaryColumn::from_texts(&texts(["met", "wrote", "called", "wrote"])?),
        sources: DictionaryColumn::from_texts(&texts(["a", "", "b", "c"])?),
        notes: texts(["1", "2", "", "4"])?,
    };
    let left = without(&full, &[1]).dataset.evidence;
    let expected = Evidence {
        from: [0, 1].map(PersonIx).to_vec(),
        to: [2, 0].map(PersonIx).to_vec(),
        at: [3, 1].map(|seconds| Timestamp { seconds, nanos: 0 }).to_vec(),
        kinds: DictionaryColumn::from_texts(&TextColumn::from_texts(["wrote", "wrote"])?),
        sources: DictionaryColumn::from_texts(&TextColumn::from_texts(["", "c"])?),
        notes: TextColumn::from_texts(["2", "4"])?,
    };
    assert_eq!(left, expected);
    // The control: removing nobody keeps everything.
    assert_eq!(without(&full, &[]).dataset.evidence, full.evidence);
    Ok(())
}

#[test]
fn with_a_person_go_their_aliases() -> Result<(), ColumnFull> {
    let mut full = dataset("ann -80-> bob -70-> cay");
    let column = |people: [u32; 3], texts: [&str; 3]| {
        let texts = TextColumn::from_texts(texts)?;
        Ok::<_, ColumnFull>(AliasColumn { people: people.map(PersonIx).to_vec(), texts })
    };
    full.people.aliases = Aliases {
        handles: column([0, 1, 2], ["a", "b", "c"])?,
        emails: column([1, 1, 2], ["b@x", "b@y", "c@x"])?,
    };
    let left = without(&full, &[1]).dataset.people.aliases;
    assert_eq!(left.handles.people, [0, 1].map(PersonIx));
    assert_eq!(left.handles.texts.iter().collect::<Vec<_>>(), ["a", "c"]);
    assert_eq!(left.emails.people, [PersonIx(1)]);
    assert_eq!(left.emails.texts.iter().collect::<Vec<_>>(), ["c@x"]);
    // The control: removing nobody keeps everything.
    assert_eq!(without(&full, &[]).dataset.people.aliases, full.people.aliases);
    Ok(())
}

#[test]
fn everybody_may_go_and_nobody_too() {
    let text = "
        member ann
        advocate zoe of ann
        ann -80-> bob @ acme
        intro to bob by ann
        opportunity g1 for bob by ann via zoe
    ";
    check(text, &["ann", "bob", "zoe"], "company acme");
    assert!(forget(text, &[]).1.dataset == dataset(text));
}

#[test]
fn those_who_stay_are_numbered_anew_in_their_order() {
    let (gone, remaining) = forget("ann -> bob -> cay -> dan", &["cay", "ann", "cay"]);
    let numbers: Vec<Option<PersonIx>> =
        remaining.people.numbers().into_iter().map(OptionalIx::get).collect();
    assert_eq!((gone, numbers), (vec![2, 0, 2], vec![None, Some(PersonIx(0)), None, Some(PersonIx(1))]));
}
