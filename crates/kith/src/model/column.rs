//! Columns of text: one arena for a whole column instead of a string for each row.

use crate::model::csr::{ColumnFault, Offsets};

/// Texts of a column, back to back in one arena. The empty text means "no value".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextColumn {
    /// The position of each text's first byte in the arena.
    offsets: Offsets,
    /// All texts, in row order.
    arena: String,
}

/// Bytes that a vector holds on the heap.
pub fn held<T>(vector: &Vec<T>) -> usize {
    vector.capacity() * size_of::<T>()
}

/// Invariant: some texts of a column take no more room than all.
const SUBSET: &str = "some texts of a column take no more room than all";

/// A column's arena would pass 4 GiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("one column holds more than 4 GiB of text")]
pub struct ColumnFull;

impl TextColumn {
    /// Adds a row.
    ///
    /// # Errors
    /// Returns an error if the arena would pass 4 GiB; the column stays as it was.
    pub fn push(&mut self, text: &str) -> Result<(), ColumnFull> {
        let end = u32::try_from(self.arena.len() + text.len()).map_err(|_| ColumnFull)?;
        self.arena.push_str(text);
        self.offsets.0.push(end);
        Ok(())
    }

    /// Adds a row with the text that `append` appends to its argument.
    ///
    /// # Errors
    /// Returns an error if the arena would pass 4 GiB; the column stays as it was.
    ///
    /// # Panics
    /// Panics if `append` shortens its argument.
    pub fn push_appended(&mut self, append: impl FnOnce(&mut String)) -> Result<(), ColumnFull> {
        let start = self.arena.len();
        append(&mut self.arena);
        assert!(start <= self.arena.len(), "the rows before stay");
        match u32::try_from(self.arena.len()) {
            Ok(end) => {
                self.offsets.0.push(end);
                Ok(())
            }
            Err(_) => {
                self.arena.truncate(start);
                Err(ColumnFull)
            }
        }
    }

    /// A column of `rows` rows, all without a value.
    #[must_use]
    pub fn without_values(rows: usize) -> Self {
        Self { offsets: Offsets(vec![0; rows + 1]), arena: String::new() }
    }

    /// A column of `texts`.
    ///
    /// # Errors
    /// Returns an error if the arena would pass 4 GiB.
    pub fn from_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Self, ColumnFull> {
        let mut column = Self::default();
        texts.into_iter().try_for_each(|text| column.push(text))?;
        Ok(column)
    }

    /// Builds a column from its parts.
    ///
    /// # Errors
    /// Returns the first rule that the parts break.
    pub fn from_parts(offsets: Vec<u32>, arena: String) -> Result<Self, ColumnFault> {
        let offsets = Offsets(offsets);
        offsets.check(arena.len())?;
        if !arena.is_ascii()
            && let Some(at) = offsets.0.iter().position(|&offset| !arena.is_char_boundary(offset as usize))
        {
            return Err(ColumnFault::CutsCharacter(at));
        }
        Ok(Self { offsets, arena })
    }

    /// The offsets (one longer than the rows) and the arena.
    #[must_use]
    pub fn parts(&self) -> (&[u32], &str) {
        (&self.offsets.0, &self.arena)
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of row `row`; empty if it has no value.
    ///
    /// # Panics
    /// Panics if there is no such row.
    #[must_use]
    pub fn get(&self, row: u32) -> &str {
        &self.arena[self.offsets.range(row)]
    }

    /// The bytes of row `row`, for comparisons that need no characters.
    ///
    /// # Panics
    /// Panics if there is no such row.
    #[must_use]
    pub fn bytes(&self, row: u32) -> &[u8] {
        &self.arena.as_bytes()[self.offsets.range(row)]
    }

    /// The text of row `row`, or `None` if it has no value.
    #[must_use]
    pub fn value(&self, row: u32) -> Option<&str> {
        Some(self.get(row)).filter(|text| !text.is_empty())
    }

    /// All texts, in row order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        #[cfg(test)]
        crate::model::reads::note(self.len());
        self.offsets.0.windows(2).map(|pair| &self.arena[pair[0] as usize..pair[1] as usize])
    }

    /// The row whose text is `text`, in a column sorted by byte order. Costs a binary search.
    #[must_use]
    pub fn find_sorted(&self, text: &str) -> Option<u32> {
        let row = self.lower_bound(text);
        (row < self.len() as u32 && self.bytes(row) == text.as_bytes()).then_some(row)
    }

