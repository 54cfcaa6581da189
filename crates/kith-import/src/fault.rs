//! Why a file cannot be read, or not to its end, and why a row is skipped.

use std::fmt;

use crate::limits::{
    IMPORT_ARCHIVE_BYTES_MAX, IMPORT_ARCHIVE_ENTRIES_MAX, IMPORT_ENTRY_BYTES_MAX, IMPORT_FILE_BYTES_MAX,
    IMPORT_LINE_BYTES_MAX, IMPORT_OTHERS_MAX, IMPORT_RECODED_BYTES_MAX, IMPORT_REPEATING_EVENTS_MAX,
    IMPORT_SHEET_BYTES_MAX, IMPORT_UNPACKED_BYTES_MAX, IMPORT_UNPACKED_RATIO_MAX,
};
use kith::model::named::named;

/// Why a file, or its rest after some line, is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileFault {
    /// The file exceeds the maximum size.
    #[error("longer than {IMPORT_FILE_BYTES_MAX} bytes; export fewer rows at a time")]
    TooLong,
    /// The file is not UTF-8, and exceeds the maximum size for recoding.
    #[error("longer than {IMPORT_RECODED_BYTES_MAX} bytes and not UTF-8; save it in UTF-8")]
    TooLongForItsEncoding,
    /// The file has no text.
    #[error("it is empty")]
    Empty,
    /// The system failed to read it to its end.
    #[error("it cannot be read to its end: {0}")]
    Unreadable(String),
    /// No line near the beginning is the header of a known export.
    #[error(
        "no header of a known export in its first lines, and no columns that say who a row is about; the first line is: {0}. If it \
         is a list of people, say in the team file which column is what: [[columns]] file = \"…\", name = \"…\", company = \
         \"…\", email = \"…\""
    )]
    UnknownHeader(String),
    /// No line is the header of a known export, and the first is not a header at all.
    #[error("no header of a known export in its first lines, and the first is none of a table")]
    NoHeader,
    /// A picture, a document or the like.
    #[error("{0}, which is no export; if it has a list of people, save that as .csv or .xlsx")]
    NoExport(&'static str),
    /// An export whose headers are not known for certain.
    #[error("{export}, whose columns are not known for certain; name them in the team file:\n{mapping}")]
    UncertainHeader {
        /// The name of the export.
        export: &'static str,
        /// The lines to write into the manifest.
        mapping: String,
    },
    /// The manifest names a column that is in no header.
    #[error("no column is called {column:?} as the team file says; the nearest header is: {header}")]
    ColumnMissing {
        /// The column that the manifest names.
        column: String,
        /// The line with the most other columns, or the first one.
        header: String,
    },
    /// A quoted cell has no end.
    #[error("line {line}: a quoted cell does not end; its closing quote is missing")]
    OpenQuote {
        /// The first line of its record.
        line: u64,
    },
    /// A record exceeds the maximum length.
    #[error("line {line}: longer than {IMPORT_LINE_BYTES_MAX} bytes")]
    LineTooLong {
        /// The first line of the record.
        line: u64,
    },
    /// An archive exceeds the maximum size.
    #[error("an archive of more than {IMPORT_ARCHIVE_BYTES_MAX} bytes; unpack it and import its files")]
    ArchiveTooLong,
    /// An archive exceeds the maximum number of entries.
    #[error("an archive of more than {IMPORT_ARCHIVE_ENTRIES_MAX} entries; unpack it and import its files")]
    TooManyEntries,
    /// An archive, or an entry of it, cannot be read.
    #[error("damaged or cut short: {0}")]
    Damaged(String),
    /// An entry is encrypted.
    #[error("encrypted; unpack it with its password first")]
    Encrypted,
    /// An unpacked entry exceeds the maximum size.
    #[error("unpacks to more than {IMPORT_ENTRY_BYTES_MAX} bytes; unpack it and import it by itself")]
    EntryTooLong,
    /// The unpacked entries of an archive exceed the maximum size.
    #[error(
        "the archive unpacks to more than {IMPORT_UNPACKED_BYTES_MAX} bytes; unpack it and import its files"
    )]
    UnpacksTooLong,
    /// An entry exceeds the maximum ratio of unpacked to packed size.
    #[error("unpacks to more than {IMPORT_UNPACKED_RATIO_MAX} times its bytes, as no export does")]
    RatioTooHigh,
    /// An archive within an archive.
    #[error("an archive within an archive; unpack it and import it by itself")]
    NestedArchive,
    /// The name of an entry leads out of the archive.
    #[error("its path leads out of the archive; it is not read")]
    ClimbingPath,
    /// An archive has two entries of the same name.
    #[error("two of its entries have one name; unpack it and import its files")]
    EntriesOfOneName,
    /// No entry of an archive, or no sheet of a workbook, is an export.
    #[error("nothing in it is a known export")]
    NothingKnown,
    /// A workbook from before 2007 or of another program, or an encrypted one.
    #[error("a workbook that is encrypted or in another form than .xlsx; save it as .xlsx or CSV")]
    OldWorkbook,
    /// A compressed file other than a zip.
    #[error("compressed; unpack it first")]
    Compressed,
    /// Outlook's own store of mail.
    #[error(
        "Outlook's own store of mail (.pst, .ost); have it written as .mbox or .eml, as readpst or Thunderbird's import do, and \
         import those"
    )]
    MailStore,
    /// A sheet exceeds the maximum size.
    #[error("a part of the workbook is longer than {IMPORT_SHEET_BYTES_MAX} bytes; save it as CSV")]
    SheetTooLong,
    /// A workbook, or a sheet from some row on, is malformed.
    #[error("row {row}: the workbook is damaged: {cause}")]
    DamagedSheet {
        /// The row last begun, from 1; 0 before the first one.
        row: u64,
        /// The parser's message.
        cause: String,
    },
}

