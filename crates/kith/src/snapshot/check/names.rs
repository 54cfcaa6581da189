//! Checks the tables of names: in order, complete, with valid word numbers.

use crate::model::dataset::Dataset;
use crate::model::names::NameTable;
use crate::snapshot::check::columns::{Marks, each_row, offsets, references};
use crate::snapshot::check::shape::{COMPANY_NAMES, NameColumns, PERSON_NAMES};
use crate::snapshot::error::SnapshotError;
use crate::snapshot::fault::ContentFault;

pub(super) fn check_people(dataset: &Dataset) -> Result<(), SnapshotError> {
    check(&PERSON_NAMES, &dataset.person_names)
}

pub(super) fn check_companies(dataset: &Dataset) -> Result<(), SnapshotError> {
    check(&COMPANY_NAMES, &dataset.company_names)
}

fn check(columns: &NameColumns, names: &NameTable) -> Result<(), SnapshotError> {
    let rows = names.sorted.len();
    references(columns.order, &names.order, rows)?;
    let mut seen = Marks::new(rows);
    if let Some(place) = names.order.iter().position(|&row| seen.mark(row)) {
        return Err(SnapshotError::row(columns.order, place, ContentFault::NotAPermutation));
    }
    let at = |place: u32| (names.sorted.get(place), names.order[place as usize]);
    each_row(columns.sorted, rows, |place| {
        (place > 0 && at(place - 1) >= at(place)).then_some(ContentFault::Unsorted)
    })?;
    each_row(columns.words, names.words.len(), |word| {
        let text = names.words.get(word);
        let unsorted = || (word > 0 && names.words.get(word - 1) >= text).then_some(ContentFault::Unsorted);
        if text.is_empty() { Some(ContentFault::Empty) } else { unsorted() }
    })?;
    offsets(columns.row_offsets, &names.row_words.offsets, names.row_words.items.len())?;
    references(columns.row_words, &names.row_words.items, names.words.len())
}
