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
    /// The tokenizer file is not the JSON that is expected.
    #[error("the model's tokenizer cannot be read: {0}; {REMEDY}")]
    Tokenizer(serde_json::Error),
    /// The tokenizer is set to work otherwise than this program does.
    #[error("the model's tokenizer sets {name} to something else than {expected}; {REMEDY}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// To what it must be set.
        expected: &'static str,
    },
    /// The vocabulary has other numbers than those of the table's rows, each once.
    #[error("{}; {REMEDY}", misnumbered(*.rows, .wordpiece.as_deref()))]
    Vocabulary {
        /// Rows of the table.
        rows: usize,
        /// The wordpiece whose number is no row, or that of another wordpiece; none if wordpieces are missing.
        wordpiece: Option<String>,
    },
}

const REMEDY: &str = "take the model's files in again (crates/kith-embed/src/model/README.md)";

/// Returns the fault of a vocabulary for a table of `rows` rows.
fn misnumbered(rows: usize, wordpiece: Option<&str>) -> String {
    match wordpiece {
        Some(wordpiece) => {
            format!(
                "piece {wordpiece:?} of the model's tokenizer has not a row of its own of the table's {rows}"
            )
        }
        None => format!("the model's tokenizer has fewer pieces than the table's {rows} rows"),
    }
}
