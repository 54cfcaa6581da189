//! The reader's weights, and the likeliest tags for a chain of items: a linear-chain conditional random field.

use std::sync::LazyLock;

use kith::model::vectors::DIMENSIONS;

use crate::search::parse::learned::features::Features;

/// The number of tags: none, and for each kind the first item of a span and the others.
pub(super) const TAGS: usize = 25;
/// Written and described by `training/train.py`.
static FILE: &[u8] = include_bytes!("weights.bin");

static WEIGHTS: LazyLock<ReaderWeights> = LazyLock::new(|| ReaderWeights::parse(FILE).unwrap_or_default());

/// A score for each tag: the logarithm of its likelihood, up to a constant.
type Scores = [f32; TAGS];

/// The trained weights.
#[derive(Default)]
pub(super) struct ReaderWeights {
    /// The scores of the next tag, by tag.
    between: Vec<Scores>,
    /// The hashes of the features' names, ascending.
    names: Vec<u32>,
    /// The position in `weights` of each name's first entry.
    starts: Vec<u32>,
    /// A tag, and its weight.
    weights: Vec<(u8, f32)>,
    /// The scores of each component of a vector.
    vector: Vec<Scores>,
}

/// Reads numbers in sequence.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn rows(&mut self, rows: usize) -> Option<Vec<Scores>> {
        (0..rows).map(|_| Some(self.take::<TAGS>()?.map(|byte| f32::from(byte.cast_signed())))).collect()
    }

    fn float(&mut self) -> Option<f32> {
        self.take().map(f32::from_le_bytes)
    }
}

fn scaled(mut rows: Vec<Scores>, scale: f32) -> Vec<Scores> {
    rows.iter_mut().flatten().for_each(|weight| *weight *= scale);
    rows
}

impl ReaderWeights {
    /// The weights that ship with the program.
    pub(super) fn own() -> &'static Self {
        &WEIGHTS
    }

    /// Parses a file; `None` if it ends too soon.
    pub(super) fn parse(file: &[u8]) -> Option<Self> {
        let mut bytes = Bytes(file);
        let between = bytes.rows(TAGS)?;
        let (between_scale, scale) = (bytes.float()?, bytes.float()?);
        let count = u32::from_le_bytes(bytes.take()?);
        let (mut names, mut starts, mut all) = (Vec::new(), vec![0], 0);
        for _ in 0..count {
            names.push(u32::from_le_bytes(bytes.take()?));
            all += u32::from(bytes.take::<1>()?[0]);
            starts.push(all);
        }
        let weight = |_| {
            let [tag, weight] = bytes.take()?;
            Some((tag, f32::from(weight.cast_signed()) * scale))
        };
        let weights = (0..all).map(weight).collect::<Option<_>>()?;
        let vector = bytes.rows(DIMENSIONS)?;
        let vector_scale = bytes.float()?;
        let (between, vector) = (scaled(between, between_scale), scaled(vector, vector_scale));
        Some(Self { between, names, starts, weights, vector })
    }

    /// The scores of an item's tags.
    fn scores(&self, features: &Features) -> Scores {
        let mut scores = [0.0; TAGS];
        for name in &features.names {
            let Ok(place) = self.names.binary_search(&hashed(name)) else { continue };
            let of = self.starts[place] as usize..self.starts[place + 1] as usize;
            self.weights[of].iter().for_each(|&(tag, weight)| scores[usize::from(tag)] += weight);
        }
        for (weights, component) in self.vector.iter().zip(features.vector.0) {
            scores.iter_mut().zip(weights).for_each(|(score, weight)| *score += weight * component);
        }
        scores
    }

    /// The likeliest tags of items, each with the likelihood of its kind there, 0 to 1. Costs some 5,000
    /// multiplications per item.
    pub(super) fn tags(&self, items: &[Features]) -> Vec<(usize, f32)> {
        if self.between.is_empty() {
            return Vec::new();
        }
        let scores: Vec<Scores> = items.iter().map(|item| self.scores(item)).collect();
        let best = self.best(&scores);
        let likely = self.likely(&scores);
        let of_kind = |tag: usize, all: &Scores| match tag.checked_sub(1) {
            None => all[0],
            Some(tag) => all[tag / 2 * 2 + 1] + all[tag / 2 * 2 + 2],
        };
        best.into_iter().zip(&likely).map(|(tag, all)| (tag, of_kind(tag, all))).collect()
    }

    /// The jointly likeliest tags.
    fn best(&self, scores: &[Scores]) -> Vec<usize> {
        let mut from: Vec<[usize; TAGS]> = Vec::with_capacity(scores.len());
        let mut best = scores.first().copied().unwrap_or([0.0; TAGS]);
        for item in scores.iter().skip(1) {
            let mut before = [0; TAGS];
            let mut next = [0.0; TAGS];
            for tag in 0..TAGS {
                let reached = |other: &usize| best[*other] + self.between[*other][tag];
                let last =
                    (0..TAGS).max_by(|one, other| reached(one).total_cmp(&reached(other))).unwrap_or(0);
                (before[tag], next[tag]) = (last, reached(&last) + item[tag]);
            }
            from.push(before);
            best = next;
        }
        let last = (0..TAGS).max_by(|&one, &other| best[one].total_cmp(&best[other])).unwrap_or(0);
        let mut tags = vec![last; scores.len()];
        for at in (1..scores.len()).rev() {
            tags[at - 1] = from[at - 1][tags[at]];
        }
        tags
    }

    /// The likelihood of each tag of each item, whatever the others.
    fn likely(&self, scores: &[Scores]) -> Vec<Scores> {
        let pass = |items: &mut dyn Iterator<Item = &Scores>, weight: &dyn Fn(usize, usize) -> f32| {
            let mut all: Vec<Scores> = Vec::with_capacity(scores.len());
            for item in items {
                let reached = match all.last() {
                    None => [0.0; TAGS],
                    Some(before) => std::array::from_fn(|tag| {
                        log_sum((0..TAGS).map(|other| before[other] + weight(other, tag)))
                    }),
                };
                all.push(std::array::from_fn(|tag| reached[tag] + item[tag]));
            }
            all
        };
        let forth = pass(&mut scores.iter(), &|before, tag| self.between[before][tag]);
        let mut back = pass(&mut scores.iter().rev(), &|behind, tag| self.between[tag][behind]);
        back.reverse();
        let both = forth.iter().zip(&back).zip(scores).map(|((forth, back), own)| {
            let all: Scores = std::array::from_fn(|tag| forth[tag] + back[tag] - own[tag]);
            let sum = log_sum(all.iter().copied());
            all.map(|score| (score - sum).exp())
        });
        both.collect()
    }
}

