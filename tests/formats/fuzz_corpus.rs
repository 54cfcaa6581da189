//! Every input that the fuzzers found worth keeping still keeps what its target promises.
//!
//! The inputs lie in `fuzz/corpus`, a folder for each target, the fewest that reach all that was ever
//! reached; the properties in `fuzz/properties`, which the targets share.
#![allow(clippy::print_stdout, reason = "the input that breaks a property is told")]

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use kith::snapshot::{decode, encode};

#[path = "../../fuzz/properties/mod.rs"]
mod properties;

use properties::service::{Front, TINY};
use properties::snapshot::Outcome as Read;
use properties::source::{Folders, Outcome as Built};
use properties::{json_body, query_string, snapshot};

/// What became of all inputs kept for `target`, each outcome with how many have it.
fn outcomes<O: Ord + Debug>(target: &str, mut check: impl FnMut(&[u8]) -> O) -> BTreeMap<O, usize> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut outcomes = BTreeMap::new();
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        println!("{}", file.display()); // shown where the input breaks the property
        *outcomes.entry(check(&fs::read(file).unwrap())).or_insert(0) += 1;
    }
    println!("{target}: {outcomes:?}");
    outcomes
}

#[test]
fn kept_snapshots_are_refused_by_name_or_load_and_answer() {
    let front = Front::new();
    let outcomes = outcomes("snapshot", |input| {
        let file = snapshot::file_of(input);
        snapshot::check(&front, &file, decode(&file))
    });
    let reached = [Read::Container, Read::Content, Read::Loaded].map(|outcome| outcomes.get(&outcome));
    assert!(reached.iter().all(|count| count.is_some_and(|&count| count >= 10)), "{outcomes:?}");
}

#[test]
fn kept_tables_are_built_or_refused_with_their_place() {
    let folders = Folders::new();
    let outcomes = outcomes("source", |input| folders.check(input));
    let reached = [Built::Refused, Built::Built].map(|outcome| outcomes.get(&outcome));
    assert!(reached.iter().all(|count| count.is_some_and(|&count| count >= 10)), "{outcomes:?}");
}

#[test]
fn kept_query_strings_are_answered_or_refused_in_shape() {
    let front = Front::new();
    let outcomes = outcomes("query_string", |input| query_string::check(&front, input).as_u16());
    assert_eq!(outcomes.keys().collect::<Vec<_>>(), [&200, &400, &401, &403, &404], "{outcomes:?}");
}

#[test]
fn kept_bodies_are_answered_or_refused_in_shape() {
    let front = Front::new();
    let outcomes = outcomes("json_body", |input| json_body::check(&front, input).as_u16());
    assert_eq!(outcomes.keys().collect::<Vec<_>>(), [&200, &400, &401], "{outcomes:?}");
}

/// The control: a reader that gives another network than the file's is caught.
#[test]
fn a_wrong_reading_is_caught() {
    let mut changed = decode(TINY).unwrap();
    let count = &mut changed.dataset.people.connections_counts[0];
    *count = kith::model::count::OptionalCount::from_stored(count.stored() + 1);
    let file = encode(&changed.dataset).unwrap();
    let check = |read: &'static [u8]| {
        let file = file.clone();
        catch_unwind(move || snapshot::check(&Front::new(), &file, decode(read)))
    };
    assert!(check(TINY).is_err());
    assert_eq!(check(file.clone().leak()).ok(), Some(Read::Loaded));
}
