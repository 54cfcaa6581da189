//! Every way a snapshot can be refused, each with its own name.

use std::io;

use crate::snapshot::fault::ContentFault;
use crate::snapshot::format::{FORMAT_VERSION, FORMAT_VERSION_MIN, TABLE_BYTES_MAX};

/// Why a snapshot was not read or not written, in the order of a reader's checks.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The system refused something.
    #[error("cannot {action} the snapshot: {cause}")]
    Io {
        /// The attempted action, as in "cannot … the snapshot".
        action: &'static str,
        /// The system's error.
        cause: io::Error,
    },
    /// The path names a folder, a pipe or a device, not a regular file.
    #[error("a snapshot is a regular file, and this path names something else")]
    NotAFile,
    /// The file ends inside its header.
    #[error("the file has {got} bytes, its header alone needs {needed}; {REBUILD}")]
    TooShort {
        /// The file's length in bytes.
        got: u64,
        /// The bytes its header needs.
        needed: u64,
    },
    /// The file does not begin like a snapshot. The message does not quote it: a link may lead to a file that nobody
    /// else may read.
    #[error(
        "the file is no snapshot: it is another kind of file, or was copied as text; copy it again as binary \
             or {REBUILD}"
    )]
    BadMagic,
    /// The file is of a format that this program does not read.
    #[error(
        "the file is a snapshot of format version {got}, this program reads versions \
             {FORMAT_VERSION_MIN} to {supported}; {REBUILD} with this program"
    )]
    UnsupportedVersion {
        /// The file's format version.
        got: u32,
        /// The newest version this program reads.
        supported: u32,
    },
    /// The header claims a section table that is longer than any can be.
    #[error(
        "the header claims a section table of {got} bytes, no table of format version \
             {FORMAT_VERSION} has more than {TABLE_BYTES_MAX}; {REBUILD}"
    )]
    TableTooLong {
        /// The claimed length in bytes.
        got: u32,
    },
    /// The header does not match its checksum.
    #[error("the header does not match its checksum: it is damaged; {REBUILD}")]
    HeaderChecksum,
    /// The file is shorter than its header says.
    #[error("the file is cut off: it has {got} bytes of the {expected} its header names; {REBUILD}")]
    Truncated {
        /// The length in its header, in bytes.
        expected: u64,
        /// The file's length in bytes.
        got: u64,
    },
    /// The file is longer than its header says.
    #[error("the file has {got} bytes, its header names {expected}: something follows its end; {REBUILD}")]
    TrailingBytes {
        /// The length in its header, in bytes.
        expected: u64,
        /// The file's length in bytes.
        got: u64,
    },
    /// The identity in the header is not that of the section table.
    #[error("the identity in the header is not that of the section table; {REBUILD}")]
    IdentityMismatch,
    /// The section table cannot be decoded.
    #[error("the section table cannot be decoded; {REBUILD}")]
    Table,
    /// The table has more or fewer sections than the format.
    #[error("the section table has {got} sections, the format has {expected}; {REBUILD}")]
    SectionCount {
        /// The number of sections in the format.
        expected: usize,
        /// The number of sections in the table.
        got: usize,
    },
    /// A section of another kind instead of this one.
    #[error("the section table has kind {got} where section {section}, kind {expected}, belongs; {REBUILD}")]
    SectionKind {
        /// The section that belongs there.
        section: &'static str,
        /// Its kind.
        expected: u32,
        /// The kind in the table.
        got: u32,
    },
    /// A section does not begin at its expected offset.
    #[error("section {section} begins at byte {got} instead of byte {expected}; {REBUILD}")]
    SectionOffset {
        /// The name of the section.
        section: &'static str,
        /// The expected offset, in bytes.
        expected: u64,
        /// The offset in the table, in bytes.
        got: u64,
    },
    /// A section reaches beyond the end of the file.
    #[error("section {section} has {length} bytes by the table and reaches beyond the file; {REBUILD}")]
    SectionBeyondEnd {
        /// The name of the section.
        section: &'static str,
        /// The length in the table, in bytes.
        length: u64,
    },
    /// The last section does not end at the end of the file.
    #[error("the last section ends at byte {got}, the file at byte {expected}; {REBUILD}")]
    SectionsEnd {
        /// The file's length in bytes.
        expected: u64,
        /// The offset at which the last section ends, in bytes.
        got: u64,
    },
    /// The padding before a section is not zero.
    #[error("the padding before section {section} is not zero: the file is damaged; {REBUILD}")]
    Padding {
        /// The section after the padding.
        section: &'static str,
    },
    /// A section does not match its checksum.
    #[error("section {section} does not match its checksum: the file is damaged; {REBUILD}")]
    SectionChecksum {
        /// The name of the section.
        section: &'static str,
    },
    /// A section's record needs more bytes than the section has.
    #[error("the record in section {section} needs {missing} bytes more than there are; {REBUILD}")]
    RecordOverrun {
        /// The name of the section.
        section: &'static str,
        /// The number of missing bytes, as far as is known.
        missing: u64,
    },
    /// A section has bytes behind its record.
    #[error("section {section} has {bytes} bytes behind its record; {REBUILD}")]
    RecordTrailing {
        /// The name of the section.
        section: &'static str,
        /// Its length in bytes.
        bytes: u64,
    },
    /// The bytes are not a valid network.
    #[error("{}: {fault}; {REBUILD}", place(.column, *.row))]
    Content {
        /// The table and the column, as in `people.names`.
        column: &'static str,
        /// The row, from 0; `None` if the fault has none.
        row: Option<usize>,
        /// The fault at that position.
        fault: ContentFault,
    },
}

impl SnapshotError {
    /// For `map_err`: the system refused `action`.
    pub(crate) fn io(action: &'static str) -> impl Fn(io::Error) -> Self {
        move |cause| Self::Io { action, cause }
    }

    /// A fault of a whole column.
    pub fn column(column: &'static str, fault: ContentFault) -> Self {
        Self::Content { column, row: None, fault }
    }

    pub(crate) fn row(column: &'static str, row: usize, fault: ContentFault) -> Self {
        Self::Content { column, row: Some(row), fault }
    }
}

/// The position of a fault in some content.
fn place(column: &str, row: Option<usize>) -> String {
    match row {
        Some(row) => format!("{column}, row {row}"),
        None => column.to_owned(),
    }
}

/// The remedy for a file that is not what was written.
const REBUILD: &str = "build the snapshot again from its source tables";
