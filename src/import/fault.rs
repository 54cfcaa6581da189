//! Why a file gives nothing, or nothing more, and why a row is skipped.

use std::fmt;

use crate::limits::{IMPORT_FILE_BYTES_MAX, IMPORT_LINE_BYTES_MAX, IMPORT_RECODED_BYTES_MAX};

/// Why nothing of a file is read, or nothing from a line on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileFault {
    /// The file has more bytes than are read.
    #[error("longer than {IMPORT_FILE_BYTES_MAX} bytes; export fewer rows at a time")]
    TooLong,
    /// The file is no UTF-8, and has more bytes than are turned into that.
    #[error("longer than {IMPORT_RECODED_BYTES_MAX} bytes and not UTF-8; save it in UTF-8")]
    TooLongForItsEncoding,
    /// The file has no text.
    #[error("it is empty")]
    Empty,
    /// No line near the beginning is the header of an export that is known.
    #[error("no header of a known export in its first lines; the first line is: {0}")]
    UnknownHeader(String),
    /// A quoted cell does not end.
    #[error("line {line}: a quoted cell does not end; its closing quote is missing")]
    OpenQuote {
        /// The first line of its record.
        line: u64,
    },
    /// A record has more bytes than a line may have.
    #[error("line {line}: longer than {IMPORT_LINE_BYTES_MAX} bytes")]
    LineTooLong {
        /// The first line of the record.
        line: u64,
    },
}

/// Why a row is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkipReason {
    /// All its cells are empty.
    Blank,
    /// The account was closed: the row has an address of a profile or a date, and no name.
    ClosedAccount,
    /// It has neither a name nor an address.
    NameAndAddressMissing,
    /// It is below the rows of a report: totals, a copyright.
    Footer,
    /// Its program marks it as deleted, or as merged into another row.
    Deleted,
    /// A value that is used is longer than a table may hold.
    ValueTooLong,
}

impl SkipReason {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Blank,
        Self::ClosedAccount,
        Self::NameAndAddressMissing,
        Self::Footer,
        Self::Deleted,
        Self::ValueTooLong,
    ];
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blank => "all cells are empty",
            Self::ClosedAccount => "a closed account: no name",
            Self::NameAndAddressMissing => "neither a name nor an e-mail address",
            Self::Footer => "a footer of the report",
            Self::Deleted => "deleted, or merged into another record",
            Self::ValueTooLong => "a value is longer than a table may hold",
        })
    }
}
