//! A list on disk: read whole, replaced as a whole; its stamp shows changes.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::file_system;
use crate::limits::SUPPRESSION_LIST_BYTES_MAX;
use crate::regular_file::{self, FileRead, FileStamp, folder_of};
use crate::suppress::entry::Salt;
use crate::suppress::error::ListError;
use crate::suppress::format;
use crate::suppress::list::SuppressionList;
use crate::suppress::marker::{self, MarkedEntries};

/// Maximum reads of a list that is being written to.
const ATTEMPTS: usize = 3;

/// Reads the list at `path`, and the stamp of its file at that time.
///
/// # Errors
/// Returns an error if there is none, it cannot be read, or it is not a valid list to the last byte.
pub(crate) fn read_with_stamp(path: &Path) -> Result<(SuppressionList, FileStamp), ListError> {
    let mut older = None;
    for _ in 0..ATTEMPTS {
        // The mark first: an addition is in the list before it is in the mark.
        let marked = marker::read(&behind_link(path)).map_err(io_error(path, "read the mark of"))?;
        let FileRead { bytes, stamp, is_steady, .. } = read_bytes(path)?;
        if !is_steady {
            continue;
        }
        let line_error = |(line, fault)| ListError::Line { path: path.to_owned(), line, fault };
        let list = format::read(&bytes).map_err(line_error)?;
        match marker::check(path, &list, marked.as_ref()) {
            Ok(()) => return Ok((list, stamp)),
            // Unless an entry was removed in between.
            Err(error) => older = Some(error),
        }
    }
    Err(older.unwrap_or_else(|| ListError::Unsteady { path: path.to_owned() }))
}

/// The file that `path` names, following a link.
fn behind_link(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Updates the mark of the list at `path`, unless a command is changing the list, which does that itself.
///
/// # Errors
/// Returns an error if it cannot.
pub(crate) fn remember(path: &Path) -> Result<(), ListError> {
    let target = behind_link(path);
    if target != path && fs::symlink_metadata(marker::path_of(path)).is_err() {
        // The mark of a link, in case it disappears with its folder.
        fs::write(marker::path_of(path), marker::write(&BTreeSet::new())).map_err(io_error(path, "mark"))?;
    }
    let Some(folder) = Folder::try_lock(&target)? else { return Ok(()) };
    let list = read(&target)?;
    folder.mark(&target, &marker::entries_of(&list), fs::metadata(&target).ok().as_ref())
}

/// Reads the list at `path`.
///
/// # Errors
/// Returns an error if there is none, it cannot be read, or it is not a valid list to the last byte.
pub fn read(path: &Path) -> Result<SuppressionList, ListError> {
    read_with_stamp(path).map(|(list, _)| list)
}

fn read_bytes(path: &Path) -> Result<FileRead, ListError> {
    let refused = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => ListError::Missing { path: path.to_owned() },
        io::ErrorKind::InvalidInput => ListError::NotAFile { path: path.to_owned() },
        _ => io_error(path, "read")(source),
    };
    let read = regular_file::read(path, SUPPRESSION_LIST_BYTES_MAX).map_err(refused)?;
    if read.is_open_to_all {
        return Err(ListError::OpenToAll { path: path.to_owned() });
    }
    if read.bytes.len() > SUPPRESSION_LIST_BYTES_MAX {
        return Err(ListError::TooLong { path: path.to_owned() });
    }
    Ok(read)
}

/// Creates an empty list at `path`.
///
/// # Errors
/// Returns an error if there is one already, or it cannot be written.
pub fn create(path: &Path) -> Result<(), ListError> {
    let folder = Folder::lock(path)?;
    if fs::symlink_metadata(path).is_ok() {
        return Err(ListError::Exists { path: path.to_owned() });
    }
    folder.replace(path, &new_list()?, None)
}

/// Creates an empty list at `path`, unless there is one. Returns whether it did.
///
/// # Errors
/// Returns an error if there was one that has disappeared, or it cannot be written.
pub fn create_if_new(path: &Path) -> Result<bool, ListError> {
    let folder = Folder::lock(path)?;
    if fs::symlink_metadata(path).is_ok() {
        return Ok(false);
    }
    marker::check_none(path)?;
    folder.replace(path, &new_list()?, None).map(|()| true)
}

/// The effect of a change if there is no list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IfMissing {
    Refuse,
    Create,
}

/// Changes the list at `path` with `change`, and returns its result.
///
/// No other change by this function or [`change_or_create`] runs meanwhile. The change is on disk when this returns;
/// concurrent readers read the old or the new list. If `change` fails, or changes nothing, nothing is written.
///
/// # Errors
/// Returns an error if the list is missing, or cannot be read or written; and the error of `change`.
pub fn change<T, E: From<ListError>>(
    path: &Path,
    change: impl FnOnce(&mut SuppressionList) -> Result<T, E>,
) -> Result<T, E> {
    change_locked(path, IfMissing::Refuse, change)
}

/// Like [`change`], creating the list if it is missing.
///
/// # Errors
/// Returns an error if the list has disappeared, since a new one would not name the same people; if it cannot be read
/// or written; and the error of `change`.
pub fn change_or_create<T, E: From<ListError>>(
    path: &Path,
    change: impl FnOnce(&mut SuppressionList) -> Result<T, E>,
) -> Result<T, E> {
    change_locked(path, IfMissing::Create, change)
}

