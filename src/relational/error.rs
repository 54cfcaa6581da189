//! What can go wrong with a store: when it is written, when it is opened, when it is asked.
//!
//! No message repeats what was looked for, so that all of them may be logged.

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
    /// There is no such store.
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
    /// It has tables of a newer version than this program knows.
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
    /// Something, but no store: another program's database, any other file, a folder.
    #[error("{path} is not a relational store; take it away and {REBUILD}")]
    NotAStore {
        /// The value found.
        path: PathBuf,
    },
    /// A store that is not as it was written.
    #[error("the relational store {path} is damaged ({reason}); {REBUILD}")]
    Damaged {
        /// The store.
        path: PathBuf,
        /// The first finding.
        reason: String,
    },
    /// The system does not let it be read.
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
    /// It was not done at its deadline.
    #[error("the look-up in the relational store was not done at its deadline")]
    Late,
    /// A phrase is longer than any a search makes.
    #[error(
        "a phrase to look up has more than {PHRASE_WORDS_MAX} words or {PHRASE_BYTES_MAX} bytes; \
             ask for less"
    )]
    PhraseTooLong,
    /// The store turned out not to be as it was written.
    #[error("the relational store is damaged ({reason}); {REBUILD}")]
    Damaged {
        /// The first finding.
        reason: String,
    },
    /// The system does not let the store be read.
    #[error("cannot read the relational store: {reason}")]
    Unreadable {
        /// The reason given.
        reason: String,
    },
}

impl RelationalError {
    /// For what a store must not hold.
    pub(crate) fn damaged(reason: &str) -> Self {
        Self::Damaged { reason: reason.to_owned() }
    }
}

impl From<rusqlite::Error> for RelationalError {
    /// What a database error means, without the statement and without what was looked for.
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

/// Returns SQLite's name of an error, and nothing of the statement.
fn description(source: &rusqlite::Error) -> String {
    match source.sqlite_error() {
        Some(error) => error.to_string(),
        None => "a value is of another kind than was written".to_owned(),
    }
}
