//! The credentials of a store as a list for replicas, and such a list taken over by the store of a replica.
//!
//! A list holds hashes, as the store does, and the key that seals sessions of the page, which opens none by itself. A
//! replica only adds from a list: unknown credentials, and revocations. So an older list that comes late undoes
//! nothing.
//!
//! Promise: A replica accepts and refuses like the store that it pulled from; a list that comes late undoes nothing.
//! Control: none yet.

use data_encoding::HEXLOWER;
use rusqlite::{OptionalExtension, Row, Transaction, params};
use serde::{Deserialize, Serialize};

use crate::auth::changes;
use crate::auth::error::StoreError;
use crate::auth::revocations;
use crate::auth::session;
use crate::auth::session_key::{self, KEY_BYTES};
use crate::auth::store::CredentialStore;

/// The row of a credential in the list. Times are in milliseconds since 1970.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
struct ListedCredential {
    id: String,
    /// The credential's hash, in hexadecimal digits.
    hash: String,
    org: String,
    /// The name of a key; the user of a token.
    of: String,
    /// The scopes of a token; `None` for a key.
    scope: Option<String>,
    created_at: i64,
    last_four: String,
    expires_at: Option<i64>,
    revoked_at: Option<i64>,
}

#[derive(Default, Deserialize, Serialize)]
struct CredentialList {
    credentials: Vec<ListedCredential>,
    /// The key that seals sessions of the page, in hexadecimal digits; older stores list none.
    #[serde(default)]
    session_key: Option<String>,
}

/// The changes that a replica took from a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TakenOver {
    /// Credentials it did not know.
    pub added: usize,
    /// Credentials it did not know to be revoked.
    pub revoked: usize,
}

impl CredentialStore {
    /// Lists the store's credentials for replicas, including expired and revoked ones.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read, or no key for sessions can be created.
    pub fn list_for_replicas(&self) -> Result<Vec<u8>, StoreError> {
        let mut credentials = self.list(
            "SELECT id, hash, org, name, NULL, created_at, last_four, expires_at, revoked_at FROM keys ORDER BY id",
            read,
        )?;
        credentials.extend(self.list(
            "SELECT id, hash, org, user, scope, created_at, last_four, expires_at, revoked_at FROM tokens ORDER BY id",
            read,
        )?);
        let session_key = Some(HEXLOWER.encode(&session::make_key(self)?));
        // Texts and numbers can always be written.
        Ok(serde_json::to_vec(&CredentialList { credentials, session_key }).unwrap_or_default())
    }

    /// Adds from the list `bytes` of another store, with effect from the next look-up.
    ///
    /// # Errors
    /// Returns an error if it is not such a list, or the store cannot be written; then nothing was added.
    pub fn take_over(&self, bytes: &[u8]) -> Result<TakenOver, StoreError> {
        let malformed = |reason: String| StoreError::MalformedList { reason };
        let list: CredentialList =
            serde_json::from_slice(bytes).map_err(|error| malformed(error.to_string()))?;
        let mut hashes = Vec::with_capacity(list.credentials.len());
        for credential in &list.credentials {
            let hash = HEXLOWER.decode(credential.hash.as_bytes()).ok().filter(|hash| hash.len() == 32);
            let is_whole = credential.scope.is_none() || credential.expires_at.is_some();
            match hash {
                Some(hash) if is_whole => hashes.push(hash),
                _ => return Err(malformed(format!("{} has no hash, or no end", credential.id))),
            }
        }
        let session_key =
            list.session_key.as_deref().map(|key| read_key(key).ok_or("its session_key is no key"));
        let session_key = session_key.transpose().map_err(|reason| malformed(reason.to_owned()))?;
        let mut learned = TakenOver::default();
        let mut revoked = Vec::new();
        self.change(|change| {
            if let Some(key) = &session_key {
                session_key::replace(change, key)?;
            }
            for (credential, hash) in list.credentials.iter().zip(&hashes) {
                let (is_added, is_revoked) = take_over(change, credential, hash)?;
                learned.added += usize::from(is_added);
                learned.revoked += usize::from(is_revoked);
                if let Some(millis) = credential.revoked_at.filter(|_| is_revoked) {
                    revoked.push((&credential.id, millis));
                }
            }
            Ok(())
        })?;
        for (id, millis) in revoked {
            revocations::note(self.path(), id, millis);
        }
        Ok(learned)
    }
}

fn read_key(digits: &str) -> Option<[u8; KEY_BYTES]> {
    HEXLOWER.decode(digits.as_bytes()).ok()?.try_into().ok()
}

fn read(row: &Row<'_>) -> rusqlite::Result<ListedCredential> {
    Ok(ListedCredential {
        id: row.get(0)?,
        hash: HEXLOWER.encode(row.get_ref(1)?.as_blob()?),
        org: row.get(2)?,
        of: row.get(3)?,
        scope: row.get(4)?,
        created_at: row.get(5)?,
        last_four: row.get(6)?,
        expires_at: row.get(7)?,
        revoked_at: row.get(8)?,
    })
}

