//! From how well each condition fits to the people found, best first.
//!
//! People who match every condition come first, then those who match most, then those who match
//! any; so a stricter search is a beginning of a more relaxed one. Within that the order is how well
//! a person fits and how warm the edge to them is.

use std::cmp::Reverse;

use rayon::prelude::*;

use crate::graph::index::GraphIndex;
use crate::model::ix::PersonIx;
use crate::query::page::{Page, Top};
use crate::search::fit::{Fit, Fits, MATCH};
use crate::search::pool::{OUTSIDE, Pool, weight};
use crate::search::understood::Counts;

/// The part of a person's score that warmness makes; the rest is how well they fit.
const WARMTH: f32 = 0.15;
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

/// The people found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranking {
    /// The best, best first.
    pub people: Vec<PersonIx>,
    /// How many there are in all.
    pub total: u64,
}

/// Ranks everybody in `pool` who matches enough of `conditions` and none of `exclusions`; without
/// conditions everybody does. Costs a few look-ups for each person of the network and condition, on
/// all cores.
#[must_use]
pub fn rank(
    index: &GraphIndex,
    pool: &Pool<'_>,
    conditions: &[Weighted],
    exclusions: &[Fits],
    strictness: Strictness,
    limit: u32,
) -> Ranking {
    let page = Page { limit, offset: 0 };
    let people = index.data.people.ids.len() as u32;
    let judge = Judge { index, pool, conditions, exclusions, strictness };
    let parts: Vec<(Vec<Key>, u64)> = (0..people.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let mut top = Top::for_page(page);
            let range = chunk * CHUNK..(chunk + 1).saturating_mul(CHUNK).min(people);
            range.filter_map(|person| judge.key(person)).for_each(|key| top.offer(key));
            let total = top.total();
            (top.into_page(page), total)
        })
        .collect();
    let mut best = Top::for_page(page);
    let total = parts.iter().map(|(_, total)| total).sum();
    parts.into_iter().flat_map(|(keys, _)| keys).for_each(|key| best.offer(key));
    Ranking {
        people: best.into_page(page).into_iter().map(|(_, _, person)| PersonIx(person)).collect(),
        total,
    }
}

/// Counts those in `pool` whom none of `exclusions` matches, by how many of `conditions` they match. Costs what
/// [`rank`] does.
#[must_use]
pub fn count(index: &GraphIndex, pool: &Pool<'_>, conditions: &[Weighted], exclusions: &[Fits]) -> Counts {
    let judge = Judge { index, pool, conditions, exclusions, strictness: Strictness::Relaxed };
    let people = index.data.people.ids.len() as u32;
    let chunks = (0..people.div_ceil(CHUNK)).into_par_iter().map(|chunk| {
        let range = chunk * CHUNK..(chunk + 1).saturating_mul(CHUNK).min(people);
        range.filter_map(|person| judge.key(person)).fold(
            Counts::default(),
            |mut counts, (Reverse(passed), ..)| {
                counts.any += 1;
                counts.most += u64::from(passed >= Strictness::Normal);
                counts.every += u64::from(passed >= Strictness::Strict);
                counts
            },
        )
    });
    chunks.reduce(Counts::default, |one, other| Counts {
        every: one.every + other.every,
        most: one.most + other.most,
        any: one.any + other.any,
    })
}

/// What people ascend by: the strictest search they pass, their score, their id.
type Key = (Reverse<Strictness>, Reverse<u32>, u32);

struct Judge<'a> {
    index: &'a GraphIndex,
    pool: &'a Pool<'a>,
    conditions: &'a [Weighted],
    exclusions: &'a [Fits],
    strictness: Strictness,
}

impl Judge<'_> {
    /// Where `person` stands; nothing where they are not found at all.
    fn key(&self, person: u32) -> Option<Key> {
        let coldness = self.pool.coldness()[person as usize];
        if coldness == OUTSIDE {
            return None;
        }
        let (mut matched, mut total, mut most) = (0, 0.0, 0.0);
        for condition in self.conditions {
            let fit = condition.fits.of(self.index, person);
            matched += usize::from(fit >= MATCH);
            total += condition.weight * f32::from(fit);
            most += condition.weight * f32::from(Fit::MAX);
        }
        let passes = passed(matched, self.conditions.len()).filter(|&passed| passed >= self.strictness)?;
        if self.exclusions.iter().any(|exclusion| exclusion.of(self.index, person) >= MATCH) {
            return None;
        }
        let mean = if most > 0.0 { total / most } else { 0.0 };
        let score = (1.0 - WARMTH) * mean + WARMTH * weight(coldness) as f32 / 100.0;
        Some((Reverse(passes), Reverse((score * 1e6) as u32), person))
    }
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
