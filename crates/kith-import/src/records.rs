//! Splits delimited text into records, each with its first line.
//!
//! It is as forgiving as the programs that write it: a quote inside a cell that does not begin with one is an ordinary
//! character, and a record may have more or fewer cells than the header. A quote that never closes is a fault, not one
//! long cell.

use std::borrow::Cow;

use crate::fault::FileFault;
use crate::limits::IMPORT_LINE_BYTES_MAX;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExportRecord<'a> {
    /// Its first line, counted from 1.
    pub(crate) line: u64,
    pub(crate) cells: Vec<Cow<'a, str>>,
}

/// Reads records from the start of a text.
#[derive(Clone, Debug)]
pub(crate) struct Records<'a> {
    rest: &'a str,
    line: u64,
    separator: char,
}

impl<'a> Records<'a> {
    /// The records of `text`, which begins with line `line`.
    pub(crate) fn new(text: &'a str, line: u64, separator: char) -> Self {
        Self { rest: text, line, separator }
    }

    /// The next record; `None` at the end. Empty lines are skipped.
    ///
    /// # Errors
    /// Returns a fault if a quote does not close, or if the record exceeds the maximum length. The rest is then
    /// dropped.
    pub(crate) fn next(&mut self) -> Result<Option<ExportRecord<'a>>, FileFault> {
        while let Some((rest, _)) = after_line_end(self.rest) {
            self.rest = rest;
            self.line += 1;
        }
        if self.rest.is_empty() {
            return Ok(None);
        }
        let mut record = ExportRecord { line: self.line, cells: Vec::new() };
        let whole = self.rest;
        loop {
            let end = self.cell(&mut record).inspect_err(|_| self.rest = "")?;
            let bytes = whole.len() - self.rest.len();
            if bytes > IMPORT_LINE_BYTES_MAX {
                self.rest = "";
                return Err(FileFault::LineTooLong { line: record.line });
            }
            if end {
                return Ok(Some(record));
            }
        }
    }

    /// Reads one cell; returns whether the record ends with it.
    fn cell(&mut self, record: &mut ExportRecord<'a>) -> Result<bool, FileFault> {
        let quoted = match self.rest.strip_prefix('"') {
            Some(inside) => Some(self.quoted(inside, record.line)?),
            None => None,
        };
        // After the closing quote too, where it belongs to the cell.
        let separator = self.separator;
        let end = self.rest.find([separator, '\n', '\r']).unwrap_or(self.rest.len());
        let (plain, behind) = self.rest.split_at(end);
        record.cells.push(match quoted {
            None => Cow::Borrowed(plain),
            Some(quoted) if plain.is_empty() => quoted,
            Some(quoted) => Cow::Owned(quoted.into_owned() + plain),
        });
        if let Some(behind) = behind.strip_prefix(separator) {
            self.rest = behind;
            return Ok(false);
        }
        self.rest = after_line_end(behind).map_or(behind, |(rest, _)| {
            self.line += 1;
            rest
        });
        Ok(true)
    }

    /// The text of a cell up to its closing quote; `inside` begins after the opening one.
    fn quoted(&mut self, inside: &'a str, line: u64) -> Result<Cow<'a, str>, FileFault> {
        let (mut text, mut from) = (Cow::Borrowed(""), 0);
        loop {
            let Some(at) = inside[from..].find('"') else { return Err(FileFault::OpenQuote { line }) };
            if from + at > IMPORT_LINE_BYTES_MAX {
                return Err(FileFault::LineTooLong { line });
            }
            let part = &inside[from..from + at];
            self.line += line_ends(part);
            if text.is_empty() {
                text = Cow::Borrowed(part);
            } else {
                text.to_mut().push_str(part);
            }
            from += at + 1;
            if !inside[from..].starts_with('"') {
                self.rest = &inside[from..];
                return Ok(text);
            }
            text.to_mut().push('"');
            from += 1;
        }
    }
}

/// Splits off the line end at the start of `text`: the rest, and the line end. `None` if there is none.
pub(crate) fn after_line_end(text: &str) -> Option<(&str, &str)> {
    let end = ["\r\n", "\n", "\r"].into_iter().find(|end| text.starts_with(end))?;
    Some((&text[end.len()..], end))
}

/// Returns the number of line ends in `text`.
fn line_ends(text: &str) -> u64 {
    let returns = text.bytes().filter(|byte| *byte == b'\r').count();
    let feeds = text.bytes().filter(|byte| *byte == b'\n').count();
    (returns + feeds - text.matches("\r\n").count()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The records of `text` as `line:cell|cell`, and the fault at its end.
    fn said(text: &str, separator: char) -> (Vec<String>, Option<FileFault>) {
        let (mut records, mut said) = (Records::new(text, 1, separator), Vec::new());
        loop {
            match records.next() {
                Ok(Some(record)) => said.push(format!("{}:{}", record.line, record.cells.join("|"))),
                Ok(None) => return (said, None),
                Err(fault) => {
                    assert_eq!(records.next(), Ok(None), "nothing behind a fault");
                    return (said, Some(fault));
                }
            }
        }
    }

    #[test]
    fn records_are_cut_where_their_program_ended_them_and_have_their_first_line() {
        for (text, separator, expected) in [
            ("a,b\nc,d", ',', &["1:a|b", "2:c|d"][..]),
            ("a;b\r\n\r\n\nc;,d\r\n", ';', &["1:a|b", "4:c|,d"]),
            ("a\rb\r", ',', &["1:a", "2:b"]),
            ("\"a\r\nb\rc\n\",d\ne", ',', &["1:a\r\nb\rc\n|d", "5:e"]),
            ("\"a\"\"b\",\"\",\"\"\"\"", ',', &["1:a\"b||\""]),
            ("Ann \"A\" B,c", ',', &["1:Ann \"A\" B|c"]),
            ("\"a\" b,c", ',', &["1:a b|c"]),
            ("a,", ',', &["1:a|"]),
            (",,\n,", ',', &["1:||", "2:|"]),
            ("", ',', &[]),
            ("\n\r\n", ',', &[]),
        ] {
            assert_eq!(
                said(text, separator),
                (expected.iter().map(|&one| one.to_owned()).collect(), None),
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_quote_that_never_closes_and_a_line_that_is_too_long_are_faults_at_their_line() {
        for (text, line) in [("a\n\"b,c\nd\n", 2), ("\"", 1), ("a\n\nb,\"\"\"", 3)] {
            assert_eq!(said(text, ',').1, Some(FileFault::OpenQuote { line }), "{text:?}");
        }
        let long = |bytes: usize| format!("a\n{}\nb", "x".repeat(bytes));
        assert_eq!(said(&long(IMPORT_LINE_BYTES_MAX + 2), ',').1, Some(FileFault::LineTooLong { line: 2 }));
        // The control: a line at its bound.
        assert_eq!(said(&long(IMPORT_LINE_BYTES_MAX - 1), ',').0.len(), 3);
    }
}
