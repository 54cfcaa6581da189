//! The store's file: creating, recognizing and opening it.
//!
//! While the store is open in this process, only SQLite may open its file: closing any other handle would drop SQLite's
//! locks on it, and another process could then remove the write-ahead log under us. So everything here, even a look at
//! a foreign file, goes through SQLite.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use crate::auth::error::StoreError;
use crate::clock;
use crate::file_system::{Use, make_own, others_may, own_temporary_folder, sync_folder};

/// The version of the tables, in the file's `user_version`.
pub(crate) const SCHEMA_VERSION: i32 = 4;
/// The first version in which keys can expire.
pub(crate) const KEYS_EXPIRE_SINCE: i32 = 3;
/// "kith" in ASCII, in the file's `application_id`; no other program uses it.
const APPLICATION_ID: i32 = 0x6b69_7468;
/// How long a statement waits for another process's write.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// The pause before retrying what SQLite would not wait for.
const RETRY_PAUSE: Duration = Duration::from_millis(5);

/// The suffix of the file of revocations beside the store.
pub(crate) const REVOCATIONS: &str = "-revoked";

/// The tables of version 1. Times are milliseconds since 1970-01-01T00:00:00Z; `revoked_at` is null while a credential
/// is valid.
const FIRST_SCHEMA: &str = "
    CREATE TABLE keys (
        id TEXT PRIMARY KEY,
        hash BLOB NOT NULL UNIQUE,
        org TEXT NOT NULL,
        name TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        last_four TEXT NOT NULL,
        revoked_at INTEGER
    ) STRICT;
    CREATE TABLE tokens (
        id TEXT PRIMARY KEY,
        hash BLOB NOT NULL UNIQUE,
        org TEXT NOT NULL,
        user TEXT NOT NULL,
        scope TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        last_four TEXT NOT NULL,
        revoked_at INTEGER
    ) STRICT;
";
/// The statements that upgrade a store from each version, from 1 on, to the next.
const UPGRADES: [&str; SCHEMA_VERSION as usize - 1] = [
    // Null while a credential was never used.
    "ALTER TABLE keys ADD COLUMN last_used_at INTEGER; ALTER TABLE tokens ADD COLUMN last_used_at INTEGER",
    // A key's `expires_at` is null if it never expires; a change's `logged_at` until a server has logged it.
    "ALTER TABLE keys ADD COLUMN expires_at INTEGER;
    CREATE TABLE changes (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        event TEXT NOT NULL,
        credential TEXT NOT NULL,
        org TEXT NOT NULL,
        by_uid INTEGER NOT NULL,
        at INTEGER NOT NULL,
        logged_at INTEGER
    ) STRICT;
    CREATE INDEX changes_not_logged ON changes (seq) WHERE logged_at IS NULL",
    // At most one row: the key that seals sessions; sessions issued at or before `ended_before` are over.
    "CREATE TABLE session_key (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        key BLOB NOT NULL,
        ended_before INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE ended_sessions (id BLOB PRIMARY KEY, issued_at INTEGER NOT NULL) STRICT, WITHOUT ROWID",
];

/// Creates the store at `path` if it does not exist. Takes over an empty file, and leaves any other alone.
///
/// # Errors
/// Returns an error if its folder does not exist, or the file cannot be created.
pub(crate) fn ensure(path: &Path) -> Result<(), StoreError> {
    match find_file(path) {
        Err(StoreError::Missing { .. }) => create(path),
        Err(error) => Err(error),
        Ok(found) if found.len() == 0 => {
            make_own(path).map_err(StoreError::io_at(path))?;
            patiently(|| initialise(path))
        }
        Ok(_) => Ok(()),
    }
}

/// Opens the existing store at `path` for changes, after a full integrity check. Upgrades an older store in place.
///
/// A change is on disk before the statement that makes it returns. Cost: linear in the store.
///
/// # Errors
/// Returns an error if there is no store, or if the file is not a healthy store of a known version; such a file is left
/// as it is.
pub(crate) fn open_writer(path: &Path) -> Result<Connection, StoreError> {
    patiently(|| {
        check_pages(path, &open_reader(path)?)?;
        let connection = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        keep_write_ahead_log(path, &connection)?;
        connection.pragma_update(None, "synchronous", "FULL").map_err(StoreError::at(path))?;
        bring_up_to_date(&connection).map_err(StoreError::at(path))?;
        keep_names(path).map_err(StoreError::io_at(path))?;
        Ok(connection)
    })
}

