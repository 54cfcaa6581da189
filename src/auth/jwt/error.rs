//! What can be wrong with an issuer's keys as a whole.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::limits::{JWKS_BYTES_MAX, JWKS_KEYS_MAX};

/// Why a JWKS cannot be taken. No message holds a word of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeysFault {
    /// The file cannot be read.
    Unreadable(io::ErrorKind),
    /// The address cannot be reached, or does not speak HTTP.
    Unreachable,
    /// There was no whole answer in time.
    Late,
    /// The address answered with another status than 200; redirects are not followed.
    Status(u16),
    /// It has more bytes than any set may have.
    TooLong,
    /// It is not a JSON object with every name once, or has no list `keys`.
    NoSet,
    /// It has more keys than any set may have.
    TooManyKeys,
    /// Two keys to use have the same name and the same algorithm.
    RepeatedName,
    /// It has no key that can be used.
    NoKey,
}

/// Why an issuer cannot be set up.
#[derive(Debug)]
pub enum IssuerError {
    /// The file of its keys cannot be taken.
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: KeysFault,
    },
    /// TLS cannot be set up.
    Tls,
}

impl fmt::Display for KeysFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(kind) => write!(out, "it cannot be read: {kind}"),
            Self::Unreachable => out.write_str("it cannot be reached, or broke off its answer"),
            Self::Late => out.write_str("it did not answer in time"),
            Self::Status(status) => write!(out, "it answered with status {status} instead of 200"),
            Self::TooLong => write!(out, "it has more than {JWKS_BYTES_MAX} bytes"),
            Self::NoSet => {
                out.write_str("it is not a JWKS, a JSON object with a list \"keys\" and no name twice")
            }
            Self::TooManyKeys => write!(out, "it has more than {JWKS_KEYS_MAX} keys"),
            Self::RepeatedName => out.write_str("two of its keys have the same kid and algorithm"),
            Self::NoKey => out.write_str("it has no Ed25519, P-256 or RSA key to check signatures with"),
        }
    }
}

impl fmt::Display for IssuerError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, fault } => {
                write!(out, "the JWKS {} (oauth.jwks_file) cannot be taken: {fault}", path.display())
            }
            Self::Tls => out.write_str("TLS cannot be set up for oauth.jwks_url"),
        }
    }
}

impl Error for IssuerError {}
