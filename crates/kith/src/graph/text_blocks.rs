//! Finds the blocks of a column that can contain a text, without reading them.
//!
//! The rows of a column are grouped into blocks. For each of some thousand classes of three-byte runs there is a bit
//! slice: one bit per block, set if the block has a run of that class. A text can only occur in blocks whose bit is set
//! in the slices of all its runs, so scanning those blocks finds every occurrence. The slices cost a few megabytes and
//! one pass at load; a list of positions per run would cost several times the texts.

use std::ops::Range;

use rayon::prelude::*;

use crate::model::column::TextColumn;

/// Columns of up to this many rows have no slices: scanning them takes some microseconds, and slices would outweigh
/// everything else in a small network.
const SCANNED_ROWS: usize = 1_024;
const BLOCK_ROWS: usize = 256;
/// Blocks whose bits share a word of a slice.
const WORD_BLOCKS: usize = u64::BITS as usize;
/// Classes of runs, a power of two.
const SLICES: usize = 1 << 14;
/// Bytes of a run.
const RUN: usize = 3;

/// The bit slices of one column.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TextBlocks {
    rows: usize,
    /// Words of each slice.
    words: usize,
    /// All slices, one after the other; empty for a column that is scanned.
    slices: Vec<u64>,
}

impl TextBlocks {
    /// Builds the slices of `column`. Costs one pass over its texts, on all cores.
    #[must_use]
    pub fn build(column: &TextColumn) -> Self {
        let rows = column.len();
        if rows <= SCANNED_ROWS {
            return Self { rows, ..Self::default() };
        }
        let words = rows.div_ceil(BLOCK_ROWS * WORD_BLOCKS);
        let parts: Vec<Vec<u64>> =
            (0..words).into_par_iter().map(|word| slices_of_word(column, word)).collect();
        let mut slices = Vec::with_capacity(SLICES * words);
        for slice in 0..SLICES {
            slices.extend(parts.iter().map(|part| part[slice]));
        }
        Self { rows, words, slices }
    }

    /// Runs of rows within `within`, ascending, that can contain `needle`; no other row does. Costs one slice look-up
    /// per byte of the needle.
    #[must_use]
    pub fn may_hold(&self, needle: &[u8], within: Range<usize>) -> Vec<Range<usize>> {
        if needle.len() < RUN || within.is_empty() || self.slices.is_empty() {
            return vec![within];
        }
        let mut runs = needle.windows(RUN).map(slice_of);
        let slice = |at: usize| &self.slices[at * self.words..(at + 1) * self.words];
        let mut left = runs.next().map_or_else(Vec::new, |first| slice(first).to_vec());
        for run in runs {
            left.iter_mut().zip(slice(run)).for_each(|(left, bits)| *left &= bits);
        }
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for block in set_bits(&left) {
            let start = (block * BLOCK_ROWS).max(within.start);
            let end = ((block + 1) * BLOCK_ROWS).min(within.end).min(self.rows);
            match ranges.last_mut() {
                Some(last) if last.end == start => last.end = end,
                _ if start < end => ranges.push(start..end),
                _ => {}
            }
        }
        ranges
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.slices.capacity() * size_of::<u64>()
    }
}

/// Computes one word of every slice from the runs of its blocks.
fn slices_of_word(column: &TextColumn, word: usize) -> Vec<u64> {
    let mut slices = vec![0_u64; SLICES];
    for block in 0..WORD_BLOCKS {
        let start = (word * WORD_BLOCKS + block) * BLOCK_ROWS;
        for row in start..(start + BLOCK_ROWS).min(column.len()) {
            for run in column.get(row as u32).as_bytes().windows(RUN) {
                slices[slice_of(run)] |= 1 << block;
            }
        }
    }
    slices
}

/// The class of a run of three bytes.
fn slice_of(run: &[u8]) -> usize {
    let number = run.iter().fold(0_u32, |number, &byte| number << 8 | u32::from(byte));
    (number.wrapping_mul(0x9E37_79B1) >> (u32::BITS - SLICES.trailing_zeros())) as usize
}

fn set_bits(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(word, &bits)| {
        let mut bits = bits;
        std::iter::from_fn(move || {
            let bit = bits.trailing_zeros() as usize;
            let is_set = bits != 0;
            bits &= bits.wrapping_sub(1);
            is_set.then_some(word * WORD_BLOCKS + bit)
        })
    })
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use super::*;
    use crate::model::column::ColumnFull;

    #[test]
    fn no_row_that_holds_a_text_is_left_out_and_most_others_are() -> Result<(), ColumnFull> {
        let mut texts: Vec<String> =
            (0..40_000).map(|row| format!("person {row} 李{}", row * 7919 % 1013)).collect();
        texts[39_999] = "somebody else".to_owned();
        let column = TextColumn::from_texts(texts.iter().map(String::as_str))?;
        let blocks = TextBlocks::build(&column);
        for needle in ["39998", "on 2", "李1", "a", "", "李", "nowhere", "person 0", "body el"] {
            for within in [0..40_000, 300..301, 255..257, 39_999..40_000, 7..7] {
                let ranges = blocks.may_hold(needle.as_bytes(), within.clone());
                assert!(ranges.windows(2).all(|pair| pair[0].end < pair[1].start), "{needle}: {ranges:?}");
                assert!(ranges.iter().all(|range| within.start <= range.start && range.end <= within.end));
                for row in within.filter(|&row| texts[row].contains(needle)) {
                    assert!(ranges.iter().any(|range| range.contains(&row)), "{needle} in row {row}");
                }
            }
        }
        assert!(blocks.may_hold(b"nowhere", 0..40_000).is_empty());
        let rare = blocks.may_hold(b"body el", 0..40_000);
        assert_eq!((rare.len(), rare.first()), (1, Some(&(39_936..40_000))));
        Ok(())
    }

    #[test]
    fn a_small_column_is_scanned_and_takes_no_memory() -> Result<(), ColumnFull> {
        for (rows, is_scanned) in [(0, true), (SCANNED_ROWS, true), (SCANNED_ROWS + 1, false)] {
            let column = TextColumn::from_texts((0..rows).map(|_| "person"))?;
            let blocks = TextBlocks::build(&column);
            assert_eq!(blocks.size_bytes() == 0, is_scanned, "{rows} rows");
            let all = 0..rows;
            let expected = if is_scanned { from_ref(&all) } else { &[] };
            assert_eq!(blocks.may_hold(b"nowhere", 0..rows), expected, "{rows} rows");
        }
        Ok(())
    }
}
