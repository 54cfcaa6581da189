//! The model: a table with a row per wordpiece, and the vector of a text.

use std::sync::LazyLock;

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use sha2::{Digest, Sha256};

use crate::error::ModelError;
use crate::wordpiece::{UNKNOWN, Vocabulary};
use kith::model::vectors::{DIMENSIONS, ModelHash, Quantized, Vectors};

/// The table: `embeddings`, one row of [`DIMENSIONS`] bytes per wordpiece, and `weights`, a factor per row.
const TABLE: &[u8] = include_bytes!("model/model.safetensors");
/// The vocabulary and the settings of the tokenizer.
const TOKENIZER: &[u8] = include_bytes!("model/tokenizer.json");

static OWN: LazyLock<Model> = LazyLock::new(|| {
    Model::parse(TABLE, TOKENIZER).expect("the program's own files are a model: the tests read them")
});

static OWN_HASH: LazyLock<ModelHash> = LazyLock::new(|| hash(TABLE, TOKENIZER));

/// A model that turns texts into vectors.
#[derive(Debug)]
pub struct Model {
    vocabulary: Vocabulary,
    /// One per wordpiece, borrowed from the file: the table is most of it.
    rows: &'static [[u8; DIMENSIONS]],
    /// One per row.
    scales: Vec<f32>,
}

/// The meaning of a text as a vector of unit length; zero if the text has no known wordpiece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vector(pub [f32; DIMENSIONS]);

impl Model {
    /// The model that ships with the program. The first call reads it, which takes about 20 ms.
    #[must_use]
    pub fn own() -> &'static Self {
        &OWN
    }

    /// Identifies the program's own model: the SHA-256 of its table and its vocabulary.
    #[must_use]
    pub fn sha256() -> ModelHash {
        *OWN_HASH
    }

    /// [`Self::sha256`] in hexadecimal, as `sha256sum` prints it.
    #[must_use]
    pub fn sha256_hex() -> String {
        Self::sha256().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whether the program's own model made `vectors`. Vectors of other models cannot be compared with its own.
    #[must_use]
    pub fn is_model_of(vectors: &Vectors) -> bool {
        vectors.model == Self::sha256()
    }

    /// Parses a model from a table (safetensors) and a tokenizer file (JSON).
    ///
    /// # Errors
    /// Returns the first thing about the files that does not fit the model.
    pub fn parse(table: &'static [u8], tokenizer: &[u8]) -> Result<Self, ModelError> {
        let tensors = SafeTensors::deserialize(table).map_err(ModelError::Container)?;
        let scales = tensor(&tensors, "weights", Dtype::F32, None)?;
        let (scales, _) = scales.data().as_chunks();
        let scales: Vec<f32> = scales.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        if let Some(row) = scales.iter().position(|scale| !(scale.is_finite() && *scale > 0.0)) {
            return Err(ModelError::Scale { row, got: scales[row] });
        }
        let rows = tensor(&tensors, "embeddings", Dtype::I8, Some(scales.len()))?;
        let (rows, _) = rows.data().as_chunks();
        Ok(Self { vocabulary: Vocabulary::parse(tokenizer, rows.len())?, rows, scales })
    }

    /// The vector of `text`. Costs a few hash look-ups per word and one row per wordpiece.
    #[must_use]
    pub fn embed(&self, text: &str) -> Vector {
        let mut sum = [0.0; DIMENSIONS];
        self.vocabulary.each_wordpiece(text, |wordpiece| {
            if wordpiece > UNKNOWN {
                let (row, scale) = (&self.rows[wordpiece as usize], self.scales[wordpiece as usize]);
                for (sum, &byte) in sum.iter_mut().zip(row) {
                    *sum += f32::from(byte.cast_signed()) * scale;
                }
            }
        });
        Vector::unit(sum) // the mean points where the sum does
    }

    /// Whether `word`, in lower case, is a single wordpiece, as common English words are.
    #[must_use]
    pub fn knows(&self, word: &str) -> bool {
        let (mut wordpieces, mut known) = (0, true);
        self.vocabulary.each_wordpiece(word, |wordpiece| {
            wordpieces += 1;
            known &= wordpiece > UNKNOWN;
        });
        known && wordpieces == 1
    }

    /// The vocabulary.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }
}

impl Vector {
    /// Scales `sum` to unit length.
    #[must_use]
    pub fn unit(mut sum: [f32; DIMENSIONS]) -> Self {
        let length = sum.iter().map(|component| component * component).sum::<f32>().sqrt();
        if length > 0.0 {
            sum.iter_mut().for_each(|component| *component /= length);
        }
        Self(sum)
    }

    /// The mean direction of several vectors.
    #[must_use]
    pub fn middle(vectors: &[Self]) -> Self {
        let mut sum = [0.0; DIMENSIONS];
        for vector in vectors {
            sum.iter_mut().zip(vector.0).for_each(|(sum, component)| *sum += component);
        }
        Self::unit(sum)
    }

    /// Whether the text had no known wordpiece.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(|&component| component == 0.0)
    }

    /// The stored form: each component × 127, rounded.
    #[must_use]
    pub fn quantize(&self) -> Quantized {
        self.0.map(|component| (component * 127.0).round() as i8)
    }
}

/// The tensor `name` of type `dtype`: [`DIMENSIONS`] numbers for each of `rows` wordpieces, or, if `rows` is `None`,
/// one number per wordpiece.
fn tensor<'a>(
    tensors: &SafeTensors<'a>,
    name: &'static str,
    dtype: Dtype,
    rows: Option<usize>,
) -> Result<TensorView<'a>, ModelError> {
    let tensor = tensors.tensor(name).map_err(ModelError::Container)?;
    let (fits, shape) = match rows {
        Some(rows) => (tensor.shape() == [rows, DIMENSIONS], format!("[{rows}, {DIMENSIONS}]")),
        None => (tensor.shape().len() == 1, "[rows]".to_owned()),
    };
    if fits && tensor.dtype() == dtype {
        return Ok(tensor);
    }
    let expected = format!("{dtype:?} {shape}");
    Err(ModelError::Tensor { name, expected, got: format!("{:?} {:?}", tensor.dtype(), tensor.shape()) })
}

fn hash(table: &[u8], tokenizer: &[u8]) -> ModelHash {
    Sha256::new().chain_update(table).chain_update(tokenizer).finalize().into()
}
