//! A store in service: opened beside its snapshot, shared by any number of threads.

use std::path::Path;
use std::sync::Arc;

use crate::model::ix::{OptionalIx, PersonIx};
use crate::relational::error::{RelationalError, StoreUnusable};
use crate::relational::lookup::Match;
use crate::relational::pool::ReaderPool;
use crate::relational::reader::{ExpectedStore, Reader};
use crate::relational::schema::path_beside;
use crate::snapshot::header::Identity;

/// The store of one snapshot, open for look-ups; ask it by [`Self::find`].
#[derive(Debug)]
pub struct RelationalStore {
    pub(crate) pool: Arc<ReaderPool>,
    /// The number of people in its tables.
    pub(crate) people: u32,
    /// The number in the network of each person of the tables, none for a person who is not in it; `None` if all
    /// numbers are those of the tables.
    numbers: Option<Arc<[OptionalIx<PersonIx>]>>,
}

/// Checks the store beside the snapshot file `snapshot`, which has this `identity` and so many `people`: like
/// [`RelationalStore::open`], and also all of its pages and indexes. Reads the whole store.
///
/// # Errors
/// Returns why it cannot be used; the snapshot still can be.
pub fn check_store(snapshot: &Path, identity: Identity, people: u32) -> Result<(), StoreUnusable> {
    let path = path_beside(snapshot);
    let path = std::path::absolute(&path)
        .map_err(|error| StoreUnusable::Unreadable { path, reason: error.to_string() })?;
    Reader::open(&path, ExpectedStore { identity, people })?.check_pages(&path)
}

impl RelationalStore {
    /// Opens the store beside the snapshot file `snapshot`, which has this `identity` and so many `people`.
    ///
    /// Checks the store's marks, its tables' form and its binding to the snapshot, but not its rows: each is checked
    /// when a look-up reads it. Costs about a millisecond, however large. A file put at the path later is never read.
    ///
    /// # Errors
    /// Returns why it cannot be used; the snapshot still can be.
    pub fn open(snapshot: &Path, identity: Identity, people: u32) -> Result<Self, StoreUnusable> {
        let path = path_beside(snapshot);
        let path = std::path::absolute(&path)
            .map_err(|error| StoreUnusable::Unreadable { path, reason: error.to_string() })?;
        let pool = Arc::new(ReaderPool::open(path, ExpectedStore { identity, people })?);
        Ok(Self { pool, people, numbers: None })
    }

    /// This store for a network in which the person numbered `n` has the number `numbers[n]`, or none if they have left
    /// it. Shares the connections.
    ///
    /// # Panics
    /// Panics if a person has no entry in `numbers`.
    #[must_use]
    pub fn renumbered(&self, numbers: &[OptionalIx<PersonIx>]) -> Self {
        let renumber = |before: &OptionalIx<PersonIx>| {
            before.get().map_or(OptionalIx::NONE, |before| numbers[before.0 as usize])
        };
        let numbers = match &self.numbers {
            None => Arc::from(numbers),
            Some(before) => before.iter().map(renumber).collect(),
        };
        Self { pool: Arc::clone(&self.pool), people: self.people, numbers: Some(numbers) }
    }

    /// Whether people have other numbers in the network than in its tables; texts may then too.
    #[must_use]
    pub fn is_renumbered(&self) -> bool {
        self.numbers.is_some()
    }

    /// Whether a look-up found it damaged or unreadable.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.pool.has_failed()
    }

    /// The first failure that was the store's fault, for the log: for the first caller after it; otherwise `None`.
    #[must_use]
    pub fn unreported_failure(&self) -> Option<&RelationalError> {
        self.pool.unreported_failure()
    }

    /// Converts the matches of the tables to those in the network, by their numbers there.
    pub(crate) fn in_network(&self, mut matches: Vec<Match>) -> Vec<Match> {
        if let Some(numbers) = &self.numbers {
            matches.retain_mut(|found| {
                let person = numbers[found.person as usize].get();
                found.person = person.map_or(found.person, |person| person.0);
                person.is_some()
            });
        }
        matches
    }
}
