//! Errors of writing, opening and asking a store.
//!
//! No message repeats the search terms, so all may be logged.

use std::io;
use std::path::PathBuf;

use rusqlite::ErrorCode;

use crate::limits::{PHRASE_BYTES_MAX, PHRASE_WORDS_MAX};
use crate::relational::schema::SCHEMA_VERSION;

/// The remedy for a store that cannot be used.
const REBUILD: &str = "run `kith build` again";

/// Why a store was not written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the relational store {path}: {cause}; make room for it there")]
pub struct WriteError {
    /// The path it was meant for.
    pub path: PathBuf,
    /// The error of the system, or of SQLite.
    pub cause: io::Error,
}

/// Why a store cannot be used. The snapshot itself can.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreUnusable {
    /// The store does not exist.
    #[error("there is no relational store {path}; {REBUILD}")]
    Absent {
        /// The path at which it was expected.
        path: PathBuf,
    },
    /// It was built with another snapshot than the one beside it.
    #[error("the relational store {path} is of another snapshot than the one beside it; {REBUILD}")]
    OfAnotherSnapshot {
        /// The store.
        path: PathBuf,
    },
    /// Its tables are of a newer version.
    #[error(
        "the relational store {path} has version {found} and this program knows version {SCHEMA_VERSION}; \
             use a newer kith, or {REBUILD} with this one"
    )]
    Newer {
        /// The store.
        path: PathBuf,
        /// The version of its tables.
        found: i32,
    },
    /// Not a store: another program's database, any other file, a folder.
    #[error("{path} is not a relational store; take it away and {REBUILD}")]
    NotAStore {
        /// The value found.
        path: PathBuf,
    },
    /// The store differs from what was written.
    #[error("the relational store {path} is damaged ({reason}); {REBUILD}")]
    Damaged {
        /// The store.
        path: PathBuf,
        /// The first finding.
        reason: String,
    },
    /// The system does not allow reading it.
    #[error("cannot read the relational store {path}: {reason}; let the server read it, or {REBUILD}")]
    Unreadable {
        /// The store.
        path: PathBuf,
        /// The reason given.
        reason: String,
    },
}

/// Why a look-up has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RelationalError {
    /// It missed its deadline.
    #[error("the look-up in the relational store was not done at its deadline")]
    Late,
    /// A phrase is longer than any a search makes.
    #[error(
        "a phrase to look up has more than {PHRASE_WORDS_MAX} words or {PHRASE_BYTES_MAX} bytes; \
             ask for less"
    )]
    PhraseTooLong,
    /// The store turned out to differ from what was written.
    #[error("the relational store is damaged ({reason}); {REBUILD}")]
    Damaged {
        /// The first finding.
        reason: String,
    },
    /// The system does not allow reading the store.
    #[error("cannot read the relational store: {reason}")]
    Unreadable {
        /// The reason given.
        reason: String,
    },
}

impl RelationalError {
    /// The error for content that a store must not have.
    pub(crate) fn damaged(reason: &str) -> Self {
        Self::Damaged { reason: reason.to_owned() }
    }
}

impl From<rusqlite::Error> for RelationalError {
    /// Converts a database error, dropping the statement and the search terms.
    fn from(source: rusqlite::Error) -> Self {
        match source.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => Self::Late,
            Some(
                ErrorCode::SystemIoFailure
                | ErrorCode::CannotOpen
                | ErrorCode::OutOfMemory
                | ErrorCode::PermissionDenied,
            ) => Self::Unreadable { reason: description(&source) },
            _ => Self::Damaged { reason: description(&source) },
        }
    }
}

/// Returns SQLite's name of an error, without the statement.
fn description(source: &rusqlite::Error) -> String {
    match source.sqlite_error() {
        Some(error) => error.to_string(),
        None => "a value is of another kind than was written".to_owned(),
    }
}
