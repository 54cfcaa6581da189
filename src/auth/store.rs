//! The credential store: making, listing and revoking organization keys and user tokens.
//!
//! Only hashes are kept. A change is on the disk before the call that makes it returns, and holds
//! for every process that reads the store from its next look-up on. Nothing is ever deleted: a
//! revoked or expired credential stays in the list.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::{Connection, OptionalExtension, Params, Row, Transaction, TransactionBehavior, params};

use crate::auth::clock;
use crate::auth::database;
use crate::auth::error::StoreError;
use crate::auth::scope::Scopes;
use crate::auth::secret::{CredentialKind, Secret, generate_id};
use crate::auth::ttl::Ttl;
use crate::auth::used::Used;
use crate::auth::verify::Verifier;
use crate::model::time::Timestamp;

/// How long emptying the log waits for readers to end; a look-up takes microseconds.
const LOG_TIMEOUT: Duration = Duration::from_millis(100);

/// A credential that was just made. The secret is nowhere else.
#[derive(Debug)]
pub struct Issued {
    /// The id by which it is listed and revoked.
    pub id: String,
    /// The credential itself.
    pub secret: Secret,
}

/// An organization key, as the store knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredKey {
    /// `key_…`.
    pub id: String,
    /// What its maker called it.
    pub name: String,
    /// The organization it reads.
    pub org: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// The last four characters of the key.
    pub last_four: String,
    /// When it was revoked first.
    pub revoked_at: Option<Timestamp>,
    /// When it was let in last, as far as that was written; see
    /// [`UseRecorder`](crate::auth::recorder::UseRecorder).
    pub last_used_at: Option<Timestamp>,
}

/// A user token, as the store knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredToken {
    /// `tok_…`.
    pub id: String,
    /// The organization it reads.
    pub org: String,
    /// The member it stands for.
    pub user: String,
    /// What it may do.
    pub scopes: Scopes,
    /// When it was made.
    pub created_at: Timestamp,
    /// The first moment at which it holds no more.
    pub expires_at: Timestamp,
    /// The last four characters of the token.
    pub last_four: String,
    /// When it was revoked first.
    pub revoked_at: Option<Timestamp>,
    /// When it was let in last, as far as that was written; see
    /// [`UseRecorder`](crate::auth::recorder::UseRecorder).
    pub last_used_at: Option<Timestamp>,
}

/// An open credential store, for changes. Use [`CredentialStore::verifier`] to check credentials.
#[derive(Debug)]
pub struct CredentialStore {
    path: PathBuf,
    writer: Connection,
}

