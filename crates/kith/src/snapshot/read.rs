//! Reads snapshots from memory or from a file, or a file's identity alone.

use std::fs::File;
use std::path::Path;

use crate::model::dataset::Dataset;
use crate::regular_file::{self, OpenFault};
use crate::snapshot::check::check;
use crate::snapshot::error::SnapshotError;
use crate::snapshot::header::{FileHeader, Identity};
use crate::snapshot::sections::{self, SECTIONS};
use crate::snapshot::source::ByteSource;

/// A snapshot that was read and is sound.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Its contents.
    pub dataset: Dataset,
    /// The identity of the dataset.
    pub identity: Identity,
    /// The length of the whole snapshot, in bytes.
    pub size_bytes: u64,
}

/// Decodes the snapshot `bytes` and checks everything. On all cores.
///
/// # Errors
/// Returns the first fault: in the header, then in the sections, then in the content.
pub fn decode(bytes: &[u8]) -> Result<Loaded, SnapshotError> {
    read_source(bytes, bytes.len() as u64)
}

/// Loads the snapshot file at `path` and checks everything. On all cores; takes the memory of the dataset and little
/// more.
///
/// # Errors
/// Returns an error if the file cannot be read or is not a regular file; otherwise the errors of [`decode`].
pub fn load(path: &Path) -> Result<Loaded, SnapshotError> {
    load_file(&open(path)?.0)
}

/// Like [`load`], for an open snapshot.
///
/// # Errors
/// Returns the errors of [`load`].
pub fn load_file(file: &File) -> Result<Loaded, SnapshotError> {
    read_source(file, length_of(file)?)
}

/// The identity of the snapshot file at `path`, from its header alone.
///
/// Checks the whole header and the file's length, but not the sections.
///
/// # Errors
/// Returns an error if the file cannot be read, is not a regular file, or has no sound header.
pub fn read_identity(path: &Path) -> Result<Identity, SnapshotError> {
    let (file, size_bytes) = open(path)?;
    Ok(FileHeader::read(&file, size_bytes, &SECTIONS)?.identity)
}

/// The names of the sections of the snapshot file at `path` and their lengths in bytes, from its header alone, like
/// [`read_identity`].
///
/// # Errors
/// Returns the errors of [`read_identity`].
pub fn read_section_lengths(path: &Path) -> Result<Vec<(&'static str, u64)>, SnapshotError> {
    section_lengths_of(&open(path)?.0)
}

/// Like [`read_section_lengths`], for an open snapshot.
///
/// # Errors
/// Returns the errors of [`read_identity`].
pub fn section_lengths_of(file: &File) -> Result<Vec<(&'static str, u64)>, SnapshotError> {
    let header = FileHeader::read(file, length_of(file)?, &SECTIONS)?;
    Ok(SECTIONS.into_iter().zip(header.table.iter().map(|entry| entry.length)).collect())
}

/// Opens a regular file, and returns its length in bytes.
pub fn open(path: &Path) -> Result<(File, u64), SnapshotError> {
    let (file, found) = regular_file::open(path).map_err(|fault| match fault {
        OpenFault::Find(error) => SnapshotError::io("find")(error),
        OpenFault::NotRegular => SnapshotError::NotAFile,
        OpenFault::Open(error) => SnapshotError::io("open")(error),
    })?;
    Ok((file, found.len()))
}

fn length_of(file: &File) -> Result<u64, SnapshotError> {
    Ok(file.metadata().map_err(SnapshotError::io("find"))?.len())
}

fn read_source(source: &(impl ByteSource + ?Sized), size_bytes: u64) -> Result<Loaded, SnapshotError> {
    let header = FileHeader::read(source, size_bytes, &SECTIONS)?;
    let dataset = sections::read_all(source, &header)?;
    check(&dataset)?;
    Ok(Loaded { dataset, identity: header.identity, size_bytes })
}
