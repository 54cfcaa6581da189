//! Compares prepared results with those computed again from the tables.
//!
//! Not part of a load: it costs as much as preparing did.

use crate::model::column::TextColumn;
use crate::model::dataset::Dataset;
use crate::model::names::NameTable;
use crate::model::vectors::Vectors;
use crate::prepare::names;
use crate::snapshot::error::SnapshotError;
use crate::snapshot::fault::ContentFault;

/// The parts that [`check_prepared`] was able to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prepared {
    /// Everything prepared.
    All,
    /// Everything but the vectors: this program lacks the model that made them.
    AllButVectors,
}

/// Prepares the names of people and companies again and compares them, and compares the vectors with `made_again`;
/// `None` if this program lacks the model that made them.
///
/// # Errors
/// Returns the first difference.
pub fn check_prepared(dataset: &Dataset, made_again: Option<&Vectors>) -> Result<Prepared, SnapshotError> {
    compare("person_names", &dataset.people.names, &dataset.person_names)?;
    compare("company_names", &dataset.companies.names, &dataset.company_names)?;
    let Some(again) = made_again else { return Ok(Prepared::AllButVectors) };
    compare_vectors(again, &dataset.vectors)
}

fn compare(table: &'static str, names: &TextColumn, prepared: &NameTable) -> Result<(), SnapshotError> {
    if names::build(names).is_ok_and(|again| again == *prepared) {
        Ok(())
    } else {
        Err(SnapshotError::column(table, ContentFault::Stale))
    }
}

fn compare_vectors(again: &Vectors, prepared: &Vectors) -> Result<Prepared, SnapshotError> {
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
