//! The sentences of the distinct breakdowns, parsed once: an answer shows several, and most breakdowns share the same
//! few.

use std::collections::HashMap;

use crate::graph::signals::signals;
use crate::model::column::TextColumn;
use crate::model::csr::Csr;

/// Bytes of breakdowns parsed when the index is built; later ones are parsed when shown.
const READ_BYTES_MAX: usize = 4 << 20;

/// The sentences of one breakdown, highest factor first.
#[derive(Clone, Debug, Default)]
pub struct EdgeSignals<'a> {
    /// Sentences parsed when the index was built, as positions in `texts`.
    read: &'a [u32],
    texts: &'a [String],
    /// Sentences of a breakdown past the bound, parsed when shown.
    made: Vec<String>,
}

impl EdgeSignals<'_> {
    /// The sentences.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let read = self.read.iter().map(|number| self.texts[*number as usize].as_str());
        read.chain(self.made.iter().map(String::as_str))
    }

    /// Whether there are no sentences.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.read.is_empty() && self.made.is_empty()
    }
}

impl From<Vec<String>> for EdgeSignals<'_> {
    fn from(made: Vec<String>) -> Self {
        Self { made, ..Self::default() }
    }
}

impl PartialEq for EdgeSignals<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for EdgeSignals<'_> {}

/// The sentences of breakdowns, by position among the distinct ones. Costs four bytes per sentence of a breakdown, plus
/// each distinct sentence once.
#[derive(Debug, Default)]
pub struct Sentences {
    texts: Vec<String>,
    read: Csr<u32>,
}

impl Sentences {
    /// Parses `breakdowns` from the first, up to a bound.
    #[must_use]
    pub fn build(breakdowns: &TextColumn) -> Self {
        Self::within(breakdowns, READ_BYTES_MAX)
    }

    fn within(breakdowns: &TextColumn, bytes_max: usize) -> Self {
        let mut sentences = Self::default();
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut bytes = 0;
        for breakdown in breakdowns.iter() {
            bytes += breakdown.len();
            if bytes > bytes_max {
                break;
            }
            let row = signals(breakdown).into_iter().map(|sentence| {
                let next = numbers.len() as u32;
                *numbers.entry(sentence).or_insert_with_key(|sentence| {
                    sentences.texts.push(sentence.clone());
                    next
                })
            });
            sentences.read.push_row(row);
        }
        sentences
    }

    /// The sentences of the breakdown at `place`; `breakdowns` must be those these were built from.
    #[must_use]
    pub fn of<'a>(&'a self, breakdowns: &TextColumn, place: u32) -> EdgeSignals<'a> {
        if (place as usize) < self.read.len() {
            EdgeSignals { read: self.read.row(place), texts: &self.texts, made: Vec::new() }
        } else {
            signals(breakdowns.get(place)).into()
        }
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        let texts = self.texts.iter().map(|text| size_of::<String>() + text.capacity()).sum::<usize>();
        self.read.size_bytes() + texts
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
                assert!(found.iter().eq(signals(text)), "{text}");
                assert!(place >= read || found.made.is_empty(), "{text} within {bytes_max}");
                assert!(place < read || found.read.is_empty(), "{text} within {bytes_max}");
            }
        }
        Ok(())
    }
}
