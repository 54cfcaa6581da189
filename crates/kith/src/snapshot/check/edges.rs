//! Checks edges: sound rows, warmest first, and the same edges in both directions.
//!
//! Each direction is summed up as a keyed mix of its edges, and the sums are compared. The key is random in each run,
//! so nobody can craft two different networks with equal sums.

use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use rayon::prelude::*;

use crate::model::dataset::Dataset;
use crate::model::edges::{Adjacency, Row};
use crate::model::ix::PersonIx;
use crate::model::warmness::Warmness;
use crate::snapshot::check::columns::{Marks, number_references, offsets};
use crate::snapshot::error::SnapshotError;
use crate::snapshot::fault::ContentFault;

/// Edges and people in one core's unit of work.
const WORK_AT_A_TIME: usize = 1 << 17;

/// How to treat an end that occurs twice in a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Repeats {
    /// Report it as a fault.
    Refused,
    /// Ignore it: a direction with the same edges as one without repeats has none either.
    PassedOver,
}

pub(super) fn check(dataset: &Dataset) -> Result<(), SnapshotError> {
    let (edges, key) = (&dataset.edges, Key::draw());
    offsets("edges.out.offsets", &edges.out.offsets, edges.out.ends.len())?;
    offsets("edges.into.offsets", &edges.into.offsets, edges.into.ends.len())?;
    let ((out, into), breakdowns) = rayon::join(
        || {
            rayon::join(
                || {
                    sum_rows(
                        "edges.out",
                        &edges.out,
                        |person, end, score| key.mix(person, end, score),
                        Repeats::Refused,
                    )
                },
                || {
                    sum_rows(
                        "edges.into",
                        &edges.into,
                        |person, end, score| key.mix(end, person, score),
                        Repeats::PassedOver,
                    )
                },
            )
        },
        || number_references("edges.breakdowns", &edges.breakdowns, dataset.breakdowns.len()),
    );
    let (out, into) = (out?, into?);
    breakdowns?;
    if out != into {
        return Err(SnapshotError::column("edges.into", ContentFault::OtherEdges));
    }
    Ok(())
}

/// Sums the mixes of all edges of one direction, and checks its rows on the way.
fn sum_rows(
    direction: &'static str,
    adjacency: &Adjacency,
    mix: impl Fn(PersonIx, PersonIx, Warmness) -> u64 + Sync,
    repeats: Repeats,
) -> Result<u64, SnapshotError> {
    let piece = |seen: &mut Marks, people: Range<u32>| {
        let mut sum = 0_u64;
        for person in people.map(PersonIx) {
            let row = adjacency.row(person);
            let (row_sum, sound) = sum_row(row, person, adjacency.people(), &mix);
            if !sound || (repeats == Repeats::Refused && has_end_twice(row, seen)) {
                return Err(fault(direction, row, person, adjacency.people()));
            }
            sum = sum.wrapping_add(row_sum);
        }
        Ok(sum)
    };
    // In order, so that the first of several faults is reported.
    let pieces = pieces(&adjacency.offsets.0).into_par_iter();
    let sums: Vec<_> = pieces.map_init(|| Marks::new(adjacency.people()), piece).collect();
    sums.into_iter().try_fold(0_u64, |total, sum| Ok(total.wrapping_add(sum?)))
}

/// Ranges of people that cover all of them, of about equal work.
fn pieces(offsets: &[u32]) -> Vec<Range<u32>> {
    let (mut pieces, people) = (Vec::new(), offsets.len() - 1);
    let mut start = 0;
    while start < people {
        let reach = offsets[start] as usize + WORK_AT_A_TIME;
        let last = (start + WORK_AT_A_TIME).min(people);
        let end = start + 1 + offsets[start + 1..last].partition_point(|&offset| offset as usize <= reach);
        pieces.push(start as u32..end as u32);
        start = end;
    }
    pieces
}

/// The sum of the mixes of a row, and whether the row is sound. Its loop is branch-free.
fn sum_row(
    row: Row<'_>,
    person: PersonIx,
    people: usize,
    mix: impl Fn(PersonIx, PersonIx, Warmness) -> u64,
) -> (u64, bool) {
    let (mut sum, mut sound, mut before) = (0_u64, true, -1_i64);
    for (&end, &score) in row.ends.iter().zip(row.scores) {
        let key = i64::from(score.coldness()) << 32 | i64::from(end.0);
        sound &= (key > before) & ((end.0 as usize) < people) & (end != person);
        before = key;
        sum = sum.wrapping_add(mix(person, end, score));
    }
    (sum, sound)
}