impl CredentialStore {
    /// Opens the store at `path`, making it (mode 0600) where there is none or an empty file.
    ///
    /// Cost: linear in the store, which is read through once.
    ///
    /// # Errors
    /// Where the folder does not exist, or the file is not a healthy store of a known version; such
    /// a file is left as it is. Returns an error if others than its owner and group may write it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        database::ensure(&database::absolute(path)?)?;
        Self::open_existing(path)
    }

    /// As [`CredentialStore::open`], but never makes a store.
    ///
    /// # Errors
    /// As [`CredentialStore::open`], and where there is no file.
    pub fn open_existing(path: &Path) -> Result<Self, StoreError> {
        let path = database::absolute(path)?;
        let writer = database::open_writer(&path)?;
        database::check_private(&path)?;
        Ok(Self { writer, path })
    }

    /// Opens the store's look-ups for a server; they outlive this `CredentialStore`.
    ///
    /// # Errors
    /// As [`Verifier::open`].
    pub fn verifier(&self) -> Result<Verifier, StoreError> {
        Verifier::open(&self.path)
    }

    /// Makes a key for the organization `org`.
    ///
    /// # Errors
    /// Where the system has no randomness, or the store cannot be written.
    pub fn create_key(&self, org: &str, name: &str, now: SystemTime) -> Result<Issued, StoreError> {
        let (id, secret) = (
            generate_id(CredentialKind::OrganizationKey)?,
            Secret::generate(CredentialKind::OrganizationKey)?,
        );
        self.insert(
            "INSERT INTO keys (id, hash, org, name, created_at, last_four) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![id, secret.hash(), org, name, clock::to_millis(now), secret.last_four()],
        )?;
        Ok(Issued { id, secret })
    }

    /// Makes a token for the member `user` of `org` that holds from `now` for `ttl`.
    ///
    /// # Errors
    /// Where the system has no randomness, or the store cannot be written.
    pub fn create_token(
        &self,
        org: &str,
        user: &str,
        scopes: Scopes,
        ttl: Ttl,
        now: SystemTime,
    ) -> Result<Issued, StoreError> {
        let (id, secret) =
            (generate_id(CredentialKind::UserToken)?, Secret::generate(CredentialKind::UserToken)?);
        let created_at = clock::to_millis(now);
        let expires_at = created_at.saturating_add(clock::duration_millis(ttl.as_duration()));
        self.insert(
            "INSERT INTO tokens (id, hash, org, user, scope, created_at, expires_at, last_four) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                id,
                secret.hash(),
                org,
                user,
                scopes.to_string(),
                created_at,
                expires_at,
                secret.last_four()
            ],
        )?;
        Ok(Issued { id, secret })
    }

    /// All keys, in the order they were made, revoked ones included.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn list_keys(&self) -> Result<Vec<StoredKey>, StoreError> {
        self.list(
            "SELECT id, name, org, created_at, last_four, revoked_at, last_used_at FROM keys \
             ORDER BY created_at, rowid",
            |row| {
                Ok(StoredKey {
                    id: row.get(0)?,
                    name: row.get(1)?,
                    org: row.get(2)?,
                    created_at: time_at(row, 3)?,
                    last_four: row.get(4)?,
                    revoked_at: optional_time_at(row, 5)?,
                    last_used_at: optional_time_at(row, 6)?,
                })
            },
        )
    }

    /// All tokens, in the order they were made, revoked and expired ones included.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn list_tokens(&self) -> Result<Vec<StoredToken>, StoreError> {
        self.list(
            "SELECT id, org, user, scope, created_at, expires_at, last_four, revoked_at, last_used_at \
             FROM tokens ORDER BY created_at, rowid",
            |row| {
                Ok(StoredToken {
                    id: row.get(0)?,
                    org: row.get(1)?,
                    user: row.get(2)?,
                    scopes: Scopes::granted_by(&row.get::<_, String>(3)?),
                    created_at: time_at(row, 4)?,
                    expires_at: time_at(row, 5)?,
                    last_four: row.get(6)?,
                    revoked_at: optional_time_at(row, 7)?,
                    last_used_at: optional_time_at(row, 8)?,
                })
            },
        )
    }

    /// Revokes the key `id`; tells since when it is revoked, nothing where there is no such key.
    ///
    /// Revoking again changes nothing: the first time stays.
    ///
    /// # Errors
    /// Where the store cannot be written. The key may then still hold.
    pub fn revoke_key(&self, id: &str, now: SystemTime) -> Result<Option<Timestamp>, StoreError> {
        self.revoke(
            "UPDATE keys SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1 RETURNING revoked_at",
            id,
            now,
        )
    }

    /// Revokes the token `id`, as [`CredentialStore::revoke_key`] does a key.
    ///
    /// # Errors
    /// Where the store cannot be written. The token may then still hold.
    pub fn revoke_token(&self, id: &str, now: SystemTime) -> Result<Option<Timestamp>, StoreError> {
        self.revoke(
            "UPDATE tokens SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1 RETURNING revoked_at",
            id,
            now,
        )
    }

    /// Writes when credentials were let in; a later time that is there already stays.
    ///
    /// # Errors
    /// Where the store cannot be written; then nothing of it is.
    pub(crate) fn record_uses(&self, used: &Used) -> Result<(), StoreError> {
        self.change(|change| {
            let mut keys = change.prepare(&last_use_of("keys"))?;
            let mut tokens = change.prepare(&last_use_of("tokens"))?;
            for (kind, id, millis) in used.iter() {
                let statement = match kind {
                    CredentialKind::OrganizationKey => &mut keys,
                    CredentialKind::UserToken => &mut tokens,
                };
                statement.execute(params![id, millis])?;
            }
            Ok(())
        })
    }

    fn insert(&self, statement: &str, values: impl Params) -> Result<(), StoreError> {
        self.change(|change| change.execute(statement, values).map(|_| ()))
    }

    fn revoke(&self, statement: &str, id: &str, now: SystemTime) -> Result<Option<Timestamp>, StoreError> {
        self.change(|change| {
            change.query_row(statement, params![id, clock::to_millis(now)], |row| time_at(row, 0)).optional()
        })
    }

    /// Runs `statements` as one transaction whose commit is on the disk when this returns.
    fn change<T>(
        &self,
        statements: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let error = StoreError::at(&self.path);
        let change =
            Transaction::new_unchecked(&self.writer, TransactionBehavior::Immediate).map_err(&error)?;
        let outcome = statements(&change).map_err(&error)?;
        change.commit().map_err(&error)?;
        self.empty_log();
        Ok(outcome)
    }

    /// Moves the write-ahead log into the store's file, so that a copy of that one file is complete.
    fn empty_log(&self) {
        // The change itself is safe already. Where a long reader is in the way, a later change does it.
        let _ = self.writer.busy_timeout(LOG_TIMEOUT);
        let _ = self.writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        let _ = self.writer.busy_timeout(database::BUSY_TIMEOUT);
    }

    fn list<T>(
        &self,
        statement: &str,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let listed = self
            .writer
            .prepare(statement)
            .and_then(|mut prepared| prepared.query_map([], read)?.collect::<rusqlite::Result<Vec<T>>>());
        listed.map_err(StoreError::at(&self.path))
    }
}

/// Notes in `table` when the credential `?1` was let in, at `?2`.
fn last_use_of(table: &str) -> String {
    format!("UPDATE {table} SET last_used_at = max(coalesce(last_used_at, ?2), ?2) WHERE id = ?1")
}

fn time_at(row: &Row<'_>, column: usize) -> rusqlite::Result<Timestamp> {
    to_time(row.get(column)?, column)
}

fn optional_time_at(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Timestamp>> {
    row.get::<_, Option<i64>>(column)?.map(|millis| to_time(millis, column)).transpose()
}

fn to_time(millis: i64, column: usize) -> rusqlite::Result<Timestamp> {
    clock::from_millis(millis).ok_or(rusqlite::Error::IntegralValueOutOfRange(column, millis))
}

#[cfg(test)]
mod tests;
