//! Faults of source tables, each shown as one sentence.

use std::fmt;
use std::io;

use crate::source::earlier::EarlierRow;
use kith::limits::{ECHO_CHARS_MAX, ID_BYTES_MAX, JSON_DEPTH_MAX};
use kith::model::column::ColumnFull;
use kith::prepare::edges::TooManyEdges;

/// A fault of a folder of source tables. Displays as one sentence.
#[derive(Debug)]
pub struct SourceError {
    /// The name of the file, without its folder; for the folder itself, its path.
    pub file: String,
    /// The line of the row, counted from 1; in CSV the first line of its record, in Parquet the row within its part.
    pub line: Option<u64>,
    /// The field, such as `paths[2].strengthScore` inside a list.
    pub field: Option<String>,
    /// The fault.
    pub reason: Reason,
}

/// A fault whose file is not known yet.
#[derive(Debug)]
pub(crate) struct TableFault {
    pub(crate) line: Option<u64>,
    pub(crate) field: Option<String>,
    pub(crate) reason: Reason,
}

/// The kind of a fault. Texts from a table are shortened for the message.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(io::Error),
    /// Neither this file nor its other forms are there.
    #[error(
        "there is no such file, and every network needs this table (an empty one will do for members; \
             .gz and .zst are read too)"
    )]
    NoTable,
    /// Another file contains the same table.
    #[error("{0} holds the same table; keep one of them")]
    SecondFile(String),
    /// The compressed file cannot be unpacked.
    #[error("does not unpack, it is damaged or cut short: {0}")]
    Damaged(io::Error),
    /// The line has more bytes than this.
    #[error("longer than {0} bytes (is a line end or a quote missing?)")]
    LineTooLong(usize),
    /// The bytes are not UTF-8.
    #[error("not UTF-8 text; save the file in UTF-8")]
    NotUtf8,
    /// The text is not JSON.
    #[error("not valid JSON: {message} (column {column})")]
    NotJson {
        /// The byte position, from 1.
        column: usize,
        /// The parser's message.
        message: String,
    },
    /// A field or a column occurs twice.
    #[error("stands twice; keep one of them")]
    FieldTwice,
    /// The number of cells of a CSV record differs from the header.
    #[error("expected {expected} cells as in the header, got {found}")]
    CellCount {
        /// The number of cells in the header.
        expected: usize,
        /// The number of cells in the record.
        found: usize,
    },
    /// A quote inside an unquoted CSV cell, or text after a closing quote.
    #[error("a quote inside a cell; put the whole cell in quotes and write each quote in it twice")]
    StrayQuote,
    /// A quoted CSV cell does not end.
    #[error("a quoted cell does not end; its closing quote is missing")]
    OpenQuote,
    /// The header lacks a required column.
    #[error("the header lacks this column, which every row needs{}", question(.nearly))]
    NoColumn {
        /// The column of the header with a similar name.
        nearly: Option<String>,
    },
    /// The file is not Parquet, despite its name.
    #[error("not a Parquet file")]
    NotParquet,
    /// A Parquet file cannot be read to its end.
    #[error("does not unpack, it is damaged or cut short: {0}")]
    DamagedParquet(String),
    /// The type of a Parquet column cannot hold values of a table.
    #[error("a column of type {0} is not read here; write it as text, and an object or a list as JSON text")]
    ColumnType(String),
    /// A Parquet file lacks a required column.
    #[error("the file lacks this column, which every row needs{}", question(.nearly))]
    NoParquetColumn {
        /// The column of the file with a similar name.
        nearly: Option<String>,
    },
    /// The cells of a CSV file are separated by another character.
    #[error("the cells are separated by {}; a table has commas between its cells, so save it with these", character_name(*.0))]
    Separator(char),
    /// The rows are in one JSON array; contains its beginning.
    #[error("expected a JSON object, got {0}; a table has one object a line, and no array around them")]
    Array(String),
    /// A required field has no value.
    #[error("has no value, and every row needs one")]
    NoValue,
    /// The value is of another kind.
    #[error("expected {expected}, got {found}")]
    Unfit {
        /// The accepted values, in words.
        expected: Expected,
        /// The value found.
        found: String,
    },
    /// The value is too long for this field.
    #[error("has {bytes} bytes, and a value here has at most {bytes_max}; shorten it")]
    TooLong {
        /// Its length; for an object, of its compact form.
        bytes: usize,
        /// The maximum, in bytes.
        bytes_max: usize,
    },
    /// The text is too long for this field.
    #[error("has {chars} characters, and a value here has at most {chars_max}; shorten it")]
    TooManyChars {
        /// Its length in characters.
        chars: usize,
        /// The maximum, in characters.
        chars_max: usize,
    },
    /// A JSON text contains an escape that is not a character.
    #[error("an escape in {0} stands for no character")]
    BadEscape(String),
    /// A free-form object breaks one of its rules.
    #[error("{0}")]
    Freeform(FreeformFault),
    /// The row refers to a missing row of another table.
    #[error("{id} is not in the table {table}")]
    NoSuchRow {
        /// The table.
        table: &'static str,
        /// The id.
        id: String,
    },
    /// An earlier row has the same id.
    #[error("{id} stands in {earlier} already; each id stands once in its table")]
    IdTwice {
        /// The id.
        id: String,
        /// The earlier row.
        earlier: EarlierRow,
    },
    /// An earlier row has the same person as a member.
    #[error("{person} is the member in {earlier} already; a person is one member")]
    PersonTwice {
        /// The person's id.
        person: String,
        /// The earlier row.
        earlier: EarlierRow,
    },
    /// An earlier row has the same advocate and member.
    #[error("{earlier} has the same advocate and member; keep one of them")]
    AdvocateTwice {
        /// The earlier row.
        earlier: EarlierRow,
    },
    /// The advocate is also the member they would help.
    #[error("{person} is this member themselves; an advocate is another person")]
    OwnAdvocate {
        /// The person's id.
        person: String,
    },
    /// A column is too large for a snapshot.
    #[error("{0}")]
    Full(ColumnFull),
    /// There are too many edges for a snapshot.
    #[error("{0}")]
    TooManyEdges(TooManyEdges),
}

