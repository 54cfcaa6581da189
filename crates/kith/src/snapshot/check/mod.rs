//! What a sound dataset is: every invariant that the model states, checked on all cores.
//!
//! First `shape`: columns of one table are equally long, so that what follows may go through them
//! side by side. Then each table by itself, then what two tables say together. Nothing costs more
//! than a few passes over the data, whatever the data are.

mod shape;
mod columns;
mod json;
mod tables;
mod names;
mod edges;
mod vectors;
mod advocacies;
mod evidence;

use rayon::prelude::*;

use crate::model::dataset::Dataset;
use crate::snapshot::error::SnapshotError;

type Check = fn(&Dataset) -> Result<(), SnapshotError>;

/// Each looks at one table and relies on nothing but `shape`. The longest first, and vectors after the texts
/// they are of, so that a fault of the texts is reported as theirs.
const TABLES: [Check; 15] = [
    edges::check,
    names::check_people,
    tables::check_people,
    vectors::check_people,
    tables::check_breakdowns,
    tables::check_companies,
    vectors::check_companies,
    names::check_companies,
    tables::check_opportunities,
    evidence::check_table,
    tables::check_intro_requests,
    tables::check_preferences,
    tables::check_former,
    tables::check_members,
    tables::check_organization,
];

/// Whether `dataset` keeps every promise of the model.
///
/// # Errors
/// Returns the first fault; which of several is first does not depend on how fast the cores are.
pub fn check(dataset: &Dataset) -> Result<(), SnapshotError> {
    shape::check(dataset)?;
    match TABLES.par_iter().find_map_first(|check| check(dataset).err()) {
        Some(fault) => Err(fault),
        None => {
            advocacies::check(dataset)?; // relies on members and edges
            evidence::check_pairs(dataset) // relies on edges
        }
    }
}
