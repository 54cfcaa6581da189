//! Checks evidence: its texts and order, and that each pair is an edge.

use std::cmp::Reverse;

use crate::limits::NOTE_CHARS_MAX;
use crate::model::dataset::Dataset;
use crate::model::evidence::Evidence;
use crate::snapshot::check::columns::{Marks, dictionary, each_row, references, required_dictionary};
use crate::snapshot::error::SnapshotError;
use crate::snapshot::fault::ContentFault;

/// Checks everything but that the pairs are edges.
pub(super) fn check_table(dataset: &Dataset) -> Result<(), SnapshotError> {
    let (table, people) = (&dataset.evidence, dataset.people.len());
    references("evidence.from", &table.from, people)?;
    references("evidence.to", &table.to, people)?;
    required_dictionary("evidence.kinds", &table.kinds)?;
    dictionary("evidence.sources", &table.sources)?;
    each_row("evidence.notes", table.len(), |row| {
        let chars = table.notes.get(row).chars().count();
        (chars > NOTE_CHARS_MAX).then_some(ContentFault::TooManyChars { chars })
    })?;
    each_row("evidence", table.len(), |row| {
        (row > 0 && key(table, row - 1) > key(table, row)).then_some(ContentFault::Unsorted)
    })
}

/// The sort key of the rows; numbers of distinct texts order like the texts.
fn key(table: &Evidence, row: u32) -> impl Ord {
    let place = row as usize;
    let texts = (table.kinds.rows[place], table.sources.rows[place], table.notes.get(row));
    (table.from[place], table.to[place], Reverse(table.at[place]), texts)
}

/// Refuses a row whose pair is not an edge. Requires a sound table and sound edges.
pub(super) fn check_pairs(dataset: &Dataset) -> Result<(), SnapshotError> {
    let table = &dataset.evidence;
    let mut known = Marks::new(dataset.people.len());
    let mut start = 0;
    for of_person in table.from.chunk_by(|a, b| a == b) {
        let ends = dataset.edges.out.row(of_person[0]).ends;
        ends.iter().for_each(|&end| _ = known.mark(end));
        let own = start..start + of_person.len();
        if let Some(row) = own.clone().find(|&row| !known.has(table.to[row])) {
            return Err(SnapshotError::row("evidence", row, ContentFault::PairWithoutEdge));
        }
        ends.iter().for_each(|&end| known.clear(end));
        start = own.end;
    }
    Ok(())
}
