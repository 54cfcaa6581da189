//! Errors with the exports that colleagues bring.

use std::io;
use std::path::{Path, PathBuf};

use crate::file_system::closing_command;

/// Why the folder, its key, or a change of what lies there is refused.
#[derive(Debug, thiserror::Error)]
pub enum ExportsError {
    /// There is something already where one is to be made.
    #[error("{path} is there already and was left as it is; name another one")]
    Taken {
        /// The path.
        path: PathBuf,
    },
    /// The key would lie where copies of the folder have it too.
    #[error(
        "the key {path} lies in the folder that it opens; keep it elsewhere, so that a copy of the folder opens for nobody"
    )]
    KeyInside {
        /// The path of the key.
        path: PathBuf,
    },
    /// The file of the key holds something else.
    #[error("{path} is no key of exports; `kith exports create` makes one")]
    NotAKey {
        /// The path.
        path: PathBuf,
    },
    /// Others than the owner may read the key, or enter the folder.
    #[error("other users of this machine may use {path}: `{}`", closing_command("go=", .path))]
    OpenToOthers {
        /// The path.
        path: PathBuf,
    },
    /// A file there does not open by the key.
    #[error("{path} cannot be read: {error}")]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Something there cannot be made, written or removed.
    #[error("{path} cannot be written: {error}")]
    Unwritten {
        /// The path.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The system gives no randomness.
    #[error("the system gives no random bytes: {0}")]
    Random(getrandom::Error),
    /// The link is void.
    #[error("this link holds no longer: it was replaced, revoked, or is too old")]
    VoidLink,
    /// The part, the link or the file to change does not exist.
    #[error("{0} is not there")]
    Missing(&'static str),
    /// A bound is met.
    #[error("{0}")]
    Bound(String),
    /// A file gave nothing.
    #[error("{0}")]
    NothingRead(String),
    /// The request cannot be carried out.
    #[error("{0}")]
    Unfit(&'static str),
}

impl ExportsError {
    /// Makes an error of what stops reading `path`.
    pub(crate) fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |error| Self::Unreadable { path: path.to_owned(), error }
    }

    /// Makes an error of what stops writing `path`.
    pub(crate) fn unwritten(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |error| Self::Unwritten { path: path.to_owned(), error }
    }
}
