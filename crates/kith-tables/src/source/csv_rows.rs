//! CSV records as rows: RFC 4180, strictly.
//!
//! The `csv` crate accepts misplaced quotes and would read on to the end of the file. The quotes of each record are
//! checked here, so that a table is never misread.

use std::collections::BTreeSet;
use std::io::Read;

use csv::StringRecord;

use crate::source::blocks::line_ends;
use crate::source::error::{Reason, TableFault};
use crate::source::fields::{Cell, NamedCell, TableColumn};
use kith::model::nearest::{is_nearly, nearest_of};

/// The positions of a table's columns in its file.
#[derive(Debug)]
pub(crate) struct CsvHeader<const N: usize> {
    /// The cell of each column; `None` if the file does not have the column.
    places: [Option<usize>; N],
    /// The number of cells per record.
    width: usize,
}

impl<const N: usize> CsvHeader<N> {
    /// Reads the header `record`; the names of unknown columns go to `unknown`.
    ///
    /// # Errors
    /// Returns every fault: a column that occurs twice, or a missing required column.
    pub(crate) fn new(
        record: &StringRecord,
        columns: &[TableColumn; N],
        unknown: &mut BTreeSet<String>,
    ) -> Result<Self, Vec<TableFault>> {
        let (mut others, mut faults) = (BTreeSet::new(), Vec::new());
        for name in record {
            if !others.insert(name) {
                faults.push(TableFault::of(name, Reason::FieldTwice));
            }
        }
        let places = columns.map(|column| record.iter().position(|name| name == column.name));
        for column in columns {
            others.remove(column.name);
        }
        for (column, place) in columns.iter().zip(places) {
            if column.required && place.is_none() {
                let nearly = nearest_of(column.name, others.iter().copied()).map(str::to_owned);
                faults.push(TableFault::of(column.name, Reason::NoColumn { nearly }));
            }
        }
        unknown.extend(others.into_iter().map(str::to_owned));
        if faults.is_empty() { Ok(Self { places, width: record.len() }) } else { Err(faults) }
    }

    /// The fields of `record` in the order of `columns`.
    ///
    /// # Errors
    /// Returns an error if the record has more or fewer cells than the header.
    pub(crate) fn fields<'a>(
        &self,
        record: &'a StringRecord,
        columns: &[TableColumn; N],
    ) -> Result<[NamedCell<'a>; N], TableFault> {
        if record.len() != self.width {
            return Err(Reason::CellCount { expected: self.width, found: record.len() }.into());
        }
        let cell =
            |place: Option<usize>| place.and_then(|place| record.get(place)).map_or(Cell::None, Cell::csv);
        Ok(std::array::from_fn(|column| NamedCell {
            name: columns[column].name,
            cell: cell(self.places[column]),
        }))
    }
}

/// The separator of the header `line` if it is not a comma but splits the line into known columns.
pub(crate) fn other_separator(line: &str, columns: &[TableColumn]) -> Option<char> {
    let is_column = |cell: &str| {
        let cell = cell.trim().trim_matches('"');
        columns.iter().any(|column| is_nearly(cell, column.name))
    };
    let separates = |separator: &char| line.split(*separator).filter(|cell| is_column(cell)).count() > 1;
    [';', '\t'].into_iter().find(separates).filter(|_| !separates(&','))
}

/// Calls `take` with each record of `text` and its first line; `text` begins with line `first_line`. Skips empty lines.
///
/// # Errors
/// Returns the first fault of a record: its length (`bytes_max`), its quotes, or the error of `take`.
pub(crate) fn each_record(
    text: &str,
    first_line: u64,
    bytes_max: usize,
    mut take: impl FnMut(&StringRecord, u64) -> Result<(), TableFault>,
) -> Result<(), TableFault> {
    // Adds a line end in front, which is skipped: otherwise the reader would drop a byte order mark at the start of the
    // block, where it may belong to a cell.
    let front = b"\n";
    let input = front.chain(text.as_bytes());
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(input);
    let (mut record, mut line, mut start) = (StringRecord::new(), first_line, 0);
    while reader.read_record(&mut record).map_err(|_| TableFault::from(Reason::NotUtf8).at(line))? {
        let end = (reader.position().byte() as usize).saturating_sub(front.len());
        let bytes = &text.as_bytes()[start..end];
        let before = bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let (skipped, written) = bytes.split_at(before);
        line += line_ends(skipped);
        check_written(written, bytes_max)
            .map_err(TableFault::from)
            .and_then(|()| take(&record, line))
            .map_err(|fault| fault.at(line))?;
        line += line_ends(written);
        start = end;
    }
    Ok(())
}

