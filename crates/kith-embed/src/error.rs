//! Errors in the files of a model.

/// Why the files of a model could not be read. They are compiled in, so each of these is a mistake in the build.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The table is not a safetensors file.
    #[error("the model's table cannot be read: {0}; {REMEDY}")]
    Container(safetensors::SafeTensorError),
    /// A tensor of the table has the wrong type or shape.
    #[error("tensor {name} of the model's table is {got}, not {expected}; {REMEDY}")]
    Tensor {
        /// Its name.
        name: &'static str,
        /// The required value.
        expected: String,
        /// The value found.
        got: String,
    },
    /// The scale of a row is not a positive number.
    #[error("row {row} of the model's table has the scale {got}, no positive number; {REMEDY}")]
    Scale {
        /// The row.
        row: usize,
        /// Its scale.
        got: f32,
    },
    /// The tokenizer file is not the expected JSON.
    #[error("the model's tokenizer cannot be read: {0}; {REMEDY}")]
    Tokenizer(serde_json::Error),
    /// A tokenizer setting differs from this implementation.
    #[error("the model's tokenizer sets {name} to something else than {expected}; {REMEDY}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// The required value.
        expected: &'static str,
    },
    /// The vocabulary does not number the rows of the table, each once.
    #[error("{}; {REMEDY}", misnumbered(*.rows, .wordpiece.as_deref()))]
    Vocabulary {
        /// Rows of the table.
        rows: usize,
        /// The wordpiece whose number is out of range or used twice; `None` if wordpieces are missing.
        wordpiece: Option<String>,
    },
}

const REMEDY: &str = "take the model's files in again (crates/kith-embed/src/model/README.md)";

/// The error about a vocabulary that does not fit a table of `rows` rows.
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
