//! Whose the stays of all files are.

use std::collections::HashMap;

use crate::gather::Gathered;
use crate::people::{GONE, ImportedPeople};
use crate::rows::StayRow;

/// The person of each of the stays of `gathered`; [`GONE`] for one who is not written.
pub(crate) fn people_of_stays(gathered: &Gathered, people: &ImportedPeople) -> Vec<u32> {
    if gathered.stays.is_empty() {
        return Vec::new();
    }
    let rows = gathered.rows.iter().zip(&people.of_row).filter(|(row, _)| row.is_of_file());
    let by_row: HashMap<(u32, u64), u32> =
        rows.map(|(row, person)| ((row.file, row.line), *person)).collect();
    let of = |row: &StayRow| match row.is_own {
        true => people.holder(row.holder),
        false => by_row.get(&(row.file, row.line)).copied().unwrap_or(GONE),
    };
    gathered.stays.iter().map(of).collect()
}
