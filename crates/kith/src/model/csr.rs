//! Compressed sparse rows: many short lists in two allocations, one of offsets and one of items.

use std::ops::Range;

/// The start of each row in the items it belongs to.
///
/// One longer than the rows: the first is 0, none descends, the last is the number of items; row `r` is
/// `self.0[r]..self.0[r + 1]`. Four bytes per row, so there are fewer than 2³² items. Parallel columns share one of
/// these. Constructors guarantee the shape; [`Self::check`] is for numbers from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offsets(pub Vec<u32>);

/// Rows of items: row `r` is `items[offsets.range(r)]`.
///
/// The last offset is the number of items. Costs four bytes per row beside the items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csr<T> {
    /// The starts of the rows.
    pub offsets: Offsets,
    /// The items of all rows, in the order of the rows.
    pub items: Vec<T>,
}

/// A rule of offsets that numbers break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ColumnFault {
    /// The first offset is missing or not 0.
    #[error("offsets do not start at 0")]
    Start,
    /// The offset at this position is smaller than the one before it.
    #[error("offset {0} is smaller than the one before it")]
    Descending(usize),
    /// The last offset is not the number of items (for a column of text, of bytes).
    #[error("the last offset is not the length of the text")]
    End,
    /// The offset at this position is inside a character of a column of text.
    #[error("offset {0} cuts a character")]
    CutsCharacter(usize),
}

impl Default for Offsets {
    /// No rows.
    fn default() -> Self {
        Self(vec![0])
    }
}

impl Offsets {
    /// No rows yet, and room for `rows`.
    #[must_use]
    pub fn with_capacity(rows: usize) -> Self {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        Self(offsets)
    }

    /// Counts the offsets of `rows` rows, from the row of each item in any order. Costs one pass over both.
    ///
    /// # Panics
    /// Panics if an item is in none of the rows.
    #[must_use]
    pub fn from_rows(rows: usize, row_of_items: impl Iterator<Item = u32>) -> Self {
        let mut offsets = vec![0_u32; rows + 1];
        row_of_items.for_each(|row| offsets[row as usize + 1] += 1);
        for row in 0..rows {
            offsets[row + 1] += offsets[row];
        }
        Self(offsets)
    }

    /// Checks that these are the offsets of rows with `items` items in all. Costs one pass.
    ///
    /// # Errors
    /// Returns the first rule that is broken: start, end, order.
    pub fn check(&self, items: usize) -> Result<(), ColumnFault> {
        if self.0.first() != Some(&0) {
            return Err(ColumnFault::Start);
        }
        if self.0.last().is_none_or(|&end| end as usize != items) {
            return Err(ColumnFault::End);
        }
        match self.0.windows(2).position(|pair| pair[0] > pair[1]) {
            Some(at) => Err(ColumnFault::Descending(at + 1)),
            None => Ok(()),
        }
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The range of the items of row `row`.
    ///
    /// # Panics
    /// Panics if there is no such row.
    #[inline]
    #[must_use]
    pub fn range(&self, row: u32) -> Range<usize> {
        #[cfg(test)]
        crate::model::reads::note(1);
        let row = row as usize;
        self.0[row] as usize..self.0[row + 1] as usize
    }

    /// The number of items in row `row`.
    ///
    /// # Panics
    /// Panics if there is no such row.
    #[inline]
    #[must_use]
    pub fn count(&self, row: u32) -> u32 {
        #[cfg(test)]
        crate::model::reads::note(1);
        self.0[row as usize + 1] - self.0[row as usize]
    }

    /// The row of the item at `place`, which must exist. Costs a binary search.
    #[must_use]
    pub fn row_of(&self, place: usize) -> u32 {
        (self.0.partition_point(|&start| start as usize <= place) as u32).saturating_sub(1)
    }

    /// Adds a row whose items end at `end`, which is not before the end of the previous row.
    ///
    /// # Panics
    /// Panics if `end` is 2³² or more.
    pub fn push(&mut self, end: usize) {
        self.0.push(u32::try_from(end).expect("lists have fewer than 2^32 items"));
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.0.capacity() * size_of::<u32>()
    }
}

impl<T> Default for Csr<T> {
    /// No rows.
    fn default() -> Self {
        Self { offsets: Offsets::default(), items: Vec::new() }
    }
}

impl<T> Csr<T> {
    /// No rows yet, and room for `rows` rows with `items` items in all.
    #[must_use]
    pub fn with_capacity(rows: usize, items: usize) -> Self {
        Self { offsets: Offsets::with_capacity(rows), items: Vec::with_capacity(items) }
    }

