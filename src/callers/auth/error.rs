//! Errors of the credential store.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{ErrorCode, ffi};

use crate::file_system::{closing_command, owner};
use crate::limits::CREDENTIAL_RESERVE_BYTES;
use crate::system;

/// Why the credential store cannot be used. No credential is accepted until it can.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder for the store does not exist.
    #[error("the folder {folder} for the credential store does not exist; make it first")]
    NoFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// The store does not exist, and this operation does not create one.
    #[error("there is no credential store {path}; `kith keys create` makes one")]
    Missing {
        /// The path at which it was expected.
        path: PathBuf,
    },
    /// Users other than its owner and group can write it.
    #[error("every user of this machine may write {path}, which decides who is let in: `{}`", closing_command("o=", .path))]
    OpenToAll {
        /// The file.
        path: PathBuf,
    },
    /// The path is not a regular file.
    #[error("{path} is not a file; name the file that holds the credentials")]
    NotAFile {
        /// The place.
        path: PathBuf,
    },
    /// The file is not a credential store. It was left as it is.
    #[error("{path} is not a credential store and was left as it is; name another file")]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// The store is from a newer version of this program. It was left as it is.
    #[error(
        "the credential store {path} has version {found} and this program knows versions up to \
             {supported}; use a newer kith"
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of its tables.
        found: i32,
        /// The newest version this program knows.
        supported: i32,
    },
    /// The store is damaged. It was left as it is.
    #[error("the credential store {path} is damaged ({reason}); restore it from a copy")]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The first finding.
        reason: String,
    },
    /// The file system cannot hold a write-ahead log; network file systems cannot.
    #[error("the credential store {path} cannot keep a write-ahead log where it is; move it to a local disk")]
    NoWriteAheadLog {
        /// The file.
        path: PathBuf,
    },
    /// One of the store's files was removed or replaced while the store was open.
    #[error(
        "{path} was removed or replaced while the credential store was open; no credential is accepted \
             until the server is started again"
    )]
    Replaced {
        /// The file that is no longer the opened one.
        path: PathBuf,
    },
    /// The credentials pulled from the cell are too old.
    #[error(
        "{path}: credentials and the list of people to forget were last pulled {}, and may be {seconds} s old \
             (cell.age_max_seconds); see what `kith pull` says",
        age.map_or("never".to_owned(), |age| format!("{age} s ago"))
    )]
    Stale {
        /// The mark of the last pull.
        path: PathBuf,
        /// Its age in seconds; `None` if it does not exist.
        age: Option<u64>,
        /// The maximum age, in seconds.
        seconds: u64,
    },
    /// The bytes are not a list for replicas.
    #[error("this is no list of credentials: {reason}")]
    MalformedList {
        /// The first finding.
        reason: String,
    },
    /// The clock is set before 1970, so no expiry can be computed for a new credential.
    #[error("the clock is set before 1970, so that nothing can be made that expires; set the clock")]
    ClockBefore1970,
    /// The system has no randomness for a credential.
    #[error("the system has no randomness for a credential: {cause}")]
    Random {
        /// The system's error.
        cause: getrandom::Error,
    },
    /// The file system refused.
    #[error("the credential store {path}: {cause}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        cause: io::Error,
    },
    /// The disk is full, and the reserve is used up.
    #[error(
        "the disk of the credential store {path} is full ({cause}): free {} KiB and try again",
        CREDENTIAL_RESERVE_BYTES >> 10
    )]
    Full {
        /// The store.
        path: PathBuf,
        /// The underlying error.
        cause: rusqlite::Error,
    },
    /// The database refused.
    #[error("the credential store {path}: {cause}{}", remedy(path, cause))]
    Database {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        cause: rusqlite::Error,
    },
}

impl StoreError {
    /// Turns a database error at `path` into an error of the store.
    pub(crate) fn at(path: &Path) -> impl Fn(rusqlite::Error) -> Self {
        move |cause| {
            let path = path.to_owned();
            match cause.sqlite_error_code() {
                Some(ErrorCode::NotADatabase) => Self::NotAStore { path },
                Some(ErrorCode::DatabaseCorrupt) => Self::Corrupt { path, reason: cause.to_string() },
                Some(ErrorCode::DiskFull) => Self::Full { path, cause },
                // The index of the write-ahead log cannot grow.
                _ if cause.sqlite_extended_error_code() == Some(ffi::SQLITE_IOERR_SHMSIZE) => {
                    Self::Full { path, cause }
                }
                _ => Self::Database { path, cause },
            }
        }
    }

    /// Adds the file's path to a file system error.
    pub(crate) fn io_at(path: &Path) -> impl Fn(io::Error) -> Self {
        move |cause| Self::Io { path: path.to_owned(), cause }
    }
}

/// The remedy if SQLite may not open or write the store: the store's owner, and the user of this process. SQLite names
/// neither, nor mentions that it writes files beside the store.
fn remedy(path: &Path, cause: &rusqlite::Error) -> String {
    let is_refused = matches!(
        cause.sqlite_error_code(),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied)
    );
    let folder = path.parent().unwrap_or(Path::new("/"));
    let (true, Ok(file), Ok(beside)) = (is_refused, fs::metadata(path), fs::metadata(folder)) else {
        return String::new();
    };
    let (Some(own), Some(of_file), Some(of_folder)) = (system::user(), owner(&file), owner(&beside)) else {
        return "; this user has to be able to write it and its folder, since files are made beside it"
            .to_owned();
    };
    format!(
        "; it belongs to user {of_file} and its folder to user {of_folder}, and this is user {own}, who has to write both, \
         since files are made beside it: `chown {own}` both, or mount their volume for writing"
    )
}

impl From<getrandom::Error> for StoreError {
    fn from(cause: getrandom::Error) -> Self {
        Self::Random { cause }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error;

    #[test]
    fn the_sentence_of_an_error_ends_with_what_the_system_said() {
        let path = Path::new("credentials.db");
        let kind = io::ErrorKind::PermissionDenied;
        for (error, cause) in [
            (StoreError::io_at(path)(io::Error::from(kind)), kind.to_string()),
            (StoreError::at(path)(rusqlite::Error::InvalidQuery), rusqlite::Error::InvalidQuery.to_string()),
            (getrandom::Error::UNSUPPORTED.into(), getrandom::Error::UNSUPPORTED.to_string()),
        ] {
            assert!(error.to_string().ends_with(&cause), "{error:?}");
            assert!(error.source().is_none(), "{error:?}");
        }
    }
}