/// The rule that a free-form object breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FreeformFault {
    /// It is not an object: an array, a number, or not JSON at all.
    #[error("expected a JSON object, got {0}")]
    NotAnObject(String),
    /// It begins like an object and is not valid JSON.
    #[error("not valid JSON: {message} (column {column})")]
    NotJson {
        /// The byte position, from 1.
        column: usize,
        /// The parser's message.
        message: String,
    },
    /// An object in it has this key twice.
    #[error("the key {0} stands twice in one object")]
    KeyTwice(String),
    /// Objects and arrays are nested deeper than [`JSON_DEPTH_MAX`].
    #[error("nested deeper than {JSON_DEPTH_MAX} levels")]
    TooDeep,
    /// A factor of a breakdown is not a number.
    #[error("expected a number for the factor {factor}, got {found}")]
    FactorNotNumber {
        /// The factor.
        factor: String,
        /// The value found.
        found: String,
    },
    /// The only text factor is not text.
    #[error("expected text for the factor {factor}, got {found}")]
    FactorNotText {
        /// The factor.
        factor: &'static str,
        /// The value found.
        found: String,
    },
}

/// The values that a field accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Text.
    Text,
    /// An id with this prefix.
    Id(&'static str),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A whole number from 0 to this, in decimal digits alone.
    Whole(u64),
    /// A finite number in JSON syntax.
    Number,
    /// A point in time.
    Time,
    /// A day.
    Day,
    /// A year, a month or a day.
    Month,
    /// A JSON object.
    Object,
    /// A JSON array.
    List,
}

impl Reason {
    /// Whether reading cannot continue: a column or the list of edges is full.
    pub(crate) fn ends_reading(&self) -> bool {
        matches!(self, Self::Full(_) | Self::TooManyEdges(_))
    }

    /// The earlier row that it refers to, if any.
    pub(crate) fn earlier_row(&mut self) -> Option<&mut EarlierRow> {
        match self {
            Self::IdTwice { earlier, .. }
            | Self::PersonTwice { earlier, .. }
            | Self::AdvocateTwice { earlier } => Some(earlier),
            _ => None,
        }
    }
}

