//! One layer of the transformer: every wordpiece looks at all others, then each is thought over by itself.

use crate::embed::encoder::linear::Linear;
use crate::embed::encoder::tensors::Tensors;
use crate::embed::encoder_error::EncoderFault;

/// Numbers that a head of attention looks at.
pub(super) const HEAD_WIDTH: usize = 32;
/// What keeps a norm from a division by zero.
const EPSILON: f32 = 1e-12;

/// A layer.
#[derive(Debug)]
pub(super) struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    attended: Linear,
    attended_norm: Norm,
    inner: Linear,
    outer: Linear,
    outer_norm: Norm,
    width: usize,
    inner_width: usize,
}

/// Vectors brought to mean 0 and variance 1, then weighted and moved.
#[derive(Debug)]
pub(super) struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Layer {
    /// The layer `name` for vectors of `width` numbers.
    ///
    /// # Errors
    /// Returns an error if `tensors` lack one of its tensors, or one has another shape.
    pub(super) fn read(tensors: &Tensors<'_>, name: &str, width: usize) -> Result<Self, EncoderFault> {
        let [inner_width, _] = tensors.shape(&format!("{name}.intermediate.dense.weight"))?;
        let linear = |part: &str, shape| Linear::read(tensors, &format!("{name}.{part}"), shape);
        let norm = |part: &str| Norm::read(tensors, &format!("{name}.{part}"), width);
        Ok(Self {
            query: linear("attention.self.query", [width, width])?,
            key: linear("attention.self.key", [width, width])?,
            value: linear("attention.self.value", [width, width])?,
            attended: linear("attention.output.dense", [width, width])?,
            attended_norm: norm("attention.output.LayerNorm")?,
            inner: linear("intermediate.dense", [inner_width, width])?,
            outer: linear("output.dense", [width, inner_width])?,
            outer_norm: norm("output.LayerNorm")?,
            width,
            inner_width,
        })
    }

    /// Replaces `vectors`, one for each wordpiece, by what the layer makes of them.
    pub(super) fn apply(&self, vectors: &mut [f32]) {
        let add = |vectors: &mut [f32], more: &[f32], norm: &Norm| {
            vectors.iter_mut().zip(more).for_each(|(number, more)| *number += more);
            norm.apply(vectors);
        };
        let attended = self.attend(vectors);
        add(vectors, &self.attended.apply(&attended, self.width), &self.attended_norm);
        let mut inner = self.inner.apply(vectors, self.width);
        inner.iter_mut().for_each(|number| *number = gelu(*number));
        add(vectors, &self.outer.apply(&inner, self.inner_width), &self.outer_norm);
    }

    /// For each wordpiece and head, the mean of all values, weighted by how well their keys fit its query.
    fn attend(&self, vectors: &[f32]) -> Vec<f32> {
        let of = |linear: &Linear| linear.apply(vectors, self.width);
        let (queries, keys, values) = (of(&self.query), of(&self.key), of(&self.value));
        let mut made = vec![0.0; vectors.len()];
        let part = |numbers: &[f32]| 1.0 / (numbers.len() as f32).sqrt();
        for head in (0..self.width).step_by(HEAD_WIDTH) {
            let numbers = head..head + HEAD_WIDTH;
            let rows = queries.chunks_exact(self.width).zip(made.chunks_exact_mut(self.width));
            for (query, made) in rows {
                let (query, made) = (&query[numbers.clone()], &mut made[numbers.clone()]);
                let fit = |key: &[f32]| dot(query, &key[numbers.clone()]) * part(query);
                let mut weights: Vec<f32> = keys.chunks_exact(self.width).map(fit).collect();
                softmax(&mut weights);
                for (weight, value) in weights.iter().zip(values.chunks_exact(self.width)) {
                    let value = &value[numbers.clone()];
                    made.iter_mut().zip(value).for_each(|(made, value)| *made += weight * value);
                }
            }
        }
        made
    }

    /// Bytes held on the heap, without norms.
    pub(super) fn size_bytes(&self) -> usize {
        let all = [&self.query, &self.key, &self.value, &self.attended, &self.inner, &self.outer];
        all.iter().map(|linear| linear.size_bytes()).sum()
    }
}

