//! Columns of text: one arena for a whole column instead of a string for each row.

/// Texts of a column, back to back in one arena. The empty text means "no value".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextColumn {
    /// Where each text begins, in bytes; one longer than the rows, first 0, last the arena's length.
    offsets: Vec<u32>,
    /// All texts, in row order.
    arena: String,
}

/// Why parts do not make a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ColumnFault {
    /// There is not even the first offset, or it is not 0.
    #[error("offsets do not start at 0")]
    Start,
    /// The offset at this place is smaller than the one before it.
    #[error("offset {0} is smaller than the one before it")]
    Descending(usize),
    /// The last offset is not the arena's length.
    #[error("the last offset is not the length of the text")]
    End,
    /// The offset at this place cuts a character.
    #[error("offset {0} cuts a character")]
    CutsCharacter(usize),
}

/// A column's arena would pass 4 GiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("one column holds more than 4 GiB of text")]
pub struct ColumnFull;

impl Default for TextColumn {
    fn default() -> Self {
        Self { offsets: vec![0], arena: String::new() }
    }
}

impl TextColumn {
    /// Adds a row.
    ///
    /// # Errors
    /// Where the arena would pass 4 GiB; the column stays as it was.
    pub fn push(&mut self, text: &str) -> Result<(), ColumnFull> {
        let end = u32::try_from(self.arena.len() + text.len()).map_err(|_| ColumnFull)?;
        self.arena.push_str(text);
        self.offsets.push(end);
        Ok(())
    }

    /// A column of `texts`.
    ///
    /// # Errors
    /// Where the arena would pass 4 GiB.
    pub fn from_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Self, ColumnFull> {
        let mut column = Self::default();
        texts.into_iter().try_for_each(|text| column.push(text))?;
        Ok(column)
    }

    /// A column from its parts.
    ///
    /// # Errors
    /// The first thing about the parts that no column has.
    pub fn from_parts(offsets: Vec<u32>, arena: String) -> Result<Self, ColumnFault> {
        if offsets.first() != Some(&0) {
            return Err(ColumnFault::Start);
        }
        if offsets.last().map(|&end| end as usize) != Some(arena.len()) {
            return Err(ColumnFault::End);
        }
        if let Some(at) = offsets.windows(2).position(|pair| pair[0] > pair[1]) {
            return Err(ColumnFault::Descending(at + 1));
        }
        if !arena.is_ascii()
            && let Some(at) = offsets.iter().position(|&offset| !arena.is_char_boundary(offset as usize))
        {
            return Err(ColumnFault::CutsCharacter(at));
        }
        Ok(Self { offsets, arena })
    }

    /// The offsets (one longer than the rows) and the arena.
    #[must_use]
    pub fn parts(&self) -> (&[u32], &str) {
        (&self.offsets, &self.arena)
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of row `row`; empty where it has no value.
    ///
    /// # Panics
    /// Where there is no such row.
    #[must_use]
    pub fn get(&self, row: u32) -> &str {
        let row = row as usize;
        &self.arena[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }

    /// The text of row `row`, where it has a value.
    #[must_use]
    pub fn value(&self, row: u32) -> Option<&str> {
        Some(self.get(row)).filter(|text| !text.is_empty())
    }

    /// All texts, in row order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.offsets.windows(2).map(|pair| &self.arena[pair[0] as usize..pair[1] as usize])
    }

    /// The row whose text is `text`, in a column sorted by byte order. Costs a binary search.
    #[must_use]
    pub fn find_sorted(&self, text: &str) -> Option<u32> {
        let row = self.lower_bound(text);
        (row < self.len() as u32 && self.get(row) == text).then_some(row)
    }

    /// The first row whose text is not before `text`, in a sorted column.
    #[must_use]
    pub fn lower_bound(&self, text: &str) -> u32 {
        let (mut low, mut high) = (0, self.len() as u32);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.get(middle) < text { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// The rows `order`, in that order, as a new column.
    ///
    /// # Errors
    /// Where the arena would pass 4 GiB, as repeated rows can make it.
    pub fn gather(&self, order: &[u32]) -> Result<Self, ColumnFull> {
        Self::from_texts(order.iter().map(|&row| self.get(row)))
    }

    /// The first row that is not after the one before it, where the rows do not strictly ascend.
    #[must_use]
    pub fn first_unsorted(&self) -> Option<usize> {
        let mut before: Option<&str> = None;
        self.iter().position(|text| before.replace(text).is_some_and(|earlier| earlier >= text))
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.offsets.capacity() * size_of::<u32>() + self.arena.capacity()
    }
}

/// A column whose texts repeat: each distinct text once, and a number for each row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DictionaryColumn {
    /// The distinct texts, strictly ascending; the first is always the empty one.
    pub values: TextColumn,
    /// For each row, its place in `values`.
    pub rows: Vec<u32>,
}

impl Default for DictionaryColumn {
    fn default() -> Self {
        Self { values: TextColumn { offsets: vec![0, 0], arena: String::new() }, rows: Vec::new() }
    }
}

impl DictionaryColumn {
    /// The column that holds what `texts` does.
    ///
    /// # Errors
    /// Where the distinct texts pass 4 GiB.
    pub fn from_texts(texts: &TextColumn) -> Result<Self, ColumnFull> {
        let mut values: Vec<&str> = texts.iter().collect();
        values.push("");
        values.sort_unstable();
        values.dedup();
        let values = TextColumn::from_texts(values)?;
        let rows = texts.iter().map(|text| values.lower_bound(text)).collect();
        Ok(Self { values, rows })
    }

    /// The text of row `row`; empty where it has no value.
    ///
    /// # Panics
    /// Where there is no such row.
    #[must_use]
    pub fn get(&self, row: u32) -> &str {
        self.values.get(self.rows[row as usize])
    }

    /// The text of row `row`, where it has a value.
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
        let column = DictionaryColumn::from_texts(&texts)?;
        assert_eq!((0..4).map(|row| column.get(row)).collect::<Vec<_>>(), ["b", "", "a", "b"]);
        assert_eq!(column.values.iter().collect::<Vec<_>>(), ["", "a", "b"]);
        Ok(())
    }

    #[test]
    fn sorted_columns_are_searched_and_unsorted_ones_told() -> Result<(), ColumnFull> {
        let column = TextColumn::from_texts(["a", "c", "e"])?;
        assert_eq!((column.find_sorted("c"), column.find_sorted("d")), (Some(1), None));
        assert_eq!((column.lower_bound("d"), column.lower_bound("f")), (2, 3));
        assert_eq!(column.first_unsorted(), None);
        assert_eq!(TextColumn::from_texts(["a", "a"])?.first_unsorted(), Some(1));
        Ok(())
    }
}
