//! From how well each condition fits to the people found, best first.
//!
//! People who match every condition come first, then those who match most, then those who match
//! any; so a stricter search is a beginning of a more relaxed one. Within that come those first of whom is known that
//! nothing excluded fits them; then the order is how well a person fits and how warm the edge to them is. If nobody
//! matches any condition, a relaxed search lists those who come nearest.

use std::cmp::Reverse;

use rayon::prelude::*;

use crate::graph::index::GraphIndex;
use crate::model::ix::PersonIx;
use crate::query::page::{Page, Top};
use crate::search::conditions::{Measure, TermKind};
use crate::search::fit::{Fit, Fits, MATCH};
use crate::search::measure::{RankOrder, is_unknown, place};
use crate::search::pool::{OUTSIDE, Pool, weight};
use crate::search::understood::SearchCounts;

/// The part of a person's score that warmness makes; the rest is how well they fit.
const WARMTH: f32 = 0.15;
/// The most people listed if nobody matches anything.
const NEAREST_MAX: u32 = 50;
/// People gone over at a time by one core.
const CHUNK: u32 = 16_384;

/// How many conditions a person must match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strictness {
    /// Any.
    Relaxed,
    /// More than half.
    Normal,
    /// Every one.
    Strict,
}

impl Strictness {
    /// All of them, from the most relaxed; requests number them in this order, from 1.
    pub const ALL: [Self; 3] = [Self::Relaxed, Self::Normal, Self::Strict];
}

/// A condition's fits, and how much they count beside the others'.
#[derive(Clone, Debug)]
pub struct Weighted {
    /// How well it fits.
    pub fits: Fits,
    /// More than 0.
    pub weight: f32,
}

/// What people wanted do not fit.
#[derive(Clone, Debug)]
pub struct Exclusion {
    /// How well it fits.
    pub fits: Fits,
    /// What it is about.
    pub kind: TermKind,
    /// What it counts, if it does.
    pub measure: Option<Measure>,
}

/// All that a ranking goes by.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// What people fit.
    pub conditions: &'a [Weighted],
    /// What they do not fit.
    pub exclusions: &'a [Exclusion],
    /// What those who match every condition come by.
    pub order: Option<RankOrder>,
}

/// The people found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranking {
    /// The best, best first.
    pub people: Vec<PersonIx>,
    /// How many there are in all.
    pub total: u64,
}

/// Ranks everybody in `pool` who matches enough of the conditions and none of the exclusions; without
/// conditions everybody does. If nobody does at all, a relaxed search ranks those who match in part, at most
/// 50 of them. Costs a few look-ups for each person of the network and condition, on
/// all cores.
#[must_use]
pub fn rank(
    index: &GraphIndex,
    pool: &Pool<'_>,
    wanted: Wanted<'_>,
    strictness: Strictness,
    limit: u32,
) -> Ranking {
    let judge = Judge { index, pool, wanted, strictness };
    let ranking = judge.ranking(Page { limit, offset: 0 }, |person| judge.key(person));
    if ranking.total > 0 || strictness != Strictness::Relaxed || wanted.conditions.is_empty() {
        return ranking;
    }
    let mut nearest = judge.ranking(Page { limit: NEAREST_MAX, offset: 0 }, |person| judge.near_key(person));
    nearest.total = nearest.people.len() as u64;
    nearest.people.truncate(limit as usize);
    nearest
}

