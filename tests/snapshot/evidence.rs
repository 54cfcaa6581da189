//! Invalid evidence with correct checksums, and the memory of a row.
//!
//! Promise: Evidence out of its order, of nobody, of no edge or with a note too long is refused with its row; a row
//!   keeps to 36 bytes of memory and 32 of a file beside its note.
//! Control: a note of one byte more does not fit; with an edge the row stays.
//! Also in: `tests/formats/source/rules.rs`.

use kith_server::model::column::TextColumn;
use kith_server::model::dataset::Dataset;
use kith_server::model::evidence::Evidence;
use kith_server::model::ix::PersonIx;
use kith_server::model::kept::Kept;
use kith_server::snapshot::{ContentFault, check, decode, encode};

use crate::content::{Corrupt, reference, refused, set};
use crate::craft;
use crate::sample::{at, small};

/// The place of its section.
const SECTION: usize = 26;
/// The most that a row of evidence may take beside its note, in bytes: in memory, and in a file.
const ROW_BYTES: [usize; 2] = [36, 32];

#[test]
fn evidence_is_of_people_who_are_there_and_has_a_kind() {
    refused(&[
        (|d| d.evidence.from[4] = PersonIx(8), "evidence.from", Some(4), reference(8, 8)),
        (|d| d.evidence.to[0] = PersonIx(u32::MAX), "evidence.to", Some(0), reference(u32::MAX, 8)),
        (|d| d.evidence.kinds.rows[1] = 0, "evidence.kinds", Some(1), ContentFault::Empty),
        (|d| d.evidence.kinds.rows[1] = 3, "evidence.kinds", Some(1), reference(3, 3)),
        (|d| d.evidence.sources.rows[0] = 9, "evidence.sources", Some(0), reference(9, 3)),
        (
            |d| set(&mut d.evidence.notes, 1, &"ü".repeat(501)),
            "evidence.notes",
            Some(1),
            ContentFault::TooManyChars { chars: 501 },
        ),
    ]);
    let mut longest = small();
    set(&mut longest.evidence.notes, 4, &"ü".repeat(500));
    check(&longest).unwrap();
}

#[test]
fn evidence_stands_by_its_edge_and_the_newest_first() {
    let unsorted = |row| ("evidence", Some(row), ContentFault::Unsorted);
    let operators: [(Corrupt, usize); 6] = [
        (|d| d.evidence.from[0] = PersonIx(1), 1),
        (|d| d.evidence.to[0] = PersonIx(2), 1),
        (|d| d.evidence.at.swap(0, 1), 1),
        (|d| d.evidence.at[2] = at("2025-01-01T00:00:00.000000001Z"), 2),
        (|d| d.evidence.kinds.rows.swap(1, 2), 2),
        (|d| (d.evidence.kinds.rows[1], d.evidence.sources.rows[1]) = (2, 1), 2),
    ];
    for (corrupt, row) in operators {
        let (column, row, fault) = unsorted(row);
        refused(&[(corrupt, column, row, fault)]);
    }
}

#[test]
fn notes_order_what_is_alike_and_rows_may_be_alike() {
    let mut alike = small();
    alike.evidence.kinds.rows[1] = alike.evidence.kinds.rows[2];
    check(&alike).unwrap();
    refused(&[(
        |d| {
            d.evidence.kinds.rows[1] = d.evidence.kinds.rows[2];
            set(&mut d.evidence.notes, 1, "b");
        },
        "evidence",
        Some(2),
        ContentFault::Unsorted,
    )]);
}

#[test]
fn evidence_rests_on_an_edge() {
    let no_edge = ContentFault::PairWithoutEdge;
    refused(&[
        (|d| d.evidence.to[2] = PersonIx(5), "evidence", Some(2), no_edge),
        (|d| d.evidence.from[2] = PersonIx(1), "evidence", Some(2), no_edge),
        (|d| d.evidence.to[0] = PersonIx(0), "evidence", Some(0), no_edge),
    ]);
}

/// The sample with this many `rows` of evidence of its edge 0 → 1, each with this `note`.
fn with_rows(rows: usize, note: &str) -> Dataset {
    let mut dataset = small();
    let table = &mut dataset.evidence;
    table.from = vec![PersonIx(0); rows];
    table.to = vec![PersonIx(1); rows];
    table.at = vec![at("2025-01-01T00:00:00Z"); rows];
    table.kinds.rows = vec![1; rows];
    table.sources.rows = vec![0; rows];
    table.notes = TextColumn::from_texts((0..rows).map(|_| note)).unwrap();
    check(&dataset).unwrap();
    dataset
}

/// The size of a row with this `note`, in bytes: in memory, and in a file.
fn row_bytes(note: &str) -> [usize; 2] {
    const ROWS: usize = 10_000;
    let of_all = |rows: usize| {
        let bytes = encode(&with_rows(rows, note)).unwrap();
        let loaded = decode(&bytes).unwrap().dataset;
        [loaded.evidence.size_bytes(), craft::sections(&bytes)[SECTION].len()]
    };
    let (few, many) = (of_all(1), of_all(1 + ROWS));
    [0, 1].map(|place| (many[place] - few[place]).div_ceil(ROWS))
}

#[test]
fn a_row_keeps_to_its_budget_in_memory_and_in_a_file() {
    let fits = |taken: [usize; 2]| taken[0] <= ROW_BYTES[0] && taken[1] <= ROW_BYTES[1];
    assert!(fits(row_bytes("")), "{:?}", row_bytes(""));
    let with_note = row_bytes("ten bytes!").map(|bytes| bytes - 10);
    assert!(fits(with_note), "beside its note: {with_note:?}");
    // The control: one more column of the least width does not fit; here a note stands for it.
    assert!(!fits(row_bytes("x")));
    assert_eq!(small().evidence.gather(&Kept::of_rows(5, vec![])), Evidence::default());
}
