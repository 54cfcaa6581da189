//! The optional encoder: a transformer that reads a description whole, whereas the table adds up its wordpieces.
//!
//! It is all-MiniLM-L6-v2, the teacher that the table was distilled from, read from a folder of the operator's: its weights
//! are rounded to eight bits, and its vectors are projected into the table's space, so that they compare with those that
//! the table made of a network's texts. `tensors` reads the weights, `linear` and `layer` compute with them.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::embed::encoder::layer::{HEAD_WIDTH, Layer, Norm};
use crate::embed::encoder::tensors::{Rows, Tensors};
use crate::embed::encoder_error::{EncoderError, EncoderFault};
use crate::embed::error::VocabularyError;
use crate::embed::model::{Model, Vector, hex};
use crate::embed::wordpiece::Vocabulary;
use crate::limits::{ENCODER_FILE_BYTES_MAX, ENCODER_WORDPIECES_MAX};
use crate::model::vectors::{DIMENSIONS, ModelHash};
use crate::regular_file;

mod layer;
mod linear;
mod tensors;

/// The files of an encoder's folder.
const FILES: [&str; 2] = ["model.safetensors", "tokenizer.json"];
/// The projection of the teacher's vectors into the table's space, for weights that come without one.
const PROJECTION: &[u8] = include_bytes!("model/projection.safetensors");
/// What stands before a text, and behind it.
const MARKERS: [&str; 2] = ["[CLS]", "[SEP]"];
/// Texts whose vectors an encoder and the table put near each other if they belong together, and the least mean cosine.
const SAMPLE: [&str; 6] =
    ["chief financial officer", "software engineer", "head of sales", "banking", "hospitals", "amsterdam"];
const LIKE_TABLE: f32 = 0.7;

/// A transformer that makes vectors of texts.
#[derive(Debug)]
pub struct Encoder {
    vocabulary: Vocabulary,
    /// The numbers of [`MARKERS`].
    markers: [u32; 2],
    /// One for each wordpiece.
    words: Rows,
    /// One for each place in a text, with what all wordpieces have.
    places: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
    /// The middle of the encoder's vectors.
    middle: Vec<f32>,
    /// For each component of such a vector, how far it reaches along those of the table.
    projection: Vec<[f32; DIMENSIONS]>,
    sha256: ModelHash,
}

impl Encoder {
    /// The encoder in `folder`, if it belongs to the program's table. Reads up to 91 MB.
    ///
    /// # Errors
    /// Returns the first thing about the files that does not fit the encoder.
    pub fn read(folder: &Path) -> Result<Self, EncoderError> {
        let at = |place: usize, fault| EncoderError { path: folder.join(FILES[place]), fault };
        let [weights, tokenizer] = [0, 1].map(|place| {
            let read = regular_file::read(&folder.join(FILES[place]), ENCODER_FILE_BYTES_MAX);
            match read.map_err(EncoderFault::Unreadable) {
                Ok(read) if read.bytes.len() > ENCODER_FILE_BYTES_MAX => Err(EncoderFault::TooLong),
                read => read.map(|read| read.bytes),
            }
            .map_err(|fault| at(place, fault))
        });
        let (weights, tokenizer) = (weights?, tokenizer?);
        let encoder = Self::parse(&weights, &tokenizer).map_err(|fault| {
            let is_of_tokenizer = matches!(fault, EncoderFault::Vocabulary(_));
            at(usize::from(is_of_tokenizer), fault)
        })?;
        encoder.check_space().map_err(|fault| at(0, fault))?;
        Ok(encoder)
    }

    /// The encoder of a file of weights (safetensors) and a tokenizer file (JSON).
    ///
    /// # Errors
    /// Returns the first thing about the files that does not fit the encoder.
    pub fn parse(weights: &[u8], tokenizer: &[u8]) -> Result<Self, EncoderFault> {
        let tensors = Tensors::parse(weights)?;
        let name = "embeddings.word_embeddings.weight";
        let [count, width] = tensors.shape(name)?;
        if width % HEAD_WIDTH != 0 {
            let (expected, got) =
                (format!("[rows, a multiple of {HEAD_WIDTH}]"), format!("[{count}, {width}]"));
            return Err(EncoderFault::Tensor { name: name.to_owned(), expected, got });
        }
        let words = tensors.rows(name, [count, width])?;
        let vocabulary =
            Vocabulary::parse_with_markers(tokenizer, count).map_err(EncoderFault::Vocabulary)?;
        let [start, end] = MARKERS.map(|name| {
            let marker = vocabulary.marker(name);
            marker.ok_or(EncoderFault::Vocabulary(VocabularyError::Marker { name }))
        });
        let mut layers = Vec::new();
        while let name = format!("encoder.layer.{}", layers.len())
            && (layers.is_empty() || tensors.has(&format!("{name}.output.dense.weight")))
        {
            layers.push(Layer::read(&tensors, &name, width)?);
        }
        let (middle, projection) = if tensors.has("projection.weight") {
            projection(&tensors, width)?
        } else {
            projection(&Tensors::parse(PROJECTION)?, width)?
        };
        Ok(Self {
            vocabulary,
            markers: [start?, end?],
            words,
            places: places(&tensors, width)?,
            norm: Norm::read(&tensors, "embeddings.LayerNorm", width)?,
            layers,
            middle,
            projection,
            sha256: Sha256::new().chain_update(weights).chain_update(tokenizer).finalize().into(),
        })
    }