    /// The items of row `row`.
    ///
    /// # Panics
    /// Panics if there is no such row.
    #[inline]
    #[must_use]
    pub fn row(&self, row: u32) -> &[T] {
        &self.items[self.offsets.range(row)]
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    /// All rows, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[T]> {
        (0..self.len() as u32).map(|row| self.row(row))
    }

    /// Adds a row of `items`.
    ///
    /// # Panics
    /// Panics if there are then 2³² items or more.
    pub fn push_row(&mut self, items: impl IntoIterator<Item = T>) {
        self.items.extend(items);
        self.offsets.push(self.items.len());
    }

    /// Bytes held on the heap, without what items themselves hold.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.offsets.size_bytes() + self.items.capacity() * size_of::<T>()
    }
}

impl<T: Copy> Csr<T> {
    /// Groups pairs of row and item into `rows` rows, keeping their order within a row. A counting sort: two passes
    /// over the pairs.
    ///
    /// # Panics
    /// Panics if the row of a pair is not one of the rows.
    #[must_use]
    pub fn scatter(rows: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let Some((_, any)) = pairs.clone().next() else {
            return Self { offsets: Offsets(vec![0; rows + 1]), items: Vec::new() };
        };
        let offsets = Offsets::from_rows(rows, pairs.clone().map(|(row, _)| row));
        let mut next = offsets.0.clone();
        let mut items = vec![any; offsets.0[rows] as usize];
        pairs.for_each(|(row, item)| {
            let place = &mut next[row as usize];
            items[*place as usize] = item;
            *place += 1;
        });
        Self { offsets, items }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_that_make_no_rows_are_named() {
        for (offsets, items, expected) in [
            (vec![], 0, Err(ColumnFault::Start)),
            (vec![1], 1, Err(ColumnFault::Start)),
            (vec![0, 1], 2, Err(ColumnFault::End)),
            (vec![0, 2, 1, 2], 2, Err(ColumnFault::Descending(2))),
            (vec![0, 2, 2], 2, Ok(())),
            (vec![0], 0, Ok(())),
        ] {
            assert_eq!(Offsets(offsets.clone()).check(items), expected, "{offsets:?}");
        }
    }

    #[test]
    fn rows_are_the_same_pushed_and_scattered() {
        let mut pushed = Csr::with_capacity(4, 4);
        for row in [&[][..], &['a', 'c'], &[], &['b', 'd']] {
            pushed.push_row(row.iter().copied());
        }
        let scattered = Csr::scatter(4, [(1, 'a'), (3, 'b'), (1, 'c'), (3, 'd')].into_iter());
        assert_eq!(scattered, pushed);
        assert_eq!(pushed.offsets.check(pushed.items.len()), Ok(()));
        assert_eq!(pushed.iter().map(<[char]>::len).collect::<Vec<_>>(), [0, 2, 0, 2]);
        assert_eq!((pushed.len(), pushed.row(3), pushed.offsets.count(1)), (4, &['b', 'd'][..], 2));
        assert_eq!([0, 1, 2, 3].map(|place| pushed.offsets.row_of(place)), [1, 1, 3, 3]);
    }

    #[test]
    fn rows_without_items_are_rows() {
        let empty: Csr<u8> = Csr::scatter(2, std::iter::empty());
        assert_eq!((empty.len(), empty.row(0), empty.row(1)), (2, &[][..], &[][..]));
        assert!(Csr::<u8>::default().is_empty() && !empty.is_empty());
    }
}