/// Adds `credential`, or revokes it if only the list does. Returns whether it was added, and whether it was revoked.
fn take_over(
    change: &Transaction<'_>,
    credential: &ListedCredential,
    hash: &[u8],
) -> rusqlite::Result<(bool, bool)> {
    let ListedCredential { id, org, of, scope, created_at, last_four, expires_at, revoked_at, .. } =
        credential;
    let (table, kind) = if scope.is_some() { ("tokens", "token") } else { ("keys", "key") };
    let known: Option<Option<i64>> = change
        .prepare_cached(&format!("SELECT revoked_at FROM {table} WHERE id = ?1"))?
        .query_row([id], |row| row.get(0))
        .optional()?;
    let is_revoked = revoked_at.is_some() && known.is_none_or(|known| known.is_none());
    match known {
        None => {
            let (columns, values) = match scope {
                Some(_) => ("user, scope", "?4, ?9"),
                None => ("name", "?4"),
            };
            let statement = format!(
                "INSERT INTO {table} (id, hash, org, {columns}, created_at, last_four, expires_at, revoked_at) \
                 VALUES (?1, ?2, ?3, {values}, ?5, ?6, ?7, ?8)"
            );
            let mut insert = change.prepare_cached(&statement)?;
            match scope {
                Some(scope) => insert.execute(params![
                    id, hash, org, of, created_at, last_four, expires_at, revoked_at, scope
                ])?,
                None => insert
                    .execute(params![id, hash, org, of, created_at, last_four, expires_at, revoked_at])?,
            };
            changes::record(change, &format!("{kind}.created"), id, org, *created_at)?;
        }
        Some(_) if is_revoked => {
            let statement = format!("UPDATE {table} SET revoked_at = ?2 WHERE id = ?1");
            change.prepare_cached(&statement)?.execute(params![id, revoked_at])?;
        }
        Some(_) => return Ok((false, false)),
    }
    if let (true, Some(millis)) = (is_revoked, revoked_at) {
        changes::record(change, &format!("{kind}.revoked"), id, org, *millis)?;
    }
    Ok((known.is_none(), is_revoked))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    use super::*;
    use crate::auth::scope::Scopes;

    fn now() -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(1_700_000_000)
    }

    #[test]
    fn a_replica_lets_in_and_refuses_as_the_store_that_it_learned_from_and_an_older_list_takes_nothing_back()
    {
        let folder = tempfile::tempdir().unwrap();
        let open = |name: &str| CredentialStore::open(&folder.path().join(name)).unwrap();
        let (first, replica) = (open("first.db"), open("replica.db"));
        let key = first.create_key("org_a", "app", now()).unwrap();
        let token =
            first.create_token("org_a", "user_1", Scopes::default(), "1h".parse().unwrap(), now()).unwrap();
        let own = replica.create_key("org_a", "own", now()).unwrap();
        let older = first.list_for_replicas().unwrap();
        let verifier = replica.verifier().unwrap();
        let is_let_in =
            |secret: &crate::auth::secret::Secret| verifier.verify(secret.reveal(), now()).unwrap().is_some();
        assert!(!is_let_in(&key.secret));
        assert_eq!(replica.take_over(&older).unwrap(), TakenOver { added: 2, revoked: 0 });
        assert_eq!(replica.take_over(&older).unwrap(), TakenOver::default());
        assert!(is_let_in(&key.secret) && is_let_in(&token.secret) && is_let_in(&own.secret));

        first.revoke_key(&key.id, now()).unwrap();
        let newer = first.list_for_replicas().unwrap();
        assert_eq!(replica.take_over(&newer).unwrap(), TakenOver { added: 0, revoked: 1 });
        assert!(!is_let_in(&key.secret) && is_let_in(&token.secret) && is_let_in(&own.secret));
        assert_eq!(replica.take_over(&older).unwrap(), TakenOver::default());
        assert!(!is_let_in(&key.secret));
        // A replica that begins later knows it too.
        let late = open("late.db");
        assert_eq!(late.take_over(&newer).unwrap(), TakenOver { added: 2, revoked: 1 });
        assert!(late.verifier().unwrap().verify(key.secret.reveal(), now()).unwrap().is_none());
        assert_eq!(late.list_for_replicas().unwrap(), newer);
    }

    #[test]
    fn what_is_no_list_is_refused_whole() {
        let folder = tempfile::tempdir().unwrap();
        let store = CredentialStore::open(&folder.path().join("a.db")).unwrap();
        store.create_key("org_a", "app", now()).unwrap();
        let list = String::from_utf8(store.list_for_replicas().unwrap()).unwrap();
        let replica = CredentialStore::open(&folder.path().join("b.db")).unwrap();
        let end = list.len() - 2;
        for text in [
            String::new(),
            "{}".to_owned(),
            list[..end].to_owned(),
            list.replace("\"hash\":\"", "\"hash\":\"z"),
            list.replace("\"hash\":\"", "\"hash\":\"ab"),
            list.replace("\"scope\":null", "\"scope\":\"mcp:read\""),
            list.replace("\"of\"", "\"fruit\""),
            list.replace("\"session_key\":\"", "\"session_key\":\"00"),
        ] {
            assert!(replica.take_over(text.as_bytes()).is_err(), "{text}");
            assert_eq!(replica.list_keys().unwrap(), []);
        }
    }
}
