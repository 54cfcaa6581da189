//! Files on Unix: owners and modes.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::Path;

use tempfile::{TempDir, TempPath};

use crate::file_system::{FileMarks, Use};

/// The permissions of a folder and a file of their owner alone.
const FOLDER_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;

/// Whether others may use the file at `path`, whose metadata is `found`, as in `what`.
#[must_use]
pub fn others_may(what: Use, _path: &Path, found: &Metadata) -> bool {
    let bits = match what {
        Use::Write => 0o002,
        Use::ReadOrWrite => 0o006,
        Use::Any => 0o077,
    };
    found.mode() & bits != 0
}

/// The command that takes from others what they may do with `path`; `modes` is what `chmod` takes from them.
#[must_use]
pub fn closing_command(modes: &str, path: &Path) -> String {
    format!("chmod {modes} {}", path.display())
}

/// Opens `path` with `options`. A file that this creates may be used by its owner alone.
///
/// # Errors
/// Returns an error if the system refuses.
pub fn open_own(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    options.mode(FILE_MODE).open(path)
}

/// Creates the folder `path`, and those above it that are missing, for their owner alone.
///
/// # Errors
/// Returns an error if the system refuses; none if it is there already, which is then left as it is.
pub fn make_own_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(path)
}

/// Creates a folder in `parent`, whose name begins with `prefix`, for its owner alone, until it is dropped.
///
/// # Errors
/// Returns an error if the system refuses.
pub fn own_temporary_folder(prefix: &str, parent: &Path) -> io::Result<TempDir> {
    tempfile::Builder::new()
        .prefix(prefix)
        .permissions(Permissions::from_mode(FOLDER_MODE))
        .tempdir_in(parent)
}

/// Lets the owner of the file at `path` read and write it, and nobody else.
///
/// # Errors
/// Returns an error if it is another user's.
pub fn make_own(path: &Path) -> io::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(FILE_MODE))
}

/// Takes from everybody but its owner what they may do with the file or folder at `path`, whose metadata is `found`.
///
/// # Errors
/// Returns an error if it is another user's.
pub fn close_to_others(path: &Path, found: &Metadata) -> io::Result<()> {
    let allowed = if found.is_dir() { FOLDER_MODE } else { FILE_MODE };
    let mode = found.mode() & 0o777;
    if mode & !allowed == 0 {
        return Ok(());
    }
    fs::set_permissions(path, Permissions::from_mode(mode & allowed))
}

/// Gives `file` the owner and the group of the file with the metadata `like`.
///
/// # Errors
/// Returns an error if the system refuses, as it does unless root asks.
pub fn give_to_owner_of(like: &Metadata, file: &File) -> io::Result<()> {
    let own = file.metadata()?;
    if (like.uid(), like.gid()) == (own.uid(), own.gid()) {
        return Ok(());
    }
    fchown(file, Some(like.uid()), Some(like.gid()))
}

/// Gives `file` the permissions of the file with the metadata `replaced`; without one, its owner may read and write it.
///
/// # Errors
/// Returns an error if the system refuses.
pub fn permit_as(replaced: Option<&Metadata>, file: &File) -> io::Result<()> {
    let mode = replaced.map_or(FILE_MODE, |found| found.mode() & 0o777);
    file.set_permissions(Permissions::from_mode(mode))
}

/// Gives `draft`, which is about to take the name `path`, the permissions of the file that it replaces. A new file may
/// be read and written by its owner, and read by the group of `folder` if that group may list the folder. Owner and
/// group are those of the replaced file or of the folder, as far as the system permits.
///
/// # Errors
/// Returns an error if the system refuses a step.
pub fn take_after(draft: &File, path: &Path, folder: &Path) -> io::Result<()> {
    let (like, mode) = match fs::metadata(path) {
        Ok(replaced) => (replaced.clone(), replaced.mode() & 0o777),
        Err(_) => {
            let folder = fs::metadata(folder)?;
            (folder.clone(), 0o600 | folder.mode() & 0o040)
        }
    };
    let _ = fchown(draft, Some(like.uid()), None);
    let has_group = fchown(draft, None, Some(like.gid())).is_ok();
    draft.set_permissions(Permissions::from_mode(if has_group { mode } else { mode & !0o070 }))
}

/// The number of the user that owns the file with the metadata `found`.
#[must_use]
pub fn owner(found: &Metadata) -> Option<u32> {
    Some(found.uid())
}

/// The marks of the file with the metadata `found`.
#[must_use]
pub fn marks(found: &Metadata) -> FileMarks {
    FileMarks {
        identity: (found.dev(), found.ino()),
        modified: (found.mtime(), found.mtime_nsec()),
        changed: (found.ctime(), found.ctime_nsec()),
    }
}

/// Gives the file `draft` the name `path`, in the place of a file that has it.
///
/// # Errors
/// Returns an error if the system refuses; the draft is removed then.
pub fn put_in_place(draft: TempPath, path: &Path) -> io::Result<()> {
    draft.persist(path).map_err(|refused| refused.error)
}

/// A copy to read for long instead of the file at `path`, if a file that is being read cannot be replaced. Always `None`
/// here: a file may lose its name while it is read.
///
/// # Errors
/// Returns none.
pub fn stand_in(_path: &Path) -> io::Result<Option<TempPath>> {
    Ok(None)
}

/// Puts the names in `folder` on the disk.
///
/// # Errors
/// Returns an error if the system refuses.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// A file whose lock stands for `folder`: the folder itself.
///
/// # Errors
/// Returns an error if it cannot be opened.
pub fn open_for_lock(folder: &Path) -> io::Result<File> {
    File::open(folder)
}

/// Fills `buffer` with the bytes of `file` from `offset` on.
///
/// # Errors
/// Returns an error if there are too few, or the system refuses.
pub fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}
