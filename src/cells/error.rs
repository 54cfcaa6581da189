//! What goes wrong between a folder and an object store.

use std::io;
use std::path::{Path, PathBuf};

use crate::cells::folder::CellNoteError;
use crate::cells::manifest::ManifestFaultOfCell;
use crate::cells::sound::UnsoundPair;

/// Why nothing was pushed or pulled, or not everything.
#[derive(Debug, thiserror::Error)]
pub enum CellError {
    /// The address of a cell cannot be used.
    #[error(
        "{url}: {why}; a cell is s3://BUCKET/PREFIX/cells/NAME, gs://…, az://… or file:///FOLDER/cells/NAME"
    )]
    Address {
        /// What was given.
        url: String,
        /// What is wrong with it.
        why: String,
    },
    /// The store did not do what it was asked to.
    #[error("{object}: the store cannot {action} it: {cause}")]
    Store {
        /// What was tried.
        action: &'static str,
        /// The object.
        object: String,
        /// What the store says.
        cause: String,
    },
    /// An object is not there.
    #[error("{object}: there is no such object in the store")]
    Missing {
        /// The object.
        object: String,
    },
    /// An object is longer than it may be.
    #[error("{object}: it is longer than {bytes_max} bytes")]
    TooLong {
        /// The object.
        object: String,
        /// The most that is read, in bytes.
        bytes_max: usize,
    },
    /// The manifest in the store is none.
    #[error("{object}: {fault}")]
    Manifest {
        /// The object.
        object: String,
        /// What is wrong with it.
        fault: ManifestFaultOfCell,
    },
    /// Another pusher changed what this one was to change.
    #[error(
        "{organization}: another push has put snapshot {theirs} in its place meanwhile, so this one did not: push again if yours is the newer"
    )]
    Conflict {
        /// The organization.
        organization: String,
        /// What stands in the manifest now.
        theirs: String,
    },
    /// Others replaced the manifest again and again.
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
        /// What is wrong with it.
        fault: UnsoundPair,
    },
    /// A snapshot is not what the manifest says.
    #[error("{object}: it holds {got}, not {wanted}")]
    Other {
        /// The object.
        object: String,
        /// What is in it.
        got: String,
        /// What has to be in it.
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
        /// The cell that was to be pulled into it.
        ours: String,
    },
    /// The note in the folder cannot be used.
    #[error("{0}")]
    Note(CellNoteError),
    /// A file cannot be read or written.
    #[error("{path}: cannot {action} it: {cause}")]
    File {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
}

impl CellError {
    /// What the system says of the file at `path` when it was to `action` it.
    pub fn file(action: &'static str, path: &Path) -> impl Fn(io::Error) -> Self {
        move |cause| Self::File { action, path: path.to_owned(), cause }
    }
}
