//! Ranks people by how well each condition fits them.
//!
//! People who match every condition come first, then those who match most, then those who match any; so a stricter
//! search is a prefix of a more relaxed one. Within these groups, people known not to fit any exclusion come first;
//! then the order is how well a person fits and how warm the edge to them is. If nobody matches any condition, a
//! relaxed search lists the nearest people.

#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use rayon::prelude::*;

use crate::graph::index::GraphIndex;
use crate::model::ix::PersonIx;
use crate::query::page::{Page, Top};
use crate::search::conditions::{Measure, TermKind};
use crate::search::fit::Fits;
use crate::search::measure::{RankOrder, is_unknown, place as order_of};
use crate::search::pool::{OUTSIDE, Pool, weight};
use crate::search::sweep::{Sweep, SweptBlock, Weighted};
use crate::search::understood::SearchCounts;

/// The share of warmness in a person's score; the rest is how well they fit.
const WARMTH: f32 = 0.15;
/// Maximum people listed if nobody matches anything.
const NEAREST_MAX: u32 = 50;
/// People that one core processes at a time.
const CHUNK: usize = 16_384;
const SCORE_BITS: u32 = 20;
const SCORE_MASK: u32 = (1 << SCORE_BITS) - 1;
/// People in a group that one comparison can rule out for the page.
const PIECE: usize = 32;

/// How many conditions a person must match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strictness {
    /// Any; a list of alternatives is one.
    Relaxed,
    /// More than half.
    Normal,
    /// Every one.
    Strict,
}

impl Strictness {
    /// All, the most relaxed first; requests number them in this order, from 1.
    pub const ALL: [Self; 3] = [Self::Relaxed, Self::Normal, Self::Strict];
}

/// A condition that excludes people.
#[derive(Clone, Debug)]
pub struct Exclusion {
    /// How well it fits.
    pub fits: Fits,
    /// The kind of its term.
    pub kind: TermKind,
    /// Its measure, if it has one.
    pub measure: Option<Measure>,
}

/// The input of a ranking.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The conditions to fit.
    pub conditions: &'a [Weighted],
    /// The exclusions.
    pub exclusions: &'a [Exclusion],
    /// The order of the people who match every condition.
    pub order: Option<RankOrder>,
}

impl Wanted<'_> {
    /// The number of conditions, with alternatives as one.
    fn groups(&self) -> usize {
        self.conditions.chunk_by(|_, next| next.is_alternative).count()
    }
}

/// The people found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranking {
    /// The best, best first.
    pub people: Vec<PersonIx>,
    /// The number of all of them.
    pub total: u64,
}

/// Ranks everybody in `pool` who matches enough of the conditions and none of the exclusions; without conditions,
/// everybody not excluded. If nobody does, a relaxed search ranks up to 50 people who match in part. Costs a few
/// look-ups per person of the pool and condition, on all cores, and a closer look at candidates for the page.
#[must_use]
pub fn rank(
    index: &GraphIndex,
    pool: &Pool<'_>,
    wanted: Wanted<'_>,
    strictness: Strictness,
    limit: u32,
) -> Ranking {
    let judge = Judge::new(index, pool, wanted);
    let ranking = judge.ranking(Page { limit, offset: 0 }, Found::Matching(strictness));
    if ranking.total > 0 || strictness != Strictness::Relaxed || wanted.conditions.is_empty() {
        return ranking;
    }
    let mut nearest = judge.ranking(Page { limit: NEAREST_MAX, offset: 0 }, Found::Near);
    nearest.total = nearest.people.len() as u64;
    nearest.people.truncate(limit as usize);
    nearest
}

/// Counts the people in `pool` whom no exclusion matches, by the number of conditions they match. Costs as much as
/// [`rank`].
#[must_use]
pub fn count(index: &GraphIndex, pool: &Pool<'_>, wanted: Wanted<'_>) -> SearchCounts {
    let judge = Judge::new(index, pool, wanted);
    let chunks = judge.chunks().map(|people| {
        let mut counts = SearchCounts::default();
        judge.each_block(people, Found::Matching(Strictness::Relaxed), |block| {
            counts = judge.passed(block).fold(counts, SearchCounts::and_one);
        });
        counts
    });
    chunks.reduce(SearchCounts::default, SearchCounts::plus)
}

impl SearchCounts {
    fn and_one(self, passed: Strictness) -> Self {
        Self {
            every: self.every + u64::from(passed >= Strictness::Strict),
            most: self.most + u64::from(passed >= Strictness::Normal),
            any: self.any + 1,
        }
    }

    fn plus(self, other: Self) -> Self {
        Self { every: self.every + other.every, most: self.most + other.most, any: self.any + other.any }
    }
}

/// The sort key: the strictest search the person passes; the number of exclusions with unknown fit; the order requested
/// by the query; the score; the id.
type Key = (Reverse<Strictness>, u8, u64, Reverse<u32>, u32);

#[derive(Clone, Copy)]
enum Found {
    /// People who pass a search of this strictness, or a stricter one.
    Matching(Strictness),
    /// People who fit in part, if nobody matches anything.
    Near,
}

struct Judge<'a> {
    index: &'a GraphIndex,
    pool: &'a Pool<'a>,
    wanted: Wanted<'a>,
    sweep: Sweep<'a>,
    /// The contribution to the score of each coldness.
    warmth: [f32; 256],
    /// The strictest search passed, by the number of matched conditions.
    passes: Vec<Option<Strictness>>,
}