impl Norm {
    /// The norm `name` for vectors of `width` numbers.
    ///
    /// # Errors
    /// Returns an error if `tensors` lack one of its tensors, or one has another shape.
    pub(super) fn read(tensors: &Tensors<'_>, name: &str, width: usize) -> Result<Self, EncoderFault> {
        let numbers = |part: &str| tensors.numbers(&format!("{name}.{part}"), &[width]);
        Ok(Self { weight: numbers("weight")?, bias: numbers("bias")? })
    }

    /// Norms each of `vectors`, which follow each other.
    pub(super) fn apply(&self, vectors: &mut [f32]) {
        for vector in vectors.chunks_exact_mut(self.weight.len()) {
            let count = vector.len() as f32;
            let mean = vector.iter().sum::<f32>() / count;
            vector.iter_mut().for_each(|number| *number -= mean);
            let variance = vector.iter().map(|number| number * number).sum::<f32>() / count;
            let part = 1.0 / (variance + EPSILON).sqrt();
            for (number, (weight, bias)) in vector.iter_mut().zip(self.weight.iter().zip(&self.bias)) {
                *number = *number * part * weight + bias;
            }
        }
    }
}

fn dot(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// Makes weights of `fits`: positive, and 1 together.
fn softmax(fits: &mut [f32]) {
    let greatest = fits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    fits.iter_mut().for_each(|fit| *fit = (*fit - greatest).exp());
    let sum = fits.iter().sum::<f32>();
    fits.iter_mut().for_each(|fit| *fit /= sum);
}

/// `number` times the share of a normal distribution that lies below it. By the error function of Abramowitz and Stegun,
/// 7.1.26: wrong by less than 2e-7.
fn gelu(number: f32) -> f32 {
    const FACTORS: [f32; 5] = [0.254_829_6, -0.284_496_72, 1.421_413_7, -1.453_152, 1.061_405_4];
    let far = number.abs() * std::f32::consts::FRAC_1_SQRT_2;
    let part = 1.0 / (1.0 + 0.327_591_1 * far);
    let sum = FACTORS.iter().rev().fold(0.0, |sum, factor| (sum + factor) * part);
    let error = 1.0 - sum * (-far * far).exp();
    0.5 * number * (1.0 + error.copysign(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What [`gelu`] must not be: the approximation by a hyperbolic tangent, which other models were trained with.
    fn gelu_by_tanh(number: f32) -> f32 {
        let inner = (2.0 / std::f32::consts::PI).sqrt() * (number + 0.044_715 * number.powi(3));
        0.5 * number * (1.0 + inner.tanh())
    }

    #[test]
    fn gelu_is_by_the_error_function_and_not_by_a_tangent() {
        let cases =
            [(-3.0, -0.004_049_7), (-1.0, -0.158_655_3), (0.0, 0.0), (0.5, 0.345_731_2), (2.0, 1.954_499_7)];
        let far = |gelu: fn(f32) -> f32| {
            cases.iter().map(|&(number, expected)| (gelu(number) - expected).abs()).fold(0.0, f32::max)
        };
        assert!(far(gelu) < 1e-6, "{}", far(gelu));
        // The control.
        assert!(far(gelu_by_tanh) > 5e-5, "{}", far(gelu_by_tanh));
    }

    #[test]
    fn weights_are_positive_and_one_together_however_great_the_fits() {
        for fits in [vec![0.0], vec![1.0, 2.0, 3.0], vec![1e30, -1e30, 0.0]] {
            let mut weights = fits.clone();
            softmax(&mut weights);
            let sum: f32 = weights.iter().sum();
            assert!(
                (sum - 1.0).abs() < 1e-6 && weights.iter().all(|&weight| weight >= 0.0),
                "{fits:?} {weights:?}"
            );
        }
    }
}
