//! The file itself: an SQLite database of this program's own, made, opened and checked.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::ask_file::error::AskStoreError;

/// The version of the tables, in the file's `user_version`.
const VERSION: i32 = 1;
/// "kasK" in ASCII, in the file's `application_id`: no other program's database has it.
const APPLICATION_ID: i32 = 0x6b61_734b;
/// The time that a statement waits for another process's write to end.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Reading and writing for the owner alone.
const OWNER_ONLY: u32 = 0o600;
/// Writing for those who are neither the owner nor of the group.
const OTHERS: u32 = 0o002;

/// The tables. Events are appended and never changed; `epoch` rises when anything else changes, so that readers read all
/// again. Times are RFC 3339, or milliseconds since 1970-01-01T00:00:00Z where an expiry is.
const TABLES: &str = "
    CREATE TABLE events (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        org TEXT NOT NULL,
        id TEXT NOT NULL UNIQUE,
        ask TEXT NOT NULL,
        at TEXT NOT NULL,
        kind TEXT NOT NULL,
        user TEXT,
        name TEXT,
        source TEXT,
        day TEXT,
        note TEXT,
        undoes TEXT,
        key TEXT,
        person TEXT,
        connector TEXT,
        via TEXT,
        path_type TEXT,
        warmness INTEGER,
        overridden TEXT
    ) STRICT;
    CREATE INDEX events_of_ask ON events (ask);
    CREATE INDEX asks_of_member ON events (org, user) WHERE kind = 'asked';
    CREATE UNIQUE INDEX events_by_key ON events (org, user, key) WHERE key IS NOT NULL;
    CREATE TABLE preferences (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        org TEXT NOT NULL,
        connector TEXT NOT NULL,
        target TEXT,
        until TEXT,
        ask TEXT NOT NULL,
        at TEXT NOT NULL
    ) STRICT;
    CREATE TABLE links (
        ask TEXT PRIMARY KEY,
        org TEXT NOT NULL,
        code BLOB NOT NULL UNIQUE,
        text TEXT,
        expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE merged (
        org TEXT NOT NULL,
        former TEXT NOT NULL,
        present TEXT NOT NULL,
        PRIMARY KEY (org, former)
    ) STRICT;
    CREATE TABLE epoch (number INTEGER NOT NULL) STRICT;
    INSERT INTO epoch VALUES (1);
";

/// Makes a file of asks at `path`, whole or not at all.
///
/// # Errors
/// Returns an error if something is there already, or the file cannot be made.
pub fn create(path: &Path) -> Result<(), AskStoreError> {
    if path.symlink_metadata().is_ok() {
        return Err(AskStoreError::Taken { path: path.to_owned() });
    }
    let io_error = AskStoreError::io_at(path);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // What SQLite leaves beside a draft that fails goes with the folder.
    let drafts = tempfile::Builder::new().prefix(".asks-").tempdir_in(folder).map_err(&io_error)?;
    let draft = tempfile::Builder::new()
        .prefix("asks.db")
        .rand_bytes(0)
        .permissions(Permissions::from_mode(OWNER_ONLY))
        .tempfile_in(&drafts)
        .map_err(&io_error)?
        .into_temp_path();
    let connection = open(&draft, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let make = || {
        connection.execute_batch(TABLES)?;
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
        connection.pragma_update(None, "user_version", VERSION)?;
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))
    };
    make().map_err(AskStoreError::at(path))?;
    connection.close().map_err(|(_, cause)| AskStoreError::at(path)(cause))?;
    match draft.persist_noclobber(path) {
        Ok(()) => fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(io_error),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
            Err(AskStoreError::Taken { path: path.to_owned() })
        }
        Err(error) => Err(io_error(error.error)),
    }
}

/// `path` from the root on.
///
/// # Errors
/// Returns an error for the address of a database, which only another build can use.
pub(crate) fn absolute(path: &Path) -> Result<PathBuf, AskStoreError> {
    if let Some(place) = path.to_str().filter(|place| place.starts_with("postgres")) {
        // Without the password.
        let place = place.rsplit_once('@').map_or(place, |(_, host)| host).to_owned();
        return Err(AskStoreError::OtherBuild { place });
    }
    std::path::absolute(path).map_err(AskStoreError::io_at(path))
}

/// Opens the file at `path` for changes, each of which is on the disk before the statement that commits it returns.
///
/// Cost: linear in the file, which is read through once.
///
/// # Errors
/// Returns an error if there is none, or it is not a healthy file of this version; such a file is left as it is.
pub(crate) fn open_writer(path: &Path) -> Result<Connection, AskStoreError> {
    let connection = checked(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let error = AskStoreError::at(path);
    let verdict: String =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(&error)?;
    if verdict != "ok" {
        return Err(AskStoreError::Corrupt { path: path.to_owned(), reason: verdict.replace('\n', " ") });
    }
    connection.pragma_update(None, "synchronous", "FULL").map_err(&error)?;
    // What is taken out is overwritten.
    connection.pragma_update(None, "secure_delete", "ON").map_err(&error)?;
    Ok(connection)
}

/// Opens the file at `path` for look-ups.
///
/// # Errors
/// Returns the errors of [`open_writer`], but does not read the file through.
pub(crate) fn open_reader(path: &Path) -> Result<Connection, AskStoreError> {
    checked(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
}

fn checked(path: &Path, access: OpenFlags) -> Result<Connection, AskStoreError> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(AskStoreError::Missing { path: path.to_owned() });
        }
        Err(error) => return Err(AskStoreError::io_at(path)(error)),
        Ok(found) if !found.is_file() => return Err(AskStoreError::NotAStore { path: path.to_owned() }),
        Ok(found) if found.permissions().mode() & OTHERS != 0 => {
            return Err(AskStoreError::OpenToAll { path: path.to_owned() });
        }
        Ok(_) => {}
    }
    let connection = open(path, access)?;
    let error = AskStoreError::at(path);
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0)).map_err(&error);
    if pragma("application_id")? != APPLICATION_ID {
        return Err(AskStoreError::NotAStore { path: path.to_owned() });
    }
    match pragma("user_version")? {
        VERSION => Ok(connection),
        found if found > VERSION => {
            Err(AskStoreError::Newer { path: path.to_owned(), found, supported: VERSION })
        }
        found => Err(AskStoreError::Corrupt {
            path: path.to_owned(),
            reason: format!("version {found} never existed"),
        }),
    }
}

fn open(path: &Path, access: OpenFlags) -> Result<Connection, AskStoreError> {
    let connection = Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .map_err(AskStoreError::at(path))?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(AskStoreError::at(path))?;
    Ok(connection)
}
