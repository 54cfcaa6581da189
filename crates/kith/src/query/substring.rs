//! Finds the rows of a column that contain a text: one scan of the arena at memory speed.

use std::ops::Range;

use fixedbitset::FixedBitSet;
use memchr::memmem::Finder;

use crate::graph::text_blocks::TextBlocks;
use crate::model::column::TextColumn;

/// The rows of a column that contain a text, ascending; a lazy iterator.
#[derive(Debug)]
pub struct RowsHolding<'a> {
    offsets: &'a [u32],
    arena: &'a [u8],
    finder: &'a Finder<'a>,
    /// The first row not yet scanned.
    row: usize,
}

impl<'a> RowsHolding<'a> {
    /// The rows of `column` within `rows` that contain the needle of `finder`. No text outside is read.
    ///
    /// # Panics
    /// Panics if the column does not have these rows.
    #[must_use]
    pub fn new(column: &'a TextColumn, finder: &'a Finder<'a>, rows: Range<usize>) -> Self {
        let (offsets, arena) = column.parts();
        let offsets = &offsets[..=rows.end];
        let end = offsets[rows.end] as usize;
        Self { offsets, arena: &arena.as_bytes()[..end], finder, row: rows.start }
    }
}

impl Iterator for RowsHolding<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let length = self.finder.needle().len();
        let mut from = *self.offsets.get(self.row)? as usize;
        loop {
            let at = from + self.finder.find(&self.arena[from..])?;
            // The row the match begins in: the last that begins at or before it.
            self.row += gallop(&self.offsets[self.row + 1..], at);
            let end = *self.offsets.get(self.row + 1)? as usize;
            if at + length <= end {
                self.row += 1;
                return Some(self.row - 1);
            }
            // The match runs over the end of its row, so no row contains it. All texts and the needle are UTF-8, so the
            // next match begins at a later character.
            from = at + 1;
        }
    }
}

/// The rows of `column` within `range` that contain the needle of `finder`, ascending; reads only blocks that can
/// contain it.
pub fn rows_within<'a>(
    column: &'a TextColumn,
    blocks: &TextBlocks,
    finder: &'a Finder<'a>,
    range: Range<usize>,
) -> impl Iterator<Item = usize> + 'a {
    rows_of(column, blocks.may_hold(finder.needle(), range), finder)
}

/// The rows of `column` within `ranges` that contain the needle of `finder`, in the order of the ranges.
pub fn rows_of<'a>(
    column: &'a TextColumn,
    ranges: Vec<Range<usize>>,
    finder: &'a Finder<'a>,
) -> impl Iterator<Item = usize> + 'a {
    ranges.into_iter().flat_map(move |rows| RowsHolding::new(column, finder, rows))
}

/// `rows` of `column` as a set.
#[must_use]
pub fn as_set(column: &TextColumn, rows: impl Iterator<Item = usize>) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(column.len());
    rows.for_each(|row| set.insert(row));
    set
}

/// How many of `offsets`, ascending, are at most `at`; costs the logarithm of the result.
fn gallop(offsets: &[u32], at: usize) -> usize {
    let passed = |&offset: &u32| offset as usize <= at;
    let mut step = 1;
    while offsets.get(step - 1).is_some_and(passed) {
        step *= 2;
    }
    let start = step / 2;
    start + offsets[start..offsets.len().min(step)].partition_point(passed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::column::ColumnFull;

    #[test]
    fn a_row_holds_a_text_only_whole() -> Result<(), ColumnFull> {
        let column = TextColumn::from_texts(["ab", "", "ba", "abab", "b", "", "äb", "aab"])?;
        for (needle, rows) in [
            ("ab", &[0, 3, 7][..]),
            ("ba", &[2, 3]),
            ("b", &[0, 2, 3, 4, 6, 7]),
            ("bb", &[]),
            ("äb", &[6]),
            ("abab", &[3]),
            ("aab", &[7]),
            ("x", &[]),
        ] {
            let finder = Finder::new(needle);
            for start in 0..=column.len() {
                for end in start..=column.len() {
                    let within: Vec<usize> =
                        rows.iter().copied().filter(|row| (start..end).contains(row)).collect();
                    let found: Vec<usize> = RowsHolding::new(&column, &finder, start..end).collect();
                    assert_eq!(found, within, "{needle} in {start}..{end}");
                }
            }
        }
        Ok(())
    }
}
