//! Output of commands on stdout: numbers, times, and listings whose reader may leave.

use std::io;

use crate::model::time::Timestamp;

/// Stands in a table for a value that is missing.
const NO_VALUE: &str = "-";

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

/// A time in a table, if there is one.
pub(crate) fn time_or_none(time: Option<Timestamp>) -> String {
    time.map_or_else(|| NO_VALUE.to_owned(), Timestamp::to_rfc3339_ms)
}

/// `written`, ignoring a closed pipe: its reader has read enough.
pub(crate) fn reader_may_leave(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
