//! Texts that commands print on stdout: numbers, and tables with aligned columns.

use std::io::{self, Write};

use crate::model::time::Timestamp;

/// What stands in a table where there is no value.
const NO_VALUE: &str = "-";

/// Writes `rows` under `headings`, each column as wide as its widest cell.
///
/// # Errors
/// Where `out` cannot be written.
pub(crate) fn write_table<const N: usize>(
    out: &mut impl Write,
    headings: [&str; N],
    rows: &[[String; N]],
) -> io::Result<()> {
    let mut widths = headings.map(width);
    for row in rows {
        for (widest, cell) in widths.iter_mut().zip(row) {
            *widest = width(cell).max(*widest);
        }
    }
    write_row(out, &headings, &widths)?;
    rows.iter().try_for_each(|row| write_row(out, row, &widths))
}

/// `1234567` as `1,234,567`.
#[must_use]
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A time as it stands in a table, if there is one.
pub(crate) fn time_or_none(time: Option<Timestamp>) -> String {
    time.map_or_else(|| NO_VALUE.to_owned(), Timestamp::to_rfc3339_ms)
}

/// Whoever stopped reading a listing has seen enough: that is no failure.
pub(crate) fn reader_may_leave(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

fn write_row(out: &mut impl Write, cells: &[impl AsRef<str>], widths: &[usize]) -> io::Result<()> {
    let padded: Vec<String> =
        cells.iter().zip(widths).map(|(cell, width)| format!("{:width$}", cell.as_ref())).collect();
    writeln!(out, "{}", padded.join("  ").trim_end())
}

fn width(cell: &str) -> usize {
    cell.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() -> io::Result<()> {
        let mut out = Vec::new();
        let row = |name: &str, note: &str| [name.to_owned(), note.to_owned()];
        write_table(&mut out, ["ID", "NOTE"], &[row("a", NO_VALUE), row("éé é", "x y")])?;
        assert_eq!(String::from_utf8_lossy(&out), "ID    NOTE\na     -\néé é  x y\n");
        Ok(())
    }

    #[test]
    fn an_empty_table_is_its_headings() -> io::Result<()> {
        let mut out = Vec::new();
        write_table(&mut out, ["ID", "NOTE"], &[])?;
        assert_eq!(String::from_utf8_lossy(&out), "ID  NOTE\n");
        Ok(())
    }

    #[test]
    fn only_a_reader_that_left_is_forgiven() {
        let failure =
            |kind: io::ErrorKind| reader_may_leave(Err(io::Error::from(kind))).map_err(|e| e.kind());
        assert_eq!(failure(io::ErrorKind::BrokenPipe), Ok(()));
        assert_eq!(failure(io::ErrorKind::StorageFull), Err(io::ErrorKind::StorageFull));
    }

    #[test]
    fn digits_are_grouped_by_three() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }
}
