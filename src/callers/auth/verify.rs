//! Checks presented credentials from many threads: the only place that does.
//!
//! A credential with the store's form is looked up in the store as it is at that moment, so a revocation by any process
//! takes effect with the next request. Anything else is a JWT, if an issuer is configured.
//!
//! Every check compares the store's files with the opened ones. If one was removed or replaced, changes may go to a
//! file that this server does not read, so every check fails until the server is restarted. Opening the new file
//! instead is not safe: SQLite keys its shared memory by file name.

use std::array::from_fn;
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::SystemTime;

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::auth::clock;
use crate::auth::database;
use crate::auth::error::StoreError;
use crate::auth::files::{OpenedFile, StoreFiles};
use crate::auth::jwt::refusal::Refusal;
use crate::auth::jwt::{Bearer, Issuer, KeysStatus};
use crate::auth::pulled::PulledMark;
use crate::auth::scope::{LoneScope, Scopes};
use crate::auth::secret::{self, CredentialKind, Hash};
use crate::auth::session_key::{self, SESSION_ID_BYTES, SessionRow};
use crate::auth::used::Used;
use crate::clock::wall_time;

/// Maximum open connections; more threads than that take turns of a few microseconds.
const READERS_MAX: usize = 64;

/// Without a time `?2` (for a clock set before 1970), keys that expire are invalid.
const FIND_KEY: &str = "SELECT id, org FROM keys \
                        WHERE hash = ?1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?2)";
/// The same, for a store whose keys do not expire.
const FIND_KEY_THAT_STAYS: &str = "SELECT id, org FROM keys WHERE hash = ?1 AND revoked_at IS NULL";
const FIND_TOKEN: &str = "SELECT id, org, user, scope FROM tokens \
                          WHERE hash = ?1 AND revoked_at IS NULL AND expires_at > ?2";

/// The caller, as identified by a valid credential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Principal {
    /// An organization, by one of its keys.
    Organization {
        /// The organization's id.
        org: String,
        /// The key's id.
        key_id: String,
    },
    /// A user, by a token. The caller must check in the network whether they are still a member.
    User {
        /// The organization's id.
        org: String,
        /// The user's id; for a JWT the issuer's name for them.
        user: String,
        /// Whether an address may identify the user.
        trusts_address: bool,
        /// The scopes of the token.
        scopes: Scopes,
        /// The token's id; `None` for a JWT, which is not in the store.
        token_id: Option<String>,
    },
}

impl Principal {
    /// The organization's id.
    #[must_use]
    pub fn org(&self) -> &str {
        let (Self::Organization { org, .. } | Self::User { org, .. }) = self;
        org
    }

    /// The scope that stands alone, if it is a token of the store with one.
    pub(crate) fn alone(&self) -> Option<LoneScope> {
        match self {
            Self::User { scopes, token_id: Some(_), .. } => scopes.alone(),
            _ => None,
        }
    }

    /// The credential's kind and id, if it is in the store.
    fn stored(&self) -> Option<(CredentialKind, &str)> {
        match self {
            Self::Organization { key_id, .. } => Some((CredentialKind::OrganizationKey, key_id)),
            Self::User { token_id, .. } => token_id.as_deref().map(|id| (CredentialKind::UserToken, id)),
        }
    }
}

/// Checks credentials against an open store, and JWTs against an issuer's keys. All threads of a server share it;
/// clones are cheap.
#[derive(Clone, Debug)]
pub struct Verifier {
    store: Arc<OpenStore>,
    issuer: Option<Arc<Issuer>>,
    /// The number of JWTs refused, by position of the reason in [`Refusal::ALL`].
    refused: Arc<[AtomicU64; Refusal::ALL.len()]>,
    pulled: Option<Arc<PulledMark>>,
}

/// A store open for look-ups.
#[derive(Debug)]
struct OpenStore {
    /// Never empty. A thread tries its own first, then the next free one.
    readers: Box<[Mutex<Reader>]>,
    files: StoreFiles,
}

/// A connection, and the credentials it accepted: a check records them here because it already holds the lock.
#[derive(Debug)]
struct Reader {
    connection: Connection,
    used: Used,
}

