//! An opened file of a plan: mail of any length is read piece by piece, other files as a whole.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::{fs, mem, panic, thread};

use crate::columns::ColumnMapping;
use crate::fault::SkipReason;
use crate::files::{EntryCount, MAIL_LOOK_BYTES, TakeRow, is_mail_archive, read_file, read_mail};
use crate::limits::IMPORT_FILE_BYTES_MAX;
use crate::messages::MessageFolder;
use crate::plan::PlannedFile;
use crate::read::FileRow;
use kith::regular_file;
use kith_tables::progress::Progress;

/// Bytes of a file read at a time.
const PIECE_BYTES: usize = 1 << 18;
const _: () = assert!(MAIL_LOOK_BYTES <= PIECE_BYTES);

/// Rows that go from one thread to another together, and how many such batches may wait.
const BATCH_ROWS: usize = 512;
const BATCHES_WAITING: usize = 4;

/// Rows of a file: the entry, the line, and the content or why it is skipped.
type RowBatch = Vec<(Arc<str>, u64, Result<FileRow, SkipReason>)>;

/// The first half of the BLAKE3 hash of a file's bytes.
pub(crate) type FileDigest = [u8; 16];

/// An open file whose first piece was read, or the messages of a folder.
pub(crate) enum OpenedExport<'a> {
    File { bytes: Box<BufReader<WatchedExport<'a>>>, length: u64 },
    Messages { folder: MessageFolder, progress: &'a dyn Progress },
}

/// A file whose bytes are hashed and counted while they are read.
pub(crate) struct WatchedExport<'a> {
    file: Box<dyn Read + Send>,
    hash: blake3::Hasher,
    progress: &'a dyn Progress,
}

/// The bytes of the file or messages at `path`; 0 if there are none.
pub(crate) fn bytes_at(path: &Path) -> u64 {
    match MessageFolder::at(path) {
        Some(folder) => folder.bytes(),
        None => fs::metadata(path).map_or(0, |found| found.len()),
    }
}

impl<'a> OpenedExport<'a> {
    /// Opens what `planned` stands for; `progress` gets the bytes that are read.
    ///
    /// # Errors
    /// Returns an error if it is no regular file or cannot be read.
    pub(crate) fn open(planned: &PlannedFile, progress: &'a dyn Progress) -> io::Result<Self> {
        let (file, length): (Box<dyn Read + Send>, u64) = match &planned.opener {
            Some(opener) => opener.open()?,
            None => {
                if let Some(folder) = MessageFolder::at(&planned.path) {
                    return Ok(Self::Messages { folder, progress });
                }
                let (file, found) = regular_file::open(&planned.path)?;
                (Box::new(file), found.len())
            }
        };
        let watched = WatchedExport { file, hash: blake3::Hasher::new(), progress };
        let mut bytes = BufReader::with_capacity(PIECE_BYTES, watched);
        bytes.fill_buf()?;
        Ok(Self::File { bytes: Box::new(bytes), length })
    }

    /// Like [`Self::read`], on a thread of its own: `take` gets rows while later ones are read.
    ///
    /// # Errors
    /// Returns the errors of [`Self::read`].
    pub(crate) fn read_ahead(
        self,
        name: &str,
        columns: Option<&ColumnMapping>,
        take: &mut TakeRow<'_>,
    ) -> io::Result<(Vec<EntryCount>, FileDigest)> {
        let (sender, batches): (SyncSender<RowBatch>, Receiver<RowBatch>) = sync_channel(BATCHES_WAITING);
        thread::scope(|scope| {
            let reader = scope.spawn(move || {
                let (mut batch, mut last) = (RowBatch::new(), Arc::<str>::from(""));
                let read = self.read(name, columns, &mut |entry, line, row| {
                    if *last != *entry {
                        last = entry.into();
                    }
                    batch.push((Arc::clone(&last), line, row));
                    if batch.len() == BATCH_ROWS {
                        // Nobody receives only if `take` panicked.
                        let _ = sender.send(mem::take(&mut batch));
                    }
                });
                let _ = sender.send(batch);
                read
            });
            batches.iter().flatten().for_each(|(entry, line, row)| take(&entry, line, row));
            reader.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked))
        })
    }

    /// Reads the file, called `name` in reports, like [`read_file`]. Returns the number of its entries, and the digest of
    /// the bytes that were read.
    ///
    /// # Errors
    /// Returns an error if a file other than mail cannot be read to its end, before any of its rows is taken, or if a
    /// folder cannot be listed.
    pub(crate) fn read(
        self,
        name: &str,
        columns: Option<&ColumnMapping>,
        take: &mut TakeRow<'_>,
    ) -> io::Result<(Vec<EntryCount>, FileDigest)> {
        let (counts, hash) = match self {
            Self::Messages { folder, progress } => {
                let mut hash = blake3::Hasher::new();
                let mut take_bytes = |bytes: &[u8]| {
                    hash.update(bytes);
                };
                (vec![folder.read(name, progress, &mut take_bytes, take)?], hash)
            }
            Self::File { mut bytes, .. } if is_mail_archive(bytes.buffer()) => {
                (vec![read_mail(name, &mut bytes, take)], bytes.into_inner().hash)
            }
            Self::File { mut bytes, length } => {
                // One byte more than allowed, so that an excess is noticed.
                let most = IMPORT_FILE_BYTES_MAX as u64 + 1;
                let mut all = Vec::with_capacity(usize::try_from(length.min(most)).unwrap_or_default() + 1);
                Read::by_ref(&mut bytes).take(most).read_to_end(&mut all)?;
                (read_file(name, &all, columns, take), bytes.into_inner().hash)
            }
        };
        let mut digest = FileDigest::default();
        digest.copy_from_slice(&hash.finalize().as_bytes()[..size_of::<FileDigest>()]);
        Ok((counts, digest))
    }
}

impl Read for WatchedExport<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.hash.update(&buffer[..read]);
        self.progress.advance(read as u64);
        Ok(read)
    }
}