fn change_locked<T, E: From<ListError>>(
    path: &Path,
    if_missing: IfMissing,
    change: impl FnOnce(&mut SuppressionList) -> Result<T, E>,
) -> Result<T, E> {
    // For a link, its target is replaced.
    let path = behind_link(path);
    let folder = Folder::lock(&path)?;
    let (before, replaced) = match read(&path) {
        Ok(list) => (Some(list), fs::metadata(&path).ok()),
        Err(ListError::Missing { .. }) if if_missing == IfMissing::Create => {
            marker::check_none(&path)?;
            (None, None)
        }
        Err(error) => return Err(error.into()),
    };
    let mut list = before.clone().map_or_else(new_list, Ok)?;
    let outcome = change(&mut list)?;
    if before.as_ref() != Some(&list) {
        folder.replace(&path, &list, replaced.as_ref())?;
    }
    Ok(outcome)
}

fn new_list() -> Result<SuppressionList, ListError> {
    Salt::generate().map(SuppressionList::new).map_err(ListError::Randomness)
}

/// The folder of a list, locked against other changes until this is dropped.
struct Folder {
    path: PathBuf,
    opened: File,
}

impl Folder {
    /// Waits for any other process that changes something in the folder of `path`.
    fn lock(path: &Path) -> Result<Self, ListError> {
        let folder = Self::open(path)?;
        folder.opened.lock().map_err(io_error(path, "lock the folder of"))?;
        Ok(folder)
    }

    /// Like [`Self::lock`], without waiting; `None` if another process holds the lock.
    fn try_lock(path: &Path) -> Result<Option<Self>, ListError> {
        let folder = Self::open(path)?;
        match folder.opened.try_lock() {
            Ok(()) => Ok(Some(folder)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(io_error(path, "lock the folder of")(error)),
        }
    }

    fn open(path: &Path) -> Result<Self, ListError> {
        let folder = folder_of(path).to_owned();
        let opened = file_system::open_for_lock(&folder).map_err(io_error(path, "find the folder of"))?;
        Ok(Self { path: folder, opened })
    }

    /// Writes `entries` to the mark of the list at `path`, readable by the readers of the list.
    fn mark(&self, path: &Path, entries: &MarkedEntries, list: Option<&Metadata>) -> Result<(), ListError> {
        if marker::read(path).is_ok_and(|marked| marked.as_ref() == Some(entries)) {
            return Ok(());
        }
        let put = self.put(&marker::path_of(path), &marker::write(entries), list);
        put.map_err(io_error(path, "leave a mark beside"))
    }

    /// Replaces the list at `path` with `list`: writes a new file, syncs it, renames it, and syncs the folder. The new
    /// file gets the owner and mode of the `replaced` one; if there was none, the owner and group of the folder, as far
    /// as the system permits.
    fn replace(
        &self,
        path: &Path,
        list: &SuppressionList,
        replaced: Option<&Metadata>,
    ) -> Result<(), ListError> {
        let text = format::write(list);
        if text.len() > SUPPRESSION_LIST_BYTES_MAX {
            return Err(ListError::TooLong { path: path.to_owned() });
        }
        // The mark is updated before removals and after additions: whenever this is interrupted, the list has
        // everything in the mark, and there is no mark without a list.
        let entries = marker::entries_of(list);
        if let Some(marked) = marker::read(path).map_err(io_error(path, "read the mark of"))? {
            self.mark(path, &marked.intersection(&entries).cloned().collect(), replaced)?;
        }
        self.put(path, &text, replaced).map_err(io_error(path, "write"))?;
        self.mark(path, &entries, fs::metadata(path).ok().as_ref())
    }

    fn put(&self, path: &Path, text: &str, replaced: Option<&Metadata>) -> io::Result<()> {
        let mut file = tempfile::Builder::new().prefix(".kith-").suffix(".tmp").tempfile_in(&self.path)?;
        file.write_all(text.as_bytes())?;
        let like = replaced.map_or_else(|| self.opened.metadata(), |found| Ok(found.clone()))?;
        match file_system::give_to_owner_of(&like, file.as_file()) {
            // A new list may keep the owner of this process; `stranger` reports that.
            Err(error) if replaced.is_some() => return Err(error),
            Ok(()) | Err(_) => {}
        }
        file_system::permit_as(replaced, file.as_file())?;
        file.as_file().sync_all()?;
        file_system::put_in_place(file.into_temp_path(), path)?;
        self.opened.sync_all()
    }
}

/// The owner of the list at `path` and the owner of its folder, if they differ or both are root: then a server that
/// runs as another user cannot read the list.
#[must_use]
pub fn stranger(path: &Path) -> Option<(u32, u32)> {
    let owner = |path: &Path| file_system::owner(&fs::metadata(path).ok()?);
    let (list, folder) = (owner(path)?, owner(folder_of(path))?);
    (list != folder || list == 0).then_some((list, folder))
}

fn io_error(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> ListError {
    move |cause| ListError::Io { path: path.to_owned(), action, cause }
}
