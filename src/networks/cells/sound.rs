//! Checks a snapshot and the store beside it like `kith verify`.

use std::path::Path;

use crate::relational::error::StoreUnusable;
use crate::relational::store::check_store;
use crate::snapshot::{Identity, SnapshotError, read};
use kith_embed::of_tables::check_prepared;

/// A sound snapshot and its matching store.
#[derive(Debug)]
pub struct SoundPair {
    /// The organization.
    pub organization: String,
    /// The identity of the snapshot's content.
    pub identity: Identity,
}

/// Why a snapshot and its store are not sound.
#[derive(Debug, thiserror::Error)]
pub enum UnsoundPair {
    /// The snapshot is not sound.
    #[error("{0}")]
    Snapshot(SnapshotError),
    /// Its store is not sound, or is missing.
    #[error("{0}")]
    Store(StoreUnusable),
}

/// Checks the snapshot at `path` and the store beside it: every byte, checksum and cross-reference, and the prepared
/// results. Takes the memory of the snapshot, and all cores.
///
/// # Errors
/// Returns the first fault; a missing store is one.
pub fn check_pair(path: &Path) -> Result<SoundPair, UnsoundPair> {
    let loaded = read::load(path).map_err(UnsoundPair::Snapshot)?;
    check_prepared(&loaded.dataset).map_err(UnsoundPair::Snapshot)?;
    let people = u32::try_from(loaded.dataset.people.len()).unwrap_or(u32::MAX);
    check_store(path, loaded.identity, people).map_err(UnsoundPair::Store)?;
    Ok(SoundPair { organization: loaded.dataset.organization.id, identity: loaded.identity })
}
