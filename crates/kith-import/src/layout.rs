//! The meaning of each cell in a row.

use crate::columns::{ColumnMapping, MappedColumn};
use crate::export::{ExportColumn, ExportFormat};
use crate::known_exports::KnownExport;
use crate::names::column_name;

/// The format of a file, and the positions of its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) format: ExportFormat,
    /// The used cells, from left to right.
    pub(crate) places: Vec<(usize, ExportColumn)>,
}

impl Layout {
    /// The layout below the header `cells`; `None` if it is not the header of a known export.
    pub(crate) fn of<'a>(cells: impl Iterator<Item = &'a str>) -> Option<Self> {
        let names: Vec<String> = cells.map(column_name).collect();
        let known = KnownExport::of(&names)?;
        let places = names.iter().enumerate().filter_map(|(place, name)| Some((place, known.column(name)?)));
        Some(Self { format: known.format, places: places.collect() })
    }

    /// The layout below the header `cells`, with the columns in `mapping`.
    ///
    /// # Errors
    /// Returns the columns of `mapping` that the header lacks.
    pub(crate) fn mapped<'a>(
        cells: impl Iterator<Item = &'a str>,
        mapping: &ColumnMapping,
    ) -> Result<Self, Vec<String>> {
        let names: Vec<String> = cells.map(column_name).collect();
        let (mut places, mut missing) = (Vec::new(), Vec::new());
        for (column, header) in &mapping.columns {
            let wanted = column_name(header);
            match names.iter().position(|name| *name == wanted) {
                Some(place) => places.push((place, mapped_column(*column))),
                None => missing.push(header.clone()),
            }
        }
        places.sort_by_key(|(place, _)| *place);
        let format = if mapping.is_edges() { ExportFormat::Edges } else { ExportFormat::MappedTable };
        if missing.is_empty() { Ok(Self { format, places }) } else { Err(missing) }
    }
}

/// Returns the meaning of a column that the manifest names.
fn mapped_column(column: MappedColumn) -> ExportColumn {
    match column {
        MappedColumn::Name => ExportColumn::Name,
        MappedColumn::First => ExportColumn::Given,
        MappedColumn::Middle => ExportColumn::Middle,
        MappedColumn::Last => ExportColumn::Family,
        MappedColumn::Email => ExportColumn::Email,
        MappedColumn::Company => ExportColumn::Company,
        MappedColumn::Position => ExportColumn::Position,
        MappedColumn::Url => ExportColumn::Url,
        MappedColumn::Connected => ExportColumn::ConnectedOn,
        MappedColumn::Owner => ExportColumn::Owner,
        MappedColumn::Labels => ExportColumn::Label,
        MappedColumn::Started => ExportColumn::StartedOn,
        MappedColumn::Finished => ExportColumn::FinishedOn,
        MappedColumn::School => ExportColumn::School,
        MappedColumn::From => ExportColumn::TieFrom,
        MappedColumn::To => ExportColumn::TieTo,
        MappedColumn::Weight => ExportColumn::Weight,
    }
}
