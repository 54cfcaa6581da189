//! Writes a snapshot file so that a reader of its path finds either the old one or the new one, whole.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::file_system::{put_in_place, sync_folder};
use crate::model::dataset::Dataset;
use crate::regular_file::{folder_of, take_after};
use crate::snapshot::check::check;
use crate::snapshot::error::SnapshotError;
use crate::snapshot::header::{FileHeader, Identity};
use crate::snapshot::sections;

/// A snapshot file that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The identity of its content.
    pub identity: Identity,
    /// Its length in bytes.
    pub size_bytes: u64,
}

/// A snapshot that is fully on disk, but not yet under its name. Dropping it leaves nothing behind.
#[derive(Debug)]
pub struct Staged {
    file: NamedTempFile,
    path: PathBuf,
    written: Written,
}

/// Writes the snapshot of `dataset` to `path`.
///
/// Checks the dataset as a reader would. Writes the bytes to a new file in the same folder, syncs it, renames it, then
/// syncs the folder.
///
/// # Errors
/// Returns an error if the dataset is not sound, or if the system refuses a step. Nothing is left behind then, and an
/// older file stays as it was, except if the very last step fails: then the new file is already in place.
pub fn write(path: &Path, dataset: &Dataset) -> Result<Written, SnapshotError> {
    stage(path, dataset)?.put_in_place()
}

/// The first half of [`write`](fn@write): everything but the renaming.
///
/// # Errors
/// Returns an error if the dataset is not sound, or if the system refuses a step. Nothing is left behind then.
pub fn stage(path: &Path, dataset: &Dataset) -> Result<Staged, SnapshotError> {
    check(dataset)?;
    let sections = sections::encode_all(dataset)?;
    let (header, front) = FileHeader::of(&sections)?;
    // Not named like snapshots, so that a server that watches the folder ignores it.
    let mut file = tempfile::Builder::new()
        .prefix(".kith-")
        .suffix(".tmp")
        .tempfile_in(folder_of(path))
        .map_err(SnapshotError::io("create a file beside"))?;
    write_all(file.as_file_mut(), &header, &front, &sections).map_err(SnapshotError::io("write"))?;
    take_after(file.as_file(), path).map_err(SnapshotError::io("give its folder's permissions to"))?;
    let written = Written { identity: header.identity, size_bytes: header.size_bytes };
    Ok(Staged { file, path: path.to_owned(), written })
}

impl Staged {
    /// Returns the identity and size of the snapshot.
    #[must_use]
    pub fn written(&self) -> Written {
        self.written
    }

    /// The second half of [`write`](fn@write): renames the snapshot into place.
    ///
    /// # Errors
    /// Returns an error if the system refuses a step. An older file then stays as it was, unless the very last step
    /// failed: then the new file is already in place.
    pub fn put_in_place(self) -> Result<Written, SnapshotError> {
        let Self { file, path, written } = self;
        put_in_place(file.into_temp_path(), &path).map_err(SnapshotError::io("put in place"))?;
        sync_folder(folder_of(&path)).map_err(SnapshotError::io("keep"))?;
        Ok(written)
    }
}

fn write_all(file: &mut File, header: &FileHeader, front: &[u8], sections: &[Vec<u8>]) -> io::Result<()> {
    file.write_all(front)?;
    for (ix, section) in sections.iter().enumerate() {
        let padding = vec![0; (header.table[ix].offset - header.end_before(ix)) as usize];
        file.write_all(&padding)?;
        file.write_all(section)?;
    }
    file.sync_all()
}