    /// The first row whose text is not less than `text`, in a sorted column.
    #[must_use]
    pub fn lower_bound(&self, text: &str) -> u32 {
        let (mut low, mut high) = (0, self.len() as u32);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.bytes(middle) < text.as_bytes() { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// Copies the rows `order`, each at most once, in that order, to a new column.
    ///
    /// # Panics
    /// Panics if there is no such row, or if repeated rows pass 4 GiB.
    #[must_use]
    pub fn gather(&self, order: &[u32]) -> Self {
        // Consecutive rows are one piece of the arena, and ascending rows make few pieces.
        let pieces = || order.chunk_by(|row, next| row.checked_add(1) == Some(*next));
        let range =
            |rows: &[u32]| self.offsets.range(rows[0]).start..self.offsets.range(rows[rows.len() - 1]).end;
        let mut arena = String::with_capacity(pieces().map(|rows| range(rows).len()).sum());
        let mut offsets = Offsets::with_capacity(order.len());
        for rows in pieces() {
            let (start, from) = (arena.len(), range(rows).start);
            arena.push_str(&self.arena[range(rows)]);
            rows.iter().for_each(|&row| offsets.push(start + self.offsets.range(row).end - from));
        }
        Self { offsets, arena }
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.offsets.size_bytes() + self.arena.capacity()
    }
}

/// A column of repeating texts: each distinct text once, and a number per row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DictionaryColumn {
    /// The distinct texts, strictly ascending; the first is always the empty one.
    pub values: TextColumn,
    /// For each row, its position in `values`.
    pub rows: Vec<u32>,
}

impl Default for DictionaryColumn {
    fn default() -> Self {
        Self { values: TextColumn { offsets: Offsets(vec![0, 0]), arena: String::new() }, rows: Vec::new() }
    }
}

impl DictionaryColumn {
    /// Builds the dictionary of `texts`. Costs a sort.
    #[must_use]
    pub fn from_texts(texts: &TextColumn) -> Self {
        let mut values: Vec<&str> = texts.iter().collect();
        values.push("");
        values.sort_unstable();
        values.dedup();
        let values = TextColumn::from_texts(values).expect(SUBSET);
        let rows = texts.iter().map(|text| values.lower_bound(text)).collect();
        Self { values, rows }
    }

    /// The text of row `row`; empty if it has no value.
    ///
    /// # Panics
    /// Panics if there is no such row.
    #[must_use]
    pub fn get(&self, row: u32) -> &str {
        self.values.get(self.rows[row as usize])
    }

    /// The text of row `row`, or `None` if it has no value.
    #[must_use]
    pub fn value(&self, row: u32) -> Option<&str> {
        Some(self.get(row)).filter(|text| !text.is_empty())
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.values.size_bytes() + self.rows.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_make_no_column_are_named() {
        for (offsets, arena, fault) in [
            (vec![], "", ColumnFault::Start),
            (vec![1], "a", ColumnFault::Start),
            (vec![0, 1], "ab", ColumnFault::End),
            (vec![0, 2, 1, 2], "ab", ColumnFault::Descending(2)),
            (vec![0, 1, 2], "é", ColumnFault::CutsCharacter(1)),
        ] {
            assert_eq!(TextColumn::from_parts(offsets, arena.to_owned()), Err(fault));
        }
    }

    #[test]
    fn a_dictionary_holds_what_its_texts_do() -> Result<(), ColumnFull> {
        let texts = TextColumn::from_texts(["b", "", "a", "b"])?;
        let column = DictionaryColumn::from_texts(&texts);
        assert_eq!((0..4).map(|row| column.get(row)).collect::<Vec<_>>(), ["b", "", "a", "b"]);
        assert_eq!(column.values.iter().collect::<Vec<_>>(), ["", "a", "b"]);
        Ok(())
    }

    #[test]
    fn sorted_columns_are_searched() -> Result<(), ColumnFull> {
        let column = TextColumn::from_texts(["a", "c", "e"])?;
        assert_eq!((column.find_sorted("c"), column.find_sorted("d")), (Some(1), None));
        assert_eq!((column.lower_bound("d"), column.lower_bound("f")), (2, 3));
        Ok(())
    }
}
