//! The sentences of the distinct breakdowns, made once: a network has a few hundred, and each answer shows several.

use std::borrow::Cow;

use crate::graph::signals::signals;
use crate::model::column::TextColumn;
use crate::model::csr::Csr;

/// Breakdowns of so many bytes of text are read when the index is made; those behind them when they are shown.
const READ_BYTES_MAX: usize = 1 << 20;

/// The sentences of one breakdown, the greatest factor first.
pub type EdgeSignals<'a> = Cow<'a, [String]>;

/// The sentences of breakdowns, by their place among the distinct ones.
#[derive(Debug, Default)]
pub struct Sentences {
    read: Csr<String>,
}

impl Sentences {
    /// Reads the first of `breakdowns`, up to a bound.
    #[must_use]
    pub fn build(breakdowns: &TextColumn) -> Self {
        Self::within(breakdowns, READ_BYTES_MAX)
    }

    fn within(breakdowns: &TextColumn, bytes_max: usize) -> Self {
        let mut read = Csr::default();
        let mut bytes = 0;
        for breakdown in breakdowns.iter() {
            bytes += breakdown.len();
            if bytes > bytes_max {
                break;
            }
            read.push_row(signals(breakdown));
        }
        Self { read }
    }

    /// The sentences of the breakdown at `place` of `breakdowns`, which these were built of.
    #[must_use]
    pub fn of<'a>(&'a self, breakdowns: &TextColumn, place: u32) -> EdgeSignals<'a> {
        if (place as usize) < self.read.len() {
            Cow::Borrowed(self.read.row(place))
        } else {
            Cow::Owned(signals(breakdowns.get(place)))
        }
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.read.size_bytes() + self.read.items.iter().map(String::capacity).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::column::ColumnFull;

    #[test]
    fn sentences_are_those_of_the_breakdown_on_both_sides_of_the_bound() -> Result<(), ColumnFull> {
        let texts = ["", r#"{"pastCompanyName":"A"}"#, r#"{"sameCity":1,"x":2}"#, r#"{"sameCity":5}"#];
        let breakdowns = TextColumn::from_texts(texts)?;
        let whole = texts.iter().map(|text| text.len()).sum();
        for (bytes_max, read) in [(whole, 4), (whole - 1, 3), (0, 1)] {
            let sentences = Sentences::within(&breakdowns, bytes_max);
            for (place, text) in texts.iter().enumerate() {
                let found = sentences.of(&breakdowns, place as u32);
                assert_eq!(found, signals(text), "{text}");
                assert_eq!(matches!(found, Cow::Borrowed(_)), place < read, "{text} within {bytes_max}");
            }
        }
        Ok(())
    }
}