/// Syncs the directory entries of the database at `path` and of its log. SQLite does so too, but goes on if that fails,
/// and would then report a change as done that a power cut reverts.
pub(crate) fn keep_names(path: &Path) -> io::Result<()> {
    // For a link, the log is beside its target.
    let file = fs::canonicalize(path)?;
    sync_folder(file.parent().unwrap_or(Path::new("/")))
}

/// Opens the existing store at `path`, of this version or an older one, for look-ups.
///
/// If the file is another program's database with a write-ahead log, SQLite creates that log's two files, empty, if
/// they are missing; the database itself is only read.
///
/// # Errors
/// Returns an error if there is no store, or the file is not a store of a known version.
pub(crate) fn open_reader(path: &Path) -> Result<Connection, StoreError> {
    find_file(path)?;
    let connection = open(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    check_version(path, &connection)?;
    Ok(connection)
}

/// Creates the store beside `path` and moves it there whole, so that nobody ever sees half a store.
fn create(path: &Path) -> Result<(), StoreError> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    if !folder.is_dir() {
        return Err(StoreError::NoFolder { folder: folder.to_owned() });
    }
    let io_error = StoreError::io_at(path);
    // Anything SQLite leaves beside a failed draft is removed with the folder. Nobody else may read even the hashes.
    let drafts = own_temporary_folder(".credentials-", folder).map_err(&io_error)?;
    let draft = tempfile::Builder::new()
        .prefix("credentials.db")
        .rand_bytes(0)
        .tempfile_in(&drafts)
        .map_err(&io_error)?
        .into_temp_path();
    initialise(&draft)?;
    match draft.persist_noclobber(path) {
        Ok(()) => Ok(()),
        // Another process created it meanwhile: theirs is as good.
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(io_error(error.error)),
    }
}

/// Creates the tables in the file `path`, unless another process has just done so.
fn initialise(path: &Path) -> Result<(), StoreError> {
    let error = StoreError::at(path);
    let connection = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let change = Transaction::new_unchecked(&connection, TransactionBehavior::Immediate).map_err(&error)?;
    if pragma(&change, "schema_version").map_err(&error)? == 0 {
        change.execute_batch(FIRST_SCHEMA).map_err(&error)?;
        change.pragma_update(None, "application_id", APPLICATION_ID).map_err(&error)?;
        upgrade(&change, 1).map_err(&error)?;
    }
    change.commit().map_err(&error)?;
    keep_write_ahead_log(path, &connection)
}

/// Upgrades an older store to this version, unless another process has just done so.
fn bring_up_to_date(connection: &Connection) -> rusqlite::Result<()> {
    if version(connection)? == SCHEMA_VERSION {
        return Ok(());
    }
    let change = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    upgrade(&change, version(&change)?)?;
    change.commit()
}

/// Upgrades a store from version `from` to this version; leaves a newer one alone.
fn upgrade(change: &Transaction<'_>, from: i32) -> rusqlite::Result<()> {
    let done = usize::try_from(from - 1).unwrap_or_default();
    for statements in UPGRADES.iter().skip(done) {
        change.execute_batch(statements)?;
    }
    change.pragma_update(None, "user_version", SCHEMA_VERSION.max(from))
}

/// Retries `attempt` while another process is in its way, for as long as a statement would wait.
///
/// SQLite's own timeout does not cover everything: a reader that becomes a writer, as in the change to a write-ahead
/// log, is refused at once, since waiting could deadlock.
fn patiently<T>(mut attempt: impl FnMut() -> Result<T, StoreError>) -> Result<T, StoreError> {
    let deadline = clock::now() + BUSY_TIMEOUT;
    loop {
        match attempt() {
            Err(StoreError::Database { cause, .. })
                if cause.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && clock::now() < deadline =>
            {
                clock::sleep(RETRY_PAUSE);
            }
            outcome => return outcome,
        }
    }
}

