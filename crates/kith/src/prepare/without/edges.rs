//! The edges of a network without some of its people, on all cores.

use rayon::prelude::*;

use crate::model::column::TextColumn;
use crate::model::csr::Offsets;
use crate::model::edges::{Adjacency, Edges};
use crate::model::ix::PersonIx;
use crate::model::kept::Kept;
use crate::model::numbers::Numbers;
use crate::model::warmness::Warmness;
use crate::prepare::edges::keep_used;

/// People whose rows are one piece of work.
const RUN: usize = 1 << 13;

/// The edges whose ends both stay, and their breakdowns. If `edges` has only the counts of incoming edges, so has the
/// result: see [`Adjacency::let_go`].
pub(super) fn edges_left(edges: &Edges, breakdowns: &TextColumn, people: &Kept) -> (Edges, TextColumn) {
    let (out, mut places) = match &edges.breakdowns {
        Numbers::Narrow(numbers) => {
            let (out, places) = direction(&edges.out, people, |edge| numbers[edge]);
            (out, Numbers::Narrow(places))
        }
        Numbers::Wide(numbers) => {
            let (out, places) = direction(&edges.out, people, |edge| numbers[edge]);
            (out, Numbers::from(places))
        }
    };
    let texts = keep_used(breakdowns, &mut places);
    let is_whole = edges.into.ends.len() == edges.out.ends.len();
    let into =
        if is_whole { direction(&edges.into, people, |_| ()).0 } else { incoming_counts(edges, people) };
    (Edges { out, breakdowns: places, into }, texts)
}

/// Filters one direction; beside each edge, `beside` of its previous position.
fn direction<T: Copy + Default + Send>(
    edges: &Adjacency,
    people: &Kept,
    beside: impl Fn(usize) -> T + Sync,
) -> (Adjacency, Vec<T>) {
    let count =
        |&person: &u32| edges.row(PersonIx(person)).ends.iter().filter(|&&end| people.has(end)).count();
    let counts: Vec<usize> = people.rows.par_iter().with_min_len(RUN).map(count).collect();
    let offsets = offsets_of(counts.into_iter());
    let total = offsets.0.last().map_or(0, |&end| end as usize);
    let (mut ends, mut scores) = (vec![PersonIx(0); total], vec![Warmness::UNSCORED; total]);
    let mut values = vec![T::default(); total];
    let mut left = (&mut ends[..], &mut scores[..], &mut values[..]);
    let mut runs = Vec::with_capacity(people.rows.len().div_ceil(RUN));
    for rows in people.rows.chunks(RUN) {
        let first = runs.len() * RUN;
        let count = (offsets.0[first + rows.len()] - offsets.0[first]) as usize;
        runs.push((
            rows,
            split_off(&mut left.0, count),
            split_off(&mut left.1, count),
            split_off(&mut left.2, count),
        ));
    }
    runs.into_par_iter().for_each(|(rows, ends, scores, values)| {
        let mut place = 0;
        for &person in rows {
            let row = edges.row(PersonIx(person));
            for (former, (end, score)) in (row.start..).zip(row.iter()) {
                if let Some(end) = people.number(end) {
                    (ends[place], scores[place], values[place]) = (end, score, beside(former));
                    place += 1;
                }
            }
        }
    });
    (Adjacency { offsets, ends, scores }, values)
}

/// Splits the first `count` items off `left`.
///
/// # Panics
/// Panics if it has fewer.
fn split_off<'a, T>(left: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    left.split_off_mut(..count).expect("the counts add up to the columns")
}

/// Counts the incoming edges of each remaining person. Costs a pass over the edges of the removed people.
fn incoming_counts(edges: &Edges, people: &Kept) -> Adjacency {
    let before = |&person: &u32| edges.into.edge_count(PersonIx(person)) as usize;
    let mut counts: Vec<usize> = people.rows.iter().map(before).collect();
    for gone in people.gone().map(PersonIx) {
        let to_those_who_stay = edges.out.row(gone).ends.iter().filter_map(|&end| people.number(end));
        to_those_who_stay.for_each(|end| counts[end.0 as usize] -= 1);
    }
    Adjacency { offsets: offsets_of(counts.into_iter()), ..Adjacency::default() }
}

/// The offsets of rows with these item counts.
fn offsets_of(counts: impl ExactSizeIterator<Item = usize>) -> Offsets {
    let (mut offsets, mut end) = (Offsets::with_capacity(counts.len()), 0);
    for count in counts {
        end += count;
        offsets.push(end);
    }
    offsets
}
