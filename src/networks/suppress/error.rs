//! Errors of a list. No message repeats a handle or an address.

use std::io;
use std::path::PathBuf;

use crate::file_system::closing_command;
use crate::limits::SUPPRESSION_LIST_BYTES_MAX;

/// Why a list cannot be used, or was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// There is no list.
    #[error("there is no suppression list {path}; `kith suppress create` makes an empty one")]
    Missing {
        /// The path at which it was expected.
        path: PathBuf,
    },
    /// The list has disappeared.
    #[error(
        "the suppression list {path} has disappeared: {mark} says that there was one; bring back a copy of it, \
             or `kith suppress create` makes an empty one, and everybody who was on it comes back"
    )]
    Gone {
        /// The path of the list.
        path: PathBuf,
        /// The mark beside it.
        mark: PathBuf,
    },
    /// It lacks entries that were added to it.
    #[error(
        "the suppression list {path} is an older copy: it lacks {missing} of the entries that were added to it, as {mark} \
             says; put back the newest copy, or, if that is lost, remove {mark}, and the people of those entries come back"
    )]
    Older {
        /// The path of the list.
        path: PathBuf,
        /// The number of missing entries.
        missing: usize,
        /// The mark beside it.
        mark: PathBuf,
    },
    /// The path for a new list is taken.
    #[error("{path} is there already")]
    Exists {
        /// Where.
        path: PathBuf,
    },
    /// Not a regular file.
    #[error("{path} is not a file, so no suppression list")]
    NotAFile {
        /// Where.
        path: PathBuf,
    },
    /// The system does not allow reading or writing it.
    #[error("cannot {action} the suppression list {path}: {cause}")]
    Io {
        /// The list.
        path: PathBuf,
        /// The attempted action.
        action: &'static str,
        /// The system's error.
        cause: io::Error,
    },
    /// Users other than its owner and group can write it.
    #[error("every user of this machine may write {path}, which says who is forgotten: `{}`", closing_command("o-w", .path))]
    OpenToAll {
        /// The list.
        path: PathBuf,
    },
    /// It exceeds the maximum size.
    #[error("the suppression list {path} is longer than {SUPPRESSION_LIST_BYTES_MAX} bytes")]
    TooLong {
        /// The list.
        path: PathBuf,
    },
    /// It was written to while it was read.
    #[error("the suppression list {path} is being written to; replace it as a whole")]
    Unsteady {
        /// The list.
        path: PathBuf,
    },
    /// A malformed line.
    #[error(
        "the suppression list {path} cannot be used: line {line} {fault}; bring back a copy of it, and \
             change it with `kith suppress` alone"
    )]
    Line {
        /// The list.
        path: PathBuf,
        /// Which, from 1.
        line: usize,
        /// The fault.
        fault: LineFault,
    },
    /// The system has no randomness for a new list's salt.
    #[error("the system has no random bits for a salt: {0}")]
    Randomness(getrandom::Error),
}

/// A fault of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// Bytes that are not text.
    #[error("is not UTF-8")]
    NotUtf8,
    /// The first line is not a list's header.
    #[error("is not that of a suppression list")]
    NotAList,
    /// The list is of another version.
    #[error("has version {got}, and this program knows versions up to {known}")]
    Version {
        /// The version of the list.
        got: u32,
        /// The newest version that this program knows.
        known: u32,
    },
    /// The second line is not a salt.
    #[error("has no salt")]
    Salt,
    /// An entry has this many columns.
    #[error("has {0} columns and not 4")]
    Columns(usize),
    /// The first column is not an organization's id.
    #[error("names no organization")]
    Organization,
    /// The second column is not a kind of entry.
    #[error("is of no known kind")]
    Kind,
    /// The third column is not a hash.
    #[error("has no hash")]
    Hash,
    /// The fourth column is not a time in the list's format.
    #[error("has no time")]
    Time,
    /// The entry does not sort after the previous one.
    #[error("is not behind the line before it")]
    Order,
    /// The last line is malformed.
    #[error("has no number of entries and checksum")]
    End,
    /// The last line states another number of entries.
    #[error("has another number of entries than the {0} there are")]
    Count(usize),
    /// The lines before the last one do not match its checksum.
    #[error("has another checksum: the list was damaged or edited")]
    Checksum,
    /// The text ends before its last line.
    #[error("is cut off, or missing")]
    CutOff,
    /// Text follows the last line.
    #[error("stands behind the end")]
    AfterEnd,
}
