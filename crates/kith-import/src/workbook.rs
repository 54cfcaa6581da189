//! Reads workbooks (.xlsx) to rows: the values that cells show, never the formulas behind them.
//!
//! Cells are read one after the other, not as a rectangle, which two distant cells would make arbitrarily large.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::io::Cursor;

use calamine::{Cell, DataRef, Dimensions, Reader, SheetType, Xlsx, XlsxCellReader, XlsxError};

use crate::archive::check_workbook;
use crate::columns::ColumnMapping;
use crate::fault::FileFault;
use crate::layout::Layout;
use crate::limits::{
    IMPORT_COLUMNS_MAX, IMPORT_FILE_BYTES_MAX, IMPORT_LINE_BYTES_MAX, IMPORT_PREAMBLE_LINES_MAX,
    IMPORT_SHEETS_MAX,
};
use crate::read::{EntryCount, RowCount, RowTally, TakeRow};
use crate::records::ExportRecord;
use crate::sniff::HeaderSearch;
use crate::table::read_rows;

/// The greatest number that Excel shows as a day: 9999-12-31.
const DAY_MAX: f64 = 2_958_465.0;
/// Up to this, a number without a fraction is written as a whole number.
const WHOLE_MAX: f64 = 1e15;

type Workbook<'a> = Xlsx<Cursor<&'a [u8]>>;

/// Reads the workbook `bytes` of the file `file`. The first sheet that is an export is counted under the file's name,
/// every further sheet under `file!/SHEET`, whether it is an export or not.
pub(crate) fn read_workbook(
    file: &str,
    bytes: &[u8],
    columns: Option<&ColumnMapping>,
    take: &mut TakeRow<'_>,
    counts: &mut Vec<EntryCount>,
) {
    let fault = |fault| EntryCount {
        file: file.to_owned(),
        count: RowCount { fault: Some(fault), ..RowCount::default() },
    };
    let mut workbook = match open(bytes) {
        Ok(workbook) => workbook,
        Err(broken) => return counts.push(fault(broken)),
    };
    let sheets = workbook.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let names: Vec<String> = sheets.map(|sheet| sheet.name.clone()).collect();
    let (mut left, mut is_first, mut unknown, mut passed) = (IMPORT_FILE_BYTES_MAX, true, None, Vec::new());
    for name in &names {
        let entry = if is_first { file.to_owned() } else { format!("{file}!/{name}") };
        match read_sheet(&mut workbook, name, &entry, columns, &mut left, take) {
            Ok(count) => {
                is_first = false;
                counts.push(count);
            }
            Err(why) => {
                unknown = unknown.or(Some(why));
                passed.push(EntryCount { file: format!("{file}!/{name}"), count: RowCount::default() });
            }
        }
    }
    if is_first {
        counts.push(fault(unknown.unwrap_or(FileFault::Empty)));
    } else {
        counts.append(&mut passed);
    }
}

fn open(bytes: &[u8]) -> Result<Workbook<'_>, FileFault> {
    check_workbook(bytes)?;
    let workbook = Workbook::new(Cursor::new(bytes)).map_err(|error| damaged(0, &error))?;
    if workbook.sheets_metadata().len() > IMPORT_SHEETS_MAX {
        return Err(FileFault::Damaged(format!("more than {IMPORT_SHEETS_MAX} sheets")));
    }
    Ok(workbook)
}

fn damaged(row: u64, error: &XlsxError) -> FileFault {
    FileFault::DamagedSheet { row, cause: error.to_string() }
}

/// Reads one sheet.
///
/// # Errors
/// Returns why it is not an export.
fn read_sheet(
    workbook: &mut Workbook<'_>,
    name: &str,
    entry: &str,
    columns: Option<&ColumnMapping>,
    left: &mut usize,
    take: &mut TakeRow<'_>,
) -> Result<EntryCount, FileFault> {
    let merged =
        MergedCells::of(workbook.merge_cells_by_sheet_name(name).map_err(|error| damaged(0, &error))?);
    let cells = workbook.worksheet_cells_reader(name).map_err(|error| damaged(0, &error))?;
    let mut rows = SheetRows { cells, merged, ahead: None, row: 0, is_at_end: false, fault: None, left };
    let layout = header(&mut rows, entry, columns)?;
    Ok(RowTally::of(entry, take, |tally| read_rows(&layout, || rows.next(), tally)))
}

