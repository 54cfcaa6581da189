//! The look at the store's files that each check of a credential begins with: whether the store still says what it
//! said.
//!
//! What a look-up found holds as long as no transaction was committed since and the files are the opened ones.
//!
//! **No commit since.** The file `-shm` beside the store begins with a header of 48 bytes, written twice: SQLite's index
//! of the write-ahead log, memory that all processes with the store open share. It is what SQLite itself reads to learn
//! whether the pages that it has in memory are still those of the store, and whatever process commits writes it before
//! the commit returns. One `pread` sees it: mapped memory of a file and reads of that file are the same pages. It is read
//! *before* the look-up, [`Stamp`], and again before what was found is used: if both are the same, no commit ended
//! between them.
//!
//! - A commit adds 1 to the counter in the header, and the frames of the log that it counts only grow.
//! - A log that begins again gets a new random salt, which is in the header; its counter goes on.
//! - Only a recovery sets the counter back, to 0: one is due if a process was killed while it wrote the header. Nothing
//!   is remembered under 0 ([`CredentialStore::begin_counting`](crate::auth::store::CredentialStore::begin_counting)
//!   leaves it at the start), so what is remembered had `n > 0` commits since the last recovery. The same header after
//!   another one would take a log with the same 64 random bits of salt.
//! - A header whose copies differ is being written, or its writer was killed: it is no stamp.
//! - No process can write past the header. Without a write-ahead log, or with the index in its own memory, it would
//!   need the store for itself, and each open connection of this process holds a shared lock on it.
//!
//! **The files are the opened ones.** Whether three names still lead to three files is three `statx`. One is enough if
//! the folder is the same, and has not changed since the three were seen in it: a name that is removed, or led elsewhere
//! by a rename, changes the folder's time. Times tick, so the folder's counts only once it is older than the coarsest
//! tick ([`FileStamp::settled`]); until then the three are looked at each time. So they are if the path leads through a
//! link, and once in [`CREDENTIAL_FILES_PERIOD`] in any case: a file that is mounted over another changes no folder.
//!
//! **The handle on `-shm` is never closed** while the file has a name. Closing any handle on a file takes away all locks
//! that the process has on it, SQLite's too: another process could then take the log for abandoned. So handles are kept
//! for the process, one for each store that it opens.

use std::fs::{self, File, Metadata};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use crate::auth::database;
use crate::auth::error::StoreError;
use crate::limits::CREDENTIAL_FILES_PERIOD;
use crate::regular_file::FileStamp;

/// Bytes of a copy of the header.
const HEADER_BYTES: usize = 48;
/// The one version of the header, in its first four bytes.
const HEADER_VERSION: u32 = 3_007_000;

/// The header of the log's index, as no later commit leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp([u8; HEADER_BYTES]);

impl Stamp {
    /// Returns `None` if the header is not whole, of another version, or was not counted since a recovery.
    fn of(copies: &[u8; 2 * HEADER_BYTES]) -> Option<Self> {
        let ([first, second], []) = copies.as_chunks::<HEADER_BYTES>() else { return None };
        let is_known = first[..4] == HEADER_VERSION.to_ne_bytes();
        let (is_counted, is_written) = (first[8..12] != [0; 4], first[12] != 0);
        (first == second && is_known && is_counted && is_written).then_some(Self(*first))
    }
}

/// The findings of one look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// Under what to remember what is found after this look; `None` if nothing may be remembered.
    pub(crate) stamp: Option<Stamp>,
    folder: Option<FileStamp>,
}

/// The folder in which the three files were seen as they were opened, and when.
#[derive(Debug, Default)]
pub(crate) struct SeenFiles(Option<(FileStamp, SystemTime)>);

impl SeenFiles {
    /// Whether the files are as they were seen, as `look` at `now` proves.
    fn is_proven_by(&self, look: Look, now: SystemTime) -> bool {
        let age = |at: SystemTime| now.duration_since(at);
        self.0.is_some_and(|(folder, at)| {
            look.folder == Some(folder) && age(at).is_ok_and(|age| age < CREDENTIAL_FILES_PERIOD)
        })
    }
}

/// The store's file and the two SQLite keeps beside it, as they were opened.
#[derive(Debug)]
pub(crate) struct StoreFiles {
    files: [OpenedFile; 3],
    /// The folder of all three; `None` if the path leads through a link.
    folder: Option<PathBuf>,
    /// The log's index; `None` if it cannot be read.
    index: Option<Arc<File>>,
    /// The control: a look that was made once, for good.
    #[cfg(test)]
    frozen: Option<Look>,
}