/// SearchCounts those in `pool` whom none of the exclusions matches, by how many of the conditions they match. Costs what
/// [`rank`] does.
#[must_use]
pub fn count(index: &GraphIndex, pool: &Pool<'_>, wanted: Wanted<'_>) -> SearchCounts {
    let judge = Judge { index, pool, wanted, strictness: Strictness::Relaxed };
    let people = index.data.people.ids.len() as u32;
    let chunks = (0..people.div_ceil(CHUNK)).into_par_iter().map(|chunk| {
        let range = chunk * CHUNK..(chunk + 1).saturating_mul(CHUNK).min(people);
        let passed = range.filter_map(|person| judge.key(person)).map(|(Reverse(passed), ..)| passed);
        passed.fold(SearchCounts::default(), SearchCounts::and_one)
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

/// What people ascend by: the strictest search they pass, how many exclusions may fit them for all that is known, what
/// the query orders by, their score, their id.
type Key = (Reverse<Strictness>, u8, u64, Reverse<u32>, u32);

struct Judge<'a> {
    index: &'a GraphIndex,
    pool: &'a Pool<'a>,
    wanted: Wanted<'a>,
    strictness: Strictness,
}

impl Judge<'_> {
    /// Everybody for whom there is a `key`, in the order of the keys.
    fn ranking(&self, page: Page, key: impl Fn(u32) -> Option<Key> + Sync) -> Ranking {
        let people = self.index.data.people.ids.len() as u32;
        let parts: Vec<(Vec<Key>, u64)> = (0..people.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let mut top = Top::for_page(page);
                let range = chunk * CHUNK..(chunk + 1).saturating_mul(CHUNK).min(people);
                range.filter_map(&key).for_each(|key| top.offer(key));
                let total = top.total();
                (top.into_page(page), total)
            })
            .collect();
        let mut best = Top::for_page(page);
        let total = parts.iter().map(|(_, total)| total).sum();
        parts.into_iter().flat_map(|(keys, _)| keys).for_each(|key| best.offer(key));
        let people = best.into_page(page).into_iter().map(|(.., person)| PersonIx(person));
        Ranking { people: people.collect(), total }
    }

    /// The key that orders `person`. Returns `None` if they are not found.
    fn key(&self, person: u32) -> Option<Key> {
        let coldness = self.coldness(person)?;
        let (matched, mean) = self.fit(person);
        let all = self.wanted.conditions.len();
        let passes = passed(matched, all).filter(|&passed| passed >= self.strictness)?;
        let unknown = self.unknown(person, coldness)?;
        let order = self.wanted.order.filter(|_| matched == all);
        let order = order.map_or(0, |order| place(order, self.index, coldness, person));
        Some((Reverse(passes), unknown, order, Reverse(score(mean, coldness)), person))
    }

    /// The key that orders `person`, who matches nothing. Returns `None` if they do not match in part either.
    fn near_key(&self, person: u32) -> Option<Key> {
        let coldness = self.coldness(person)?;
        let (_, mean) = self.fit(person);
        let unknown = self.unknown(person, coldness)?;
        (mean > 0.0)
            .then(|| (Reverse(Strictness::Relaxed), unknown, 0, Reverse(score(mean, coldness)), person))
    }

    fn coldness(&self, person: u32) -> Option<u8> {
        Some(self.pool.coldness()[person as usize]).filter(|&coldness| coldness != OUTSIDE)
    }

    /// How many conditions `person` matches, and how well they fit on the whole, from 0 to 1.
    fn fit(&self, person: u32) -> (usize, f32) {
        let (mut matched, mut total, mut most) = (0, 0.0, 0.0);
        for condition in self.wanted.conditions {
            let fit = condition.fits.of(self.index, person);
            matched += usize::from(fit >= MATCH);
            total += condition.weight * f32::from(fit);
            most += condition.weight * f32::from(Fit::MAX);
        }
        (matched, if most > 0.0 { total / most } else { 0.0 })
    }

    /// Of how many exclusions nothing is known of `person`; `None` if one fits them.
    fn unknown(&self, person: u32, coldness: u8) -> Option<u8> {
        let mut unknown = 0_u8;
        for exclusion in self.wanted.exclusions {
            if exclusion.fits.of(self.index, person) >= MATCH {
                return None;
            }
            let is_unknown = is_unknown(self.index, exclusion.kind, exclusion.measure, coldness, person);
            unknown = unknown.saturating_add(u8::from(is_unknown));
        }
        Some(unknown)
    }
}

/// What people of one kind descend by.
fn score(mean: f32, coldness: u8) -> u32 {
    (((1.0 - WARMTH) * mean + WARMTH * weight(coldness) as f32 / 100.0) * 1e6) as u32
}

/// The strictest search that `matched` of `all` conditions pass.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_is_more_than_half_and_no_condition_asks_nothing() {
        for (matched, all, expected) in [
            (0, 0, Some(Strictness::Strict)),
            (0, 1, None),
            (1, 1, Some(Strictness::Strict)),
            (1, 2, Some(Strictness::Relaxed)),
            (2, 3, Some(Strictness::Normal)),
            (1, 3, Some(Strictness::Relaxed)),
            (2, 4, Some(Strictness::Relaxed)),
            (3, 4, Some(Strictness::Normal)),
        ] {
            assert_eq!(passed(matched, all), expected, "{matched} of {all}");
        }
    }
}
