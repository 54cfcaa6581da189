//! What `kith keys` and `kith tokens` share: showing a fresh secret, and what they refuse.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::auth::secret::Kind;
use crate::auth::store::Issued;
use crate::model::time::Timestamp;

/// Prints the secret alone. It cannot be shown again, so here a reader that left is a failure.
///
/// # Errors
/// Where `out` cannot be written; the credential exists all the same.
pub(crate) fn print_secret(out: &mut impl Write, kind: Kind, issued: &Issued) -> Result<(), CredentialError> {
    writeln!(out, "{}", issued.secret.reveal())
        .and_then(|()| out.flush())
        .map_err(|cause| CredentialError::Unprinted { kind, id: issued.id.clone(), cause })
}

/// Turns the outcome of a revocation into that of the command.
///
/// # Errors
/// Where there was no credential with this id.
pub(crate) fn require_revoked(
    revoked: Option<Timestamp>,
    kind: Kind,
    id: &str,
    path: &Path,
) -> Result<(), CredentialError> {
    match revoked {
        Some(_) => Ok(()),
        None if id.starts_with(Kind::OrganizationKey.prefix())
            || id.starts_with(Kind::UserToken.prefix()) =>
        {
            Err(CredentialError::SecretForId { kind })
        }
        None => Err(CredentialError::UnknownId { kind, id: id.to_owned(), path: path.to_owned() }),
    }
}

/// Why a command on credentials failed, apart from the store itself.
#[derive(Debug)]
pub(crate) enum CredentialError {
    /// No credential of this kind has the id.
    UnknownId { kind: Kind, id: String, path: PathBuf },
    /// The credential itself was given where its id belongs; it is not repeated.
    SecretForId { kind: Kind },
    /// The credential was made, but nobody saw it.
    Unprinted { kind: Kind, id: String, cause: io::Error },
}

impl fmt::Display for CredentialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownId { kind, id, path } => {
                let (noun, path) = (noun(*kind), path.display());
                write!(f, "there is no {noun} with the id {id} in {path}; `kith {noun}s list` shows the ids")
            }
            Self::SecretForId { kind } => {
                let noun = noun(*kind);
                write!(f, "this is a credential and not the id of one; `kith {noun}s list` shows the ids")
            }
            Self::Unprinted { kind, id, cause } => {
                let noun = noun(*kind);
                write!(
                    f,
                    "the {noun} {id} was made but could not be printed ({cause}); revoke it with \
                     `kith {noun}s revoke` and make another one"
                )
            }
        }
    }
}

impl std::error::Error for CredentialError {}

fn noun(kind: Kind) -> &'static str {
    match kind {
        Kind::OrganizationKey => "key",
        Kind::UserToken => "token",
    }
}
