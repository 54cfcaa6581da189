//! The differences of files on Unix and on Windows: who may use one, what identifies it, and how it takes its name.
//!
//! Each function has the same promise on both. Only this module knows on which of them it runs.

#[cfg(any(windows, test))]
mod access_list;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;

/// An access to a file that other users of the machine must not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Write access for every user.
    Write,
    /// Read or write access for every user.
    ReadOrWrite,
    /// Any access for every user, or for members of the file's group.
    Any,
}

/// The metadata that change when a file is changed or replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileMarks {
    /// Identifies the file, whatever its name is; zeros on Windows.
    pub identity: (u64, u64),
    /// The time of the last change of its bytes, in seconds since 1970 and nanoseconds.
    pub modified: (i64, i64),
    /// The time of the last change of all, which no user code can set if the system has such a time.
    pub changed: (i64, i64),
}
