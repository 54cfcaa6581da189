//! The folder of snapshots: its files, and whether they have changed.

use std::fs;
use std::io;
use std::path::Path;

use crate::live::suppression::LIST_FILE;
use crate::regular_file::FileStamp;

/// The name endings of a snapshot, of the store beside it, and of a list.
const WATCHED: [&str; 3] = [".kith", ".kith.sqlite", LIST_FILE];

/// The names of the snapshots in `folder` (`*.kith`), ascending.
///
/// # Errors
/// Returns an error if the folder cannot be listed.
pub(crate) fn snapshot_files(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = names(folder)?;
    names.retain(|name| name.ends_with(".kith"));
    Ok(names)
}

/// The stamps of a folder's files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderStamp {
    files: Vec<(String, Option<FileStamp>)>,
}

impl FolderStamp {
    /// The stamps of the snapshots in `folder`, and of the stores and the list beside them. Opens no file.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be listed.
    pub fn of(folder: &Path) -> io::Result<Self> {
        let mut names = names(folder)?;
        names.retain(|name| WATCHED.iter().any(|ending| name.ends_with(ending)));
        let stamped = |name: String| {
            let stamp = FileStamp::at(&folder.join(&name));
            (name, stamp)
        };
        Ok(Self { files: names.into_iter().map(stamped).collect() })
    }
}

/// The names in `folder`, ascending. A name that is not text gets the replacement character, so that the file is
/// refused.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}
