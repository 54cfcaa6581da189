//! Whether what was prepared when the snapshot was built is what its tables give.
//!
//! Not part of a load: it costs what preparing did.

use crate::model::column::TextColumn;
use crate::model::dataset::Dataset;
use crate::model::names::NameTable;
use crate::prepare::{names, vectors};
use crate::snapshot::error::SnapshotError;
use crate::snapshot::fault::ContentFault;

/// The parts that [`check_prepared`] could look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prepared {
    /// Everything that was prepared.
    All,
    /// Everything but the vectors: a model made them that this program does not have.
    AllButVectors,
}

/// Prepares the names and the vectors of people and companies again and compares.
///
/// # Errors
/// Returns the first difference.
pub fn check_prepared(dataset: &Dataset) -> Result<Prepared, SnapshotError> {
    compare("person_names", &dataset.people.names, &dataset.person_names)?;
    compare("company_names", &dataset.companies.names, &dataset.company_names)?;
    compare_vectors(dataset)
}

fn compare(table: &'static str, names: &TextColumn, prepared: &NameTable) -> Result<(), SnapshotError> {
    if names::build(names).is_ok_and(|again| again == *prepared) {
        Ok(())
    } else {
        Err(SnapshotError::column(table, ContentFault::Stale))
    }
}

fn compare_vectors(dataset: &Dataset) -> Result<Prepared, SnapshotError> {
    let Some(again) = vectors::build_again(dataset) else {
        return Ok(Prepared::AllButVectors);
    };
    let prepared = &dataset.vectors;
    let columns = [
        ("vectors.positions", again.positions == prepared.positions),
        ("vectors.cities", again.cities == prepared.cities),
        ("vectors.countries", again.countries == prepared.countries),
        ("vectors.industries", again.industries == prepared.industries),
        ("vectors.headquarters", again.headquarters == prepared.headquarters),
        ("vectors.company_names", again.company_names == prepared.company_names),
    ];
    match columns.into_iter().find(|(_, same)| !same) {
        Some((column, _)) => Err(SnapshotError::column(column, ContentFault::Stale)),
        None => Ok(Prepared::All),
    }
}