/// Whether an end occurs twice in a sound row, with different scores. `seen` is empty before and after.
fn has_end_twice(row: Row<'_>, seen: &mut Marks) -> bool {
    if row.scores.first() == row.scores.last() {
        return false; // one score: then the ends ascend
    }
    let mut twice = false;
    row.ends.iter().for_each(|&end| twice |= seen.mark(end));
    row.ends.iter().for_each(|&end| seen.clear(end));
    twice
}

/// The first fault of an unsound row.
fn fault(direction: &'static str, row: Row<'_>, person: PersonIx, people: usize) -> SnapshotError {
    let mut seen = Marks::new(people);
    let mut before = None;
    for (place, &end) in row.ends.iter().enumerate() {
        let found = if end.0 as usize >= people {
            Some(ContentFault::Reference { got: end.0, rows: people })
        } else if end == person {
            Some(ContentFault::SelfEdge)
        } else if seen.mark(end) {
            Some(ContentFault::EndTwice { end: end.0 })
        } else {
            before
                .replace(row.key(place))
                .filter(|&before| before >= row.key(place))
                .map(|_| ContentFault::Unsorted)
        };
        if let Some(fault) = found {
            return SnapshotError::row(direction, person.0 as usize, fault);
        }
    }
    SnapshotError::row(direction, person.0 as usize, ContentFault::Unsorted)
}

/// The key that edges are mixed with.
struct Key([u64; 4]);

impl Key {
    /// A random key.
    fn draw() -> Self {
        let random = RandomState::new();
        Self([0_u64, 1, 2, 3].map(|word| random.hash_one(word)))
    }

    /// Mixes an edge into 64 bits; equal edges mix equally, and other sums are equal by chance only.
    fn mix(&self, from: PersonIx, to: PersonIx, score: Warmness) -> u64 {
        self.mix_numbers(from.0, to.0, score.to_byte())
    }

    fn mix_numbers(&self, from: u32, to: u32, score: u8) -> u64 {
        let [a, b, c, d] = self.0;
        let ends = fold((u64::from(from) << 32 | u64::from(to)) ^ a, b | 1);
        fold(ends ^ c, d ^ u64::from(score))
    }
}

/// Folds both halves of a product into one.
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_all_people_in_order_also_around_very_connected_ones() {
        let heavy = WORK_AT_A_TIME as u32 * 3;
        for degrees in [vec![], vec![0], vec![heavy], vec![1, heavy, 0, 0, heavy, 1], vec![3; 200_000]] {
            let offsets: Vec<u32> = std::iter::once(0)
                .chain(degrees.iter().scan(0, |end, degree| {
                    *end += degree;
                    Some(*end)
                }))
                .collect();
            let covered: Vec<u32> = pieces(&offsets).into_iter().flatten().collect();
            assert_eq!(covered, (0..degrees.len() as u32).collect::<Vec<_>>());
        }
    }

    #[test]
    fn mixes_differ_for_edges_that_share_their_ends_or_their_parts() {
        let key = Key::draw();
        let sum = |edges: &[(u32, u32, u8)]| {
            edges
                .iter()
                .fold(0_u64, |sum, &(from, to, score)| sum.wrapping_add(key.mix_numbers(from, to, score)))
        };
        let edges = [(1, 2, 3), (4, 5, 6)];
        for others in [[(1, 5, 3), (4, 2, 6)], [(1, 2, 6), (4, 5, 3)], [(2, 1, 3), (4, 5, 6)], [(1, 2, 3); 2]]
        {
            assert_ne!(sum(&edges), sum(&others), "{others:?}");
        }
        assert_eq!(sum(&edges), sum(&[edges[1], edges[0]]));
    }

    #[test]
    fn every_bit_of_an_edge_changes_half_of_the_bits_of_its_mix() {
        const KEYS: u32 = 256;
        let mix =
            |key: &Key, bits: u128| key.mix_numbers((bits >> 40) as u32, (bits >> 8) as u32, bits as u8);
        let keys: Vec<Key> = (0..KEYS).map(|_| Key::draw()).collect();
        let edge = 0x12_3400_0543_2132_u128;
        let mut ones = 0;
        for bit in 0..72 {
            let changed: u32 = keys
                .iter()
                .map(|key| {
                    let other = mix(key, edge ^ 1 << bit);
                    ones += other.count_ones();
                    (mix(key, edge) ^ other).count_ones()
                })
                .sum();
            assert!((28..=36).contains(&(changed / KEYS)), "bit {bit}: {changed} of {KEYS} times 64");
        }
        assert!((31..=32).contains(&(ones / KEYS / 72)), "{ones} ones");
    }
}
