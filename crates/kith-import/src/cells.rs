//! The cells of a record by column.

use crate::bounds::is_within_bounds;
use crate::export::ExportColumn;
use crate::layout::Layout;
use crate::names::tidy;
use crate::records::ExportRecord;

/// A record with its columns.
pub(crate) struct RowCells<'a> {
    pub(crate) record: &'a ExportRecord<'a>,
    pub(crate) layout: &'a Layout,
}

impl RowCells<'_> {
    /// The cells of `column` as written, from left to right.
    pub(crate) fn all(&self, column: ExportColumn) -> impl Iterator<Item = &str> {
        let places = self.layout.places.iter().filter(move |(_, is)| *is == column);
        places.filter_map(|(place, _)| self.record.cells.get(*place)).map(AsRef::as_ref)
    }

    /// The first non-empty cell of `column`, tidied.
    pub(crate) fn first(&self, column: ExportColumn) -> String {
        self.all(column).map(tidy).find(|text| !text.is_empty()).unwrap_or_default()
    }

    /// Whether each used cell fits in a table.
    pub(crate) fn is_within_bounds(&self) -> bool {
        let cells = self.layout.places.iter().filter_map(|(place, _)| self.record.cells.get(*place));
        cells.map(AsRef::as_ref).all(is_within_bounds)
    }
}
