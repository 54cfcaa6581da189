//! Why the files of a model are none.

use std::fmt;

/// Why the files of a model were not read. The files are part of the program, so each of these is a
/// mistake made when it was built.
#[derive(Debug)]
pub enum ModelError {
    /// The table is no safetensors file.
    Container(safetensors::SafeTensorError),
    /// A tensor of the table has another type or shape than the model's.
    Tensor {
        /// Its name.
        name: &'static str,
        /// What it must be.
        expected: String,
        /// What it is.
        got: String,
    },
    /// The scale of a row is no positive number.
    Scale {
        /// The row.
        row: usize,
        /// Its scale.
        got: f32,
    },
    /// The tokenizer file is not the JSON that is expected.
    Tokenizer(serde_json::Error),
    /// The tokenizer is set to work otherwise than this program does.
    Setting {
        /// What is set.
        name: &'static str,
        /// To what it must be set.
        expected: &'static str,
    },
    /// The vocabulary has other numbers than those of the table's rows, each once.
    Vocabulary {
        /// Rows of the table.
        rows: usize,
        /// The piece whose number is no row, or that of another piece; none where pieces are missing.
        piece: Option<String>,
    },
}

const REMEDY: &str = "take the model's files in again (src/embed/model/README.md)";

impl fmt::Display for ModelError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Container(error) => write!(out, "the model's table cannot be read: {error}")?,
            Self::Tensor { name, expected, got } => {
                write!(out, "tensor {name} of the model's table is {got}, not {expected}")?;
            }
            Self::Scale { row, got } => {
                write!(out, "row {row} of the model's table has the scale {got}, no positive number")?;
            }
            Self::Tokenizer(error) => write!(out, "the model's tokenizer cannot be read: {error}")?,
            Self::Setting { name, expected } => {
                write!(out, "the model's tokenizer sets {name} to something else than {expected}")?;
            }
            Self::Vocabulary { rows, piece: Some(piece) } => {
                let each = "not a row of its own";
                write!(out, "piece {piece:?} of the model's tokenizer has {each} of the table's {rows}")?;
            }
            Self::Vocabulary { rows, piece: None } => {
                write!(out, "the model's tokenizer has fewer pieces than the table's {rows} rows")?;
            }
        }
        write!(out, "; {REMEDY}")
    }
}

impl std::error::Error for ModelError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Container(error) => Some(error),
            Self::Tokenizer(error) => Some(error),
            _ => None, // nothing stands behind the others: they were found here
        }
    }
}
