//! Errors of the file of asks, and why a write is refused.

use std::io;
use std::path::{Path, PathBuf};

use kith::asks::event::EventKind;
use rusqlite::ErrorCode;

use crate::ask_file::writing::WrittenAsk;
use crate::file_system::closing_command;

/// Why the file of asks cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AskStoreError {
    /// The file does not exist.
    #[error("there is no file of asks {path}; `kith ask create --asks {path}` makes one")]
    Missing {
        /// The path at which it was expected.
        path: PathBuf,
    },
    /// The path for a new file is taken.
    #[error("{path} is there already and was left as it is; name another file")]
    Taken {
        /// The path.
        path: PathBuf,
    },
    /// Not a file of asks. It was left as it is.
    #[error("{path} is no file of asks and was left as it is; name another file")]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// A file of a newer version of this program. It was left as it is.
    #[error(
        "the file of asks {path} has version {found} and this program knows version {supported}; use a newer kith"
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of its tables.
        found: i32,
        /// The version that this program knows.
        supported: i32,
    },
    /// A damaged file. It was left as it is.
    #[error("the file of asks {path} is damaged ({reason}); restore it from a copy")]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The first finding.
        reason: String,
    },
    /// The file was removed or replaced under a server.
    #[error(
        "the file of asks {path} was removed or replaced while it was open; put it back or start the server again"
    )]
    Replaced {
        /// The file.
        path: PathBuf,
    },
    /// Users other than its owner and group can write it.
    #[error(
        "every user of this machine may write {path}, which says who was asked for what: `{}`",
        closing_command("o=", .path)
    )]
    OpenToAll {
        /// The file.
        path: PathBuf,
    },
    /// A row that no version of this program wrote.
    #[error("the asks have a row that says nothing kith knows: {row:?}; restore them from a copy")]
    OddRow {
        /// Its id.
        row: String,
    },
    /// The database has none of this program's tables.
    #[error("the database {place} has no asks; `kith ask create --asks postgres://…` makes room for them")]
    NoTables {
        /// The address, without user and password.
        place: String,
    },
    /// The database already has them.
    #[error("the database {place} has asks already; they were left as they are")]
    TablesTaken {
        /// The address, without user and password.
        place: String,
    },
    /// The database has tables of a newer version of this program.
    #[error(
        "the asks in the database {place} have version {found} and this program knows version {supported}; use a newer kith"
    )]
    NewerTables {
        /// The address, without user and password.
        place: String,
        /// Their version.
        found: i64,
        /// The version that this program knows.
        supported: i64,
    },
    /// The database cannot be reached, or refuses.
    #[error("the database {place}: {reason}")]
    Server {
        /// The address, without user and password.
        place: String,
        /// The server's message.
        reason: String,
    },
    /// A storage that only another build of this program can use.
    #[error(
        "{place}: this build of kith keeps asks in a file alone; name one, or build kith with `--features postgres`"
    )]
    OtherBuild {
        /// The storage, without a password.
        place: String,
    },
    /// The disk is full.
    #[error("the disk of the file of asks {path} is full: free some room and try again; nothing was written")]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// The system has no randomness for an id.
    #[error("the system has no randomness for an id: {0}")]
    Random(getrandom::Error),
    /// The file system refused.
    #[error("the file of asks {path}: {cause}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        cause: io::Error,
    },
    /// The database refused.
    #[error(
        "the file of asks {path}: {cause}; it and its folder have to be writable for the user who runs kith"
    )]
    Database {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        cause: rusqlite::Error,
    },
}

impl AskStoreError {
    /// Turns a database error at `path` into an error of the file.
    pub(crate) fn at(path: &Path) -> impl Fn(rusqlite::Error) -> Self {
        move |cause| {
            let path = path.to_owned();
            match cause.sqlite_error_code() {
                Some(ErrorCode::NotADatabase) => Self::NotAStore { path },
                Some(ErrorCode::DatabaseCorrupt) => Self::Corrupt { path, reason: cause.to_string() },
                Some(ErrorCode::DiskFull) => Self::Full { path },
                _ => Self::Database { path, cause },
            }
        }
    }

    /// Adds the file's path to a file system error.
    pub(crate) fn io_at(path: &Path) -> impl Fn(io::Error) -> Self {
        move |cause| Self::Io { path: path.to_owned(), cause }
    }
}

/// Why an event is not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteRefused {
    /// There is no such ask.
    #[error("There is no such ask that you can see.")]
    UnknownAsk,
    /// Another writer has to report it.
    #[error("That is for others to say: {of}.")]
    NotTheirs {
        /// For whom.
        of: &'static str,
    },
    /// It does not follow the present state.
    #[error("{}", conflict(*.wanted, *.state))]
    State {
        /// The refused event.
        wanted: EventKind,
        /// The state.
        state: EventKind,
    },
    /// The same member has another open ask for the same target.
    #[error("Another ask of yours for this person is open: {other}.")]
    OtherOpen {
        /// Its id.
        other: String,
    },
    /// The key was already used for another write.
    #[error("This key was used for something else: {first}; send another key.")]
    KeyUsed {
        /// The first write with this key.
        first: String,
    },
    /// Not a refusal: the dry run's result.
    #[error("this was a dry run")]
    DryRun(Box<WrittenAsk>),
    /// The file cannot be used.
    #[error(transparent)]
    Store(#[from] AskStoreError),
}

fn conflict(wanted: EventKind, state: EventKind) -> String {
    match wanted {
        EventKind::Reopened => "The ask is asked: there is nothing to take back.".to_owned(),
        _ => format!("The ask is {}: {} does not follow.", state.name(), wanted.name()),
    }
}