fn open(path: &Path, access: OpenFlags) -> Result<Connection, StoreError> {
    let connection = Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .map_err(StoreError::at(path))?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(StoreError::at(path))?;
    Ok(connection)
}

/// Turns on the write-ahead log, so that look-ups go on while another process writes.
fn keep_write_ahead_log(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    // SQLite reports the new mode before changing to it: only reading all rows shows whether it did.
    let modes = connection
        .prepare("PRAGMA journal_mode = WAL")
        .and_then(|mut change| {
            change.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()
        })
        .map_err(StoreError::at(path))?;
    if modes == ["wal"] { Ok(()) } else { Err(StoreError::NoWriteAheadLog { path: path.to_owned() }) }
}

fn check_version(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    let error = StoreError::at(path);
    if pragma(connection, "application_id").map_err(&error)? != APPLICATION_ID {
        return Err(StoreError::NotAStore { path: path.to_owned() });
    }
    match version(connection).map_err(&error)? {
        1..=SCHEMA_VERSION => Ok(()),
        found if found > SCHEMA_VERSION => {
            Err(StoreError::Newer { path: path.to_owned(), found, supported: SCHEMA_VERSION })
        }
        found => Err(StoreError::Corrupt {
            path: path.to_owned(),
            reason: format!("version {found} never existed"),
        }),
    }
}

fn check_pages(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    let verdict: String =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(StoreError::at(path))?;
    if verdict == "ok" {
        Ok(())
    } else {
        Err(StoreError::Corrupt { path: path.to_owned(), reason: verdict.replace('\n', " ") })
    }
}

/// The version of an open store's tables.
pub(crate) fn version(connection: &Connection) -> rusqlite::Result<i32> {
    pragma(connection, "user_version")
}

fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i32> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

/// `path` as an absolute path. SQLite gives some relative ones, such as `:memory:`, a special meaning.
pub(crate) fn absolute(path: &Path) -> Result<PathBuf, StoreError> {
    std::path::absolute(path).map_err(StoreError::io_at(path))
}

/// The metadata of the file `path`, without opening it.
///
/// # Errors
/// Returns an error if there is no such file, or `path` is not a regular file.
pub(crate) fn find_file(path: &Path) -> Result<Metadata, StoreError> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => Ok(found),
        Ok(_) => Err(StoreError::NotAFile { path: path.to_owned() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(StoreError::Missing { path: path.to_owned() })
        }
        Err(error) => Err(StoreError::io_at(path)(error)),
    }
}

/// Checks that only owner and group can write the store at `path` and the files beside it.
///
/// # Errors
/// Returns [`StoreError::OpenToAll`] for the first file that others can write.
pub(crate) fn check_private(path: &Path) -> Result<(), StoreError> {
    // For a link, the files beside it are beside its target.
    let path = fs::canonicalize(path).map_err(StoreError::io_at(path))?;
    for file in [path.clone(), beside(&path, "-wal"), beside(&path, "-shm"), beside(&path, REVOCATIONS)] {
        match fs::metadata(&file) {
            // A row written by them would be a key to any organization.
            Ok(found) if others_may(Use::Write, &file, &found) => {
                return Err(StoreError::OpenToAll { path: file });
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(StoreError::io_at(&file)(error));
            }
            Ok(_) | Err(_) => {}
        }
    }
    Ok(())
}

/// `path` with `suffix` appended to its name, like SQLite's files beside a database.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::ffi;

    fn failed(code: i32) -> StoreError {
        StoreError::at(Path::new("s"))(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None))
    }

    #[test]
    fn what_is_busy_is_tried_again_and_nothing_else_is() {
        for (fails, attempts) in [(&[][..], 1), (&[ffi::SQLITE_BUSY; 3], 4), (&[ffi::SQLITE_READONLY; 3], 1)]
        {
            let mut made = 0;
            let outcome = patiently(|| {
                made += 1;
                fails.get(made - 1).map_or(Ok(()), |&code| Err(failed(code)))
            });
            assert_eq!(made, attempts, "{fails:?}: {outcome:?}");
            assert_eq!(outcome.is_ok(), attempts > fails.len(), "{fails:?}: {outcome:?}");
        }
    }
}
