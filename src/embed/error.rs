//! Why files are not a sound model.

/// Why the files of a model were not read. The files are part of the program, so each of these is a
/// mistake made when it was built.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The table is no safetensors file.
    #[error("the model's table cannot be read: {0}; {REMEDY}")]
    Container(safetensors::SafeTensorError),
    /// A tensor of the table has another type or shape than the model's.
    #[error("tensor {name} of the model's table is {got}, not {expected}; {REMEDY}")]
    Tensor {
        /// Its name.
        name: &'static str,
        /// The required value.
        expected: String,
        /// The value found.
        got: String,
    },
    /// The scale of a row is no positive number.
    #[error("row {row} of the model's table has the scale {got}, no positive number; {REMEDY}")]
    Scale {
        /// The row.
        row: usize,
        /// Its scale.
        got: f32,
    },
    /// The tokenizer file is not the vocabulary of the table.
    #[error("the model's tokenizer {0}; {REMEDY}")]
    Vocabulary(VocabularyError),
}

/// Why a tokenizer file is not the vocabulary of a table: what follows after its name.
#[derive(Debug, thiserror::Error)]
pub enum VocabularyError {
    /// It is not the JSON that is expected.
    #[error("cannot be read: {0}")]
    Unreadable(serde_json::Error),
    /// It is set to work otherwise than this program does.
    #[error("sets {name} to something else than {expected}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// To what it must be set.
        expected: &'static str,
    },
    /// It lacks a marker.
    #[error("has no {name}")]
    Marker {
        /// The marker.
        name: &'static str,
    },
    /// It has other numbers than those of the table's rows, each once.
    #[error("{}", misnumbered(*.rows, .wordpiece.as_deref()))]
    Numbers {
        /// Rows of the table.
        rows: usize,
        /// The wordpiece whose number is no row, or that of another wordpiece; none if wordpieces are missing.
        wordpiece: Option<String>,
    },
}

const REMEDY: &str = "take the model's files in again (src/embed/model/README.md)";

/// Returns the fault of a vocabulary for a table of `rows` rows.
fn misnumbered(rows: usize, wordpiece: Option<&str>) -> String {
    match wordpiece {
        Some(wordpiece) => {
            format!("has a piece {wordpiece:?} without a row of its own among the table's {rows}")
        }
        None => format!("has fewer pieces than the table's {rows} rows"),
    }
}
