//! Similarity: compares one vector with every vector of a column.
//!
//! The loops are simple enough for the compiler to vectorize them on any processor; this code does not detect processor
//! features.

use rayon::prelude::*;

use crate::model::Vector;
use kith::model::vectors::{DIMENSIONS, Quantized};

/// Vectors that one core compares per task: 1 MiB of them.
const VECTORS_AT_A_TIME: usize = 4096;
/// The value of a unit component in a [`Probe`].
const PROBE_UNIT: f32 = 32767.0;
/// The value of a unit component in a stored vector.
const STORED_UNIT: f32 = 127.0;

/// A vector prepared for comparison with stored ones. It has 16-bit components and stored vectors have 8-bit ones, so the
/// products are exact and their sum fits in 32 bits.
#[derive(Clone, Debug)]
pub struct Probe([i16; DIMENSIONS]);

impl Probe {
    /// Prepares `vector` for comparison.
    #[must_use]
    pub fn new(vector: &Vector) -> Self {
        Self(vector.0.map(|component| (component * PROBE_UNIT).round() as i16))
    }

    /// The cosine of the angle to `stored`, from -1 to 1; 0 if either is zero. Rounding of the stored vector adds an
    /// error of at most 0.07, usually less than 0.01.
    #[must_use]
    pub fn cosine(&self, stored: &Quantized) -> f32 {
        const SCALE: f32 = 1.0 / (PROBE_UNIT * STORED_UNIT);
        dot(&self.0, stored) as f32 * SCALE
    }

    /// The cosine to each of `stored`, in their order. Uses all cores for long inputs; one pass over 256 bytes per
    /// vector.
    #[must_use]
    pub fn cosines(&self, stored: &[Quantized]) -> Vec<f32> {
        of_each(stored, |stored| self.cosine(stored))
    }

    /// The highest cosine of each of `stored` to any of `probes`, at least 0. Uses all cores for long inputs; one pass
    /// over 256 bytes per vector, for any number of probes.
    #[must_use]
    pub fn nearest(probes: &[Self], stored: &[Quantized]) -> Vec<f32> {
        of_each(stored, |stored| {
            probes.iter().fold(0.0_f32, |nearest, probe| nearest.max(probe.cosine(stored)))
        })
    }
}

/// The result of `cosine` for each of `stored`, in their order; on all cores for long inputs.
fn of_each(stored: &[Quantized], cosine: impl Fn(&Quantized) -> f32 + Send + Sync) -> Vec<f32> {
    if stored.len() <= VECTORS_AT_A_TIME {
        stored.iter().map(cosine).collect()
    } else {
        stored.par_iter().with_min_len(VECTORS_AT_A_TIME).map(cosine).collect()
    }
}

/// The sum of the products: at most 256 × 32767 × 127 in absolute value.
///
/// Eight sums side by side, in steps of 32 components: the compiler turns this shape into multiplications of eight
/// pairs at once. A single sum takes three times as long.
fn dot(probe: &[i16; DIMENSIONS], stored: &Quantized) -> i32 {
    let mut sums = [0_i32; 8];
    let ((probe, _), (stored, _)) = (probe.as_chunks::<32>(), stored.as_chunks::<32>());
    for (probe, stored) in probe.iter().zip(stored) {
        for place in 0..32 {
            sums[place % 8] += i32::from(probe[place]) * i32::from(stored[place]);
        }
    }
    sums.iter().sum()
}