/// Checks a record as written: its length, and that quotes surround whole cells or occur in pairs inside them.
fn check_written(record: &[u8], bytes_max: usize) -> Result<(), Reason> {
    if record.strip_suffix(b"\n").unwrap_or(record).len() > bytes_max {
        return Err(Reason::LineTooLong(bytes_max));
    }
    let quote_from =
        |from: usize| record.get(from..)?.iter().position(|&byte| byte == b'"').map(|after| from + after);
    let mut outside = 0;
    while let Some(opening) = quote_from(outside) {
        if opening > 0 && record[opening - 1] != b',' {
            return Err(Reason::StrayQuote);
        }
        let mut closing = quote_from(opening + 1).ok_or(Reason::OpenQuote)?;
        while record.get(closing + 1) == Some(&b'"') {
            closing = quote_from(closing + 2).ok_or(Reason::OpenQuote)?;
        }
        if !matches!(record.get(closing + 1), None | Some(b',' | b'\r' | b'\n')) {
            return Err(Reason::StrayQuote);
        }
        outside = closing + 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts with their line numbers.
    type Told = Vec<(String, u64)>;

    /// The records of `text` as cells joined with `|`, and the fault at the end, if any.
    fn read(text: &str) -> (Told, Told) {
        let mut records = Vec::new();
        let end = each_record(text, 1, 40, |record, line| {
            records.push((record.iter().collect::<Vec<_>>().join("|"), line));
            Ok(())
        });
        let fault = end.err().map(|fault| (fault.reason.to_string(), fault.line.unwrap_or(0)));
        (records, fault.into_iter().collect())
    }

    #[test]
    fn records_come_with_their_first_line() {
        for (text, expected) in [
            ("a,b\nc,d", &[("a|b", 1), ("c|d", 2)][..]),
            ("a\r\nb\r\n", &[("a", 1), ("b", 2)]),
            ("\r\n\n\na\n\nb\n", &[("a", 4), ("b", 6)]),
            ("\"a\n\nb\",c\nd\n", &[("a\n\nb|c", 1), ("d", 4)]),
            ("\"a\"\"b\",\"\",\"\"\"\"\n", &[("a\"b||\"", 1)]),
            ("\u{feff}a\n", &[("\u{feff}a", 1)]),
            ("", &[]),
        ] {
            let expected = expected.iter().map(|&(cells, line)| (cells.to_owned(), line)).collect();
            assert_eq!(read(text), (expected, vec![]), "{text:?}");
        }
    }

    #[test]
    fn misplaced_quotes_are_refused_at_the_first_line_of_their_record() {
        let (stray, open) = (Reason::StrayQuote.to_string(), Reason::OpenQuote.to_string());
        let long = Reason::LineTooLong(40).to_string();
        for (text, line, said) in [
            ("a\nb\"c\n", 2, &stray),
            ("a, \"b\"\n", 1, &stray),
            ("a,\"b\"c\n", 1, &stray),
            ("\"a\n\"b\n", 1, &stray),
            ("\"a\nb\n", 1, &open),
            ("a\n\"", 2, &open),
            ("a\n\"\"\"\n", 2, &open),
            (&format!("a\n{}\n", "b".repeat(41)), 2, &long),
        ] {
            assert_eq!(read(text).1, [(said.clone(), line)], "{text:?}");
        }
    }
}
