//! A file of a plan, opened: a mail archive is read one piece after the other, whatever its length, any other file as a whole.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use crate::columns::ColumnMapping;
use crate::files::{EntryCount, MAIL_LOOK_BYTES, TakeRow, is_mail_archive, read_file, read_mail};
use crate::limits::IMPORT_FILE_BYTES_MAX;
use kith::regular_file;
use kith_tables::progress::Progress;

/// Bytes of a file that are read at a time.
const PIECE_BYTES: usize = 1 << 18;
const _: () = assert!(MAIL_LOOK_BYTES <= PIECE_BYTES);

/// The first half of the BLAKE3 hash of a file's bytes.
pub(crate) type FileDigest = [u8; 16];

/// A file that is open, and of which the first piece was read.
pub(crate) struct OpenedExport<'a> {
    bytes: BufReader<Watched<'a>>,
    length: u64,
}

/// A file whose bytes are hashed and counted while they are read.
struct Watched<'a> {
    file: File,
    hash: blake3::Hasher,
    progress: &'a dyn Progress,
}

impl<'a> OpenedExport<'a> {
    /// Opens the file at `path`; `progress` gets the bytes that are read.
    ///
    /// # Errors
    /// Returns an error if it is no regular file or cannot be read.
    pub(crate) fn open(path: &Path, progress: &'a dyn Progress) -> io::Result<Self> {
        let (file, found) = regular_file::open(path)?;
        let watched = Watched { file, hash: blake3::Hasher::new(), progress };
        let mut bytes = BufReader::with_capacity(PIECE_BYTES, watched);
        bytes.fill_buf()?;
        Ok(Self { bytes, length: found.len() })
    }

    /// Reads the file, called `name` in reports, as [`read_file`] does. Returns the counts of its entries and the digest of
    /// the bytes that were read.
    ///
    /// # Errors
    /// Returns an error if what is no mail archive cannot be read to its end, before any row of it is taken.
    pub(crate) fn read(
        mut self,
        name: &str,
        columns: Option<&ColumnMapping>,
        take: &mut TakeRow<'_>,
    ) -> io::Result<(Vec<EntryCount>, FileDigest)> {
        let counts = if is_mail_archive(self.bytes.buffer()) {
            vec![read_mail(name, &mut self.bytes, take)]
        } else {
            // One byte more than may be: the length of what is refused.
            let most = IMPORT_FILE_BYTES_MAX as u64 + 1;
            let mut bytes =
                Vec::with_capacity(usize::try_from(self.length.min(most)).unwrap_or_default() + 1);
            Read::by_ref(&mut self.bytes).take(most).read_to_end(&mut bytes)?;
            read_file(name, &bytes, columns, take)
        };
        let mut digest = FileDigest::default();
        digest.copy_from_slice(&self.bytes.get_ref().hash.finalize().as_bytes()[..size_of::<FileDigest>()]);
        Ok((counts, digest))
    }
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.hash.update(&buffer[..read]);
        self.progress.advance(read as u64);
        Ok(read)
    }
}
