//! The store's record of who made and revoked which credential: written with the change itself, kept for good, and
//! logged once, by a server.
//!
//! The commands that change the store have no log of their own, and a server may not be running then, so the record
//! waits in the store for the next server that looks.

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use crate::audit::CredentialChange;
use crate::auth::clock;
use crate::system;

/// Maximum changes taken up at once; the others wait for the next look.
const CHANGES_MAX: u32 = 100;

/// Records that the user of this process applied `event` to `credential` at `millis`.
///
/// # Errors
/// Returns an error if the store cannot be written.
pub(crate) fn record(
    change: &Transaction<'_>,
    event: &str,
    credential: &str,
    organization: &str,
    millis: i64,
) -> rusqlite::Result<()> {
    // The column takes no null: a user without a number is -1.
    let by_uid = system::user().map_or(-1, i64::from);
    let statement = "INSERT INTO changes (event, credential, org, by_uid, at) VALUES (?1, ?2, ?3, ?4, ?5)";
    change.execute(statement, params![event, credential, organization, by_uid, millis]).map(drop)
}

/// Revokes the credential `id` of `table` at `now`, in milliseconds, and records it, unless it is already revoked.
/// Returns when it was revoked; `None` if there is no such credential.
///
/// # Errors
/// Returns an error if the store cannot be read or written.
pub(crate) fn revoke(
    change: &Transaction<'_>,
    table: &str,
    event: &str,
    id: &str,
    now: i64,
) -> rusqlite::Result<Option<i64>> {
    let find = format!("SELECT org, revoked_at FROM {table} WHERE id = ?1");
    let read = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get(1)?));
    match change.query_row(&find, [id], read).optional()? {
        None => Ok(None),
        Some((_, Some(revoked_at))) => Ok(Some(revoked_at)),
        Some((org, None)) => {
            change.execute(&format!("UPDATE {table} SET revoked_at = ?2 WHERE id = ?1"), params![id, now])?;
            record(change, event, id, &org, now)?;
            Ok(Some(now))
        }
    }
}

/// Whether any change is not logged yet.
///
/// # Errors
/// Returns an error if the store cannot be read.
pub(crate) fn are_waiting(store: &Connection) -> rusqlite::Result<bool> {
    store.prepare_cached("SELECT 1 FROM changes WHERE logged_at IS NULL LIMIT 1")?.exists([])
}

/// Returns the oldest unlogged changes with their numbers, and marks them as logged.
///
/// # Errors
/// Returns an error if the store cannot be read or written.
pub(crate) fn take_up(
    change: &Transaction<'_>,
    millis: i64,
) -> rusqlite::Result<Vec<(i64, CredentialChange)>> {
    let waiting = "SELECT seq, event, credential, org, by_uid, at FROM changes WHERE logged_at IS NULL \
                   ORDER BY seq LIMIT ?1";
    let changes: Vec<_> =
        change.prepare(waiting)?.query_map([CHANGES_MAX], read)?.collect::<rusqlite::Result<_>>()?;
    if let Some((last, _)) = changes.last() {
        let taken = "UPDATE changes SET logged_at = ?1 WHERE logged_at IS NULL AND seq <= ?2";
        change.execute(taken, params![millis, last])?;
    }
    Ok(changes)
}

fn read(row: &Row<'_>) -> rusqlite::Result<(i64, CredentialChange)> {
    let at = clock::from_millis(row.get(5)?).map_or_else(String::new, |at| at.to_rfc3339_ms());
    let (event, credential, organization, by_uid) =
        (row.get(1)?, row.get(2)?, row.get(3)?, row.get::<_, i64>(4)?);
    let by_uid = u32::try_from(by_uid).ok();
    Ok((row.get(0)?, CredentialChange { event, credential, organization, by_uid, at }))
}
