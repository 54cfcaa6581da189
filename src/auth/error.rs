//! What can go wrong with the credential store.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use crate::auth::database::SCHEMA_VERSION;

/// Why the credential store cannot be used. While it cannot, no credential is accepted.
#[derive(Debug)]
pub enum StoreError {
    /// The folder the store would be made in is not there.
    NoFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// There is no store, and this use of it does not make one.
    Missing {
        /// Where it was sought.
        path: PathBuf,
    },
    /// Something else than a file is at the place.
    NotAFile {
        /// The place.
        path: PathBuf,
    },
    /// A file, but not a credential store. It was left as it is.
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// A store of a newer version of this program. It was left as it is.
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of its tables.
        found: i32,
    },
    /// A store that is damaged. It was left as it is.
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What was found first.
        reason: String,
    },
    /// The place cannot keep a write-ahead log, as on network file systems.
    NoWriteAheadLog {
        /// The file.
        path: PathBuf,
    },
    /// One of the store's files was removed or replaced under an open store.
    Replaced {
        /// The file that is not the opened one any more.
        path: PathBuf,
    },
    /// The system has no randomness to make a credential from.
    Random {
        /// What the system says.
        source: getrandom::Error,
    },
    /// The file system refused.
    Io {
        /// The file.
        path: PathBuf,
        /// What it says.
        source: io::Error,
    },
    /// The database refused.
    Database {
        /// The file.
        path: PathBuf,
        /// What it says.
        source: rusqlite::Error,
    },
}

impl StoreError {
    /// Turns a database error at `path` into what it means for the store.
    pub(crate) fn at(path: &Path) -> impl Fn(rusqlite::Error) -> Self {
        move |source| {
            let path = path.to_owned();
            match source.sqlite_error_code() {
                Some(ErrorCode::NotADatabase) => Self::NotAStore { path },
                Some(ErrorCode::DatabaseCorrupt) => Self::Corrupt { path, reason: source.to_string() },
                _ => Self::Database { path, source },
            }
        }
    }

    /// Names the file a file system error is about.
    pub(crate) fn io_at(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }
}

impl From<getrandom::Error> for StoreError {
    fn from(source: getrandom::Error) -> Self {
        Self::Random { source }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFolder { folder } => {
                write!(
                    f,
                    "the folder {} for the credential store does not exist; make it first",
                    folder.display()
                )
            }
            Self::Missing { path } => {
                write!(f, "there is no credential store {}; `kith keys create` makes one", path.display())
            }
            Self::NotAFile { path } => {
                write!(f, "{} is not a file; name the file that holds the credentials", path.display())
            }
            Self::NotAStore { path } => {
                write!(
                    f,
                    "{} is not a credential store and was left as it is; name another file",
                    path.display()
                )
            }
            Self::Newer { path, found } => write!(
                f,
                "the credential store {} has version {found} and this program knows versions up to \
                 {SCHEMA_VERSION}; use a newer kith",
                path.display()
            ),
            Self::Corrupt { path, reason } => {
                write!(
                    f,
                    "the credential store {} is damaged ({reason}); restore it from a copy",
                    path.display()
                )
            }
            Self::NoWriteAheadLog { path } => write!(
                f,
                "the credential store {} cannot keep a write-ahead log where it is; move it to a local disk",
                path.display()
            ),
            Self::Replaced { path } => write!(
                f,
                "{} was removed or replaced while the credential store was open; no credential is accepted \
                 until the server is started again",
                path.display()
            ),
            Self::Random { source } => write!(f, "the system has no randomness for a credential: {source}"),
            Self::Io { path, source } => write!(f, "the credential store {}: {source}", path.display()),
            Self::Database { path, source } => write!(f, "the credential store {}: {source}", path.display()),
        }
    }
}

impl std::error::Error for StoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Random { source } => Some(source),
            Self::Io { source, .. } => Some(source),
            Self::Database { source, .. } => Some(source),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error;

    #[test]
    fn what_the_system_said_is_the_source_of_an_error() {
        let path = Path::new("credentials.db");
        let io = StoreError::io_at(path)(io::Error::from(io::ErrorKind::PermissionDenied));
        let database = StoreError::at(path)(rusqlite::Error::InvalidQuery);
        for error in [io, database, getrandom::Error::UNSUPPORTED.into()] {
            let source = error.source().map(ToString::to_string);
            assert!(source.is_some_and(|source| error.to_string().ends_with(&source)), "{error:?}");
        }
        assert!(StoreError::Missing { path: path.to_owned() }.source().is_none());
    }
}
