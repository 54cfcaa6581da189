//! Tables for people: cells are escaped, padded by display width, and cut if a line must fit a terminal.
//!
//! Promise: No text of a network controls a terminal, and no line of a table is wider than 80 columns.
//! Control: the same cells counted in characters are out of line.
//! Also in: `tests/process/shell/answers.rs`.

use std::io::{self, Write};

use unicode_width::UnicodeWidthChar;

use crate::model::unseen::marked_unseen;

/// The columns of a line.
pub(super) const LINE_WIDTH: usize = 80;
/// The space between two cells.
const GAP: &str = "  ";
/// Marks a cut cell.
const CUT: char = '…';

/// `text` with terminal controls, direction marks and invisible characters as escapes like `\u{1b}`.
pub(super) fn escaped(text: &str) -> String {
    escaped_by(text, &[], |character| character.escape_unicode().to_string())
}

/// `text` with each invisible or control character written by `escape`, except the control characters `kept`.
pub(super) fn escaped_by(text: &str, kept: &[char], escape: impl Fn(char) -> String) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (character, is_unseen) in marked_unseen(text) {
        if is_unseen || (character.is_control() && !kept.contains(&character)) {
            escaped.push_str(&escape(character));
        } else {
            escaped.push(character);
        }
    }
    escaped
}

/// Writes `text` as a line of its own, cut to [`LINE_WIDTH`].
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub(super) fn write_line(out: &mut impl Write, text: &str) -> io::Result<()> {
    writeln!(out, "{}", cut(&escaped(text), LINE_WIDTH))
}

/// Writes a sentence, broken between words at [`LINE_WIDTH`].
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub(super) fn write_sentence(out: &mut impl Write, sentence: &str) -> io::Result<()> {
    let mut line = String::new();
    for word in sentence.split(' ') {
        if !line.is_empty() && width(&line) + 1 + width(word) > LINE_WIDTH {
            write_line(out, &std::mem::take(&mut line))?;
        }
        line.push_str(if line.is_empty() { "" } else { " " });
        line.push_str(word);
    }
    write_line(out, &line)
}

/// Writes `rows` under `headings`, at most [`LINE_WIDTH`] wide; cuts the widest columns first.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub(super) fn write_fitted<const N: usize>(
    out: &mut impl Write,
    headings: [&str; N],
    rows: &[[String; N]],
) -> io::Result<()> {
    write_rows(out, headings, rows, fit(widest(headings, rows)))
}

/// Writes `rows` under `headings`, each column as wide as its widest cell; cuts nothing.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub(super) fn write_whole<const N: usize>(
    out: &mut impl Write,
    headings: [&str; N],
    rows: &[[String; N]],
) -> io::Result<()> {
    write_rows(out, headings, rows, widest(headings, rows))
}

fn widest<const N: usize>(headings: [&str; N], rows: &[[String; N]]) -> [usize; N] {
    let mut widths = headings.map(width);
    for row in rows {
        for (widest, cell) in widths.iter_mut().zip(row) {
            *widest = width(&escaped(cell)).max(*widest);
        }
    }
    widths
}

fn write_rows<const N: usize>(
    out: &mut impl Write,
    headings: [&str; N],
    rows: &[[String; N]],
    widths: [usize; N],
) -> io::Result<()> {
    write_row(out, &headings, widths)?;
    rows.iter().try_for_each(|row| write_row(out, row, widths))
}

/// Writes `cells`, each cut and padded to its width.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub(super) fn write_row<const N: usize>(
    out: &mut impl Write,
    cells: &[impl AsRef<str>; N],
    widths: [usize; N],
) -> io::Result<()> {
    let mut line = String::new();
    for (place, (cell, columns)) in cells.iter().zip(widths).enumerate() {
        let cell = cut(&escaped(cell.as_ref()), columns);
        line.push_str(if place == 0 { "" } else { GAP });
        line.push_str(&cell);
        line.extend(std::iter::repeat_n(' ', columns.saturating_sub(width(&cell))));
    }
    writeln!(out, "{}", line.trim_end())
}

