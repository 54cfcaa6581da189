//! What can go wrong with a list. No message repeats a handle or an address.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::limits::SUPPRESSION_LIST_BYTES_MAX;
use crate::suppress::format::FORMAT_VERSION;

/// Why a list cannot be used, or was not changed.
#[derive(Debug)]
pub enum ListError {
    /// There is none.
    Missing {
        /// Where it was sought.
        path: PathBuf,
    },
    /// There is one already where a new one was to be made.
    Exists {
        /// Where.
        path: PathBuf,
    },
    /// Something that is no file.
    NotAFile {
        /// Where.
        path: PathBuf,
    },
    /// The system does not let it be read or written.
    Io {
        /// The list.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// It is longer than any list may be.
    TooLong {
        /// The list.
        path: PathBuf,
    },
    /// It was written to while it was read.
    Unsteady {
        /// The list.
        path: PathBuf,
    },
    /// A line that no list has.
    Line {
        /// The list.
        path: PathBuf,
        /// Which, from 1.
        line: usize,
        /// What is wrong with it.
        fault: LineFault,
    },
    /// The system has no randomness for a new list's salt.
    Randomness(getrandom::Error),
}

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineFault {
    /// Bytes that are no text.
    NotUtf8,
    /// The first line is not that of a list.
    NotAList,
    /// The list is of another version.
    Version(u32),
    /// The second line tells no salt.
    Salt,
    /// An entry has this many columns.
    Columns(usize),
    /// The first column is no organization's id.
    Organization,
    /// The second column is no kind of entry.
    Kind,
    /// The third column is no hash.
    Hash,
    /// The fourth column is no time as lists write it.
    Time,
    /// The entry does not stand behind the one before it.
    Order,
    /// The last line does not tell what last lines do.
    End,
    /// The last line tells another number of entries than these.
    Count(usize),
    /// What stands before the last line is not what was written.
    Checksum,
    /// The text ends before its last line.
    CutOff,
    /// Something stands behind the last line.
    AfterEnd,
}

impl fmt::Display for ListError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { path } => {
                let path = path.display();
                write!(out, "there is no suppression list {path}; `kith suppress create` makes an empty one")
            }
            Self::Exists { path } => write!(out, "{} is there already", path.display()),
            Self::NotAFile { path } => {
                write!(out, "{} is not a file, so no suppression list", path.display())
            }
            Self::Io { path, action, source } => {
                write!(out, "cannot {action} the suppression list {}: {source}", path.display())
            }
            Self::TooLong { path } => write!(
                out,
                "the suppression list {} is longer than {SUPPRESSION_LIST_BYTES_MAX} bytes",
                path.display()
            ),
            Self::Unsteady { path } => {
                let path = path.display();
                write!(out, "the suppression list {path} is being written to; replace it as a whole")
            }
            Self::Line { path, line, fault } => write!(
                out,
                "the suppression list {} cannot be used: line {line} {fault}; bring back a copy of it, and \
                 change it with `kith suppress` alone",
                path.display()
            ),
            Self::Randomness(source) => write!(out, "the system has no random bits for a salt: {source}"),
        }
    }
}

impl std::error::Error for ListError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Randomness(source) => Some(source),
            _ => None, // the others have no cause beside themselves
        }
    }
}

impl fmt::Display for LineFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUtf8 => write!(out, "is not UTF-8"),
            Self::NotAList => write!(out, "is not that of a suppression list"),
            Self::Version(got) => {
                write!(out, "tells version {got}, and this program knows version {FORMAT_VERSION}")
            }
            Self::Salt => write!(out, "tells no salt"),
            Self::Columns(got) => write!(out, "has {got} columns and not 4"),
            Self::Organization => write!(out, "names no organization"),
            Self::Kind => write!(out, "is of no known kind"),
            Self::Hash => write!(out, "has no hash"),
            Self::Time => write!(out, "has no time"),
            Self::Order => write!(out, "is not behind the line before it"),
            Self::End => write!(out, "does not tell a number of entries and a checksum"),
            Self::Count(expected) => {
                write!(out, "tells another number of entries than the {expected} there are")
            }
            Self::Checksum => write!(out, "tells another checksum: the list was damaged or edited"),
            Self::CutOff => write!(out, "is cut off, or missing"),
            Self::AfterEnd => write!(out, "stands behind the end"),
        }
    }
}
