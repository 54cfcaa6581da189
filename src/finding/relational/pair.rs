//! Writes a snapshot and its store together.

use std::path::Path;

use crate::model::dataset::Dataset;
use crate::relational::error::WriteError;
use crate::relational::write::write_store;
use crate::snapshot::error::SnapshotError;
use crate::snapshot::write::{Written, stage};

/// A written snapshot and its store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The snapshot.
    pub snapshot: Written,
    /// The store's length in bytes.
    pub store_bytes: u64,
}

/// Why a pair was not written.
#[derive(Debug, thiserror::Error)]
pub enum PairError {
    /// The snapshot could not be written.
    #[error("{0}")]
    Snapshot(SnapshotError),
    /// Its store could not be written.
    #[error("{0}")]
    Store(WriteError),
}

/// Writes the snapshot of `dataset` to `path` and its store beside it.
///
/// The snapshot is written first, without its final name, since the store must contain its identity; then the store is
/// renamed into place, then the snapshot. A crash in between leaves the older snapshot beside a store whose identity
/// does not match.
///
/// # Errors
/// Returns an error if the dataset is not sound, or if the system refuses a step. An older snapshot stays as it was.
pub fn write(path: &Path, dataset: &Dataset) -> Result<Pair, PairError> {
    let staged = stage(path, dataset).map_err(PairError::Snapshot)?;
    let store_bytes = write_store(path, dataset, staged.written().identity).map_err(PairError::Store)?;
    let snapshot = staged.put_in_place().map_err(PairError::Snapshot)?;
    Ok(Pair { snapshot, store_bytes })
}