/// The layout of the header in the first rows.
fn header(
    rows: &mut SheetRows<'_, '_, '_>,
    file: &str,
    columns: Option<&ColumnMapping>,
) -> Result<Layout, FileFault> {
    let mut search = HeaderSearch::new(file, columns);
    while let Some(record) = rows.next()? {
        if record.line > IMPORT_PREAMBLE_LINES_MAX + 1 {
            break;
        }
        search.begin(&record.cells.join(","));
        if let Some(layout) = search.look(&record) {
            return Ok(layout);
        }
    }
    Err(search.fault())
}

/// The rows of a sheet with a value.
struct SheetRows<'a, 'b, 'l> {
    cells: XlsxCellReader<'a, Cursor<&'b [u8]>>,
    merged: MergedCells<'a>,
    /// The first cell of the next row.
    ahead: Option<Cell<DataRef<'a>>>,
    /// The row last begun, from 1.
    row: u64,
    /// Whether the last cell was read. The parser must stop there: it would take the following data for rows.
    is_at_end: bool,
    /// The fault after the row read last.
    fault: Option<FileFault>,
    /// Bytes of text that the workbook may still yield: one text may be in any number of cells.
    left: &'l mut usize,
}

impl<'a> SheetRows<'a, '_, '_> {
    /// The next cell, or `None` at the end.
    fn next_cell(&mut self) -> Result<Option<Cell<DataRef<'a>>>, FileFault> {
        if let Some(fault) = self.fault.take() {
            self.is_at_end = true;
            return Err(fault);
        }
        if self.ahead.is_some() || self.is_at_end {
            return Ok(self.ahead.take());
        }
        let cell = self.cells.next_cell().map_err(|error| damaged(self.row, &error))?;
        self.is_at_end = cell.is_none();
        Ok(cell)
    }

    /// The next row with a value, with its number as its line; `None` at the end.
    fn next(&mut self) -> Result<Option<ExportRecord<'a>>, FileFault> {
        let mut record = ExportRecord::default();
        let mut bytes = 0;
        loop {
            let cell = match self.next_cell() {
                Ok(Some(cell)) => cell,
                Ok(None) => break,
                Err(fault) if record.line == 0 => return Err(fault),
                // The started row is kept: the fault may be in the next one.
                Err(fault) => {
                    self.fault = Some(fault);
                    break;
                }
            };
            if *cell.get_value() == DataRef::Empty {
                continue;
            }
            let (row, column) = cell.get_position();
            let row = u64::from(row) + 1;
            if record.line == 0 {
                if row <= self.row {
                    let cause = "its rows are out of order".to_owned();
                    return Err(FileFault::DamagedSheet { row: self.row, cause });
                }
                (self.row, record.line) = (row, row);
            } else if row != record.line {
                self.ahead = Some(cell);
                break;
            }
            let column = column as usize;
            if column >= IMPORT_COLUMNS_MAX {
                continue;
            }
            if record.cells.len() <= column {
                record.cells.resize(column + 1, Cow::Borrowed(""));
            }
            let text = text_of(cell.get_value());
            bytes += text.len();
            if bytes > IMPORT_LINE_BYTES_MAX {
                return Err(FileFault::LineTooLong { line: row });
            }
            record.cells[column] = text;
        }
        bytes += self.merged.fill(&mut record);
        if record.line > 0 && record.cells.is_empty() {
            record.cells.push(Cow::Borrowed(""));
        }
        *self.left = self.left.checked_sub(bytes).ok_or(FileFault::TooLong)?;
        Ok(Some(record).filter(|record| record.line > 0))
    }
}

