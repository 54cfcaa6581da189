//! Evidence for the scores of edges: messages, meetings, and other kinds in the source tables.

use std::ops::Range;

use crate::model::column::{DictionaryColumn, TextColumn, held};
use crate::model::ix::PersonIx;
use crate::model::kept::Kept;
use crate::model::time::Timestamp;

/// The table of evidence, as columns of the same length.
///
/// Ascending by `from`, then `to`; within a pair newest first, ties by kind, source and note, each ascending, missing
/// values first. Each pair is an edge. A row takes 36 bytes beside its note, an edge without evidence none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The person who knows the other.
    pub from: Vec<PersonIx>,
    /// The person who is known.
    pub to: Vec<PersonIx>,
    /// When it happened.
    pub at: Vec<Timestamp>,
    /// The kind of event; each row has a value.
    pub kinds: DictionaryColumn,
    /// The source it was found in.
    pub sources: DictionaryColumn,
    /// Free-form notes.
    pub notes: TextColumn,
}

impl Evidence {
    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.from.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.from.is_empty()
    }

    /// The rows of the edge `from → to`, the newest first; empty if there are none. Costs two binary searches.
    #[must_use]
    pub fn rows_of(&self, from: PersonIx, to: PersonIx) -> Range<usize> {
        let start = self.from.partition_point(|&row| row < from);
        let count = self.from[start..].partition_point(|&row| row == from);
        let ends = &self.to[start..start + count];
        let first = ends.partition_point(|&row| row < to);
        let same = ends[first..].partition_point(|&row| row == to);
        start + first..start + first + same
    }

    /// The rows whose edge stays, of `kept` people with their new numbers; unused texts are dropped.
    #[must_use]
    pub fn gather(&self, kept: &Kept) -> Self {
        Self {
            from: kept.of_column(&self.from),
            to: kept.of_column(&self.to),
            at: kept.of_column(&self.at),
            kinds: kept.of_dictionary(&self.kinds).0,
            sources: kept.of_dictionary(&self.sources).0,
            notes: self.notes.gather(&kept.rows),
        }
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        held(&self.from)
            + held(&self.to)
            + held(&self.at)
            + self.kinds.size_bytes()
            + self.sources.size_bytes()
            + self.notes.size_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_of_an_edge_are_found_and_those_of_no_other() {
        let evidence = Evidence {
            from: [1, 1, 1, 1, 4, 4].map(PersonIx).to_vec(),
            to: [2, 2, 3, 7, 0, 2].map(PersonIx).to_vec(),
            ..Evidence::default()
        };
        for (from, to, rows) in
            [(1, 2, 0..2), (1, 3, 2..3), (1, 7, 3..4), (4, 0, 4..5), (4, 2, 5..6), (1, 0, 0..0), (1, 5, 3..3)]
        {
            assert_eq!(evidence.rows_of(PersonIx(from), PersonIx(to)), rows, "{from} → {to}");
        }
        for (from, to) in [(0, 2), (2, 1), (4, 7), (9, 9)] {
            assert!(evidence.rows_of(PersonIx(from), PersonIx(to)).is_empty(), "{from} → {to}");
        }
    }
}
