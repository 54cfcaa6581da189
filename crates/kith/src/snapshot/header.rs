//! The front of a snapshot: preamble, section table and header checksum, and where sections lie.
//!
//! ```text
//! 0   magic            8 bytes
//! 8   format version   u32
//! 12  table length     u32, in bytes
//! 16  file length      u64, in bytes
//! 24  identity         32 bytes, of the table
//! 56  section table    bincode: for each section kind u32, offset u64, length u64, checksum 32 bytes
//! ..  header checksum  32 bytes, of everything before it
//! ..  sections         each at the next multiple of 64, zeros between; the last ends the file
//! ```
//!
//! All numbers are little-endian.

use std::fmt;

use crate::snapshot::checksum::{self, Checksum};
use crate::snapshot::codec::{self, TableEntry};
use crate::snapshot::error::SnapshotError;
use crate::snapshot::format::{self, FORMAT_VERSION, MAGIC, TABLE_BYTES_MAX};
use crate::snapshot::source::ByteSource;

/// Sections begin at multiples of this, in bytes.
const ALIGNMENT: u64 = 64;
const PREAMBLE_BYTES: usize = 56;
const CHECKSUM_BYTES: usize = 32;

/// The identity of a snapshot's content, in 32 bytes: two files with the same identity hold the same network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity(pub [u8; 32]);

/// A header, checked.
#[derive(Debug)]
pub(crate) struct FileHeader {
    /// The version of the file's format.
    pub(crate) version: u32,
    pub(crate) identity: Identity,
    /// The whole file's length in bytes.
    pub(crate) size_bytes: u64,
    /// One entry for each section of that version, in order, as laid out in the format.
    pub(crate) table: Vec<TableEntry>,
    /// The offset at which the header ends, in bytes.
    end: u64,
}

/// The unchecked fields of the preamble.
struct Preamble {
    magic: [u8; 8],
    version: u32,
    table_bytes: u32,
    file_bytes: u64,
    identity: Checksum,
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FileHeader {
    /// The header of a file with these sections.
    pub(crate) fn of(sections: &[Vec<u8>]) -> Result<(Self, Vec<u8>), SnapshotError> {
        let mut table: Vec<TableEntry> =
            sections.iter().zip(1..).map(|(bytes, kind)| entry(kind, bytes)).collect();
        let table_bytes = codec::encode_table(&table)?.len(); // its length does not depend on the offsets
        let end = (PREAMBLE_BYTES + table_bytes + CHECKSUM_BYTES) as u64;
        let mut size_bytes = end;
        for entry in &mut table {
            entry.offset = size_bytes.next_multiple_of(ALIGNMENT);
            size_bytes = entry.offset + entry.length;
        }
        let table_bytes = codec::encode_table(&table)?;
        let identity = Identity(checksum::identity(&table_bytes));
        let mut bytes = Vec::with_capacity(PREAMBLE_BYTES + table_bytes.len() + CHECKSUM_BYTES);
        bytes.extend(MAGIC);
        bytes.extend(FORMAT_VERSION.to_le_bytes());
        bytes.extend((table_bytes.len() as u32).to_le_bytes());
        bytes.extend(size_bytes.to_le_bytes());
        bytes.extend(identity.0);
        bytes.extend(table_bytes);
        bytes.extend(checksum::of_header(&bytes));
        Ok((Self { version: FORMAT_VERSION, identity, size_bytes, table, end }, bytes))
    }

    /// Reads and checks the header of a file of `size_bytes`; `names` are the sections of the newest version.
    ///
    /// # Errors
    /// Returns the first fault, in the order of [`SnapshotError`].
    pub(crate) fn read(
        source: &(impl ByteSource + ?Sized),
        size_bytes: u64,
        names: &[&'static str],
    ) -> Result<Self, SnapshotError> {
        let mut bytes = vec![0; PREAMBLE_BYTES];
        read_front(source, size_bytes, &mut bytes)?;
        let preamble = Preamble::from_bytes(&bytes);
        let names = &names[..preamble.check()?];
        let table_end = PREAMBLE_BYTES + preamble.table_bytes as usize;
        bytes.resize(table_end + CHECKSUM_BYTES, 0);
        read_front(source, size_bytes, &mut bytes)?;
        if checksum::of_header(&bytes[..table_end]) != bytes[table_end..] {
            return Err(SnapshotError::HeaderChecksum);
        }
        let expected = preamble.file_bytes;
        if size_bytes < expected {
            return Err(SnapshotError::Truncated { expected, got: size_bytes });
        }
        if size_bytes > expected {
            return Err(SnapshotError::TrailingBytes { expected, got: size_bytes });
        }
        let table = &bytes[PREAMBLE_BYTES..table_end];
        if checksum::identity(table) != preamble.identity {
            return Err(SnapshotError::IdentityMismatch);
        }
        let table = codec::decode_table(table).ok_or(SnapshotError::Table)?;
        let end = bytes.len() as u64;
        check_layout(&table, names, end, size_bytes)?;
        Ok(Self { version: preamble.version, identity: Identity(preamble.identity), size_bytes, table, end })
    }

    /// The offset at which the part before section `ix` ends and its padding begins, in bytes.
    pub(crate) fn end_before(&self, ix: usize) -> u64 {
        match ix.checked_sub(1) {
            Some(before) => self.table[before].offset + self.table[before].length,
            None => self.end,
        }
    }
}

impl Preamble {
    /// The fields of the preamble at the start of `bytes`.
    fn from_bytes(bytes: &[u8]) -> Self {
        Self {
            magic: field(bytes, 0),
            version: u32::from_le_bytes(field(bytes, 8)),
            table_bytes: u32::from_le_bytes(field(bytes, 12)),
            file_bytes: u64::from_le_bytes(field(bytes, 16)),
            identity: field(bytes, 24),
        }
    }

    /// Returns the number of sections of the file.
    fn check(&self) -> Result<usize, SnapshotError> {
        if self.magic != MAGIC {
            return Err(SnapshotError::BadMagic);
        }
        let unsupported =
            || SnapshotError::UnsupportedVersion { got: self.version, supported: FORMAT_VERSION };
        let sections = format::section_count(self.version).ok_or_else(unsupported)?;
        if self.table_bytes > TABLE_BYTES_MAX {
            return Err(SnapshotError::TableTooLong { got: self.table_bytes });
        }
        Ok(sections)
    }
}

fn entry(kind: u32, bytes: &[u8]) -> TableEntry {
    let checksum = *checksum::section_hasher(kind).update(bytes).finalize().as_bytes();
    TableEntry { kind, offset: 0, length: bytes.len() as u64, checksum }
}

/// The `N` bytes at `at`.
fn field<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|ix| bytes[at + ix])
}

