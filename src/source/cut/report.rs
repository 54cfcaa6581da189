//! The result of a cut.

use std::path::PathBuf;

use crate::source::ignored::UnknownField;

/// The tables that a cut wrote.
#[derive(Debug)]
pub struct Cut {
    /// The organizations, in the order they were asked for.
    pub organizations: Vec<CutOrganization>,
    /// Fields that are in no table's description.
    pub warnings: Vec<UnknownField>,
}

/// The tables that a cut wrote of one organization.
#[derive(Debug)]
pub struct CutOrganization {
    /// Its id.
    pub id: String,
    /// The folder of its source tables.
    pub folder: PathBuf,
    /// The rows of each table.
    pub rows: Vec<(&'static str, u64)>,
}
