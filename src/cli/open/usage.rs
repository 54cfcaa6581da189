//! Faults of a command line of `kith open`.

/// A command line that cannot be carried out: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct OpenUsageError(pub(crate) String);
