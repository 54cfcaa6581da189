//! Turns the rows of a Parquet file into cells as in the other formats.
//!
//! Text is treated like a CSV cell: it may contain an object, a list or a number, and empty text is no value. Typed
//! values are written as in JSON: whole numbers in digits, other numbers in their shortest exact form, and times as
//! text.

use parquet::data_type::ByteArray;

use crate::source::error::{Reason, TableFault};
use crate::source::fields::{Cell, NamedCell, TableColumn};
use crate::source::parquet_schema::ColumnKind;
use kith::model::time::Timestamp;

/// Some rows of one part, column by column.
pub(crate) struct ColumnBlock<const N: usize> {
    /// The number of its first row, including its part.
    pub(crate) first_row: u64,
    pub(crate) rows: usize,
    /// In the order of the table's columns; `None` if the part does not have the column.
    pub(crate) columns: [Option<ParquetColumn>; N],
    /// Columns of the part that the table does not have.
    pub(crate) unknown: Vec<String>,
    /// The faults of the columns of the part.
    pub(crate) faults: Vec<TableFault>,
}

/// The values of some rows in one column.
pub(crate) struct ParquetColumn {
    pub(crate) values: ColumnValues,
    /// For each row 1 if it has a value, otherwise 0; empty if every row must have one.
    pub(crate) levels: Vec<i16>,
    pub(crate) kind: ColumnKind,
}

/// Values of one type, for the rows that have one.
pub(crate) enum ColumnValues {
    Flags(Vec<bool>),
    Small(Vec<i32>),
    Large(Vec<i64>),
    Singles(Vec<f32>),
    Doubles(Vec<f64>),
    Texts(Vec<ByteArray>),
}

/// A value in the form of a cell.
enum Shown<'a> {
    None,
    Text(&'a str),
    Json(String),
}

/// Bits of a row within the number that includes its part.
const ROW_BITS: u32 = 40;
/// The limit from which whole numbers are not written in digits alone.
const WHOLE_MAX: f64 = 1e15;

/// The number of row `row` of part `part`, counted from 1 and unique in the table. A `row` of 0 is the part itself.
pub(crate) fn row_number(part: usize, row: u64) -> u64 {
    ((part as u64) << ROW_BITS) | (row & ((1 << ROW_BITS) - 1))
}

/// The part and the row with the number `number`.
pub(crate) fn row_of(number: u64) -> (usize, u64) {
    ((number >> ROW_BITS) as usize, number & ((1 << ROW_BITS) - 1))
}

impl<const N: usize> ColumnBlock<N> {
    /// A block without rows.
    pub(crate) fn head(first_row: u64) -> Self {
        let columns = std::array::from_fn(|_| None);
        Self { first_row, rows: 0, columns, unknown: Vec::new(), faults: Vec::new() }
    }

    /// Calls `take` with each row and its number; the fields are in the order of `columns`.
    ///
    /// # Errors
    /// Returns the error of `take`. `take` gets the fault of a row whose texts cannot be read or are longer than
    /// `bytes_max`.
    pub(crate) fn each_row(
        &self,
        columns: &[TableColumn; N],
        bytes_max: usize,
        mut take: impl FnMut(Result<[NamedCell<'_>; N], TableFault>, u64) -> Result<(), TableFault>,
    ) -> Result<(), TableFault> {
        let mut next = [0; N];
        for row in 0..self.rows {
            let mut fault = None;
            let shown: [Shown<'_>; N] = std::array::from_fn(|place| {
                let Some(column) = &self.columns[place] else { return Shown::None };
                column.show(row, &mut next[place], bytes_max).unwrap_or_else(|reason| {
                    fault.get_or_insert_with(|| TableFault::of(columns[place].name, reason));
                    Shown::None
                })
            });
            let fields = std::array::from_fn(|place| NamedCell {
                name: columns[place].name,
                cell: match &shown[place] {
                    Shown::None => Cell::None,
                    Shown::Text(text) => Cell::csv(text),
                    Shown::Json(json) => Cell::json(json),
                },
            });
            take(fault.map_or(Ok(fields), Err), self.first_row + row as u64)?;
        }
        Ok(())
    }
}

impl ParquetColumn {
    /// The value of row `row`. `next` is the index of the next value, and advances if the row has one.
    fn show(&self, row: usize, next: &mut usize, bytes_max: usize) -> Result<Shown<'_>, Reason> {
        if self.levels.get(row).is_some_and(|&level| level == 0) {
            return Ok(Shown::None);
        }
        let place = *next;
        *next += 1;
        Ok(match &self.values {
            ColumnValues::Texts(values) => match values.get(place) {
                Some(text) => Shown::Text(text_of(text, bytes_max)?),
                None => Shown::None,
            },
            ColumnValues::Flags(values) => shown(values.get(place).map(bool::to_string)),
            ColumnValues::Small(values) => {
                let whole = |&value: &i32| match self.kind {
                    ColumnKind::Unsigned => (value as u32).to_string(),
                    _ => value.to_string(),
                };
                shown(values.get(place).map(whole))
            }
            ColumnValues::Large(values) => shown(values.get(place).map(|&value| self.large(value))),
            ColumnValues::Singles(values) => {
                shown(values.get(place).map(|&value| number(value.into(), || serde_json::to_string(&value))))
            }
            ColumnValues::Doubles(values) => {
                shown(values.get(place).map(|&value| number(value, || serde_json::to_string(&value))))
            }
        })
    }

