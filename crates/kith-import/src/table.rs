//! Reads tables, from text or a workbook, to rows.

use crate::columns::ColumnMapping;
use crate::contact::Contact;
use crate::edges;
use crate::export::ExportFormat;
use crate::fault::{FileFault, SkipReason};
use crate::layout::Layout;
use crate::linkedin;
use crate::read::{FileRow, RowTally};
use crate::records::{ExportRecord, Records};
use crate::sniff::sniff;

/// Reads the table in `text`; `columns` are the manifest's mappings.
///
/// # Errors
/// Returns a fault if there is no known header, or if the text is broken from some line on.
pub(crate) fn read_text(
    text: &str,
    columns: Option<&ColumnMapping>,
    tally: &mut RowTally<'_>,
) -> Result<(), FileFault> {
    let (layout, mut records): (Layout, Records<'_>) = sniff(text, tally.file(), columns)?;
    read_rows(&layout, || records.next(), tally)
}

/// Reads the rows returned by `next`, below a header with the columns `layout`.
///
/// # Errors
/// Returns the fault of `next`.
pub(crate) fn read_rows<'a>(
    layout: &Layout,
    mut next: impl FnMut() -> Result<Option<ExportRecord<'a>>, FileFault>,
    tally: &mut RowTally<'_>,
) -> Result<(), FileFault> {
    tally.is(layout.format);
    while let Some(record) = next()? {
        tally.row(record.line, row_of(&record, layout));
    }
    Ok(())
}

/// Returns the row of one record.
fn row_of(record: &ExportRecord<'_>, layout: &Layout) -> Result<FileRow, SkipReason> {
    if record.cells.iter().all(|cell| cell.trim().is_empty()) {
        return Err(SkipReason::Blank);
    }
    match layout.format {
        ExportFormat::LinkedInMessages => linkedin::message(record, layout).map(FileRow::Interaction),
        ExportFormat::LinkedInInvitations => linkedin::invitation(record, layout).map(FileRow::Interaction),
        ExportFormat::LinkedInPositions => linkedin::position(record, layout).map(FileRow::Position),
        ExportFormat::LinkedInEducation => linkedin::position(record, layout).map(FileRow::School),
        ExportFormat::LinkedInProfile => linkedin::profile(record, layout).map(FileRow::Profile),
        ExportFormat::LinkedInAddresses => linkedin::own_address(record, layout).map(FileRow::OwnAddress),
        ExportFormat::Edges => edges::tie(record, layout).map(FileRow::Tie),
        _ => Contact::of(record, layout).map(FileRow::Contact),
    }
}
