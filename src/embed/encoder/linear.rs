//! Matrices times vectors: weights of eight bits, inputs rounded to sixteen, so that products are exact.
//!
//! The loops are plain enough that the compiler makes them work on many numbers at a time.

use crate::embed::encoder::tensors::{Rows, Tensors};
use crate::embed::encoder_error::EncoderFault;

/// So many products of a byte and 16 bits fit a sum of 32 bits, whatever they are.
const SUMMED_MAX: usize = 512;
/// The value of the greatest number of a rounded vector.
const ROUNDED_MAX: f32 = 32767.0;

const _: () = assert!(SUMMED_MAX as i64 * 128 * 32767 <= i32::MAX as i64);

/// A matrix and a bias, applied to vectors.
#[derive(Debug)]
pub(super) struct Linear {
    weights: Rows,
    bias: Vec<f32>,
}

/// Vectors rounded to 16 bits, each with its scale.
struct Rounded {
    numbers: Vec<i16>,
    scales: Vec<f32>,
}

impl Linear {
    /// The matrix `name`.weight, of `outputs` rows of `inputs` numbers, and the bias `name`.bias.
    ///
    /// # Errors
    /// Returns an error if `tensors` lack one of them, or it has another shape.
    pub(super) fn read(
        tensors: &Tensors<'_>,
        name: &str,
        [outputs, inputs]: [usize; 2],
    ) -> Result<Self, EncoderFault> {
        let weights = tensors.rows(&format!("{name}.weight"), [outputs, inputs])?;
        Ok(Self { weights, bias: tensors.numbers(&format!("{name}.bias"), &[outputs])? })
    }

    /// Returns what it makes of `vectors`, which follow each other. Each row of weights is read once for all of them.
    pub(super) fn apply(&self, vectors: &[f32], inputs: usize) -> Vec<f32> {
        let rounded = Rounded::of(vectors, inputs);
        let outputs = self.bias.len();
        let mut made = vec![0.0; vectors.len() / inputs * outputs];
        let mut wide = vec![0_i16; inputs];
        for (output, ((row, scale), bias)) in self.weights.iter().zip(&self.bias).enumerate() {
            wide.iter_mut().zip(row).for_each(|(wide, &byte)| *wide = i16::from(byte));
            let of_vectors = rounded.numbers.chunks_exact(inputs).zip(&rounded.scales);
            for (at, (vector, of_vector)) in of_vectors.enumerate() {
                made[at * outputs + output] = dot(vector, &wide) * scale * of_vector + bias;
            }
        }
        made
    }

    /// Bytes held on the heap.
    pub(super) fn size_bytes(&self) -> usize {
        self.weights.size_bytes() + size_of_val(&*self.bias)
    }
}

impl Rounded {
    fn of(vectors: &[f32], width: usize) -> Self {
        let (mut numbers, mut scales) = (Vec::with_capacity(vectors.len()), Vec::new());
        for vector in vectors.chunks_exact(width) {
            let greatest = vector.iter().fold(0.0, |greatest: f32, number| greatest.max(number.abs()));
            let scale = greatest.max(f32::MIN_POSITIVE) / ROUNDED_MAX;
            let part = 1.0 / scale;
            numbers.extend(vector.iter().map(|number| (number * part).round() as i16));
            scales.push(scale);
        }
        Self { numbers, scales }
    }
}

/// The sum of the products of an input and a row of weights.
fn dot(vector: &[i16], row: &[i16]) -> f32 {
    let parts = vector.chunks(SUMMED_MAX).zip(row.chunks(SUMMED_MAX));
    parts.map(|(vector, row)| dot_of_part(vector, row) as f32).sum()
}

/// Like [`dot`] of at most [`SUMMED_MAX`] numbers. Eight sums side by side: the shape that the compiler turns into
/// multiplications of eight pairs at once.
fn dot_of_part(vector: &[i16], row: &[i16]) -> i32 {
    let mut sums = [0_i32; 8];
    let ((vector, vector_rest), (row, row_rest)) = (vector.as_chunks::<32>(), row.as_chunks::<32>());
    for (vector, row) in vector.iter().zip(row) {
        for place in 0..32 {
            sums[place % 8] += i32::from(vector[place]) * i32::from(row[place]);
        }
    }
    let rest = vector_rest.iter().zip(row_rest).map(|(&one, &other)| i32::from(one) * i32::from(other));
    sums.iter().sum::<i32>() + rest.sum::<i32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_numbers_there_are_fit_the_sum() {
        for count in [SUMMED_MAX, SUMMED_MAX + 1, 3 * SUMMED_MAX + 33] {
            let expected = -(count as f32) * 32767.0 * 128.0;
            assert!((dot(&vec![32767; count], &vec![-128; count]) / expected - 1.0).abs() < 1e-6, "{count}");
        }
    }
}
