//! The credential store: making, listing and revoking organization keys and user tokens.
//!
//! Only hashes are kept. A change is on disk before the call that makes it returns, and takes effect for every process
//! that reads the store with its next look-up. Nothing is ever deleted: a revoked or expired credential stays in the
//! list.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::{Connection, Row, Transaction, TransactionBehavior, params};

use crate::audit::CredentialChange;
use crate::auth::changes;
use crate::auth::clock;
use crate::auth::database;
use crate::auth::error::StoreError;
use crate::auth::reserve;
use crate::auth::revocations;
use crate::auth::scope::Scopes;
use crate::auth::secret::{CredentialKind, Secret, generate_id};
use crate::auth::ttl::Ttl;
use crate::auth::used::Used;
use crate::auth::verify::Verifier;
use crate::model::time::Timestamp;

/// How long emptying the log waits for readers; a look-up takes microseconds.
const LOG_TIMEOUT: Duration = Duration::from_millis(100);

/// A new credential. The secret is stored nowhere else.
#[derive(Debug)]
pub struct Issued {
    /// The id for listing and revoking it.
    pub id: String,
    /// The credential itself.
    pub secret: Secret,
}

/// An organization key or a user token, as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCredential {
    /// `key_…` or `tok_…`.
    pub id: String,
    /// The organization it gives access to.
    pub org: String,
    /// Whose it is.
    pub of: CredentialOf,
    /// When it was made.
    pub created_at: Timestamp,
    /// The moment it expires; `None` if it is valid until it is revoked.
    pub expires_at: Option<Timestamp>,
    /// The last four characters of the credential.
    pub last_four: String,
    /// When it was first revoked.
    pub revoked_at: Option<Timestamp>,
    /// When it was last accepted, as far as recorded; see [`UseRecorder`](crate::auth::recorder::UseRecorder).
    pub last_used_at: Option<Timestamp>,
}

/// The owner of a credential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CredentialOf {
    /// An organization, by a key.
    Organization {
        /// The name given by its maker.
        name: String,
    },
    /// A member, by a token.
    Member {
        /// The user's id.
        user: String,
        /// The scopes of the token.
        scopes: Scopes,
    },
}

/// An open credential store, for changes. Use [`CredentialStore::verifier`] to check credentials.
#[derive(Debug)]
pub struct CredentialStore {
    path: PathBuf,
    writer: Connection,
    revoked_again: usize,
}

