//! Sweeps the people of a pool in blocks: how many conditions each matches, and how well they fit.
//!
//! Everything here is the same computation for each person of a block, so it runs in loops over columns that the
//! compiler vectorizes. The ranking does what only the few people of a page need.

use std::sync::Arc;

use crate::graph::index::GraphIndex;
use crate::search::columns::FitColumns;
use crate::search::fit::{Fit, Fits, MATCH};
use crate::search::pool::{OUTSIDE, Pool};

/// People of a block: their data stay in the nearest cache.
const BLOCK: usize = 2048;

/// The fits of a condition, and its weight.
#[derive(Clone, Debug)]
pub struct Weighted {
    /// Its fits; searches may share them.
    pub fits: Arc<Fits>,
    /// More than 0.
    pub weight: f32,
    /// Whether it is an alternative to the condition before: "in Oslo or Bergen". The two count as one condition, with
    /// the better fit.
    pub is_alternative: bool,
}

/// The conditions and exclusions applied to the people of a pool.
#[derive(Debug)]
pub struct Sweep<'a> {
    pool: &'a Pool<'a>,
    conditions: Vec<(FitColumns<'a>, &'a Weighted)>,
    exclusions: Vec<FitColumns<'a>>,
    /// The maximum of the weighted sum; 0 without conditions.
    most: f32,
}

/// Some people of the pool, ascending: one position in each column per person.
#[derive(Debug, Default)]
pub struct SweptBlock {
    /// The numbers of the people.
    pub people: Vec<u32>,
    /// The coldness of the warmest edge to each.
    pub coldness: Vec<u8>,
    /// How many conditions each matches, with alternatives as one.
    pub matched: Vec<u32>,
    /// The weighted mean of each person's fits, from 0 to 1.
    pub means: Vec<f32>,
    /// The fits of the current condition.
    fits: Vec<Fit>,
    /// The best fits of the current alternatives.
    best: Vec<Fit>,
    /// The fits of one of its tables.
    of_table: Vec<Fit>,
    /// The positions of the people to keep.
    places: Vec<u16>,
}

impl<'a> Sweep<'a> {
    /// A sweep over `pool` with these conditions and exclusions. Costs a pass over their tables.
    pub fn new(
        index: &'a GraphIndex,
        pool: &'a Pool<'a>,
        conditions: &'a [Weighted],
        exclusions: impl Iterator<Item = &'a Fits>,
    ) -> Self {
        let most = most_of(conditions);
        let swept = |condition: &'a Weighted| (FitColumns::of(index, &condition.fits), condition);
        let conditions: Vec<_> = conditions.iter().map(swept).collect();
        let exclusions = exclusions.map(|fits| FitColumns::of(index, fits)).collect();
        Self { pool, conditions, exclusions, most }
    }

    /// Calls `each`, in blocks, with those of `people` who are in the pool, pass `is_wanted` by their matched
    /// conditions and fit, and match no exclusion.
    pub fn each_block(
        &self,
        people: &[u32],
        is_wanted: impl Fn(u32, f32) -> bool,
        mut each: impl FnMut(&SweptBlock),
    ) {
        let mut block = SweptBlock::default();
        for people in people.chunks(BLOCK) {
            block.take(people, self.pool.coldness());
            self.read(&mut block);
            let matched_and_mean = block.matched.iter().zip(&block.means);
            note_places(
                matched_and_mean.map(|(&matched, &mean)| is_wanted(matched, mean)),
                &mut block.places,
            );
            block.keep_noted();
            self.exclude(&mut block);
            each(&block);
        }
    }

    fn read(&self, block: &mut SweptBlock) {
        let SweptBlock { people, matched, means, fits, best, of_table, .. } = block;
        for alternatives in self.conditions.chunk_by(|_, (_, next)| next.is_alternative) {
            let weight = alternatives[0].1.weight;
            best.fill(0);
            for (columns, _) in alternatives {
                columns.read(people, fits, of_table);
                best.iter_mut().zip(&*fits).for_each(|(best, &fit)| *best = (*best).max(fit));
            }
            for ((matched, sum), &best) in matched.iter_mut().zip(means.iter_mut()).zip(&*best) {
                *matched += u32::from(best >= MATCH);
                *sum += weight * f32::from(best);
            }
        }
        if self.most > 0.0 {
            means.iter_mut().for_each(|sum| *sum /= self.most);
        } else {
            means.fill(0.0);
        }
    }

    fn exclude(&self, block: &mut SweptBlock) {
        for columns in &self.exclusions {
            columns.read(&block.people, &mut block.fits, &mut block.of_table);
            note_places(block.fits.iter().map(|&fit| fit < MATCH), &mut block.places);
            block.keep_noted();
        }
    }
}

impl SweptBlock {
    /// Takes those of `people` who are in the pool.
    fn take(&mut self, people: &[u32], coldness: &[u8]) {
        self.people.resize(people.len(), 0);
        self.coldness.resize(people.len(), 0);
        let mut kept = 0;
        for &person in people {
            let coldness = coldness[person as usize];
            self.people[kept] = person;
            self.coldness[kept] = coldness;
            kept += usize::from(coldness != OUTSIDE);
        }
        self.people.truncate(kept);
        self.coldness.truncate(kept);
        self.matched.clear();
        self.matched.resize(kept, 0);
        self.means.clear();
        self.means.resize(kept, 0.0);
        self.fits.resize(kept, 0);
        self.best.resize(kept, 0);
    }

    /// Keeps the people at the noted positions.
    fn keep_noted(&mut self) {
        let Self { people, coldness, matched, means, fits, places, .. } = self;
        for (kept, place) in places.iter().map(|&place| usize::from(place)).enumerate() {
            people[kept] = people[place];
            coldness[kept] = coldness[place];
            matched[kept] = matched[place];
            means[kept] = means[place];
        }
        people.truncate(places.len());
        coldness.truncate(places.len());
        matched.truncate(places.len());
        means.truncate(places.len());
        fits.truncate(places.len());
    }
}

/// The weighted sum for a person whom all of `conditions` fit best.
fn most_of(conditions: &[Weighted]) -> f32 {
    let alternatives = conditions.chunk_by(|_, next| next.is_alternative);
    alternatives.map(|alternatives| alternatives[0].weight * f32::from(Fit::MAX)).sum()
}

/// Writes the positions at which `is_kept` is true, ascending, to `places`. Branch-free: most people are dropped, in an
/// unpredictable pattern.
fn note_places(is_kept: impl ExactSizeIterator<Item = bool>, places: &mut Vec<u16>) {
    const { assert!(BLOCK <= 1 << 16, "a place fits 16 bits") };
    places.resize(is_kept.len(), 0);
    let mut noted = 0;
    for (place, is_kept) in is_kept.enumerate() {
        places[noted] = place as u16;
        noted += usize::from(is_kept);
    }
    places.truncate(noted);
}