/// Merged cells over several rows; only the first has the value that all show.
struct MergedCells<'a> {
    /// The upcoming ones, the first last.
    ahead: Vec<Dimensions>,
    /// The areas that contain the current row: the last row (1-based), the column and the text of each.
    within: Vec<(u64, usize, Cow<'a, str>)>,
}

impl<'a> MergedCells<'a> {
    fn of(mut areas: Vec<Dimensions>) -> Self {
        areas.retain(|area| area.end.0 > area.start.0 && (area.start.1 as usize) < IMPORT_COLUMNS_MAX);
        areas.sort_unstable_by_key(|area| Reverse(area.start));
        Self { ahead: areas, within: Vec::new() }
    }

    /// Adds the texts of merged cells that begin above `record`; returns their number of bytes.
    fn fill(&mut self, record: &mut ExportRecord<'a>) -> usize {
        let mut bytes = 0;
        self.within.retain(|(last, ..)| *last >= record.line);
        for (_, column, text) in &self.within {
            if record.cells.len() <= *column {
                record.cells.resize(column + 1, Cow::Borrowed(""));
            }
            if record.cells[*column].is_empty() {
                bytes += text.len();
                record.cells[*column] = text.clone();
            }
        }
        while let Some(area) = self.ahead.pop_if(|area| u64::from(area.start.0) < record.line) {
            let column = area.start.1 as usize;
            let text = record.cells.get(column).filter(|text| !text.is_empty());
            if let Some(text) = text.filter(|_| u64::from(area.start.0) + 1 == record.line) {
                self.within.push((u64::from(area.end.0) + 1, column, text.clone()));
            }
        }
        bytes
    }
}

/// The text that a cell shows: days as `2024-03-12`, and empty for a failed formula.
fn text_of<'a>(value: &DataRef<'a>) -> Cow<'a, str> {
    match value {
        DataRef::SharedString(text) => Cow::Borrowed(text),
        DataRef::String(text) | DataRef::DateTimeIso(text) => Cow::Owned(text.clone()),
        DataRef::Int(number) => Cow::Owned(number.to_string()),
        DataRef::Float(number) if number.fract() == 0.0 && number.abs() < WHOLE_MAX => {
            Cow::Owned(format!("{number:.0}"))
        }
        DataRef::Float(number) => Cow::Owned(number.to_string()),
        DataRef::Bool(is) => Cow::Borrowed(if *is { "TRUE" } else { "FALSE" }),
        DataRef::DateTime(day) if day.is_datetime() && (1.0..=DAY_MAX).contains(&day.as_f64()) => {
            let (year, month, day, ..) = day.to_ymd_hms_milli();
            Cow::Owned(format!("{year:04}-{month:02}-{day:02}"))
        }
        DataRef::DateTime(_) | DataRef::DurationIso(_) | DataRef::Error(_) | DataRef::Empty => {
            Cow::Borrowed("")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_over_several_rows_shows_its_value_in_each() {
        let area = |start, end| Dimensions { start, end };
        let mut merged =
            MergedCells::of(vec![area((3, 1), (4, 1)), area((1, 0), (2, 0)), area((1, 1), (1, 2))]);
        let mut filled = |line: u64, cells: &[&'static str]| {
            let cells = cells.iter().map(|text| Cow::Borrowed(*text)).collect();
            let mut record = ExportRecord { line, cells };
            let bytes = merged.fill(&mut record);
            (record.cells.join("|"), bytes)
        };
        assert_eq!(filled(1, &["Firm", "Name"]), ("Firm|Name".to_owned(), 0));
        assert_eq!(filled(2, &["Acme", "Ann"]), ("Acme|Ann".to_owned(), 0));
        assert_eq!(filled(3, &["", "Bob"]), ("Acme|Bob".to_owned(), 4));
        assert_eq!(filled(4, &["", "Cay"]), ("|Cay".to_owned(), 0));
        assert_eq!(filled(5, &["Own"]), ("Own|Cay".to_owned(), 3));
        assert_eq!(filled(6, &["Own"]), ("Own".to_owned(), 0));
    }
}
