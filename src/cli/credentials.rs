//! Shared by `kith keys` and `kith tokens`: showing a new secret, listings, and refusals.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use crate::auth::secret::CredentialKind;
use crate::auth::store::{CredentialOf, CredentialStore, Issued, StoredCredential};
use crate::cli::listing::{reader_may_leave, time_or_none};
use crate::cli::table::write_whole;
use crate::model::time::Timestamp;

// No doc: clap would show it in place of the command's own.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// The credential store
    #[arg(long, value_name = "FILE", env = "KITH_CREDENTIALS")]
    pub(crate) credentials: PathBuf,
    /// Print a JSON array
    #[arg(long)]
    pub(crate) json: bool,
}

/// `store`, after reporting on stderr credentials that were revoked again when it was opened.
pub(crate) fn say_revoked_again(store: CredentialStore) -> CredentialStore {
    if store.revoked_again() > 0 {
        // A closed stderr must not keep the caller from the store.
        let _ = writeln!(
            io::stderr(),
            "kith: this credential store is an older copy: {} credentials that were revoked after it was made are \
             revoked again",
            store.revoked_again()
        );
    }
    store
}

/// A credential in a list with `--json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedCredential<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    organization: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<String>,
    created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<String>,
    last_four: &'a str,
    revoked_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_used: Option<String>,
}

impl<'a> ListedCredential<'a> {
    fn of(it: &'a StoredCredential) -> Self {
        let (name, user, scope) = match &it.of {
            CredentialOf::Organization { name } => (Some(&**name), None, None),
            CredentialOf::Member { user, scopes } => (None, Some(&**user), Some(scopes.to_string())),
        };
        Self {
            id: &it.id,
            name,
            organization: &it.org,
            user,
            scope,
            created_at: it.created_at.to_rfc3339_ms(),
            expires_at: it.expires_at.map(Timestamp::to_rfc3339_ms),
            last_four: &it.last_four,
            revoked_at: it.revoked_at.map(Timestamp::to_rfc3339_ms),
            last_used: it.last_used_at.map(Timestamp::to_rfc3339_ms),
        }
    }
}

/// Prints `credentials`, all of `kind`, as a JSON array or as a table. A closed pipe is not an error.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub(crate) fn print_list(
    out: &mut impl Write,
    args: &ListArgs,
    kind: CredentialKind,
    credentials: &[StoredCredential],
) -> io::Result<()> {
    let written = if args.json { print_json(out, credentials) } else { print_table(out, kind, credentials) };
    reader_may_leave(written)
}

fn print_json(out: &mut impl Write, credentials: &[StoredCredential]) -> io::Result<()> {
    let listed: Vec<_> = credentials.iter().map(ListedCredential::of).collect();
    serde_json::to_writer_pretty(&mut *out, &listed)?;
    writeln!(out)?;
    out.flush()
}

fn print_table(
    out: &mut impl Write,
    kind: CredentialKind,
    credentials: &[StoredCredential],
) -> io::Result<()> {
    match kind {
        CredentialKind::OrganizationKey => {
            let headings =
                ["ID", "NAME", "ORGANIZATION", "CREATED", "EXPIRES", "LAST FOUR", "REVOKED", "LAST USED"];
            let rows: Vec<_> = credentials.iter().map(key_row).collect();
            write_whole(out, headings, &rows)?;
        }
        CredentialKind::UserToken => {
            let headings = [
                "ID",
                "ORGANIZATION",
                "USER",
                "SCOPE",
                "CREATED",
                "EXPIRES",
                "LAST FOUR",
                "REVOKED",
                "LAST USED",
            ];
            let rows: Vec<_> = credentials.iter().map(token_row).collect();
            write_whole(out, headings, &rows)?;
        }
    }
    out.flush()
}

fn key_row(it: &StoredCredential) -> [String; 8] {
    let listed = ListedCredential::of(it);
    [
        listed.id.to_owned(),
        listed.name.unwrap_or_default().to_owned(),
        listed.organization.to_owned(),
        listed.created_at,
        time_or_none(it.expires_at),
        listed.last_four.to_owned(),
        time_or_none(it.revoked_at),
        time_or_none(it.last_used_at),
    ]
}

fn token_row(it: &StoredCredential) -> [String; 9] {
    let listed = ListedCredential::of(it);
    [
        listed.id.to_owned(),
        listed.organization.to_owned(),
        listed.user.unwrap_or_default().to_owned(),
        listed.scope.unwrap_or_default(),
        listed.created_at,
        time_or_none(it.expires_at),
        listed.last_four.to_owned(),
        time_or_none(it.revoked_at),
        time_or_none(it.last_used_at),
    ]
}

/// Prints the secret alone. It cannot be shown again, so here a closed pipe is an error.
///
/// # Errors
/// Returns an error if `out` cannot be written; the credential exists all the same.
pub(crate) fn print_secret(
    out: &mut impl Write,
    kind: CredentialKind,
    issued: &Issued,
) -> Result<(), CredentialError> {
    writeln!(out, "{}", issued.secret.reveal())
        .and_then(|()| out.flush())
        .map_err(|cause| CredentialError::Unprinted { kind, id: issued.id.clone(), cause })
}

/// Turns the outcome of a revocation into the command's.
///
/// # Errors
/// Returns an error if there was no credential with this id.
pub(crate) fn require_revoked(
    revoked: Option<Timestamp>,
    kind: CredentialKind,
    id: &str,
    path: &Path,
) -> Result<(), CredentialError> {
    match revoked {
        Some(_) => Ok(()),
        None if id.starts_with(CredentialKind::OrganizationKey.prefix())
            || id.starts_with(CredentialKind::UserToken.prefix()) =>
        {
            Err(CredentialError::SecretForId { kind })
        }
        None => Err(CredentialError::UnknownId { kind, id: id.to_owned(), path: path.to_owned() }),
    }
}

/// Why a command on credentials failed, apart from errors of the store.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CredentialError {
    /// No credential of this kind has the id.
    #[error("there is no {noun} with the id {id} in {path}; `kith {noun}s list` shows the ids", noun = noun(*.kind))]
    UnknownId { kind: CredentialKind, id: String, path: PathBuf },
    /// The credential itself was given instead of its id; the message does not repeat it.
    #[error("this is a credential and not the id of one; `kith {}s list` shows the ids", noun(*.kind))]
    SecretForId { kind: CredentialKind },
    /// The credential was made, but could not be printed.
    #[error(
        "the {noun} {id} was made but could not be printed ({cause}); revoke it with `kith {noun}s revoke` and make \
         another one",
        noun = noun(*.kind)
    )]
    Unprinted { kind: CredentialKind, id: String, cause: io::Error },
}

fn noun(kind: CredentialKind) -> &'static str {
    match kind {
        CredentialKind::OrganizationKey => "key",
        CredentialKind::UserToken => "token",
    }
}
