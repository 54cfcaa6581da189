//! What can go wrong with the credential store.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rusqlite::{ErrorCode, ffi};

use crate::limits::CREDENTIAL_RESERVE_BYTES;

/// Why the credential store cannot be used. While it cannot, no credential is accepted.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder the store would be made in is not there.
    #[error("the folder {folder} for the credential store does not exist; make it first")]
    NoFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// There is no store, and this use of it does not make one.
    #[error("there is no credential store {path}; `kith keys create` makes one")]
    Missing {
        /// The path at which it was expected.
        path: PathBuf,
    },
    /// Users who are neither its owner nor of its group may write it.
    #[error("every user of this machine may write {path}, which decides who is let in: `chmod o= {path}`")]
    OpenToAll {
        /// The file.
        path: PathBuf,
    },
    /// Something else than a file is at the place.
    #[error("{path} is not a file; name the file that holds the credentials")]
    NotAFile {
        /// The place.
        path: PathBuf,
    },
    /// A file, but not a credential store. It was left as it is.
    #[error("{path} is not a credential store and was left as it is; name another file")]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// A store of a newer version of this program. It was left as it is.
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
    /// A store that is damaged. It was left as it is.
    #[error("the credential store {path} is damaged ({reason}); restore it from a copy")]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The first finding.
        reason: String,
    },
    /// The place cannot keep a write-ahead log, as on network file systems.
    #[error("the credential store {path} cannot keep a write-ahead log where it is; move it to a local disk")]
    NoWriteAheadLog {
        /// The file.
        path: PathBuf,
    },
    /// One of the store's files was removed or replaced under an open store.
    #[error(
        "{path} was removed or replaced while the credential store was open; no credential is accepted \
             until the server is started again"
    )]
    Replaced {
        /// The file that is not the opened one any more.
        path: PathBuf,
    },
    /// The credentials pulled from the cell are older than they may be.
    #[error(
        "{path}: credentials and the list of people to forget were last pulled {}, and may be {seconds} s old \
             (cell.age_max_seconds); see what `kith pull` says",
        age.map_or("never".to_owned(), |age| format!("{age} s ago"))
    )]
    Stale {
        /// The mark that a pull leaves.
        path: PathBuf,
        /// Its age in seconds; `None` if it is missing.
        age: Option<u64>,
        /// The greatest age, in seconds.
        seconds: u64,
    },
    /// Something else than a list for replicas.
    #[error("this is no list of credentials: {reason}")]
    MalformedList {
        /// The first finding.
        reason: String,
    },
    /// The clock cannot say when a credential that is to be made would expire.
    #[error("the clock is set before 1970, so that nothing can be made that expires; set the clock")]
    ClockBefore1970,
    /// The system has no randomness to make a credential from.
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
    /// There is no room, and what is kept for that is used up.
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
    /// Turns a database error at `path` into what it means for the store.
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

    /// Names the file a file system error is about.
    pub(crate) fn io_at(path: &Path) -> impl Fn(io::Error) -> Self {
        move |cause| Self::Io { path: path.to_owned(), cause }
    }
}

/// What helps against a store that SQLite may not open or write: who owns it, and who this process is. SQLite says neither, nor
/// that it writes files beside the store.
fn remedy(path: &Path, cause: &rusqlite::Error) -> String {
    let is_refused = matches!(
        cause.sqlite_error_code(),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied)
    );
    let folder = path.parent().unwrap_or(Path::new("/"));
    let (true, Ok(file), Ok(beside)) = (is_refused, fs::metadata(path), fs::metadata(folder)) else {
        return String::new();
    };
    let own = rustix::process::geteuid().as_raw();
    format!(
        "; it belongs to user {} and its folder to user {}, and this is user {own}, who has to write both, since files are \
         made beside it: `chown {own}` both, or mount their volume for writing",
        file.uid(),
        beside.uid()
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