/// The logarithm of a sum, from the logarithms of its parts.
fn log_sum(all: impl Iterator<Item = f32> + Clone) -> f32 {
    let most = all.clone().fold(f32::NEG_INFINITY, f32::max);
    most + all.map(|one| (one - most).exp()).sum::<f32>().ln()
}

/// FNV-1a.
fn hashed(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kith_embed::model::Vector;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    /// Random weights, in which feature `name{n}` has one weight for each tag.
    fn weights(dice: &mut ChaCha8Rng) -> ReaderWeights {
        let mut weight = || (dice.next_u32() % 41) as f32 / 10.0 - 2.0;
        let mut names: Vec<u32> = (0..4).map(|name| hashed(&format!("name{name}"))).collect();
        names.sort_unstable();
        ReaderWeights {
            between: (0..TAGS).map(|_| std::array::from_fn(|_| weight())).collect(),
            starts: (0..=names.len()).map(|name| (name * TAGS) as u32).collect(),
            weights: (0..names.len()).flat_map(|_| 0..TAGS as u8).map(|tag| (tag, weight())).collect(),
            names,
            vector: vec![[0.0; TAGS]; DIMENSIONS],
        }
    }

    /// Every way to tag three items, with its score.
    fn all_ways(weights: &ReaderWeights, scores: &[Scores]) -> Vec<([usize; 3], f32)> {
        let ways = (0..TAGS)
            .flat_map(|one| (0..TAGS).flat_map(move |two| (0..TAGS).map(move |three| [one, two, three])));
        let score = |way: &[usize; 3]| {
            let own: f32 = way.iter().zip(scores).map(|(&tag, scores)| scores[tag]).sum();
            own + weights.between[way[0]][way[1]] + weights.between[way[1]][way[2]]
        };
        ways.map(|way| (way, score(&way))).collect()
    }

    #[test]
    fn the_best_tags_and_how_likely_each_is_are_those_of_all_ways() {
        let mut dice = ChaCha8Rng::seed_from_u64(7);
        for _ in 0..8 {
            let weights = weights(&mut dice);
            let names =
                |dice: &mut ChaCha8Rng| (0..2).map(|_| format!("name{}", dice.next_u32() % 5)).collect();
            let items =
                [(); 3].map(|()| Features { names: names(&mut dice), vector: Vector([0.0; DIMENSIONS]) });
            let scores: Vec<Scores> = items.iter().map(|item| weights.scores(item)).collect();
            let ways = all_ways(&weights, &scores);
            let sum: f32 = ways.iter().map(|(_, score)| score.exp()).sum();
            let best =
                ways.iter().max_by(|one, other| one.1.total_cmp(&other.1)).map(|(way, _)| way.to_vec());
            assert_eq!(Some(weights.best(&scores)), best);
            for (at, likely) in weights.likely(&scores).iter().enumerate() {
                for (tag, &likely) in likely.iter().enumerate() {
                    let with: f32 =
                        ways.iter().filter(|(way, _)| way[at] == tag).map(|(_, score)| score.exp()).sum();
                    assert!((likely - with / sum).abs() < 1e-3, "{at} {tag}: {likely} {}", with / sum);
                }
            }
        }
    }

    #[test]
    fn the_file_is_read_whole_and_one_cut_short_is_not() {
        assert!(
            ReaderWeights::parse(FILE)
                .is_some_and(|weights| weights.names.is_sorted() && weights.names.len() > 1000)
        );
        for length in [0, TAGS * TAGS, FILE.len() / 2, FILE.len() - 1] {
            assert!(ReaderWeights::parse(&FILE[..length]).is_none(), "{length}");
        }
    }
}
