//! Likeness: one vector compared with all of a column.
//!
//! The loops are plain enough that the compiler makes them work on many components at a time, on any
//! processor: nothing here asks what kind it runs on.

use rayon::prelude::*;

use crate::model::Vector;
use kith::model::vectors::{DIMENSIONS, Quantized};

/// Vectors that one core compares before it asks for more: 1 MiB of them.
const VECTORS_AT_A_TIME: usize = 4096;
/// The value of a unit component of a [`Probe`].
const PROBE_UNIT: f32 = 32767.0;
/// The value of a unit component of a stored vector.
const STORED_UNIT: f32 = 127.0;

/// A vector ready to be compared with stored ones. Its components are kept in 16 bits: as stored
/// ones have eight, the products are exact and their sum fits 32.
#[derive(Clone, Debug)]
pub struct Probe([i16; DIMENSIONS]);

impl Probe {
    /// The vector to compare.
    #[must_use]
    pub fn new(vector: &Vector) -> Self {
        Self(vector.0.map(|component| (component * PROBE_UNIT).round() as i16))
    }

    /// The cosine of the angle to `stored`, from -1 to 1, but for what rounding the stored one adds: at
    /// most 0.07, as a rule less than 0.01. 0 if either is zero.
    #[must_use]
    pub fn cosine(&self, stored: &Quantized) -> f32 {
        const SCALE: f32 = 1.0 / (PROBE_UNIT * STORED_UNIT);
        dot(&self.0, stored) as f32 * SCALE
    }

    /// The cosines to all of `stored`, in their order. On all cores if they are many; one pass over 256 bytes
    /// for each.
    #[must_use]
    pub fn cosines(&self, stored: &[Quantized]) -> Vec<f32> {
        of_each(stored, |stored| self.cosine(stored))
    }

    /// The cosine of each of `stored` to the nearest of `probes`, 0 if none is nearer. On all cores if they are many;
    /// one pass over 256 bytes for each, however many probes.
    #[must_use]
    pub fn nearest(probes: &[Self], stored: &[Quantized]) -> Vec<f32> {
        of_each(stored, |stored| {
            probes.iter().fold(0.0_f32, |nearest, probe| nearest.max(probe.cosine(stored)))
        })
    }
}

/// What `cosine` gives for each of `stored`, in their order; on all cores if they are many.
fn of_each(stored: &[Quantized], cosine: impl Fn(&Quantized) -> f32 + Send + Sync) -> Vec<f32> {
    if stored.len() <= VECTORS_AT_A_TIME {
        stored.iter().map(cosine).collect()
    } else {
        stored.par_iter().with_min_len(VECTORS_AT_A_TIME).map(cosine).collect()
    }
}

/// The sum of the products: at most 256 × 32767 × 127 to either side.
///
/// Eight sums side by side, in steps of 32 components: the shape that the compiler turns into
/// multiplications of eight pairs at once. One plain sum takes three times as long.
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