impl Verifier {
    /// Opens the existing store at `path` for as many concurrent look-ups as there are processors. Trusts no issuer of
    /// JWTs.
    ///
    /// Needs write access to the store's folder: readers record there for writers which part they are reading.
    ///
    /// # Errors
    /// Returns an error if there is no store, or the file is not a store of a known version.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self {
            store: Arc::new(OpenStore::open(path)?),
            issuer: None,
            refused: Arc::new(from_fn(|_| AtomicU64::new(0))),
            pulled: None,
        })
    }

    /// Also accepts the JWTs of `issuer`.
    #[must_use]
    pub fn trusting(self, issuer: Issuer) -> Self {
        Self { issuer: Some(Arc::new(issuer)), ..self }
    }

    /// Accepts nothing while `mark` is too old; no JWT either, since the list of people to forget is as old.
    #[must_use]
    pub fn while_fresh(self, mark: PulledMark) -> Self {
        Self { pulled: Some(Arc::new(mark)), ..self }
    }

    /// The file of the store.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.store.files.path()
    }

    fn check_fresh(&self, now: SystemTime) -> Result<(), StoreError> {
        self.pulled.as_ref().map_or(Ok(()), |mark| mark.check(now))
    }

    /// The caller identified by `presented` at `now`; `None` if it is malformed, unknown, revoked or expired. A token
    /// or key is valid up to, but not at, the moment it expires; for a JWT see
    /// [`Issuer::check`](crate::auth::jwt::Issuer::check), with the current keys.
    ///
    /// A malformed credential costs no look-up. Any other costs three `statx` and one indexed look-up of some
    /// microseconds.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read, or its files are no longer the ones that were opened. Then no
    /// caller may be let in.
    pub fn verify(&self, presented: &str, now: SystemTime) -> Result<Option<Principal>, StoreError> {
        self.check_fresh(now)?;
        match self.issuer_of(presented) {
            Some(issuer) => Ok(self.principal(issuer.check(presented, now))),
            None => self.store.find(presented, now),
        }
    }

    /// Like [`Verifier::verify`]; if a JWT names a key that is not at hand, or the keys are too old, it may first fetch
    /// them, for 2 s at most.
    ///
    /// # Errors
    /// Returns the errors of [`Verifier::verify`].
    pub async fn admit(&self, presented: &str, now: SystemTime) -> Result<Option<Principal>, StoreError> {
        self.check_fresh(now)?;
        let Some(issuer) = self.issuer_of(presented) else { return self.store.find(presented, now) };
        let mut checked = issuer.check(presented, now);
        if checked.as_ref().is_err_and(|refusal| refusal.asks_for_newer_keys()) {
            issuer.renew_keys().await;
            checked = issuer.check(presented, now);
        }
        Ok(self.principal(checked))
    }

    /// The store's data about the session `id`. Costs three `statx` and an indexed look-up.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read, its files are no longer the ones that were opened, or it has no
    /// key.
    pub(crate) fn session(&self, id: &[u8; SESSION_ID_BYTES]) -> Result<SessionRow, StoreError> {
        self.check_files()?;
        let found = session_key::look_up(&self.store.reader().connection, id);
        found.map_err(StoreError::at(self.store.files.path()))
    }

    /// The user of a session at `now` who signed in at the identity provider. The caller must check in the network
    /// whether they are still a member.
    ///
    /// # Errors
    /// Returns an error if the last pull is too old.
    pub(crate) fn admit_signed_in(&self, bearer: Bearer, now: SystemTime) -> Result<Principal, StoreError> {
        self.check_fresh(now)?;
        Ok(user(bearer))
    }

    /// Returns the credentials of the store accepted since the last call, and when.
    ///
    /// Waits for look-ups under way, which take microseconds.
    pub(crate) fn take_used(&self) -> Used {
        let mut used = Used::default();
        for reader in &self.store.readers {
            used.merge(reader.lock().unwrap_or_else(PoisonError::into_inner).used.take());
        }
        used
    }

    /// Checks that the store's files are still the opened ones.
    pub(crate) fn check_files(&self) -> Result<(), StoreError> {
        self.store.files.check()
    }

    /// Checks that credentials of the store can be looked up, by looking up one that does not exist.
    ///
    /// # Errors
    /// Returns an error if [`Verifier::verify`] would fail.
    pub fn check(&self) -> Result<(), StoreError> {
        self.check_files()?;
        self.check_fresh(wall_time())?;
        let looked_up = find_key(&self.store.reader().connection, &[0; 32], None);
        looked_up.map(drop).map_err(StoreError::at(self.store.files.path()))
    }

    /// The state of the issuer's keys, if an issuer is trusted.
    #[must_use]
    pub fn issuer_keys(&self) -> Option<KeysStatus> {
        self.issuer.as_deref().map(Issuer::keys_status)
    }

    /// The number of JWTs refused since the start, by reason.
    #[must_use]
    pub fn refused_jwts(&self) -> [(Refusal, u64); Refusal::ALL.len()] {
        from_fn(|at| (Refusal::ALL[at], self.refused[at].load(Ordering::Relaxed)))
    }

    /// The user of a JWT. Only the log and a counter get the reason of a refusal.
    fn principal(&self, checked: Result<Bearer, Refusal>) -> Option<Principal> {
        let refused = |refusal: &Refusal| {
            tracing::debug!(%refusal, "a JWT was refused");
            self.refused[*refusal as usize].fetch_add(1, Ordering::Relaxed);
        };
        checked.inspect_err(refused).ok().map(user)
    }

    /// The issuer, if `presented` is not meant for the store.
    fn issuer_of(&self, presented: &str) -> Option<&Issuer> {
        self.issuer.as_deref().filter(|_| !secret::is_meant(presented))
    }
}

