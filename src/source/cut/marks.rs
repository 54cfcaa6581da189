//! For each id the organizations that it matters to.

use std::collections::HashMap;

use crate::model::column::ColumnFull;
use crate::source::ids::Distinct;

/// A set of organizations: one bit for each that is asked for.
pub(crate) type Mask = u64;

/// Ids, and the organizations of each.
#[derive(Default)]
pub(crate) struct IdMarks {
    ids: Distinct,
    masks: Vec<Mask>,
}

/// Pairs of ids, and the organizations of each.
#[derive(Default)]
pub(crate) struct PairMarks {
    ids: Distinct,
    masks: HashMap<(u32, u32), Mask>,
}

impl IdMarks {
    /// Adds the organizations `mask` to the id `id`.
    ///
    /// # Errors
    /// Returns an error if the ids would pass 4 GiB.
    pub(crate) fn add(&mut self, id: &str, mask: Mask) -> Result<(), ColumnFull> {
        if mask == 0 {
            return Ok(());
        }
        let (number, is_new) = self.ids.number(id)?;
        if is_new {
            self.masks.push(mask);
        } else {
            self.masks[number as usize] |= mask;
        }
        Ok(())
    }

    /// Adds all that `other` has.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub(crate) fn add_all(&mut self, other: &Self) -> Result<(), ColumnFull> {
        other.ids.texts().iter().zip(&other.masks).try_for_each(|(id, &mask)| self.add(id, mask))
    }

    /// The organizations of the id `id`.
    pub(crate) fn of(&self, id: &str) -> Mask {
        self.ids.find(id).map_or(0, |number| self.masks[number as usize])
    }
}

impl PairMarks {
    /// Adds the organizations `mask` to the pair.
    ///
    /// # Errors
    /// As [`IdMarks::add`].
    pub(crate) fn add(&mut self, from: &str, to: &str, mask: Mask) -> Result<(), ColumnFull> {
        let pair = (self.ids.number(from)?.0, self.ids.number(to)?.0);
        *self.masks.entry(pair).or_default() |= mask;
        Ok(())
    }

    /// The organizations of the pair; `None` if it was never added.
    pub(crate) fn of(&self, from: &str, to: &str) -> Option<Mask> {
        self.masks.get(&(self.ids.find(from)?, self.ids.find(to)?)).copied()
    }
}