impl StoreFiles {
    /// The files of the store `store` that this process has open.
    ///
    /// # Errors
    /// Returns an error if one of the files is missing, or is not a file.
    pub(crate) fn beside(store: OpenedFile) -> Result<Self, StoreError> {
        // The files beside a link are those beside what it leads to.
        let resolved = fs::canonicalize(&store.path).map_err(StoreError::io_at(&store.path))?;
        let folder = resolved.parent().filter(|_| resolved == store.path).map(Path::to_owned);
        let log = OpenedFile::at(database::beside(&resolved, "-wal"))?;
        let index = OpenedFile::at(database::beside(&resolved, "-shm"))?;
        let held = hold(&index);
        Ok(Self {
            files: [store, log, index],
            folder,
            index: held,
            #[cfg(test)]
            frozen: None,
        })
    }

    /// The path of the store.
    pub(crate) fn path(&self) -> &Path {
        &self.files[0].path
    }

    /// Looks at the store as it is now: one `pread` and one `statx`.
    pub(crate) fn look(&self) -> Look {
        #[cfg(test)]
        if let Some(look) = self.frozen {
            return look;
        }
        Look { stamp: self.stamp(), folder: self.folder.as_deref().and_then(FileStamp::at) }
    }

    fn stamp(&self) -> Option<Stamp> {
        let mut copies = [0; 2 * HEADER_BYTES];
        let read = self.index.as_ref()?.read_at(&mut copies, 0).ok()?;
        Stamp::of(&copies).filter(|_| read == copies.len())
    }

    /// Fails if the store's files are not the opened ones any more.
    ///
    /// # Errors
    /// Returns [`StoreError::Replaced`] for the first of them.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        self.files.iter().try_for_each(OpenedFile::check)
    }

    /// Like [`Self::check`], without a look at each file if `look`, made at `now`, and what was `seen` spare it.
    ///
    /// # Errors
    /// Returns the errors of [`Self::check`].
    pub(crate) fn check_by(
        &self,
        look: Look,
        seen: &mut SeenFiles,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        if seen.is_proven_by(look, now) {
            return Ok(());
        }
        self.check()?;
        *seen = SeenFiles(look.folder.and_then(|folder| folder.settled(now)).map(|folder| (folder, now)));
        Ok(())
    }

    /// Keeps them as they are, without another look.
    #[cfg(test)]
    pub(crate) fn freeze(&mut self) {
        self.frozen = Some(self.look());
    }
}

/// A file by what it is, whatever happens to its name.
#[derive(Debug)]
pub(crate) struct OpenedFile {
    path: PathBuf,
    device: u64,
    inode: u64,
}

impl OpenedFile {
    /// The file that `path` leads to.
    ///
    /// # Errors
    /// Returns an error if there is none, or it is not a regular file.
    pub(crate) fn at(path: PathBuf) -> Result<Self, StoreError> {
        let found = database::find_file(&path)?;
        Ok(Self { path, device: found.dev(), inode: found.ino() })
    }

    fn is(&self, found: &Metadata) -> bool {
        (found.dev(), found.ino()) == (self.device, self.inode)
    }

    /// Fails unless the name still leads to the same file.
    fn check(&self) -> Result<(), StoreError> {
        match fs::metadata(&self.path) {
            Ok(found) if self.is(&found) => Ok(()),
            _ => Err(StoreError::Replaced { path: self.path.clone() }),
        }
    }
}

/// A handle on the log's index `index` that is kept until the file has no name any more and no store here uses it.
/// Returns `None` if it cannot be opened.
fn hold(index: &OpenedFile) -> Option<Arc<File>> {
    static HELD: Mutex<Vec<Arc<File>>> = Mutex::new(Vec::new());
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    held.retain(|file| Arc::strong_count(file) > 1 || file.metadata().is_ok_and(|found| found.nlink() > 0));
    let is_index = |file: &&Arc<File>| file.metadata().is_ok_and(|found| index.is(&found));
    if let Some(file) = held.iter().find(is_index) {
        return Some(Arc::clone(file));
    }
    let file = Arc::new(File::open(&index.path).ok()?);
    // Kept also if it is another file by now, which may be open here too.
    held.push(Arc::clone(&file));
    Some(file).filter(|file| is_index(&file))
}

#[cfg(test)]
mod tests;
