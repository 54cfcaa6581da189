//! Checks every invariant that the model states, on all cores.
//!
//! First `shape` checks that columns of one table are equally long, so that later checks can walk them side by side.
//! Then come the tables one by one, then the relations between two tables. No check costs more than a few passes over
//! the data, whatever the data are.

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

/// Each checks one table and requires only `shape`. The longest come first; vectors come after their texts, so that a
/// fault of the texts is reported as theirs.
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

/// Checks that `dataset` keeps every invariant of the model.
///
/// # Errors
/// Returns the first fault; the order does not depend on the speed of the cores.
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
