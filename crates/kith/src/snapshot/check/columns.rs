//! Checks of one column, shared by all tables.

use rayon::prelude::*;

use crate::limits::ID_BYTES_MAX;
use crate::model::column::{DictionaryColumn, TextColumn};
use crate::model::count::{COUNT_MAX, OptionalCount};
use crate::model::csr::Offsets;
use crate::model::ix::{CompanyIx, Ix, OptionalIx};
use crate::model::numbers::Numbers;
use crate::snapshot::error::SnapshotError;
use crate::snapshot::fault::ContentFault;

/// Rows in one core's unit of work.
const ROWS_AT_A_TIME: usize = 1 << 14;

/// Checks `rows` rows on all cores; returns the fault of the first row for which `fault` finds one.
pub(super) fn each_row(
    column: &'static str,
    rows: usize,
    fault: impl Fn(u32) -> Option<ContentFault> + Sync,
) -> Result<(), SnapshotError> {
    let first_of_piece = |piece: usize| {
        let start = piece * ROWS_AT_A_TIME;
        let said = |row| fault(row as u32).map(|fault| SnapshotError::row(column, row, fault));
        (start..rows.min(start + ROWS_AT_A_TIME)).find_map(said)
    };
    match (0..rows.div_ceil(ROWS_AT_A_TIME)).into_par_iter().find_map_first(first_of_piece) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Returns the fault of an id by itself.
pub(super) fn id_fault(id: &str, prefix: &'static str) -> Option<ContentFault> {
    if id.is_empty() {
        Some(ContentFault::Empty)
    } else if id.len() > ID_BYTES_MAX {
        Some(ContentFault::TooLong { bytes: id.len() })
    } else if !id.starts_with(prefix) {
        Some(ContentFault::Prefix { expected: prefix })
    } else if has_forbidden_character(id) {
        Some(ContentFault::Character)
    } else {
        None
    }
}

fn has_forbidden_character(id: &str) -> bool {
    // Nearly every id is plain ASCII, which needs no decoding into characters.
    let plain = id.bytes().fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~') & (byte != b','));
    !plain && id.chars().any(|character| character == ',' || character.is_control())
}

/// Checks ids: strictly ascending, each valid for its table.
pub(super) fn ids(column: &'static str, prefix: &'static str, ids: &TextColumn) -> Result<(), SnapshotError> {
    each_row(column, ids.len(), |row| {
        let id = ids.get(row);
        let unsorted = || (row > 0 && ids.get(row - 1) >= id).then_some(ContentFault::Unsorted);
        id_fault(id, prefix).or_else(unsorted)
    })
}

/// Checks that each text has a value.
pub(super) fn required(column: &'static str, texts: &TextColumn) -> Result<(), SnapshotError> {
    let (offsets, _) = texts.parts();
    match offsets.windows(2).position(|pair| pair[0] == pair[1]) {
        Some(row) => Err(SnapshotError::row(column, row, ContentFault::Empty)),
        None => Ok(()),
    }
}

/// Checks distinct texts: strictly ascending, the first empty, so that no other is.
pub(super) fn distinct(column: &'static str, values: &TextColumn) -> Result<(), SnapshotError> {
    if values.is_empty() || !values.get(0).is_empty() {
        return Err(SnapshotError::column(column, ContentFault::FirstNotEmpty));
    }
    each_row(column, values.len(), |row| {
        (row > 0 && values.get(row - 1) >= values.get(row)).then_some(ContentFault::Unsorted)
    })
}

/// Checks a dictionary whose rows may lack a value.
pub(super) fn dictionary(column: &'static str, texts: &DictionaryColumn) -> Result<(), SnapshotError> {
    distinct(column, &texts.values)?;
    references(column, &texts.rows, texts.values.len())
}

/// Checks a dictionary whose rows all have a value.
pub(super) fn required_dictionary(
    column: &'static str,
    texts: &DictionaryColumn,
) -> Result<(), SnapshotError> {
    dictionary(column, texts)?;
    match texts.rows.iter().position(|&value| value == 0) {
        Some(row) => Err(SnapshotError::row(column, row, ContentFault::Empty)),
        None => Ok(()),
    }
}

/// Checks references to rows of a table with `rows` rows.
pub(super) fn references<I: Ix + Sync>(
    column: &'static str,
    refers: &[I],
    rows: usize,
) -> Result<(), SnapshotError> {
    lead_to_rows(column, refers, rows, |got| got.number(), |got| got.number() as usize >= rows)
}

/// Like [`references`], for numbers of two or four bytes.
pub(super) fn number_references(
    column: &'static str,
    refers: &Numbers,
    rows: usize,
) -> Result<(), SnapshotError> {
    match refers {
        Numbers::Narrow(refers) => {
            lead_to_rows(column, refers, rows, u32::from, |got| usize::from(got) >= rows)
        }
        Numbers::Wide(refers) => references(column, refers, rows),
    }
}

/// Checks optional references to `rows` companies.
pub(super) fn optional_references(
    column: &'static str,
    refers: &[OptionalIx<CompanyIx>],
    rows: usize,
) -> Result<(), SnapshotError> {
    let outside = |got: OptionalIx<CompanyIx>| got.get().is_some_and(|row| row.0 as usize >= rows);
    lead_to_rows(column, refers, rows, OptionalIx::stored, outside)
}

/// Refuses the first of `refers` that is `outside`. On all cores, in batches.
fn lead_to_rows<R: Copy + Sync>(
    column: &'static str,
    refers: &[R],
    rows: usize,
    number: impl Fn(R) -> u32,
    outside: impl Fn(R) -> bool + Sync,
) -> Result<(), SnapshotError> {
    let any = |piece: &[R]| piece.iter().fold(false, |any, &got| any | outside(got));
    if !refers.par_chunks(ROWS_AT_A_TIME).any(any) {
        return Ok(());
    }
    let fault = |row: usize| {
        SnapshotError::row(column, row, ContentFault::Reference { got: number(refers[row]), rows })
    };
    refers.iter().position(|&got| outside(got)).map_or(Ok(()), |row| Err(fault(row)))
}

/// Counts, or none.
pub(super) fn counts(column: &'static str, counts: &[OptionalCount]) -> Result<(), SnapshotError> {
    match counts.iter().position(|count| count.get().is_some_and(|count| count > COUNT_MAX)) {
        Some(row) => Err(SnapshotError::row(column, row, ContentFault::Count { got: counts[row].stored() })),
        None => Ok(()),
    }
}

/// Checks offsets of consecutive rows in a column of length `end`.
pub(super) fn offsets(column: &'static str, offsets: &Offsets, end: usize) -> Result<(), SnapshotError> {
    offsets.check(end).map_err(|fault| SnapshotError::column(column, ContentFault::Offsets(fault)))
}

/// A set of rows of a table, one bit each.
pub(super) struct Marks(Vec<u64>);

impl Marks {
    /// Starts with no row of `rows` marked.
    pub(super) fn new(rows: usize) -> Self {
        Self(vec![0; rows.div_ceil(64)])
    }

    /// Marks `row`; returns whether it was already marked.
    pub(super) fn mark<I: Ix>(&mut self, row: I) -> bool {
        let row = row.number();
        let (word, bit) = (&mut self.0[row as usize / 64], 1 << (row % 64));
        let before = *word & bit != 0;
        *word |= bit;
        before
    }

    /// Clears the mark of `row`.
    pub(super) fn clear<I: Ix>(&mut self, row: I) {
        let row = row.number();
        self.0[row as usize / 64] &= !(1 << (row % 64));
    }

    /// Whether `row` is marked.
    pub(super) fn has<I: Ix>(&self, row: I) -> bool {
        let row = row.number();
        self.0[row as usize / 64] & (1 << (row % 64)) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_their_length_prefix_and_characters() {
        let longest = format!("person_{}", "x".repeat(ID_BYTES_MAX - 7));
        for (id, fault) in [
            ("person_1", None),
            ("person_", None),
            ("person_é-/ \u{202e}", None),
            (longest.as_str(), None),
            (&format!("{longest}x"), Some(ContentFault::TooLong { bytes: ID_BYTES_MAX + 1 })),
            ("", Some(ContentFault::Empty)),
            ("Person_1", Some(ContentFault::Prefix { expected: "person_" })),
            ("person_a,b", Some(ContentFault::Character)),
            ("person_\n", Some(ContentFault::Character)),
            ("person_\u{7f}", Some(ContentFault::Character)),
            ("person_\u{85}", Some(ContentFault::Character)),
        ] {
            assert_eq!(id_fault(id, "person_"), fault, "{id:?}");
        }
    }

    #[test]
    fn of_several_references_outside_the_first_is_reported() {
        for (refers, row) in [(&[3, 3][..], 0), (&[0, 7, 3], 1), (&[2, 3, 3, 3, 3], 1)] {
            let fault = ContentFault::Reference { got: refers[row], rows: 3 };
            let expected: Result<(), _> = Err(SnapshotError::row("table.column", row, fault));
            assert_eq!(
                format!("{:?}", references::<u32>("table.column", refers, 3)),
                format!("{expected:?}"),
                "{refers:?}"
            );
        }
        assert!(references::<u32>("table.column", &[0, 2, 1], 3).is_ok());
    }

    #[test]
    fn marks_are_set_read_and_taken_away_row_by_row() {
        let mut marks = Marks::new(130);
        for row in [0_u32, 63, 64, 129] {
            assert!(!marks.has(row) && !marks.mark(row) && marks.mark(row) && marks.has(row));
        }
        marks.clear(64_u32);
        assert_eq!((0..130_u32).filter(|&row| marks.has(row)).collect::<Vec<_>>(), [0, 63, 129]);
    }
}