/// The principal of an issuer's bearer.
fn user(Bearer { org, user, trusts_address, scopes }: Bearer) -> Principal {
    Principal::User { org, user, trusts_address, scopes, token_id: None }
}

impl OpenStore {
    fn open(path: &Path) -> Result<Self, StoreError> {
        let path = database::absolute(path)?;
        // Recorded before opening: if the file is replaced in between, the first check finds out.
        let store = OpenedFile::at(path.clone())?;
        let count = thread::available_parallelism().map_or(1, usize::from).min(READERS_MAX);
        let readers = (0..count)
            .map(|_| {
                let connection = database::open_reader(&path)?;
                Ok(Mutex::new(Reader { connection, used: Used::default() }))
            })
            .collect::<Result<Box<[_]>, StoreError>>()?;
        let files = StoreFiles::beside(store)?;
        database::check_private(&path)?;
        Ok(Self { readers, files })
    }

    /// Returns the owner of the store's credential `presented` at `now`.
    fn find(&self, presented: &str, now: SystemTime) -> Result<Option<Principal>, StoreError> {
        let Some(credential) = secret::parse(presented) else { return Ok(None) };
        let time = clock::to_millis_after_1970(now);
        if time.is_none() {
            tracing::error!(
                "the clock is set before 1970: nothing that expires can be checked; set the clock"
            );
        }
        self.files.check()?;
        let mut reader = self.reader();
        let Reader { connection, used } = &mut *reader;
        let found = match credential.kind() {
            CredentialKind::OrganizationKey => find_key(connection, credential.hash(), time),
            CredentialKind::UserToken => find_token(connection, credential.hash(), time),
        };
        let found = found.map_err(StoreError::at(self.files.path()))?;
        if let Some((kind, id)) = found.as_ref().and_then(Principal::stored) {
            used.note(kind, id, clock::to_millis(now));
        }
        Ok(found)
    }

    /// A free connection: the thread's own, else any free one, else its own when it is free.
    fn reader(&self) -> MutexGuard<'_, Reader> {
        let home = thread_number() % self.readers.len();
        for reader in self.readers.iter().cycle().skip(home).take(self.readers.len()) {
            match reader.try_lock() {
                Ok(reader) => return reader,
                Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => {}
            }
        }
        // A look-up only changes records of uses, so a panic leaves nothing half done.
        self.readers[home].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The owner of the valid key with this hash at `now`, or without a usable clock.
fn find_key(connection: &Connection, hash: &Hash, now: Option<i64>) -> rusqlite::Result<Option<Principal>> {
    find_key_by(connection, hash, now, database::version)
}

/// Like [`find_key`], with the store's version from `version`.
///
/// Another process may upgrade the store at any moment, even between a statement that the old tables refused and the
/// look at their version: then the statement is retried with the new tables.
fn find_key_by(
    connection: &Connection,
    hash: &Hash,
    now: Option<i64>,
    version: impl Fn(&Connection) -> rusqlite::Result<i32>,
) -> rusqlite::Result<Option<Principal>> {
    let read = |row: &Row<'_>| Ok(Principal::Organization { key_id: row.get(0)?, org: row.get(1)? });
    let mut find = match connection.prepare_cached(FIND_KEY) {
        Ok(find) => find,
        Err(_) if version(connection)? < database::KEYS_EXPIRE_SINCE => {
            return connection.prepare_cached(FIND_KEY_THAT_STAYS)?.query_row([hash], read).optional();
        }
        Err(_) => connection.prepare_cached(FIND_KEY)?,
    };
    find.query_row(params![hash, now], read).optional()
}

/// Like [`find_key`], for a token. Without a usable clock, none is valid.
fn find_token(connection: &Connection, hash: &Hash, now: Option<i64>) -> rusqlite::Result<Option<Principal>> {
    let read = |row: &Row<'_>| {
        Ok(Principal::User {
            token_id: Some(row.get(0)?),
            org: row.get(1)?,
            user: row.get(2)?,
            trusts_address: false,
            scopes: Scopes::stored(row.get_ref(3)?.as_str()?),
        })
    };
    connection.prepare_cached(FIND_TOKEN)?.query_row(params![hash, now], read).optional()
}

/// Numbers threads in order of appearance, to spread them over the connections.
fn thread_number() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static NUMBER: usize = NEXT.fetch_add(1, Ordering::Relaxed);
    }
    NUMBER.with(|&number| number)
}

#[cfg(test)]
mod tests;
