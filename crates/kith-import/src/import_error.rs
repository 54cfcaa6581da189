//! Why an import ends before anything is written.

use crate::manifest::fault::ManifestFault;
use crate::tables::earlier::EarlierFault;

/// Why nothing is imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The manifest is wrong.
    #[error("{0}")]
    Manifest(ManifestFault),
    /// The overrides are wrong.
    #[error("the overrides: {0}")]
    Overrides(ManifestFault),
    /// The member or advocate at this place of the manifest is on the suppression list.
    #[error(
        "{0} is on the suppression list; take them out of the team file, or end their part (kith exports revoke --with-files)"
    )]
    HolderForgotten(String),
    /// The tables of the last import cannot be used.
    #[error("{0}")]
    Earlier(EarlierFault),
}
