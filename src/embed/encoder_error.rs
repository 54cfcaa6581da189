//! Why a folder holds no encoder. There without the feature `encoder` too: errors are checked together.

use std::io;
use std::path::PathBuf;

use crate::embed::error::VocabularyError;
use crate::limits::ENCODER_FILE_BYTES_MAX;

/// Why a folder holds no encoder: the file of it, and the fault of that file.
#[derive(Debug, thiserror::Error)]
#[error("the encoder's file {} {fault}; {REMEDY}", path.display())]
pub struct EncoderError {
    /// The file.
    pub path: PathBuf,
    /// Its fault.
    pub fault: EncoderFault,
}

/// The fault of a file of an encoder: what follows after its name.
#[derive(Debug, thiserror::Error)]
pub enum EncoderFault {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(io::Error),
    /// It is too long.
    #[error("has more than {ENCODER_FILE_BYTES_MAX} bytes")]
    TooLong,
    /// It is no safetensors file.
    #[error("is no safetensors file: {0}")]
    Container(safetensors::SafeTensorError),
    /// It lacks a tensor.
    #[error("has no tensor {name}")]
    Missing {
        /// Its name.
        name: String,
    },
    /// A tensor has another type or shape than the encoder's.
    #[error("has a tensor {name} that is {got}, not {expected}")]
    Tensor {
        /// Its name.
        name: String,
        /// The required value.
        expected: String,
        /// The value found.
        got: String,
    },
    /// A tensor has a number that is not finite, or a scale that is not positive.
    #[error("has a tensor {name} with the value {got}")]
    Value {
        /// Its name.
        name: String,
        /// The value.
        got: f32,
    },
    /// It is no vocabulary of the encoder.
    #[error("{0}")]
    Vocabulary(VocabularyError),
    /// Its vectors do not lie where the program's model puts those of the same texts.
    #[error(
        "makes vectors that the program's model does not know: their mean cosine to its own is {got:.2}, not {least} or more"
    )]
    OtherSpace {
        /// The mean cosine.
        got: f32,
        /// The least mean cosine.
        least: f32,
    },
}

const REMEDY: &str =
    "search.encoder takes a folder that src/embed/model/recipe/encoder.py wrote (docs/search.md#encoder)";
