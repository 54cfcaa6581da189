//! Errors between a folder and an object store.

use std::io;
use std::path::{Path, PathBuf};

use crate::cells::folder::CellNoteError;
use crate::cells::manifest::ManifestFaultOfCell;
use crate::cells::sound::UnsoundPair;

/// Why nothing, or not everything, was pushed or pulled.
#[derive(Debug, thiserror::Error)]
pub enum CellError {
    /// The address of a cell is invalid.
    #[error(
        "{url}: {why}; a cell is s3://BUCKET/PREFIX/cells/NAME, gs://…, az://… or file:///FOLDER/cells/NAME"
    )]
    Address {
        /// The given address.
        url: String,
        /// The fault of the address.
        why: String,
    },
    /// The store failed an operation.
    #[error("{object}: the store cannot {action} it: {cause}")]
    Store {
        /// The failed operation.
        action: &'static str,
        /// The object.
        object: String,
        /// The store's error text.
        cause: String,
    },
    /// An object does not exist.
    #[error("{object}: there is no such object in the store")]
    Missing {
        /// The object.
        object: String,
    },
    /// An object exceeds its maximum size.
    #[error("{object}: it is longer than {bytes_max} bytes")]
    TooLong {
        /// The object.
        object: String,
        /// The maximum size, in bytes.
        bytes_max: usize,
    },
    /// The manifest in the store is invalid.
    #[error("{object}: {fault}")]
    Manifest {
        /// The object.
        object: String,
        /// The fault of the manifest.
        fault: ManifestFaultOfCell,
    },
    /// Another push changed the same organization.
    #[error(
        "{organization}: another push has put snapshot {theirs} in its place meanwhile, so this one did not: push again if yours is the newer"
    )]
    Conflict {
        /// The organization.
        organization: String,
        /// The identity now in the manifest.
        theirs: String,
    },
    /// Others keep replacing the manifest.
    #[error("{object}: others keep replacing it; nothing of this push is in force, push again")]
    Busy {
        /// The manifest.
        object: String,
    },
    /// Two files of one organization.
    #[error("{first} and {second} are both of {organization}: push one of them")]
    Twice {
        /// The organization.
        organization: String,
        /// The one.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// A snapshot or the store beside it is not sound.
    #[error("{path}: {fault}")]
    Unsound {
        /// The snapshot.
        path: PathBuf,
        /// The fault of the pair.
        fault: UnsoundPair,
    },
    /// A snapshot differs from the manifest.
    #[error("{object}: it holds {got}, not {wanted}")]
    Other {
        /// The object.
        object: String,
        /// Its actual content.
        got: String,
        /// Its expected content.
        wanted: String,
    },
    /// A file was replaced while it was read.
    #[error("{0}: it was replaced while it was read; push it again")]
    Changed(PathBuf),
    /// An id that cannot be the name of a file.
    #[error("{0:?} cannot be the name of a file: the organization's id is too long")]
    Name(String),
    /// The folder belongs to another cell.
    #[error("{folder} holds cell {theirs}: pull {ours} into a folder of its own")]
    OtherCell {
        /// The folder.
        folder: PathBuf,
        /// The cell in it.
        theirs: String,
        /// The cell to be pulled into it.
        ours: String,
    },
    /// The note in the folder cannot be used.
    #[error("{0}")]
    Note(CellNoteError),
    /// A file cannot be read or written.
    #[error("{path}: cannot {action} it: {cause}")]
    File {
        /// The failed operation.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
}

impl CellError {
    /// Adds the `action` and the `path` to the system's error.
    pub fn file(action: &'static str, path: &Path) -> impl Fn(io::Error) -> Self {
        move |cause| Self::File { action, path: path.to_owned(), cause }
    }
}
