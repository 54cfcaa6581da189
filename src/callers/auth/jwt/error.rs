//! Faults of an issuer's set of keys.

use std::io;
use std::path::PathBuf;

use crate::limits::{JWKS_BYTES_MAX, JWKS_KEYS_MAX};

/// Why a JWKS is rejected. No message quotes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeysFault {
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(io::ErrorKind),
    /// The address cannot be reached, or does not speak HTTP.
    #[error("it cannot be reached, or broke off its answer")]
    Unreachable,
    /// No complete answer came in time.
    #[error("it did not answer in time")]
    Late,
    /// The address answered with a status other than 200; redirects are not followed.
    #[error("it answered with status {0} instead of 200")]
    Status(u16),
    /// It exceeds the maximum size.
    #[error("it has more than {JWKS_BYTES_MAX} bytes")]
    TooLong,
    /// It is not a JSON object with distinct names, or has no list `keys`.
    #[error("it is not a JWKS, a JSON object with a list \"keys\" and no name twice")]
    NoSet,
    /// It exceeds the maximum number of keys.
    #[error("it has more than {JWKS_KEYS_MAX} keys")]
    TooManyKeys,
    /// Two usable keys have the same name and algorithm.
    #[error("two of its keys have the same kid and algorithm")]
    RepeatedName,
    /// It has no usable key.
    #[error("it has no Ed25519, P-256 or RSA key to check signatures with")]
    NoKey,
}

/// Why an issuer cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum IssuerError {
    /// The file of its keys is rejected.
    #[error("the JWKS {path} (oauth.jwks_file) cannot be taken: {fault}")]
    File {
        /// The file.
        path: PathBuf,
        /// The fault.
        fault: KeysFault,
    },
    /// TLS cannot be set up.
    #[error("TLS cannot be set up for oauth.jwks_url")]
    Tls,
}
