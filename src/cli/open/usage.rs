//! What is wrong with a command line of `kith open`.

/// What the command line asks for that cannot be: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct OpenUsageError(pub(crate) String);
