//! Whether what was prepared when the snapshot was built is what its tables give.
//!
//! Not part of a load: it costs what preparing did.

use crate::model::column::TextColumn;
use crate::model::dataset::Dataset;
use crate::model::names::NameTable;
use crate::prepare::names;
use crate::snapshot::error::SnapshotError;
use crate::snapshot::fault::Fault;

/// Prepares the names of people and companies again and compares.
///
/// # Errors
/// The first table of names that is another one.
pub fn check_prepared(dataset: &Dataset) -> Result<(), SnapshotError> {
    compare("person_names", &dataset.people.names, &dataset.person_names)?;
    compare("company_names", &dataset.companies.names, &dataset.company_names)
}

fn compare(table: &'static str, names: &TextColumn, prepared: &NameTable) -> Result<(), SnapshotError> {
    if names::build(names).is_ok_and(|again| again == *prepared) {
        Ok(())
    } else {
        Err(SnapshotError::column(table, Fault::Stale))
    }
}
