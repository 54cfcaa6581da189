//! Every way a snapshot can be refused, each with its own name.

use std::fmt;
use std::io;

use crate::snapshot::fault::Fault;
use crate::snapshot::format::{FORMAT_VERSION, MAGIC, TABLE_BYTES_MAX};

/// Why a snapshot was not read or not written. In the order in which a reader looks.
#[derive(Debug)]
pub enum SnapshotError {
    /// The system refused something.
    Io {
        /// What was being done, as in "cannot … the snapshot".
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The path names a folder, a pipe, a device: no regular file.
    NotAFile,
    /// The file ends inside its header.
    TooShort {
        /// The file's length in bytes.
        got: u64,
        /// The bytes its header needs.
        needed: u64,
    },
    /// The file does not begin as snapshots do.
    BadMagic {
        /// How it begins.
        got: [u8; 8],
    },
    /// The file is of a format that this program does not read.
    UnsupportedVersion {
        /// The file's format version.
        got: u32,
        /// The one version this program reads.
        supported: u32,
    },
    /// The header claims a section table that is longer than any is.
    TableTooLong {
        /// The claimed length in bytes.
        got: u32,
    },
    /// The header does not match its checksum.
    HeaderChecksum,
    /// The file is shorter than its header says.
    Truncated {
        /// The length its header tells, in bytes.
        expected: u64,
        /// The file's length in bytes.
        got: u64,
    },
    /// The file is longer than its header says.
    TrailingBytes {
        /// The length its header tells, in bytes.
        expected: u64,
        /// The file's length in bytes.
        got: u64,
    },
    /// The identity in the header is not that of the section table.
    IdentityMismatch,
    /// The section table is no table.
    Table,
    /// The table has more or fewer sections than the format.
    SectionCount {
        /// How many the format has.
        expected: usize,
        /// How many the table has.
        got: usize,
    },
    /// Another kind of section stands where this one belongs.
    SectionKind {
        /// The section that belongs there.
        section: &'static str,
        /// Its kind.
        expected: u32,
        /// The kind that the table tells.
        got: u32,
    },
    /// A section does not begin where the one before it lets it.
    SectionOffset {
        /// Which section.
        section: &'static str,
        /// Where it has to begin.
        expected: u64,
        /// Where the table puts it.
        got: u64,
    },
    /// A section reaches beyond the end of the file.
    SectionBeyondEnd {
        /// Which section.
        section: &'static str,
        /// The length the table tells, in bytes.
        length: u64,
    },
    /// The last section does not end where the file does.
    SectionsEnd {
        /// The file's length in bytes.
        expected: u64,
        /// Where the last section ends.
        got: u64,
    },
    /// There are bytes other than zero before a section.
    Padding {
        /// The section behind them.
        section: &'static str,
    },
    /// A section does not match its checksum.
    SectionChecksum {
        /// Which section.
        section: &'static str,
    },
    /// A section's record needs more bytes than the section has.
    RecordOverrun {
        /// Which section.
        section: &'static str,
        /// How many bytes are missing, as far as that can be told.
        missing: u64,
    },
    /// A section has bytes behind its record.
    RecordTrailing {
        /// Which section.
        section: &'static str,
        /// How many.
        bytes: u64,
    },
    /// What the bytes say is no sound network.
    Content {
        /// The table and the column, as in `people.names`.
        column: &'static str,
        /// The row, from 0, where the fault has one.
        row: Option<usize>,
        /// What is wrong there.
        fault: Fault,
    },
}

impl SnapshotError {
    /// For `map_err`: the system refused `action`.
    pub(crate) fn io(action: &'static str) -> impl Fn(io::Error) -> Self {
        move |source| Self::Io { action, source }
    }

    /// A fault of a whole column.
    pub(crate) fn column(column: &'static str, fault: Fault) -> Self {
        Self::Content { column, row: None, fault }
    }

    /// A fault of one row.
    pub(crate) fn row(column: &'static str, row: usize, fault: Fault) -> Self {
        Self::Content { column, row: Some(row), fault }
    }
}

/// What to do about a file that is not what was written.
const REBUILD: &str = "build the snapshot again from its source tables";

impl fmt::Display for SnapshotError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { action, source } => write!(out, "cannot {action} the snapshot: {source}"),
            Self::NotAFile => write!(out, "a snapshot is a regular file, and this path names something else"),
            Self::TooShort { got, needed } => {
                write!(out, "the file has {got} bytes, its header alone needs {needed}; {REBUILD}")
            }
            Self::BadMagic { got } => write!(
                out,
                "the file begins with \"{}\" and a snapshot with \"{}\": it is another kind of file, \
                 or was copied as text; copy it again as binary or {REBUILD}",
                got.escape_ascii(),
                MAGIC.escape_ascii()
            ),
            Self::UnsupportedVersion { got, supported } => write!(
                out,
                "the file is a snapshot of format version {got}, this program reads version {supported}; \
                 {REBUILD} with this program"
            ),
            Self::Content { column, row: Some(row), fault } => {
                write!(out, "{column}, row {row}: {fault}; {REBUILD}")
            }
            Self::Content { column, row: None, fault } => write!(out, "{column}: {fault}; {REBUILD}"),
            damage => {
                damage.describe_damage(out)?;
                write!(out, "; {REBUILD}")
            }
        }
    }
}

impl SnapshotError {
    fn describe_damage(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TableTooLong { got } => write!(
                out,
                "the header claims a section table of {got} bytes, no table of format version \
                 {FORMAT_VERSION} has more than {TABLE_BYTES_MAX}"
            ),
            Self::HeaderChecksum => write!(out, "the header does not match its checksum: it is damaged"),
            Self::Truncated { expected, got } => {
                write!(out, "the file is cut off: it has {got} bytes of the {expected} its header tells")
            }
            Self::TrailingBytes { expected, got } => {
                write!(
                    out,
                    "the file has {got} bytes, its header tells {expected}: something follows its end"
                )
            }
            Self::IdentityMismatch => {
                write!(out, "the identity in the header is not that of the section table")
            }
            Self::Table => write!(out, "the section table cannot be decoded"),
            Self::SectionCount { expected, got } => {
                write!(out, "the section table has {got} sections, the format has {expected}")
            }
            Self::SectionKind { section, expected, got } => write!(
                out,
                "the section table has kind {got} where section {section}, kind {expected}, belongs"
            ),
            Self::SectionOffset { section, expected, got } => {
                write!(out, "section {section} begins at byte {got} instead of byte {expected}")
            }
            Self::SectionBeyondEnd { section, length } => {
                write!(out, "section {section} has {length} bytes by the table and reaches beyond the file")
            }
            Self::SectionsEnd { expected, got } => {
                write!(out, "the last section ends at byte {got}, the file at byte {expected}")
            }
            Self::Padding { section } => {
                write!(out, "the padding before section {section} is not zero: the file is damaged")
            }
            Self::SectionChecksum { section } => {
                write!(out, "section {section} does not match its checksum: the file is damaged")
            }
            Self::RecordOverrun { section, missing } => {
                write!(out, "the record in section {section} needs {missing} bytes more than there are")
            }
            Self::RecordTrailing { section, bytes } => {
                write!(out, "section {section} has {bytes} bytes behind its record")
            }
            Self::Io { .. }
            | Self::NotAFile
            | Self::TooShort { .. }
            | Self::BadMagic { .. }
            | Self::UnsupportedVersion { .. }
            | Self::Content { .. } => Ok(()),
        }
    }
}

impl std::error::Error for SnapshotError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None, // nothing stands behind the others: they were found here
        }
    }
}