/// Why a row is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkipReason {
    /// All its cells are empty.
    Blank,
    /// The account was closed: the row has a profile's URL or a date, but no name.
    ClosedAccount,
    /// It has neither a name nor an address.
    NameAndAddressMissing,
    /// It follows the rows of a report: totals, a copyright.
    Footer,
    /// Its program marks it as deleted, or as merged into another row.
    Deleted,
    /// A used value does not fit in a table.
    ValueTooLong,
    /// A card of a group, a company or a place.
    NotAPerson,
    /// A card or an event without an end.
    CutShort,
    /// It names no sender, or nobody else.
    PartyMissing,
    /// It has too many others.
    TooManyOthers,
    /// A draft.
    Draft,
    /// Bulk mail, or spam.
    Bulk,
    /// An event that was cancelled.
    Cancelled,
    /// All others declined, or its owner did.
    Declined,
    /// An event without a day that can be read.
    DayMissing,
    /// More recurring events than are read of one file.
    TooManyRepeating,
    /// The weight of an edge is not a number.
    WeightUnread,
    /// A position without a company.
    CompanyMissing,
    /// An address of the owner's that they never confirmed.
    Unconfirmed,
}

named! {
    /// All of them.
    @all SkipReason {
        Blank, ClosedAccount, NameAndAddressMissing, Footer, Deleted, ValueTooLong, NotAPerson,
        CutShort, PartyMissing, TooManyOthers, Draft, Bulk, Cancelled, Declined, DayMissing,
        TooManyRepeating, WeightUnread, CompanyMissing, Unconfirmed
    }
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
            Self::NotAPerson => "a group, a company or a place, not a person",
            Self::CutShort => "cut short: its end is missing",
            Self::PartyMissing => "names no sender, or nobody else",
            Self::TooManyOthers => return write!(f, "more than {IMPORT_OTHERS_MAX} other people"),
            Self::Draft => "a draft",
            Self::Bulk => "bulk mail or spam",
            Self::Cancelled => "cancelled",
            Self::Declined => "declined",
            Self::DayMissing => "no day that can be read",
            Self::TooManyRepeating => {
                return write!(f, "more than {IMPORT_REPEATING_EVENTS_MAX} events of the file repeat, or those of all files too often or for too many years together");
            }
            Self::WeightUnread => "its weight is no number, or may be two",
            Self::CompanyMissing => "a position without a company",
            Self::Unconfirmed => "an address that its owner has not confirmed",
        })
    }
}
