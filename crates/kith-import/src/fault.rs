//! Why a file gives nothing, or nothing more, and why a row is skipped.

use std::fmt;

use crate::limits::{
    IMPORT_ARCHIVE_BYTES_MAX, IMPORT_ARCHIVE_ENTRIES_MAX, IMPORT_ENTRY_BYTES_MAX, IMPORT_FILE_BYTES_MAX,
    IMPORT_LINE_BYTES_MAX, IMPORT_OTHERS_MAX, IMPORT_RECODED_BYTES_MAX, IMPORT_REPEATING_EVENTS_MAX,
    IMPORT_SHEET_BYTES_MAX, IMPORT_UNPACKED_BYTES_MAX, IMPORT_UNPACKED_RATIO_MAX,
};

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
    /// The system did not let it be read to its end.
    #[error("it cannot be read to its end: {0}")]
    Unreadable(String),
    /// No line near the beginning is the header of an export that is known.
    #[error(
        "no header of a known export in its first lines, and no columns that say who a row is about; the first line is: {0}. If it \
         is a list of people, say in the team file which column is what: [[columns]] file = \"…\", name = \"…\", company = \
         \"…\", email = \"…\""
    )]
    UnknownHeader(String),
    /// The file is a text of which no line is the header of a known export, and the first is no header at all.
    #[error("no header of a known export in its first lines, and the first is none of a table")]
    NoHeader,
    /// It is an export whose headers are not known for certain.
    #[error("{export}, whose columns are not known for certain; name them in the team file:\n{mapping}")]
    UncertainHeader {
        /// The name of the export.
        export: &'static str,
        /// The lines to write into the manifest.
        mapping: String,
    },
    /// The manifest names a column that no header has.
    #[error("no column is called {column:?} as the team file says; the nearest header is: {header}")]
    ColumnMissing {
        /// The column that the manifest names.
        column: String,
        /// The line with most of the others, or the first one.
        header: String,
    },
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
    /// An archive has more bytes than are read.
    #[error("an archive of more than {IMPORT_ARCHIVE_BYTES_MAX} bytes; unpack it and import its files")]
    ArchiveTooLong,
    /// An archive has more entries than are looked at.
    #[error("an archive of more than {IMPORT_ARCHIVE_ENTRIES_MAX} entries; unpack it and import its files")]
    TooManyEntries,
    /// An archive cannot be read, or an entry of it.
    #[error("damaged or cut short: {0}")]
    Damaged(String),
    /// An entry is encrypted.
    #[error("encrypted; unpack it with its password first")]
    Encrypted,
    /// An entry unpacks to more than is read.
    #[error("unpacks to more than {IMPORT_ENTRY_BYTES_MAX} bytes; unpack it and import it by itself")]
    EntryTooLong,
    /// The entries of an archive unpack to more than is read.
    #[error(
        "the archive unpacks to more than {IMPORT_UNPACKED_BYTES_MAX} bytes; unpack it and import its files"
    )]
    UnpacksTooLong,
    /// An entry unpacks to far more than it takes in the archive.
    #[error("unpacks to more than {IMPORT_UNPACKED_RATIO_MAX} times its bytes, as no export does")]
    RatioTooHigh,
    /// An archive within an archive.
    #[error("an archive within an archive; unpack it and import it by itself")]
    NestedArchive,
    /// The name of an entry leads out of the archive.
    #[error("its path leads out of the archive; it is not read")]
    ClimbingPath,
    /// An archive has two entries of one name.
    #[error("two of its entries have one name; unpack it and import its files")]
    EntriesOfOneName,
    /// No entry of an archive is an export, or no sheet of a workbook.
    #[error("nothing in it is a known export")]
    NothingKnown,
    /// A workbook in the form of before 2007 or of another program, or an encrypted one.
    #[error("a workbook that is encrypted or in another form than .xlsx; save it as .xlsx or CSV")]
    OldWorkbook,
    /// A compressed file that is no zip.
    #[error("compressed; unpack it first")]
    Compressed,
    /// A store of mail in Outlook's own form.
    #[error(
        "Outlook's own store of mail (.pst, .ost); have it written as .mbox or .eml, as readpst or Thunderbird's import do, and \
         import those"
    )]
    MailStore,
    /// A sheet is longer than is read.
    #[error("a part of the workbook is longer than {IMPORT_SHEET_BYTES_MAX} bytes; save it as CSV")]
    SheetTooLong,
    /// A workbook, or a sheet from a row on, is not as workbooks are.
    #[error("row {row}: the workbook is damaged: {cause}")]
    DamagedSheet {
        /// The last row that was begun, from 1; 0 before the first one.
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
    /// A card of a group, a company or a place.
    NotAPerson,
    /// A card or an event that does not end.
    CutShort,
    /// Names nobody who wrote, or nobody else.
    PartyMissing,
    /// More others than count.
    TooManyOthers,
    /// A draft.
    Draft,
    /// Bulk mail, or spam.
    Bulk,
    /// An event that was cancelled.
    Cancelled,
    /// An event that all others declined, or its owner.
    Declined,
    /// An event without a day that can be read.
    DayMissing,
    /// More events that repeat than are read of one file.
    TooManyRepeating,
    /// The weight of an edge is no number.
    WeightUnread,
    /// A position without a company.
    CompanyMissing,
}

impl SkipReason {
    /// All of them.
    pub const ALL: [Self; 18] = [
        Self::Blank,
        Self::ClosedAccount,
        Self::NameAndAddressMissing,
        Self::Footer,
        Self::Deleted,
        Self::ValueTooLong,
        Self::NotAPerson,
        Self::CutShort,
        Self::PartyMissing,
        Self::TooManyOthers,
        Self::Draft,
        Self::Bulk,
        Self::Cancelled,
        Self::Declined,
        Self::DayMissing,
        Self::TooManyRepeating,
        Self::WeightUnread,
        Self::CompanyMissing,
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
        })
    }
}