/// `widths` with the widest reduced until a line fits.
fn fit<const N: usize>(mut widths: [usize; N]) -> [usize; N] {
    let room = LINE_WIDTH - GAP.len() * N.saturating_sub(1);
    let mut all: usize = widths.iter().sum();
    while all > room {
        let Some(widest) = widths.iter_mut().max() else { break };
        let next = (*widest).saturating_sub((all - room).div_ceil(N)).max(1);
        all -= *widest - next;
        *widest = next;
    }
    widths
}

/// The beginning of `text` that takes at most `columns` columns.
fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let (mut kept, mut used) = (String::new(), 1);
    for character in text.chars() {
        used += columns_of(character);
        if used > columns {
            break;
        }
        kept.push(character);
    }
    kept.push(CUT);
    kept
}

fn width(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

fn columns_of(character: char) -> usize {
    character.width().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[[&str; 2]]) -> io::Result<String> {
        let rows: Vec<[String; 2]> = rows.iter().map(|row| row.map(str::to_owned)).collect();
        let mut out = Vec::new();
        write_fitted(&mut out, ["NAME", "NOTE"], &rows)?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }

    #[test]
    fn cells_line_up_by_the_columns_that_they_take() -> io::Result<()> {
        let (wide, marked) = ("김민준", "e\u{301}a");
        let written = table(&[["Ana", "x"], [wide, "y"], [marked, "z"]])?;
        assert_eq!(written, format!("NAME    NOTE\nAna     x\n{wide}  y\n{marked}      z\n"));
        Ok(())
    }

    #[test]
    fn no_line_is_wider_than_80_columns_and_what_is_cut_shows_it() -> io::Result<()> {
        for text in ["x", "김", "\u{1b}", "e\u{301}", "\u{202e}"] {
            for (first, second) in [(1, 300), (300, 1), (300, 300), (40, 38), (39, 39), (76, 4)] {
                let written = table(&[[&text.repeat(first), &text.repeat(second)], ["a", "b"]])?;
                let widest = written.lines().map(width).max();
                let is_cut = width(&escaped(text)) * (first + second) > LINE_WIDTH - 2;
                assert!(widest <= Some(LINE_WIDTH), "{text:?} {first} {second}: {written}");
                assert_eq!(written.contains(CUT), is_cut, "{text:?} {first} {second}: {written}");
            }
        }
        Ok(())
    }

    #[test]
    fn what_steers_a_terminal_or_the_order_of_reading_is_escaped_and_nothing_else_is() {
        for (text, shown) in [
            ("\u{1b}[2J", "\\u{1b}[2J"),
            ("a\nb\tc\r", "a\\u{a}b\\u{9}c\\u{d}"),
            ("\u{9b}31m\u{7f}", "\\u{9b}31m\\u{7f}"),
            ("\u{202e}nna", "\\u{202e}nna"),
            ("\u{feff}\u{2028}", "\\u{feff}\\u{2028}"),
            ("김민준 Weiß\u{301} नमी\u{200d}ष", "김민준 Weiß\u{301} नमी\u{200d}ष"),
        ] {
            assert_eq!(escaped(text), shown);
        }
    }

    #[test]
    fn a_whole_table_is_as_wide_as_its_cells() -> io::Result<()> {
        let mut out = Vec::new();
        let long = "x".repeat(2 * LINE_WIDTH);
        write_whole(
            &mut out,
            ["ID", "NOTE"],
            &[[long.clone(), "渡邉 陽翔".to_owned()], ["a".to_owned(), "é".to_owned()]],
        )?;
        let padding = " ".repeat(2 * LINE_WIDTH - 2);
        let expected = format!("ID{padding}  NOTE\n{long}  渡邉 陽翔\na{padding}   é\n");
        assert_eq!(String::from_utf8_lossy(&out), expected);
        out.clear();
        write_whole(&mut out, ["ID", "NOTE"], &[])?;
        assert_eq!(String::from_utf8_lossy(&out), "ID  NOTE\n");
        Ok(())
    }

    /// The control: the same cells measured in characters are out of line.
    #[test]
    fn a_table_by_characters_is_out_of_line() {
        let by_characters = |text: &str| text.chars().count();
        assert_eq!((by_characters("김민준"), width("김민준")), (3, 6));
        assert_eq!((by_characters("e\u{301}a"), width("e\u{301}a")), (3, 2));
    }
}