/// Fills `bytes` from the front of the file, if it is long enough.
fn read_front(
    source: &(impl ByteSource + ?Sized),
    size_bytes: u64,
    bytes: &mut [u8],
) -> Result<(), SnapshotError> {
    let needed = bytes.len() as u64;
    if size_bytes < needed {
        return Err(SnapshotError::TooShort { got: size_bytes, needed });
    }
    source.read_at(bytes, 0).map_err(SnapshotError::io("read the header of"))
}

/// Checks that every section of the format is present, in order, each as early as its alignment permits, and that the
/// last ends with the file.
fn check_layout(
    table: &[TableEntry],
    names: &[&'static str],
    header_end: u64,
    size_bytes: u64,
) -> Result<(), SnapshotError> {
    if table.len() != names.len() {
        return Err(SnapshotError::SectionCount { expected: names.len(), got: table.len() });
    }
    let mut end = header_end;
    for ((entry, &section), expected) in table.iter().zip(names).zip(1..) {
        let &TableEntry { kind, offset, length, .. } = entry;
        if kind != expected {
            return Err(SnapshotError::SectionKind { section, expected, got: kind });
        }
        let expected = end.next_multiple_of(ALIGNMENT);
        if offset != expected {
            return Err(SnapshotError::SectionOffset { section, expected, got: offset });
        }
        end = offset
            .checked_add(length)
            .filter(|&end| end <= size_bytes)
            .ok_or(SnapshotError::SectionBeyondEnd { section, length })?;
    }
    if end != size_bytes {
        return Err(SnapshotError::SectionsEnd { expected: size_bytes, got: end });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_as_many_bytes_as_are_allowed_and_no_more() {
        let mut preamble = Preamble {
            magic: MAGIC,
            version: FORMAT_VERSION,
            table_bytes: TABLE_BYTES_MAX,
            file_bytes: 0,
            identity: [0; 32],
        };
        assert!(preamble.check().is_ok());
        preamble.table_bytes += 1;
        let said = preamble.check();
        assert!(
            matches!(said, Err(SnapshotError::TableTooLong { got }) if got == TABLE_BYTES_MAX + 1),
            "{said:?}"
        );
    }
}
