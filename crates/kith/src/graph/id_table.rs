//! A small table over an ascending column of ids: a look-up reads a few of its texts instead of one per halving of a
//! million rows.
//!
//! Promise: An id is found by a few texts, whatever stands in the column, and one that is not there by as many.
//! Control: the search without the table, in the same trial.

/// One row in `STEP` is in the table.
const STEP: u32 = 16;
/// Minimum number of rows that a look-up halves, if there are as many: a missing id takes as long as a present one.
const WINDOW: u32 = 2 * STEP;

/// A sampled index over texts that ascend strictly, byte by byte.
///
/// Costs eight bytes per sixteen texts. Texts with a long common prefix are left to the binary search that follows: a
/// look-up takes at most a few steps more than without the table.
#[derive(Debug)]
pub struct IdTable {
    rows: u32,
    /// Length in bytes of the prefix that all texts share.
    common: usize,
    /// For each sixteenth text, the eight bytes after the common prefix as a big-endian number, padded with zeros.
    keys: Vec<u64>,
}

impl IdTable {
    /// Builds the table over the `rows` texts that `text` returns. Costs a sixteenth of a pass over them.
    #[must_use]
    pub fn build<'t>(rows: usize, text: impl Fn(u32) -> &'t [u8]) -> Self {
        let rows = u32::try_from(rows).unwrap_or(u32::MAX);
        let common = match rows.checked_sub(1) {
            Some(last) => text(0).iter().zip(text(last)).take_while(|(one, other)| one == other).count(),
            None => 0,
        };
        let keys = (0..rows).step_by(STEP as usize).map(|row| key(&text(row)[common..])).collect();
        Self { rows, common, keys }
    }

    /// Finds the row of `id`; `text` must return the texts the table was built from.
    #[must_use]
    pub fn find<'t>(&self, id: &[u8], text: impl Fn(u32) -> &'t [u8]) -> Option<u32> {
        if self.rows == 0 || !id.starts_with(&text(0)[..self.common]) {
            return None;
        }
        let (mut low, end) = self.window(key(&id[self.common..]));
        let mut high = end;
        while low < high {
            let middle = low + (high - low) / 2;
            if text(middle) < id { low = middle + 1 } else { high = middle }
        }
        (low < end && text(low) == id).then_some(low)
    }

    /// The range of rows in which a text with `key` can be.
    fn window(&self, key: u64) -> (u32, u32) {
        let above = self.keys.partition_point(|&other| other <= key);
        let alike = self.keys[..above].iter().rev().take_while(|&&other| other == key).take(2).count();
        // Several sampled texts hardly ever share a prefix this long.
        let from = if alike < 2 { above - alike } else { self.keys.partition_point(|&other| other < key) };
        let start = (from as u32).saturating_sub(1) * STEP;
        let end = (above as u32).saturating_mul(STEP).max(start.saturating_add(WINDOW)).min(self.rows);
        (start.min(end.saturating_sub(WINDOW)), end)
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.keys.capacity() * size_of::<u64>()
    }
}

/// The first eight bytes of `text` as a number.
fn key(text: &[u8]) -> u64 {
    let mut first = [0; 8];
    let length = text.len().min(first.len());
    first[..length].copy_from_slice(&text[..length]);
    u64::from_be_bytes(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::column::{ColumnFull, TextColumn};
    use crate::model::reads::rows_read;

    /// Columns of ids of every kind: none, one, numbers, letters, long common prefixes, zero bytes, not ASCII.
    fn columns() -> Vec<Vec<String>> {
        let numbers = |count: usize| (0..count).map(|number| format!("person_{number}")).collect();
        let of = |make: fn(usize) -> String| (0..700).map(make).collect::<Vec<String>>();
        let mut columns: Vec<Vec<String>> = [0, 1, 2, 15, 16, 17, 31, 32, 33, 1_000].map(numbers).into();
        columns.extend([
            of(|number| format!("person_{:06x}", number * 7_919 % 65_521)),
            of(|number| format!("person_that_begins_alike_for_long_{number:05}")),
            of(|number| format!("person_{}{number:012}", if number == 0 { "a" } else { "b" })),
            of(|number| format!("x{}", "\0".repeat(number))),
            of(|number| format!("é{}{number}", "ü".repeat(number % 5))),
            of(|number| "a".repeat(number)),
        ]);
        for column in &mut columns {
            column.sort_unstable();
            column.dedup();
        }
        columns
    }

    #[test]
    fn every_id_is_found_in_its_row_and_no_other_text_is() -> Result<(), ColumnFull> {
        for ids in columns() {
            let column = TextColumn::from_texts(ids.iter().map(String::as_str))?;
            let table = IdTable::build(column.len(), |row| column.bytes(row));
            let find = |id: &str| table.find(id.as_bytes(), |row| column.bytes(row));
            for (row, id) in ids.iter().enumerate() {
                assert_eq!(find(id), Some(row as u32), "{id}");
                let shorter: String = id.chars().take(id.chars().count().saturating_sub(1)).collect();
                for other in [format!("{id}\0"), format!("{id}~"), format!("!{id}"), shorter] {
                    assert_eq!(find(&other), column.find_sorted(&other), "{other}");
                }
            }
            assert_eq!((find(""), find("zzz")), (column.find_sorted(""), column.find_sorted("zzz")));
        }
        Ok(())
    }

    /// The control is the search without a table, in the same trial.
    #[test]
    fn a_look_up_among_many_reads_few_texts_and_as_many_for_an_id_that_is_not_there() -> Result<(), ColumnFull>
    {
        let ids: Vec<String> = (0..1 << 15).map(|number| format!("person_{:08x}", number * 2)).collect();
        let column = TextColumn::from_texts(ids.iter().map(String::as_str))?;
        let table = IdTable::build(column.len(), |row| column.bytes(row));
        type Find<'a> = &'a dyn Fn(&str) -> Option<u32>;
        let finds: [(Find<'_>, bool); 2] = [
            (&|id| table.find(id.as_bytes(), |row| column.bytes(row)), true),
            (&|id| column.find_sorted(id), false),
        ];
        for (find, is_few) in finds {
            let reads = |number: u32| rows_read(|| find(&format!("person_{number:08x}"))).1;
            let counts: Vec<u64> = (64..65_000).step_by(31).map(reads).collect();
            let (least, most) = (counts.iter().min(), counts.iter().max());
            assert_eq!(most <= Some(&8), is_few, "{least:?} to {most:?}");
            assert!(least >= Some(&7), "{least:?}");
        }
        Ok(())
    }
}