    /// The vector of `text`, in the table's space; of a long one, of its first [`ENCODER_WORDPIECES_MAX`] wordpieces.
    /// Zero if no wordpiece of it is known. Costs a look at all weights and, for the six layers of the published ones, ten
    /// million products for each wordpiece.
    #[must_use]
    pub fn embed(&self, text: &str) -> Vector {
        let [start, end] = self.markers;
        let mut wordpieces = vec![start];
        let mut is_known = false;
        self.vocabulary.each_wordpiece(text, |wordpiece| {
            if wordpieces.len() + 1 < ENCODER_WORDPIECES_MAX {
                wordpieces.push(wordpiece);
                is_known |= wordpiece != self.vocabulary.unknown();
            }
        });
        wordpieces.push(end);
        if is_known { self.project(&self.pooled(&wordpieces)) } else { Vector([0.0; DIMENSIONS]) }
    }

    /// The mean of what the layers make of `wordpieces`, of unit length.
    fn pooled(&self, wordpieces: &[u32]) -> Vec<f32> {
        let width = self.middle.len();
        let mut vectors = Vec::with_capacity(wordpieces.len() * width);
        for (&wordpiece, place) in wordpieces.iter().zip(self.places.chunks_exact(width)) {
            let (row, scale) = self.words.row(wordpiece as usize);
            vectors.extend(row.iter().zip(place).map(|(&byte, place)| f32::from(byte) * scale + place));
        }
        self.norm.apply(&mut vectors);
        self.layers.iter().for_each(|layer| layer.apply(&mut vectors));
        let mut sum = vec![0.0; width];
        for vector in vectors.chunks_exact(width) {
            sum.iter_mut().zip(vector).for_each(|(sum, number)| *sum += number);
        }
        let length = sum.iter().map(|number| number * number).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
        sum.iter_mut().for_each(|number| *number /= length);
        sum
    }

    /// `pooled` in the table's space.
    fn project(&self, pooled: &[f32]) -> Vector {
        let mut projected = [0.0; DIMENSIONS];
        for ((number, middle), row) in pooled.iter().zip(&self.middle).zip(&self.projection) {
            projected.iter_mut().zip(row).for_each(|(sum, part)| *sum += (number - middle) * part);
        }
        Vector::unit(projected)
    }

    /// Passes if vectors lie near those that the program's table makes of the same texts.
    fn check_space(&self) -> Result<(), EncoderFault> {
        let cosine = |text: &str| {
            let (own, other) = (self.embed(text), Model::own().embed(text));
            own.0.iter().zip(other.0).map(|(own, other)| own * other).sum::<f32>()
        };
        let got = SAMPLE.into_iter().map(cosine).sum::<f32>() / SAMPLE.len() as f32;
        // Not `got < least`: that would let pass what is no number.
        if got >= LIKE_TABLE { Ok(()) } else { Err(EncoderFault::OtherSpace { got, least: LIKE_TABLE }) }
    }

    /// The SHA-256 of its file of weights followed by its tokenizer file, as `sha256sum` writes it.
    #[must_use]
    pub fn sha256_hex(&self) -> String {
        hex(&self.sha256)
    }

    /// Layers of the transformer.
    #[must_use]
    pub fn layer_count(&self) -> usize {
        self.layers.len()
    }

    /// Bytes held on the heap, without the vocabulary.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        let layers: usize = self.layers.iter().map(Layer::size_bytes).sum();
        layers + self.words.size_bytes() + size_of_val(&*self.places) + size_of_val(&*self.projection)
    }
}

/// The same files make the same vectors.
impl PartialEq for Encoder {
    fn eq(&self, other: &Self) -> bool {
        self.sha256 == other.sha256
    }
}

impl Eq for Encoder {}

/// The numbers that are added to any wordpiece at each place of a text, for as many places as a text may have wordpieces.
fn places(tensors: &Tensors<'_>, width: usize) -> Result<Vec<f32>, EncoderFault> {
    let name = "embeddings.position_embeddings.weight";
    let [count, got] = tensors.shape(name)?;
    if count < ENCODER_WORDPIECES_MAX {
        let expected = format!("[{ENCODER_WORDPIECES_MAX} or more, {width}]");
        return Err(EncoderFault::Tensor {
            name: name.to_owned(),
            expected,
            got: format!("[{count}, {got}]"),
        });
    }
    let mut places = tensors.numbers(name, &[count, width])?;
    places.truncate(ENCODER_WORDPIECES_MAX * width);
    let name = "embeddings.token_type_embeddings.weight";
    let [kinds, _] = tensors.shape(name)?;
    let all = tensors.numbers(name, &[kinds, width])?;
    places.chunks_exact_mut(width).for_each(|place| {
        place.iter_mut().zip(&all[..width]).for_each(|(place, all)| *place += all);
    });
    Ok(places)
}

/// The middle of the vectors of `width` numbers, and their projection into the table's space.
fn projection(
    tensors: &Tensors<'_>,
    width: usize,
) -> Result<(Vec<f32>, Vec<[f32; DIMENSIONS]>), EncoderFault> {
    let middle = tensors.numbers("projection.mean", &[width])?;
    let numbers = tensors.numbers("projection.weight", &[width, DIMENSIONS])?;
    let (rows, _) = numbers.as_chunks();
    Ok((middle, rows.to_vec()))
}
