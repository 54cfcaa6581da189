//! A store in service: opened beside its snapshot, asked by any number of threads.

use std::path::Path;

use crate::relational::error::Unavailable;
use crate::relational::pool::Pool;
use crate::relational::reader::Expected;
use crate::relational::schema::path_beside;
use crate::snapshot::header::Identity;

/// The store of one snapshot, open for look-ups; ask it by [`Self::find`].
#[derive(Debug)]
pub struct Store {
    pub(crate) pool: Pool,
    pub(crate) people: u32,
}

impl Store {
    /// Opens the store beside the snapshot file `snapshot`, which has this `identity` and so many
    /// `people`.
    ///
    /// The store's marks, its tables' shape and its binding to the snapshot are checked; its rows are
    /// not read, each is checked when a look-up meets it. Costs about a millisecond, however large.
    /// What is put at the path later is never read.
    ///
    /// # Errors
    /// Why it cannot be used; the snapshot can.
    pub fn open(snapshot: &Path, identity: Identity, people: u32) -> Result<Self, Unavailable> {
        let path = path_beside(snapshot);
        let path = std::path::absolute(&path)
            .map_err(|error| Unavailable::Unreadable { path, reason: error.to_string() })?;
        Ok(Self { pool: Pool::open(path, Expected { identity, people })?, people })
    }
}