impl CredentialStore {
    /// Opens the store at `path`, creating it (mode 0600) if there is none or the file is empty.
    ///
    /// Cost: linear in the store, which is read through once.
    ///
    /// # Errors
    /// Returns an error if the folder does not exist; if the file is not a healthy store of a known version, and then
    /// leaves it as it is; or if users other than its owner and group can write it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let path = database::absolute(path)?;
        reserve::with_room(&path, || database::ensure(&path))?;
        Self::open_existing(&path)
    }

    /// Like [`CredentialStore::open`], but never creates a store.
    ///
    /// # Errors
    /// Returns the errors of [`CredentialStore::open`]; also an error if there is no file.
    pub fn open_existing(path: &Path) -> Result<Self, StoreError> {
        let path = database::absolute(path)?;
        let writer = reserve::with_room(&path, || database::open_writer(&path))?;
        database::check_private(&path)?;
        let revoked_again = reserve::with_room(&path, || revocations::reconcile(&path, &writer))?;
        reserve::keep(&path);
        Ok(Self { writer, path, revoked_again })
    }

    /// The number of credentials revoked again when the store was opened: its file was an older copy, restored after
    /// they were revoked.
    #[must_use]
    pub fn revoked_again(&self) -> usize {
        self.revoked_again
    }

    /// The store's file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens look-ups in the store for a server; they outlive this `CredentialStore`.
    ///
    /// # Errors
    /// Returns the errors of [`Verifier::open`].
    pub fn verifier(&self) -> Result<Verifier, StoreError> {
        Verifier::open(&self.path)
    }

    /// Creates a key for the organization `org` that is valid until it is revoked.
    ///
    /// # Errors
    /// Returns an error if the system has no randomness to give, or the store cannot be written.
    pub fn create_key(&self, org: &str, name: &str, now: SystemTime) -> Result<Issued, StoreError> {
        self.insert_key(org, name, now, None)
    }

    /// Creates a key for the organization `org` that is valid from `now` for `ttl`.
    ///
    /// # Errors
    /// Returns the errors of [`CredentialStore::create_key`], and an error if the clock is set before 1970.
    pub fn create_expiring_key(
        &self,
        org: &str,
        name: &str,
        ttl: Ttl,
        now: SystemTime,
    ) -> Result<Issued, StoreError> {
        self.insert_key(org, name, now, Some(expiry(now, ttl)?))
    }

    fn insert_key(
        &self,
        org: &str,
        name: &str,
        now: SystemTime,
        expires_at: Option<i64>,
    ) -> Result<Issued, StoreError> {
        let (id, secret) = (
            generate_id(CredentialKind::OrganizationKey)?,
            Secret::generate(CredentialKind::OrganizationKey)?,
        );
        let created_at = clock::to_millis(now);
        self.change(|change| {
            change.execute(
                "INSERT INTO keys (id, hash, org, name, created_at, last_four, expires_at) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![id, secret.hash(), org, name, created_at, secret.last_four(), expires_at],
            )?;
            changes::record(change, "key.created", &id, org, created_at)
        })?;
        Ok(Issued { id, secret })
    }

    /// Creates a token for the member `user` of `org` that is valid from `now` for `ttl`.
    ///
    /// # Errors
    /// Returns an error if the system has no randomness, the store cannot be written, or the clock is set before 1970.
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
        let expires_at = expiry(now, ttl)?;
        let (hash, scopes) = (secret.hash(), scopes.to_string());
        self.change(|change| {
            change.execute(
                "INSERT INTO tokens (id, hash, org, user, scope, created_at, expires_at, last_four) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                params![id, hash, org, user, scopes, created_at, expires_at, secret.last_four()],
            )?;
            changes::record(change, "token.created", &id, org, created_at)
        })?;
        Ok(Issued { id, secret })
    }

    /// All keys, oldest first, including revoked and expired ones.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub fn list_keys(&self) -> Result<Vec<StoredCredential>, StoreError> {
        self.list(&listing("keys", "name, NULL"), |row| {
            stored(row, CredentialOf::Organization { name: row.get(2)? })
        })
    }

    /// All tokens, oldest first, including revoked and expired ones.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub fn list_tokens(&self) -> Result<Vec<StoredCredential>, StoreError> {
        self.list(&listing("tokens", "user, scope"), |row| {
            let scopes = Scopes::stored(&row.get::<_, String>(3)?);
            stored(row, CredentialOf::Member { user: row.get(2)?, scopes })
        })
    }

    /// Whether there is a token `id` that was not revoked; it may have expired.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub fn has_unrevoked_token(&self, id: &str) -> Result<bool, StoreError> {
        let statement = "SELECT EXISTS (SELECT 1 FROM tokens WHERE id = ?1 AND revoked_at IS NULL)";
        self.writer.query_row(statement, [id], |row| row.get(0)).map_err(StoreError::at(&self.path))
    }

    /// Revokes the key `id`, and returns when it was first revoked, or `None` if there is no such key.
    ///
    /// Revoking again changes nothing: the first time stays.
    ///
    /// # Errors
    /// Returns an error if the store cannot be written. The key may then still be accepted.
    pub fn revoke_key(&self, id: &str, now: SystemTime) -> Result<Option<Timestamp>, StoreError> {
        self.revoke("keys", "key.revoked", id, now)
    }

    /// Revokes the token `id`, like [`CredentialStore::revoke_key`].
    ///
    /// # Errors
    /// Returns an error if the store cannot be written. The token may then still be accepted.
    pub fn revoke_token(&self, id: &str, now: SystemTime) -> Result<Option<Timestamp>, StoreError> {
        self.revoke("tokens", "token.revoked", id, now)
    }

    /// Writes when credentials were accepted; a later stored time stays.
    ///
    /// # Errors
    /// Returns an error if the store cannot be written; then no use is recorded.
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

    /// Passes the unlogged changes of credentials, with their numbers, to `log`, and then marks them as logged. If
    /// marking failed before, a change comes again with the same number.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or written.
    pub(crate) fn log_changes(
        &self,
        now: SystemTime,
        log: impl FnOnce(Vec<(i64, CredentialChange)>),
    ) -> Result<(), StoreError> {
        if changes::are_waiting(&self.writer).map_err(StoreError::at(&self.path))? {
            self.change(|change| changes::take_up(change, clock::to_millis(now)).map(log))?;
        }
        Ok(())
    }

    fn revoke(
        &self,
        table: &str,
        event: &str,
        id: &str,
        now: SystemTime,
    ) -> Result<Option<Timestamp>, StoreError> {
        let now = clock::to_millis(now);
        // No other change may use up the reserve: neither a new key nor the times of uses.
        let revoked = reserve::with_room(&self.path, || {
            self.change(|change| changes::revoke(change, table, event, id, now))
        })?;
        let Some(millis) = revoked else { return Ok(None) };
        revocations::note(&self.path, id, millis);
        to_time(millis, 0).map(Some).map_err(StoreError::at(&self.path))
    }

    /// Runs `statements` as one transaction whose commit is on disk when this returns.
    pub(crate) fn change<T>(
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
        // The change itself is already safe. If a long read is in the way, a later change does this.
        let _ = self.writer.busy_timeout(LOG_TIMEOUT);
        let _ = self.writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        let _ = self.writer.busy_timeout(database::BUSY_TIMEOUT);
    }

    pub(crate) fn list<T>(
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

/// The expiry of a credential created `now` with life `ttl`.
fn expiry(now: SystemTime, ttl: Ttl) -> Result<i64, StoreError> {
    let now = clock::to_millis_after_1970(now).ok_or(StoreError::ClockBefore1970)?;
    Ok(now.saturating_add(clock::duration_millis(ttl.as_duration())))
}

/// The statement that records in `table` when the credential `?1` was accepted, at `?2`.
fn last_use_of(table: &str) -> String {
    format!("UPDATE {table} SET last_used_at = max(coalesce(last_used_at, ?2), ?2) WHERE id = ?1")
}

/// The statement that lists the credentials of `table`; the columns `of` name their owners.
fn listing(table: &str, of: &str) -> String {
    format!(
        "SELECT id, org, {of}, created_at, expires_at, last_four, revoked_at, last_used_at FROM {table} \
         ORDER BY created_at, rowid"
    )
}

fn stored(row: &Row<'_>, of: CredentialOf) -> rusqlite::Result<StoredCredential> {
    Ok(StoredCredential {
        id: row.get(0)?,
        org: row.get(1)?,
        of,
        created_at: to_time(row.get(4)?, 4)?,
        expires_at: optional_time_at(row, 5)?,
        last_four: row.get(6)?,
        revoked_at: optional_time_at(row, 7)?,
        last_used_at: optional_time_at(row, 8)?,
    })
}

fn optional_time_at(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Timestamp>> {
    row.get::<_, Option<i64>>(column)?.map(|millis| to_time(millis, column)).transpose()
}

fn to_time(millis: i64, column: usize) -> rusqlite::Result<Timestamp> {
    clock::from_millis(millis).ok_or(rusqlite::Error::IntegralValueOutOfRange(column, millis))
}

#[cfg(test)]
mod tests;