    fn large(&self, value: i64) -> String {
        match self.kind {
            ColumnKind::Plain => value.to_string(),
            ColumnKind::Unsigned => (value as u64).to_string(),
            ColumnKind::Time { units, is_utc } => {
                let nanos = value.rem_euclid(units) * (1_000_000_000 / units);
                let nanos = u32::try_from(nanos).unwrap_or(0);
                match Timestamp::new(value.div_euclid(units), nanos) {
                    Some(at) => {
                        let whole = at.to_rfc3339_ms();
                        let whole = whole.split('.').next().unwrap_or_default();
                        format!("\"{whole}.{nanos:09}{}\"", if is_utc { "Z" } else { "" })
                    }
                    None => value.to_string(),
                }
            }
        }
    }
}

fn shown(json: Option<String>) -> Shown<'static> {
    json.map_or(Shown::None, Shown::Json)
}

fn text_of(text: &ByteArray, bytes_max: usize) -> Result<&str, Reason> {
    let bytes = text.data();
    if bytes.len() > bytes_max {
        return Err(Reason::TooLong { bytes: bytes.len(), bytes_max });
    }
    std::str::from_utf8(bytes).map_err(|_| Reason::NotUtf8)
}

/// `value` as JSON, a whole number in digits alone; infinities and NaN by name.
fn number(value: f64, written: impl FnOnce() -> serde_json::Result<String>) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    if value.fract() == 0.0 && value.abs() < WHOLE_MAX {
        return (value as i64).to_string();
    }
    written().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_short_as_they_can_be() {
        let double = |value: f64| number(value, || serde_json::to_string(&value));
        for (value, written) in [
            (80.0, "80"),
            (-0.0, "0"),
            (0.3, "0.3"),
            (-87.25, "-87.25"),
            (1e300, "1e+300"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(double(value), written);
        }
        assert_eq!(number(0.1_f32.into(), || serde_json::to_string(&0.1_f32)), "0.1");
    }

    #[test]
    fn a_point_in_time_keeps_its_nanoseconds_and_says_whether_it_is_utc() {
        let column = |units, is_utc| ParquetColumn {
            values: ColumnValues::Large(Vec::new()),
            levels: Vec::new(),
            kind: ColumnKind::Time { units, is_utc },
        };
        for (units, is_utc, value, written) in [
            (1_000, true, -1, "\"1969-12-31T23:59:59.999000000Z\""),
            (1_000_000, false, 1_000_001, "\"1970-01-01T00:00:01.000001000\""),
            (1_000_000_000, true, 1, "\"1970-01-01T00:00:00.000000001Z\""),
            (1_000, true, i64::MAX, "9223372036854775807"),
        ] {
            assert_eq!(column(units, is_utc).large(value), written);
        }
    }

    #[test]
    fn a_row_number_finds_its_part() {
        for (part, row) in [(0, 0), (0, 1), (7, 0), (7, (1 << ROW_BITS) - 1)] {
            assert_eq!(row_of(row_number(part, row)), (part, row));
        }
        assert!(row_number(1, 0) > row_number(0, u64::MAX >> 24));
    }
}
