//! The people of a pool, a block at a time: how many conditions each matches, and how well they fit.
//!
//! All that is reckoned here is the same for each person of a block, so that it is loops over columns, which the
//! compiler makes work on many people at once. What only the few people of a page need is left to the ranking.

use std::sync::Arc;

use crate::graph::index::GraphIndex;
use crate::search::columns::FitColumns;
use crate::search::fit::{Fit, Fits, MATCH};
use crate::search::pool::{OUTSIDE, Pool};

/// People of a block: what is held of them stays in the nearest cache.
const BLOCK: usize = 2048;

/// A condition's fits, and how much they count beside the others'.
#[derive(Clone, Debug)]
pub struct Weighted {
    /// How well it fits; searches may share it.
    pub fits: Arc<Fits>,
    /// More than 0.
    pub weight: f32,
    /// Whether either it or the condition before it would do: "in Oslo or Bergen". The better fit counts; each is a condition of
    /// its own to match, but to match one of them comes before none.
    pub is_alternative: bool,
}

/// What the people of a pool are held against.
#[derive(Debug)]
pub struct Sweep<'a> {
    pool: &'a Pool<'a>,
    conditions: Vec<(FitColumns<'a>, &'a Weighted)>,
    exclusions: Vec<FitColumns<'a>>,
    /// The sum of the weights, each times the best fit; 0 without conditions.
    most: f32,
}

/// Some people of the pool, ascending: one place in each column for each of them.
#[derive(Debug, Default)]
pub struct SweptBlock {
    /// Who they are.
    pub people: Vec<u32>,
    /// The coldness of the warmest edge to each.
    pub coldness: Vec<u8>,
    /// How many conditions each matches.
    pub matched: Vec<u32>,
    /// The same with alternatives as one.
    pub met: Vec<u32>,
    /// How well each fits on the whole, from 0 to 1.
    pub means: Vec<f32>,
    /// How well each fits the condition that is being read.
    fits: Vec<Fit>,
    /// How well each fits the best of the alternatives that are being read.
    best: Vec<Fit>,
    /// How well they fit by one of its tables.
    of_table: Vec<Fit>,
    /// The places of those who are to be kept.
    places: Vec<u16>,
}

impl<'a> Sweep<'a> {
    /// A sweep over `pool` by these conditions and exclusions. Costs a pass over their tables.
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

    /// Calls `each` with those of `people` who are in the pool, whom `is_wanted` by how many conditions they match and
    /// how well they fit, and none of the exclusions matches, in blocks.
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
        let SweptBlock { people, matched, met, means, fits, best, of_table, .. } = block;
        for alternatives in self.conditions.chunk_by(|_, (_, next)| next.is_alternative) {
            let weight = alternatives[0].1.weight;
            best.fill(0);
            for (columns, _) in alternatives {
                columns.read(people, fits, of_table);
                for ((matched, best), &fit) in matched.iter_mut().zip(best.iter_mut()).zip(&*fits) {
                    *matched += u32::from(fit >= MATCH);
                    *best = (*best).max(fit);
                }
            }
            for ((met, sum), &best) in met.iter_mut().zip(means.iter_mut()).zip(&*best) {
                *met += u32::from(best >= MATCH);
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
    /// Holds those of `people` who are in the pool.
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
        self.met.clear();
        self.met.resize(kept, 0);
        self.means.clear();
        self.means.resize(kept, 0.0);
        self.fits.resize(kept, 0);
        self.best.resize(kept, 0);
    }

    /// Keeps those at the noted places.
    fn keep_noted(&mut self) {
        let Self { people, coldness, matched, met, means, fits, places, .. } = self;
        for (kept, place) in places.iter().map(|&place| usize::from(place)).enumerate() {
            people[kept] = people[place];
            coldness[kept] = coldness[place];
            matched[kept] = matched[place];
            met[kept] = met[place];
            means[kept] = means[place];
        }
        people.truncate(places.len());
        coldness.truncate(places.len());
        matched.truncate(places.len());
        met.truncate(places.len());
        means.truncate(places.len());
        fits.truncate(places.len());
    }
}

/// The sum for a person whom all of `conditions` fit best.
fn most_of(conditions: &[Weighted]) -> f32 {
    let alternatives = conditions.chunk_by(|_, next| next.is_alternative);
    alternatives.map(|alternatives| alternatives[0].weight * f32::from(Fit::MAX)).sum()
}

/// Notes the places at which `is_kept`, ascending, in `places`. Without a branch for each: most who are asked about are not
/// kept, but which of them are is chance.
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