impl TableFault {
    /// A fault of the field `field`.
    pub(crate) fn of(field: &str, reason: Reason) -> Self {
        Self { line: None, field: Some(field.to_owned()), reason }
    }

    /// The same fault, in line `line`.
    pub(crate) fn at(self, line: u64) -> Self {
        Self { line: Some(line), ..self }
    }

    /// The same fault, inside the field `outer`.
    pub(crate) fn within(self, outer: &str) -> Self {
        let field = self.field.map_or_else(|| outer.to_owned(), |inner| format!("{outer}.{inner}"));
        Self { field: Some(field), ..self }
    }

    /// The same fault, in the file `file`.
    pub(crate) fn in_file(self, file: &str) -> SourceError {
        SourceError { file: file.to_owned(), line: self.line, field: self.field, reason: self.reason }
    }
}

impl From<Reason> for TableFault {
    fn from(reason: Reason) -> Self {
        Self { line: None, field: None, reason }
    }
}

impl From<ColumnFull> for TableFault {
    fn from(full: ColumnFull) -> Self {
        Reason::Full(full).into()
    }
}

/// The end of a sentence that asks whether `nearly` was meant; empty if it is `None`.
fn question(nearly: &Option<String>) -> String {
    nearly.as_ref().map_or(String::new(), |name| format!("; is it {}?", echo(name)))
}

/// The name of `separator`.
fn character_name(separator: char) -> String {
    match separator {
        ';' => "semicolons (;)".to_owned(),
        '\t' => "tabs".to_owned(),
        other => other.to_string(),
    }
}

/// `value` on one line, shortened for a message.
pub(crate) fn echo(value: &str) -> String {
    let mut echoed = String::new();
    for (place, character) in value.chars().enumerate() {
        if place == ECHO_CHARS_MAX {
            echoed.push('…');
            break;
        }
        if character.is_control() {
            echoed.extend(character.escape_default());
        } else {
            echoed.push(character);
        }
    }
    echoed
}

impl std::error::Error for SourceError {}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line {
            let unit = if self.file.ends_with(".parquet") { "row" } else { "line" };
            write!(f, " {unit} {line}")?;
        }
        if let Some(field) = &self.field {
            write!(f, ": field {}", echo(field))?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text => write!(f, "text"),
            Self::Id(prefix) => write!(
                f,
                "an id that begins with {prefix}, has at most {ID_BYTES_MAX} bytes, no comma and no control character"
            ),
            Self::OneOf(words) => write!(f, "one of {}", words.join(", ")),
            Self::Whole(max) => write!(f, "a whole number from 0 to {max}"),
            Self::Number => write!(f, "a finite number"),
            Self::Time => write!(f, "a time such as 2026-01-02T03:04:05Z"),
            Self::Day => write!(f, "a day such as 2026-01-02"),
            Self::Month => write!(f, "a year, a month or a day, such as 2026, 2026-01 or 2026-01-02"),
            Self::Object => write!(f, "a JSON object"),
            Self::List => write!(f, "a JSON array"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_one_sentence_with_its_place() {
        let unfit = |found: &str| Reason::Unfit { expected: Expected::Whole(100), found: echo(found) };
        let error = TableFault::of("warmness", unfit("101")).at(17).in_file("connections.ndjson");
        let said =
            "connections.ndjson line 17: field warmness: expected a whole number from 0 to 100, got 101";
        assert_eq!(error.to_string(), said);
        let inner = TableFault::of("strengthScore", unfit("x")).within("paths[2]");
        assert_eq!(inner.field.as_deref(), Some("paths[2].strengthScore"));
    }

    #[test]
    fn what_was_found_is_cut_and_stays_on_one_line() {
        assert_eq!(echo(&"é".repeat(ECHO_CHARS_MAX)), "é".repeat(ECHO_CHARS_MAX));
        assert_eq!(echo(&"é".repeat(ECHO_CHARS_MAX + 1)), "é".repeat(ECHO_CHARS_MAX) + "…");
        assert_eq!(echo("a\nb\u{85}"), "a\\nb\\u{85}");
    }
}
