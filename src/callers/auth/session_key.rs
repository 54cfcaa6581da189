//! The key that seals sessions, and the sessions ended by a log-out. They are in the credential store, so a restart
//! ends none, and all servers of the store open and refuse the same sessions.
//!
//! The key opens nothing without the browser's half; see [`session`](crate::auth::session).

use rusqlite::{Connection, Transaction, params};

use crate::limits::{LOGGED_OUT_MAX, SESSION_SECONDS_MAX};

pub(crate) const KEY_BYTES: usize = 32;
/// Bytes of a session's id.
pub(crate) const SESSION_ID_BYTES: usize = 12;

/// The store's data about one session.
#[derive(Debug)]
pub(crate) struct SessionRow {
    /// The key that seals sessions.
    pub(crate) key: [u8; KEY_BYTES],
    /// Sessions issued at or before this time are over. In milliseconds since 1970.
    pub(crate) ended_before: i64,
    /// Whether this one was logged out.
    pub(crate) is_ended: bool,
}

/// Looks up the session `id`.
///
/// # Errors
/// Returns an error if the store cannot be read, or has no key yet.
pub(crate) fn look_up(connection: &Connection, id: &[u8; SESSION_ID_BYTES]) -> rusqlite::Result<SessionRow> {
    let find =
        "SELECT key, ended_before, EXISTS (SELECT 1 FROM ended_sessions WHERE id = ?1) FROM session_key";
    connection.prepare_cached(find)?.query_row([id], |row| {
        Ok(SessionRow { key: row.get(0)?, ended_before: row.get(1)?, is_ended: row.get(2)? })
    })
}

/// Replaces the key with `key`.
///
/// # Errors
/// Returns an error if the store cannot be written.
pub(crate) fn replace(change: &Transaction<'_>, key: &[u8; KEY_BYTES]) -> rusqlite::Result<()> {
    let replace = "INSERT INTO session_key (id, key) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET key = ?1";
    change.execute(replace, [key]).map(drop)
}

/// Returns the key that seals sessions, or stores and returns `fresh` if there is none.
///
/// # Errors
/// Returns an error if the store cannot be written.
pub(crate) fn ensure(change: &Transaction<'_>, fresh: [u8; KEY_BYTES]) -> rusqlite::Result<[u8; KEY_BYTES]> {
    change.execute("INSERT OR IGNORE INTO session_key (id, key) VALUES (1, ?1)", [fresh])?;
    change.query_row("SELECT key FROM session_key", [], |row| row.get(0))
}

/// Ends the session `id`, issued at `issued_at`. Times are in milliseconds since 1970. If more than [`LOGGED_OUT_MAX`]
/// ended sessions could still be open, it ends all sessions instead of listing them.
///
/// # Errors
/// Returns an error if the store cannot be written.
pub(crate) fn end(
    change: &Transaction<'_>,
    id: &[u8; SESSION_ID_BYTES],
    issued_at: i64,
    now: i64,
) -> rusqlite::Result<()> {
    let oldest = now.saturating_sub_unsigned(SESSION_SECONDS_MAX * 1_000);
    change.execute("DELETE FROM ended_sessions WHERE issued_at < ?1", [oldest])?;
    let kept: i64 = change.query_row("SELECT count(*) FROM ended_sessions", [], |row| row.get(0))?;
    if kept >= LOGGED_OUT_MAX as i64 {
        change.execute("DELETE FROM ended_sessions", [])?;
        return change.execute("UPDATE session_key SET ended_before = ?1", [now]).map(drop);
    }
    let insert = "INSERT OR IGNORE INTO ended_sessions (id, issued_at) VALUES (?1, ?2)";
    change.execute(insert, params![id, issued_at]).map(drop)
}