impl<'a> Judge<'a> {
    fn new(index: &'a GraphIndex, pool: &'a Pool<'a>, wanted: Wanted<'a>) -> Self {
        let exclusions = wanted.exclusions.iter().map(|exclusion| &exclusion.fits);
        let all = wanted.groups();
        Self {
            index,
            pool,
            wanted,
            sweep: Sweep::new(index, pool, wanted.conditions, exclusions),
            warmth: std::array::from_fn(|coldness| warmth(u8::try_from(coldness).unwrap_or(OUTSIDE))),
            passes: (0..=all).map(|matched| passed(matched, all)).collect(),
        }
    }

    /// Everybody who may be in the pool, in parts for the cores.
    fn chunks(&self) -> impl IndexedParallelIterator<Item = &'a [u32]> + use<'a> {
        self.pool.people().par_chunks(CHUNK)
    }

    /// Visits those of `people` who are `found`, in blocks.
    fn each_block(&self, people: &[u32], found: Found, each: impl FnMut(&SweptBlock)) {
        match found {
            Found::Matching(strictness) => {
                let is_found = |matched: u32, _| {
                    self.passes[matched as usize].is_some_and(|passed| passed >= strictness)
                };
                self.sweep.each_block(people, is_found, each);
            }
            Found::Near => self.sweep.each_block(people, |_, mean| mean > 0.0, each),
        }
    }

    /// The strictest search that each of `block` passes.
    fn passed(&self, block: &SweptBlock) -> impl Iterator<Item = Strictness> {
        block.matched.iter().map(|&matched| self.passes[matched as usize].unwrap_or(Strictness::Relaxed))
    }

    /// Everybody who is `found`, in the order of their keys.
    fn ranking(&self, page: Page, found: Found) -> Ranking {
        let chunk = |people| {
            let mut top = Top::for_page(page);
            let mut places = Vec::new();
            self.each_block(people, found, |block| self.offer(block, &mut places, &mut top));
            let total = top.total();
            (top.into_page(page), total)
        };
        let parts: Vec<(Vec<Key>, u64)> = self.chunks().map(chunk).collect();
        let mut best = Top::for_page(page);
        let total = parts.iter().map(|(_, total)| total).sum();
        parts.into_iter().flat_map(|(keys, _)| keys).for_each(|key| best.offer(key));
        let people = best.into_page(page).into_iter().map(|(.., person)| PersonIx(person));
        Ranking { people: people.collect(), total }
    }

    /// Offers the people of `block` to `top`; computes full keys only for those not ruled out by what they pass and their
    /// score.
    fn offer(&self, block: &SweptBlock, places: &mut Vec<u32>, top: &mut Top<Key>) {
        let score = |(&mean, &coldness): (&f32, &u8)| score(mean, self.warmth[usize::from(coldness)]);
        let scores = block.means.iter().zip(&block.coldness).map(score);
        places.clear();
        places.extend(self.passed(block).zip(scores).map(|(passed, score)| place_of(passed, score)));
        let mut least = least_place(top.bound());
        for (block_at, piece) in places.chunks(PIECE).enumerate() {
            if piece.iter().fold(0, |most, &place| most.max(place)) < least {
                top.count_refused(piece.len() as u64);
                continue;
            }
            for (at, &place) in (block_at * PIECE..).zip(piece) {
                if place < least {
                    top.count_refused(1);
                } else {
                    top.offer(self.key(block, at, place));
                    least = least_place(top.bound());
                }
            }
        }
    }

    /// The sort key of the person at `at` of `block`, with packed strictness and score `place`.
    fn key(&self, block: &SweptBlock, at: usize, place: u32) -> Key {
        let (person, coldness) = (block.people[at], block.coldness[at]);
        let passed = self.passes[block.matched[at] as usize].unwrap_or(Strictness::Relaxed);
        let order = self.wanted.order.filter(|_| passed == Strictness::Strict);
        let order = order.map_or(0, |order| order_of(order, self.index, coldness, person));
        (Reverse(passed), self.unknown(person, coldness), order, Reverse(place & SCORE_MASK), person)
    }

    /// The number of exclusions for which nothing is known of `person`.
    fn unknown(&self, person: u32, coldness: u8) -> u8 {
        let is_unknown = |it: &&Exclusion| is_unknown(self.index, it.kind, it.measure, coldness, person);
        u8::try_from(self.wanted.exclusions.iter().filter(is_unknown).count()).unwrap_or(u8::MAX)
    }
}

/// The strictness passed and the score as one number that descends: the part of a key that needs no look at the person.
fn place_of(passed: Strictness, score: u32) -> u32 {
    ((passed as u32) << SCORE_BITS) | score
}

/// The lowest such number with which a person may come before `bound`.
fn least_place(bound: Option<&Key>) -> u32 {
    match bound {
        None => 0,
        // If nobody can beat it in the earlier parts of the key, the score decides.
        Some(&(Reverse(passed), 0, 0, Reverse(score), _)) => place_of(passed, score),
        Some(&(Reverse(passed), ..)) => place_of(passed, 0),
    }
}

/// The score that sorts people who pass the same, descending, at most 1,000,000.
fn score(mean: f32, warmth: f32) -> u32 {
    (((1.0 - WARMTH) * mean + warmth) * 1e6) as u32
}

/// The contribution to the score of the coldness of an edge.
fn warmth(coldness: u8) -> f32 {
    WARMTH * weight(coldness) as f32 / 100.0
}

/// The strictest search passed by matching `matched` of `all` conditions.
fn passed(matched: usize, all: usize) -> Option<Strictness> {
    if matched == all {
        Some(Strictness::Strict)
    } else if 2 * matched > all {
        Some(Strictness::Normal)
    } else if matched > 0 {
        Some(Strictness::Relaxed)
    } else {
        None
    }
}
