//! Every input kept by the fuzzers still satisfies the property of its target.
//!
//! The inputs are in `fuzz/corpus`, a folder for each target, a minimal set that reaches everything ever reached; the
//! properties are in `fuzz/properties`, which the targets share.
//!
//! Promise: Exports that are changed in up to eight places, under any name, are rows or faults, the same when read
//!   again; what is imported of them builds.
//! Control: an entry that loses a row, or counts one that was not handed over.
//! Also in: `fuzz`.
#![allow(clippy::print_stdout, reason = "the input that breaks a property is printed")]

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use kith_import::read::{EntryCount, RowCount};
use kith_server::snapshot::{decode, encode};

use crate::scale;

#[path = "../../fuzz/properties/mod.rs"]
mod properties;

use properties::import::{Desk, Outcome as Exported, check_entry};
use properties::service::{Front, TINY};
use properties::snapshot::Outcome as Read;
use properties::source::{Folders, Outcome as Built};
use properties::{json_body, query_string, snapshot};

/// The outcomes of all inputs kept for `target`, with their numbers.
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
fn kept_exports_are_rows_or_faults_and_what_is_imported_builds() {
    let desk = Desk::new();
    let outcomes = outcomes("import", |input| desk.check(input));
    let reached = [Exported::Nothing, Exported::Used, Exported::NothingWritten, Exported::Built];
    let reached = reached.map(|outcome| outcomes.get(&outcome));
    assert!(reached.iter().all(|count| count.is_some_and(|&count| count >= 2)), "{outcomes:?}");
}

/// `bytes` with up to eight changes: a bit turned, a byte of another place put in, a run left out or repeated.
fn changed(bytes: &[u8], mut below: impl FnMut(usize) -> usize) -> Vec<u8> {
    // The bytes that choose how the rest is read stay.
    let (choices, rest) = bytes.split_at(bytes.len().min(3));
    let mut changed = rest.to_vec();
    for _ in 0..=below(8) {
        let at = below(changed.len().max(1));
        let Some(byte) = changed.get(at).copied() else { break };
        let end = changed.len().min(at + 1 + below(40));
        match below(5) {
            0 => changed[at] = byte ^ 1 << below(8),
            1 => changed.insert(at, rest[below(rest.len())]),
            2 => changed.truncate(at),
            3 => drop(changed.drain(at..end)),
            _ => {
                let run = changed[at..end].to_vec();
                changed.splice(at..at, run);
            }
        }
    }
    [choices, &changed].concat()
}

#[test]
fn kept_exports_that_are_changed_are_rows_or_faults_too() {
    let (desk, mut seed) = (Desk::new(), 1_u64);
    let mut below = |bound: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % bound
    };
    let ways = scale::of(20, 2_000);
    let outcomes = outcomes("import", |input| {
        let made: Vec<_> = (0..ways).map(|_| desk.check(&changed(input, &mut below))).collect();
        made.into_iter().max()
    });
    assert!(outcomes.len() > 1, "{outcomes:?}");
}

/// The control: an entry that lost a row, or counts one that was not handed over, is caught.
#[test]
fn an_export_that_loses_a_row_is_caught() {
    let rows = [("a.csv".to_owned(), 2, true), ("a.csv".to_owned(), 3, false)];
    let caught = |read, used, skipped| {
        let count = RowCount { read, used, skipped, ..RowCount::default() };
        let entry = EntryCount { file: "a.csv".to_owned(), count };
        let rows = rows.clone();
        catch_unwind(move || check_entry(&entry, &rows)).is_err()
    };
    assert!(!caught(2, 1, 1));
    assert!(caught(2, 1, 0) && caught(2, 2, 0) && caught(3, 1, 1));
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
    *count = kith_server::model::count::OptionalCount::from_stored(count.stored() + 1);
    let file = encode(&changed.dataset).unwrap();
    let check = |read: &'static [u8]| {
        let file = file.clone();
        catch_unwind(move || snapshot::check(&Front::new(), &file, decode(read)))
    };
    assert!(check(TINY).is_err());
    assert_eq!(check(file.clone().leak()).ok(), Some(Read::Loaded));
}
