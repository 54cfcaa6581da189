//! Look-up of rows by handle or address: a hash table of row numbers, the texts stay in their column.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::model::column::TextColumn;

/// The form in which two handles are equal: [`crate::model::text::lower`],
/// [`crate::model::text::fold`], [`crate::model::text::address`] or [`crate::model::text::domain`].
pub type Form = fn(&str) -> String;

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

    /// The table of `handles`, equal in this `form`; rows without one are not in it. Costs one pass.
    #[must_use]
    pub fn build(handles: &TextColumn, form: Form) -> Self {
        Self::of_rows(handles, form, 0..handles.len() as u32)
    }

    /// The table of some `rows` of `handles`. Costs one pass over them.
    #[must_use]
    pub fn of_rows(handles: &TextColumn, form: Form, rows: impl Iterator<Item = u32> + Clone) -> Self {
        let hasher = DefaultHashBuilder::default();
        let present = rows.filter(|&row| !handles.get(row).is_empty());
        let mut table = HashTable::with_capacity(present.clone().count());
        for row in present {
            let rehash = |&row: &u32| hasher.hash_one(form(handles.get(row)));
            table.insert_unique(hasher.hash_one(form(handles.get(row))), row, rehash);
        }
        Self { form, hasher, rows: table }
    }

    /// All rows of `handles` (the column this table was built from) whose handle equals `handle`, in
    /// no order.
    pub fn find_all<'a>(
        &'a self,
        handles: &'a TextColumn,
        handle: &'a str,
    ) -> impl Iterator<Item = u32> + 'a {
        let wanted = (self.form)(handle);
        let candidates = self.rows.iter_hash(self.hasher.hash_one(&wanted));
        // Mostly it is written as the row has it.
        candidates.copied().filter(move |&row| {
            let text = handles.get(row);
            text == handle || (self.form)(text) == wanted
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::column::ColumnFull;
    use crate::model::text::{fold, lower};

    #[test]
    fn handles_are_equal_in_their_form_and_rows_without_one_are_not_found() -> Result<(), ColumnFull> {
        let handles = TextColumn::from_texts(["Ana-M", "", "ana-m", "bo", "ÉVA"])?;
        let find = |form, handle| {
            let mut rows: Vec<u32> = HandleTable::build(&handles, form).find_all(&handles, handle).collect();
            rows.sort_unstable();
            rows
        };
        assert_eq!(find(lower, "ANA-m"), [0, 2]);
        assert_eq!((find(lower, "éva"), find(lower, "eva"), find(fold, "eva")), (vec![4], vec![], vec![4]));
        assert!(find(lower, "").is_empty() && find(lower, "an").is_empty());
        Ok(())
    }
}
