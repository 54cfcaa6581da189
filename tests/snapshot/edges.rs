//! Invalid edges and prepared names.

use kith_embed::of_tables::check_prepared;
use kith_server::model::csr::ColumnFault;
use kith_server::model::dataset::Dataset;
use kith_server::model::edges::Adjacency;
use kith_server::model::ix::{OptionalIx, PersonIx};
use kith_server::model::warmness::Warmness;
use kith_server::snapshot::{ContentFault, SnapshotError, check};

use crate::content::{Corrupt, change_breakdowns, reference, refused, set};
use crate::sample::{many, small};

/// The score `value`.
fn score(value: u8) -> Warmness {
    Warmness::new(value).unwrap()
}

#[test]
fn rows_of_edges_are_sound_and_warmest_first() {
    // Row 0 is 1 (100), 2 (50), 3 (50), 4 (none); row 2 is 0 (90), 6 (80), 7 (80), 4 (none).
    refused(&[
        (
            |d| d.edges.out.offsets.0[0] = 1,
            "edges.out.offsets",
            None,
            ContentFault::Offsets(ColumnFault::Start),
        ),
        (
            |d| d.edges.out.offsets.0[8] = 11,
            "edges.out.offsets",
            None,
            ContentFault::Offsets(ColumnFault::End),
        ),
        (
            |d| d.edges.out.offsets.0[1] = 6,
            "edges.out.offsets",
            None,
            ContentFault::Offsets(ColumnFault::Descending(2)),
        ),
        (
            |d| d.edges.into.offsets.0[7] = 99,
            "edges.into.offsets",
            None,
            ContentFault::Offsets(ColumnFault::Descending(8)),
        ),
        (|d| d.edges.out.ends[0] = PersonIx(8), "edges.out", Some(0), reference(8, 8)),
        (|d| d.edges.out.ends[0] = PersonIx(0), "edges.out", Some(0), ContentFault::SelfEdge),
        (|d| d.edges.out.ends.swap(1, 2), "edges.out", Some(0), ContentFault::Unsorted),
        (|d| d.edges.out.scores[0] = score(10), "edges.out", Some(0), ContentFault::Unsorted),
        (|d| d.edges.out.ends[2] = PersonIx(2), "edges.out", Some(0), ContentFault::EndTwice { end: 2 }),
        (|d| d.edges.out.ends[3] = PersonIx(1), "edges.out", Some(0), ContentFault::EndTwice { end: 1 }),
        (|d| d.edges.out.scores[5] = score(79), "edges.out", Some(2), ContentFault::Unsorted),
        (|d| d.edges.into.ends[0] = PersonIx(u32::MAX), "edges.into", Some(0), reference(u32::MAX, 8)),
        (|d| d.edges.into.ends[1] = PersonIx(1), "edges.into", Some(1), ContentFault::SelfEdge),
    ]);
}

#[test]
fn an_edge_stands_once_though_both_directions_agree_on_two() {
    fn double(edges: &mut Adjacency, person: usize) -> usize {
        let at = edges.offsets.0[person] as usize;
        edges.ends.insert(at, edges.ends[at]);
        edges.scores.insert(at, edges.scores[at]);
        edges.offsets.0[person + 1..].iter_mut().for_each(|offset| *offset += 1);
        at
    }
    // 1 -> 5 is the only edge from 1, and the only one to 5
    let twice: Corrupt = |d| {
        let at = double(&mut d.edges.out, 1);
        change_breakdowns(&mut d.edges, |numbers| numbers.insert(at, numbers[at]));
        double(&mut d.edges.into, 5);
    };
    refused(&[(twice, "edges.out", Some(1), ContentFault::EndTwice { end: 5 })]);
}

#[test]
fn both_directions_have_the_same_edges() {
    let other = ContentFault::OtherEdges;
    refused(&[
        (|d| d.edges.out.scores[0] = score(99), "edges.into", None, other),
        (|d| d.edges.into.ends[0] = PersonIx(3), "edges.into", None, other),
        (|d| d.edges.out.ends[4] = PersonIx(4), "edges.into", None, other),
        (
            |d| {
                // 5 -> 7 and 6 -> 7 change their scores, in one direction only
                let row = d.edges.into.offsets.0[7] as usize;
                d.edges.into.ends.swap(row, row + 2);
            },
            "edges.into",
            None,
            other,
        ),
    ]);
}

