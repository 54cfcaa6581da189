//! Look-up of rows by handle or address: a hash table of row numbers; the texts stay in their column.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};
use rayon::prelude::*;

use crate::model::column::TextColumn;
use crate::model::text::written_by;

/// Appends the form in which two handles are compared: [`crate::model::text::lower_onto`],
/// [`crate::model::text::fold_onto`], [`crate::model::text::address_onto`] or [`crate::model::text::domain_onto`].
pub type Form = fn(&str, &mut String);

/// Rows by handle.
#[derive(Debug)]
pub struct HandleTable {
    form: Form,
    hasher: DefaultHashBuilder,
    rows: HashTable<u32>,
}

impl HandleTable {
    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.rows.allocation_size()
    }

    /// Builds the table of `handles`, compared in `form`; rows without a handle are left out. Costs one pass, hashing
    /// on all cores.
    #[must_use]
    pub fn build(handles: &TextColumn, form: Form) -> Self {
        Self::of_rows(handles, form, (0..handles.len() as u32).collect())
    }

    /// Builds the table of some `rows` of `handles`. Costs one pass over them, hashing on all cores.
    #[must_use]
    pub fn of_rows(handles: &TextColumn, form: Form, mut rows: Vec<u32>) -> Self {
        let hasher = DefaultHashBuilder::default();
        rows.retain(|&row| !handles.bytes(row).is_empty());
        let hash_of = |formed: &mut String, row: u32| {
            formed.clear();
            form(handles.get(row), formed);
            hasher.hash_one(&*formed)
        };
        let hashes: Vec<u64> =
            rows.par_iter().map_init(String::new, |formed, &row| hash_of(formed, row)).collect();
        let mut table = HashTable::with_capacity(rows.len());
        for (&hash, row) in hashes.iter().zip(rows) {
            table.insert_unique(hash, row, |&row| hash_of(&mut String::new(), row));
        }
        Self { form, hasher, rows: table }
    }

    /// Finds all rows whose handle equals `handle`, in no order; `handles` must be the column this table was built
    /// from.
    pub fn find_all<'a>(
        &'a self,
        handles: &'a TextColumn,
        handle: &'a str,
    ) -> impl Iterator<Item = u32> + 'a {
        let wanted = written_by(self.form, handle);
        let candidates = self.rows.iter_hash(self.hasher.hash_one(&*wanted));
        // The query is mostly spelled exactly as the row has it.
        candidates.copied().filter(move |&row| {
            let text = handles.get(row);
            text == handle || written_by(self.form, text) == wanted
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::column::ColumnFull;
    use crate::model::text::{fold_onto, lower_onto};

    #[test]
    fn handles_are_equal_in_their_form_and_rows_without_one_are_not_found() -> Result<(), ColumnFull> {
        let handles = TextColumn::from_texts(["Ana-M", "", "ana-m", "bo", "ÉVA"])?;
        let find = |form, handle| {
            let mut rows: Vec<u32> = HandleTable::build(&handles, form).find_all(&handles, handle).collect();
            rows.sort_unstable();
            rows
        };
        assert_eq!(find(lower_onto, "ANA-m"), [0, 2]);
        assert_eq!(
            (find(lower_onto, "éva"), find(lower_onto, "eva"), find(fold_onto, "eva")),
            (vec![4], vec![], vec![4])
        );
        assert!(find(lower_onto, "").is_empty() && find(lower_onto, "an").is_empty());
        Ok(())
    }
}
