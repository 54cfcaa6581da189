//! Reads one section of a snapshot and checks it.
//!
//! Its bytes pass through memory once: each piece is read, hashed while it is in the processor's cache, and split into
//! columns. So a load needs the memory of the dataset and one piece per core, not that of the file. Until the checksum
//! is verified, nothing uses the decoded columns, except that counts are compared with the bytes left.

use std::io::{self, Read};

use crate::snapshot::checksum::{self, Checksum};
use crate::snapshot::codec::{self, Left, RecordFault, TableEntry};
use crate::snapshot::error::SnapshotError;
use crate::snapshot::header::FileHeader;
use crate::snapshot::record::Record;
use crate::snapshot::source::ByteSource;

/// Bytes read and hashed at a time, 128 KiB: enough for every lane of the hash, and small enough for a core's cache.
const PIECE_BYTES: usize = 128 << 10;

/// A section's bytes, hashed as they are read.
struct Section<'a, S: ?Sized> {
    source: &'a S,
    hasher: blake3::Hasher,
    /// The unread range of the file, in bytes.
    unread: std::ops::Range<u64>,
    /// The bytes last read and hashed.
    piece: Vec<u8>,
    /// The consumed bytes of `piece`.
    taken: usize,
    /// The bytes not yet consumed.
    left: Left,
}

impl<'a, S: ByteSource + ?Sized> Section<'a, S> {
    fn new(source: &'a S, entry: &TableEntry) -> Self {
        Self {
            source,
            hasher: checksum::section_hasher(entry.kind),
            unread: entry.offset..entry.offset + entry.length,
            piece: Vec::new(),
            taken: 0,
            left: Left::new(entry.length),
        }
    }

    /// Reads the next piece; it is empty at the end of the section.
    fn refill(&mut self) -> io::Result<()> {
        let unread = self.unread.end - self.unread.start;
        let size = usize::try_from(unread).map_or(PIECE_BYTES, |unread| unread.min(PIECE_BYTES));
        self.piece.resize(size, 0);
        self.taken = 0;
        self.source.read_at(&mut self.piece, self.unread.start)?;
        self.hasher.update(&self.piece);
        self.unread.start += size as u64;
        Ok(())
    }

    /// Reads the rest, and returns the checksum of the whole section.
    fn finish(mut self) -> io::Result<Checksum> {
        while !self.unread.is_empty() {
            self.refill()?;
        }
        Ok(*self.hasher.finalize().as_bytes())
    }
}

impl<S: ByteSource + ?Sized> Read for Section<'_, S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.piece.len() {
            self.refill()?;
        }
        let given = buffer.len().min(self.piece.len() - self.taken);
        buffer[..given].copy_from_slice(&self.piece[self.taken..self.taken + given]);
        self.taken += given;
        self.left.take(given);
        Ok(given)
    }
}

/// Reads section `ix`, called `name`: padding, checksum, record, no bytes after it, columns.
///
/// # Errors
/// Returns the first failed check, in this order.
pub(crate) fn read<R: Record>(
    source: &(impl ByteSource + ?Sized),
    header: &FileHeader,
    ix: usize,
    name: &'static str,
) -> Result<R::Part, SnapshotError> {
    let entry = &header.table[ix];
    check_padding(source, header, ix, name)?;
    let mut section = Section::new(source, entry);
    let left = section.left.clone();
    let record = codec::decode::<R>(&mut section, left.clone());
    let left = left.bytes();
    if section.finish().map_err(SnapshotError::io("read"))? != entry.checksum {
        return Err(SnapshotError::SectionChecksum { section: name });
    }
    let record = record.map_err(|fault| match fault {
        RecordFault::Overrun(missing) => SnapshotError::RecordOverrun { section: name, missing },
        RecordFault::Io(cause) => SnapshotError::Io { action: "read", cause },
    })?;
    if left > 0 {
        return Err(SnapshotError::RecordTrailing { section: name, bytes: left });
    }
    record.into_part(name)
}

/// Checks padding and checksum of section `ix`, called `name`, without decoding it.
///
/// # Errors
/// Returns the first failed check, in this order.
pub(crate) fn verify(
    source: &(impl ByteSource + ?Sized),
    header: &FileHeader,
    ix: usize,
    name: &'static str,
) -> Result<(), SnapshotError> {
    check_padding(source, header, ix, name)?;
    let found = Section::new(source, &header.table[ix]).finish().map_err(SnapshotError::io("read"))?;
    if found != header.table[ix].checksum {
        return Err(SnapshotError::SectionChecksum { section: name });
    }
    Ok(())
}

fn check_padding(
    source: &(impl ByteSource + ?Sized),
    header: &FileHeader,
    ix: usize,
    name: &'static str,
) -> Result<(), SnapshotError> {
    let start = header.end_before(ix);
    let mut padding = vec![0; (header.table[ix].offset - start) as usize];
    source.read_at(&mut padding, start).map_err(SnapshotError::io("read"))?;
    if padding.iter().any(|&byte| byte != 0) {
        return Err(SnapshotError::Padding { section: name });
    }
    Ok(())
}