#[test]
fn tables_of_names_are_in_order_and_complete() {
    refused(&[
        (|d| d.person_names.order[0] = 8, "person_names.order", Some(0), reference(8, 8)),
        (
            |d| d.person_names.order[0] = d.person_names.order[1],
            "person_names.order",
            Some(1),
            ContentFault::NotAPermutation,
        ),
        (|d| d.person_names.order.swap(1, 2), "person_names.sorted", Some(2), ContentFault::Unsorted),
        (
            |d| set(&mut d.person_names.sorted, 0, "zz"),
            "person_names.sorted",
            Some(1),
            ContentFault::Unsorted,
        ),
        (|d| set(&mut d.person_names.words, 0, ""), "person_names.words", Some(0), ContentFault::Empty),
        (|d| set(&mut d.person_names.words, 0, "bob"), "person_names.words", Some(1), ContentFault::Unsorted),
        (|d| d.person_names.row_words.items[0] = 99, "person_names.row_words", Some(0), reference(99, 8)),
        (
            |d| d.person_names.row_words.offsets.0[1] = 99,
            "person_names.row_offsets",
            None,
            ContentFault::Offsets(ColumnFault::Descending(2)),
        ),
        (
            |d| d.person_names.row_words.offsets.0[0] = 1,
            "person_names.row_offsets",
            None,
            ContentFault::Offsets(ColumnFault::Start),
        ),
        (
            |d| d.company_names.order[1] = d.company_names.order[0],
            "company_names.order",
            Some(1),
            ContentFault::NotAPermutation,
        ),
    ]);
}

#[test]
fn of_several_faults_the_first_is_reported_however_many_cores_look() {
    fn last_edge_of(dataset: &Dataset, person: usize) -> usize {
        dataset.edges.out.offsets.0[person + 1] as usize - 1
    }
    let twice: [(Corrupt, &'static str, usize, ContentFault); 4] = [
        (
            |d| {
                change_breakdowns(&mut d.edges, |numbers| {
                    for row in [39_999, 20_001] {
                        numbers[row * 8] = 7
                    }
                });
            },
            "edges.breakdowns",
            160_008,
            reference(7, 2),
        ),
        (
            |d| {
                for person in [39_999, 20_001] {
                    let at = last_edge_of(d, person);
                    d.edges.out.ends[at] = PersonIx(person as u32);
                }
            },
            "edges.out",
            20_001,
            ContentFault::SelfEdge,
        ),
        (
            |d| {
                for row in [39_999, 17_000] {
                    d.people.companies[row] = OptionalIx::from_stored(0)
                }
            },
            "people.companies",
            17_000,
            reference(0, 0),
        ),
        (
            |d| {
                for place in [39_999, 17_000] {
                    d.person_names.order.swap(place, place - 1)
                }
            },
            "person_names.sorted",
            17_000,
            ContentFault::Unsorted,
        ),
    ];
    let sound = many();
    for (corrupt, column, row, fault) in twice {
        let mut dataset = sound.clone();
        corrupt(&mut dataset);
        let expected = SnapshotError::Content { column, row: Some(row), fault };
        for _ in 0..5 {
            assert_eq!(format!("{:?}", check(&dataset).unwrap_err()), format!("{expected:?}"));
        }
    }
}

#[test]
fn prepared_names_and_vectors_are_those_of_the_tables() {
    check_prepared(&small()).unwrap();
    let stale: [(Corrupt, &str); 11] = [
        (|d| set(&mut d.people.names, 1, "Rob"), "person_names"),
        (|d| d.person_names.row_words.items.swap(0, 1), "person_names"),
        (|d| set(&mut d.companies.names, 0, "Acne"), "company_names"),
        (|d| set(&mut d.company_names.words, 0, "acne"), "company_names"),
        (|d| d.vectors.positions.swap(1, 2), "vectors.positions"),
        (|d| set(&mut d.people.positions.values, 1, "Builder"), "vectors.positions"),
        (|d| d.vectors.cities[1].reverse(), "vectors.cities"),
        (|d| d.vectors.countries[1] = [0; 256], "vectors.countries"),
        (|d| d.vectors.industries[1].swap(0, 1), "vectors.industries"),
        (|d| d.vectors.headquarters[1].reverse(), "vectors.headquarters"),
        (|d| d.vectors.company_names.swap(0, 2), "vectors.company_names"),
    ];
    for (corrupt, table) in stale {
        let mut dataset = small();
        corrupt(&mut dataset);
        check(&dataset).unwrap();
        let said = check_prepared(&dataset).unwrap_err();
        assert!(
            matches!(said, SnapshotError::Content { column, fault: ContentFault::Stale, .. } if column == table),
            "{said:?}"
        );
    }
}
