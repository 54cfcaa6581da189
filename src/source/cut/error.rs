//! Why a lake cannot be cut.

use std::io;
use std::path::PathBuf;

use crate::limits::CUT_ORGANIZATIONS_MAX;
use crate::model::column::ColumnFull;
use crate::source::error::SourceError;
use crate::source::faults::SourceFaults;

/// Why nothing was cut.
#[derive(Debug, thiserror::Error)]
pub enum CutError {
    /// Rows of the lake have faults.
    #[error("{0}")]
    Faults(SourceFaults),
    /// A table cannot be found or read.
    #[error("{0}")]
    Table(SourceError),
    /// The lake does not have the organization.
    #[error("{0} is no organization of this lake: it is in neither organizations nor organization.json")]
    NoOrganization(String),
    /// The organization was named twice.
    #[error("{0} is named twice")]
    OrganizationTwice(String),
    /// The id cannot be the name of a folder.
    #[error("{0} cannot be the name of a folder; ids here are letters, digits, '_', '-' and '.'")]
    NoFolderName(String),
    /// More organizations than one cut takes.
    #[error("{0} organizations at once; name at most {CUT_ORGANIZATIONS_MAX}, or use deploy/lake")]
    TooMany(usize),
    /// The folder holds something else than tables.
    #[error("{0} holds {1}, which is no table; name another folder, or empty this one")]
    Occupied(PathBuf, String),
    /// A file cannot be written.
    #[error("{0}: {1}")]
    Write(PathBuf, io::Error),
    /// More ids than a cut can hold.
    #[error("the ids within reach are too many: {0}")]
    Full(ColumnFull),
}

impl From<ColumnFull> for CutError {
    fn from(full: ColumnFull) -> Self {
        Self::Full(full)
    }
}
