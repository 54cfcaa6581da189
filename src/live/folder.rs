//! The folder of snapshots: what lies in it, and whether that is still what it was.

use std::fs;
use std::io;
use std::path::Path;

use crate::file_look::FileLook;
use crate::live::suppression::LIST_FILE;

/// What a snapshot's name ends with, that of the store beside it, and that of a list.
const WATCHED: [&str; 3] = [".kith", ".kith.sqlite", LIST_FILE];

/// The names of the snapshots in `folder` (`*.kith`), ascending.
///
/// # Errors
/// Where the folder cannot be listed.
pub(crate) fn snapshot_files(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = names(folder)?;
    names.retain(|name| name.ends_with(".kith"));
    Ok(names)
}

/// How the files of a folder look from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderLook {
    files: Vec<(String, Option<FileLook>)>,
}

impl FolderLook {
    /// Looks at the snapshots in `folder`, the stores beside them and the list among them. Opens none.
    ///
    /// # Errors
    /// Where the folder cannot be listed.
    pub fn of(folder: &Path) -> io::Result<Self> {
        let mut names = names(folder)?;
        names.retain(|name| WATCHED.iter().any(|ending| name.ends_with(ending)));
        let look = |name: String| {
            let look = FileLook::at(&folder.join(&name));
            (name, look)
        };
        Ok(Self { files: names.into_iter().map(look).collect() })
    }
}

/// The names in `folder` that are text, ascending.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.extend(entry?.file_name().into_string());
    }
    names.sort();
    Ok(names)
}
