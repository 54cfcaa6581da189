//! The mark beside a list: that there was one. A list that has disappeared is no empty list.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::suppress::error::ListError;

/// The text of a mark, for those who look into it.
const TEXT: &str = "There is a suppression list beside this file. If it is missing, bring back a copy of it: \
     `kith serve` does not start without. `kith suppress create` makes an empty one.\n";

/// The path of the mark of the list at `path`: `.NAME.made` beside it.
#[must_use]
pub(crate) fn path_of(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.made"))
}

/// Leaves the mark of the list at `path`, if it is not there yet. Its folder is not brought to the disk.
///
/// # Errors
/// Returns an error if the mark is missing and cannot be written.
pub(crate) fn put(path: &Path) -> io::Result<()> {
    let mark = path_of(path);
    if fs::symlink_metadata(&mark).is_ok() {
        return Ok(());
    }
    match File::create_new(&mark) {
        Ok(mut file) => io::Write::write_all(&mut file, TEXT.as_bytes()).and_then(|()| file.sync_all()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Passes if there is no list at `path` and never was.
///
/// # Errors
/// Returns [`ListError::Gone`] if the mark says that there was one.
pub(crate) fn check_none(path: &Path) -> Result<(), ListError> {
    let mark = path_of(path);
    if fs::symlink_metadata(&mark).is_ok() {
        return Err(ListError::Gone { path: path.to_owned(), mark });
    }
    Ok(())
}
