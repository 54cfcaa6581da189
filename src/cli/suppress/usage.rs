//! Impossible command lines of `kith suppress`: exit code 2.

use std::io;

/// Why the people are not named properly.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SuppressUsageError {
    /// None is given.
    #[error("say who: --linkedin-id, --email, --id or --name")]
    Nobody,
    /// A name alone.
    #[error(
        "a name alone is several people's: add --company COMPANY, or --tables DIR or --snapshot FILE to look it up"
    )]
    NameAlone,
    /// Neither an organization, nor a file that names one.
    #[error("say of which organization: --org org_…, or --tables DIR or --snapshot FILE")]
    NoOrganization,
    /// Two values read standard input.
    #[error("standard input can be read once: one value alone can be -")]
    StdinTwice,
    /// Standard input cannot be read.
    #[error("standard input cannot be read: {0}")]
    Stdin(io::Error),
    /// A line of standard input is invalid.
    #[error("line {line} of standard input: {fault}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// The fault.
        fault: &'static str,
    },
}
