//! What look-ups found, for as long as a look at the store proves that they would find it again.

use std::collections::HashMap;

use crate::auth::look::Stamp;
use crate::auth::secret::Hash;
use crate::limits::CREDENTIALS_REMEMBERED_MAX;

/// What was found for credentials, by their hashes, all under one stamp. Never more than
/// [`CREDENTIALS_REMEMBERED_MAX`].
#[derive(Debug)]
pub(crate) struct Remembered<F> {
    stamp: Option<Stamp>,
    found: HashMap<Hash, F>,
}

impl<F> Default for Remembered<F> {
    fn default() -> Self {
        Self { stamp: None, found: HashMap::new() }
    }
}

impl<F> Remembered<F> {
    /// What was found for the credential of `hash`. Returns `None` if nothing was, or the store is not proven by `stamp`
    /// to be as it was then: all of it is forgotten then.
    pub(crate) fn get(&mut self, stamp: Option<Stamp>, hash: &Hash) -> Option<&F> {
        if self.stamp != stamp {
            self.found.clear();
            self.stamp = stamp;
        }
        self.found.get(hash)
    }

    /// Remembers what was found for `hash` after the look whose stamp [`Self::get`] was given last; nothing without
    /// one. If there are too many, all are forgotten first.
    pub(crate) fn put(&mut self, hash: Hash, found: F) {
        if self.stamp.is_none() {
            return;
        }
        if self.found.len() >= CREDENTIALS_REMEMBERED_MAX {
            self.found.clear();
        }
        self.found.insert(hash, found);
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.found.len()
    }
}
