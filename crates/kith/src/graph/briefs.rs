//! The briefs of the people at whom near edges start, two bytes per edge.
//!
//! A large network has few distinct briefs: each is stored once, and an edge holds only its number.
//!
//! Promise: If there are more distinct briefs than two bytes can number, the rows of the rarest are read instead.
//! Control: the same table with room for all of them.
//! Also in: `crates/kith/src/query/paths/tests/briefs.rs`.

use std::cmp::Reverse;
use std::collections::HashMap;

use rayon::prelude::*;

use crate::graph::brief::Brief;
use crate::graph::near_edge::NearEdge;
use crate::model::column::held;

/// Distinct briefs that two bytes can number.
const DISTINCT_MAX: usize = 1 << u16::BITS;

/// A brief for each near edge.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Briefs {
    /// The distinct briefs; the first is [`Brief::MORE`].
    distinct: Vec<Brief>,
    /// For each edge, the position of its brief in `distinct`.
    places: Vec<u16>,
}

/// The briefs of a run of edges.
#[derive(Clone, Copy, Debug)]
pub struct BriefRow<'a> {
    distinct: &'a [Brief],
    places: &'a [u16],
}

impl Briefs {
    /// Builds the briefs of the sources of `edges`; an edge's `source` is a position in `of_people`.
    #[must_use]
    pub fn build(of_people: &[Brief], edges: &[NearEdge]) -> Self {
        Self::within(of_people, edges, DISTINCT_MAX)
    }

    /// Keeps at most `most` distinct briefs. The rarest ones become [`Brief::MORE`], and a walk reads the rows of their
    /// people.
    fn within(of_people: &[Brief], edges: &[NearEdge], most: usize) -> Self {
        let mut distinct = vec![Brief::MORE];
        let mut numbers = HashMap::from([(Brief::MORE, 0_u32)]);
        let mut number = |&brief: &Brief| {
            *numbers.entry(brief).or_insert_with(|| {
                distinct.push(brief);
                distinct.len() as u32 - 1
            })
        };
        let of_people: Vec<u32> = of_people.iter().map(&mut number).collect();
        let mut place_of: Vec<u16> = (0..=u16::MAX).take(distinct.len()).collect();
        if distinct.len() > most {
            let mut counts = vec![0_u32; distinct.len()];
            edges.iter().for_each(|edge| counts[of_people[edge.source as usize] as usize] += 1);
            let mut kept: Vec<u32> = (1..distinct.len() as u32).collect();
            kept.sort_unstable_by_key(|&number| (Reverse(counts[number as usize]), number));
            kept.truncate(most - 1);
            place_of = vec![0; distinct.len()];
            kept.iter().zip(1..).for_each(|(&number, place)| place_of[number as usize] = place);
            distinct = [0].iter().chain(&kept).map(|&number: &u32| distinct[number as usize]).collect();
        }
        let place = |edge: &NearEdge| place_of[of_people[edge.source as usize] as usize];
        let places = edges.par_iter().with_min_len(1024).map(place).collect();
        Self { distinct, places }
    }

    /// The briefs of the edges in `range`.
    ///
    /// # Panics
    /// Panics if the range reaches past the edges.
    #[must_use]
    pub fn row(&self, range: std::ops::Range<usize>) -> BriefRow<'_> {
        BriefRow { distinct: &self.distinct, places: &self.places[range] }
    }

    /// Replaces briefs, to test how that changes an answer.
    #[cfg(test)]
    pub(crate) fn change(&mut self, changed: impl Fn(Brief) -> Brief) {
        self.distinct.iter_mut().for_each(|brief| *brief = changed(*brief));
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        held(&self.distinct) + held(&self.places)
    }
}

impl<'a> BriefRow<'a> {
    /// The briefs, in the order of the edges.
    pub fn iter(self) -> impl Iterator<Item = Brief> + 'a {
        self.places.iter().map(move |&place| self.distinct[place as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::warmness::Warmness;

    #[test]
    fn of_more_distinct_briefs_than_fit_those_of_fewest_edges_say_nothing() {
        let brief = |members: u32| Brief { members: members as u8, warmest: 7, ..Brief::MORE };
        // Person n is the source of n edges and has brief n.
        let of_people: Vec<Brief> = (0..9).map(brief).collect();
        let edges: Vec<NearEdge> = (0..9_u32)
            .flat_map(|person| {
                (0..person).map(move |rank| NearEdge::new(person, rank as usize, Warmness::UNSCORED))
            })
            .collect();
        for (most, left_out) in [(10, 0..0), (9, 0..1), (4, 0..6), (1, 0..9)] {
            let briefs = Briefs::within(&of_people, &edges, most);
            assert!(briefs.distinct.len() <= most);
            let found: Vec<Brief> = briefs.row(0..edges.len()).iter().collect();
            let expected = edges.iter().map(|edge| match left_out.contains(&edge.source) {
                true => Brief::MORE,
                false => brief(edge.source),
            });
            assert_eq!(found, expected.collect::<Vec<_>>(), "{most}");
        }
    }
}
