//! Random numbers from a seed: the same on every machine and in every version.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The purpose of a stream of random numbers. Draws from one stream never affect another.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stream {
    Ids = 1,
    Places = 2,
    Companies = 3,
    People = 4,
    Roles = 5,
    Histories = 6,
    ContactCounts = 7,
    Connections = 8,
    IntroRequests = 9,
    Opportunities = 10,
}

/// A stream of random numbers. Nothing here divides or takes a logarithm in floating point.
pub(crate) struct Dice(ChaCha8Rng);

impl Dice {
    /// The stream `stream` of `seed`.
    pub(crate) fn new(seed: u64, stream: Stream) -> Self {
        let mut key = [0_u8; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8] = stream as u8;
        Self(ChaCha8Rng::from_seed(key))
    }

    /// 64 even bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A whole number from 0 to `bound - 1`, uniform to within one in four billion; 0 if `bound` is 0.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A whole number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high.saturating_sub(low).saturating_add(1))
    }

    /// True with a probability of `share` percent.
    pub(crate) fn percent(&mut self, share: u32) -> bool {
        self.below(100) < share
    }

    /// True with a probability of 1 in `times`.
    pub(crate) fn one_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    /// One of `choices`.
    ///
    /// # Panics
    /// Panics if `choices` is empty.
    pub(crate) fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len() as u32) as usize]
    }

    /// A rank from 0 to `ranks - 1`; rank `r` has a probability proportional to `1 / (r + soften)`.
    ///
    /// Zipf's law without a table: every doubling of `r + soften` is equally likely, and within one a draw is accepted
    /// in proportion to `1 / x`. Takes about two draws.
    pub(crate) fn zipf(&mut self, ranks: u32, soften: u32) -> u32 {
        let (ranks, soften) = (u64::from(ranks.max(1)), u64::from(soften.max(1)));
        let end = ranks + soften;
        let doublings = (end.div_ceil(soften)).next_power_of_two().trailing_zeros();
        loop {
            let first = soften << self.below(doublings);
            let x = first + u64::from(self.below(first as u32));
            if x < end && u64::from(self.below(x as u32)) < first {
                return (x - soften) as u32;
            }
        }
    }

    /// Shuffles `choices`.
    pub(crate) fn shuffle<T>(&mut self, choices: &mut [T]) {
        for end in (1..choices.len()).rev() {
            choices.swap(end, self.below(end as u32 + 1) as usize);
        }
    }
}

/// The greatest common divisor.
pub(crate) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Distributes a budget exactly, in proportion to weights that arrive one by one.
pub(crate) struct Share {
    budget: u64,
    weights: u64,
    weighed: u64,
    given: u64,
}

impl Share {
    /// Distributes `budget` units over weights with the sum `weights`.
    pub(crate) fn new(budget: u64, weights: u64) -> Self {
        Self { budget, weights: weights.max(1), weighed: 0, given: 0 }
    }

    /// The units for the next weight.
    pub(crate) fn next(&mut self, weight: u64) -> u64 {
        self.weighed += weight;
        let due = u128::from(self.budget) * u128::from(self.weighed) / u128::from(self.weights);
        let units = due as u64 - self.given;
        self.given += units;
        units
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn throws_depend_on_the_seed_and_the_stream_alone() {
        let first = |seed, stream| Dice::new(seed, stream).bits();
        assert_eq!(first(7, Stream::People), first(7, Stream::People));
        assert_ne!(first(7, Stream::People), first(8, Stream::People));
        assert_ne!(first(7, Stream::People), first(7, Stream::Companies));
    }

    #[test]
    fn the_stream_of_a_seed_never_changes() {
        let mut dice = Dice::new(2026, Stream::Connections);
        assert_eq!([dice.bits(), dice.bits()], [1_809_176_435_649_504_204, 11_454_847_957_983_238_970]);
    }

    #[test]
    fn zipf_follows_its_law_and_stays_below_its_ranks() {
        let mut dice = Dice::new(1, Stream::Connections);
        let mut seen = [0_u32; 1000];
        for _ in 0..200_000 {
            seen[dice.zipf(1000, 4) as usize] += 1;
        }
        let tenfold = seen[0] as f64 / seen[36] as f64;
        assert!((8.0..12.5).contains(&tenfold), "1/4 against 1/40 came out as {tenfold}");
        assert!(seen[999] > 0);
        assert_eq!((0..100).filter(|_| dice.zipf(1, 4) != 0).count(), 0);
    }

    #[test]
    fn shares_add_up_to_the_budget() {
        let weights = [3_u64, 0, 5, 1, 1];
        let mut share = Share::new(17, weights.iter().sum());
        let given: Vec<u64> = weights.iter().map(|&weight| share.next(weight)).collect();
        assert_eq!((given.iter().sum::<u64>(), given[1]), (17, 0));
    }
}
