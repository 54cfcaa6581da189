//! The file itself: an SQLite database of this program, created, opened and checked.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, params_from_iter};

use crate::ask_file::error::{AskStoreError, WriteRefused};
use crate::ask_file::rows::tables;
use crate::ask_file::sql::{Sql, SqlCell, SqlRow, StoreAccess};
use crate::auth::database::keep_names;
use crate::file_system::{Use, others_may, own_temporary_folder, sync_folder};

/// The version of the tables, in the file's `user_version`.
pub(crate) const VERSION: i32 = 1;
/// "kasK" in ASCII, in the file's `application_id`; no other program uses it.
const APPLICATION_ID: i32 = 0x6b61_734b;
/// How long a statement waits for another process's write.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Creates a file of asks at `path`, whole or not at all.
///
/// # Errors
/// Returns an error if something is already there, or the file cannot be created.
pub fn create(path: &Path) -> Result<(), AskStoreError> {
    if path.symlink_metadata().is_ok() {
        return Err(AskStoreError::Taken { path: path.to_owned() });
    }
    let io_error = AskStoreError::io_at(path);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Anything SQLite leaves beside a failed draft is removed with the folder.
    let drafts = own_temporary_folder(".asks-", folder).map_err(&io_error)?;
    let draft = tempfile::Builder::new()
        .prefix("asks.db")
        .rand_bytes(0)
        .tempfile_in(&drafts)
        .map_err(&io_error)?
        .into_temp_path();
    let connection = open(&draft, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let make = || {
        connection.execute_batch(&tables(
            "INTEGER PRIMARY KEY AUTOINCREMENT",
            "INTEGER",
            "BLOB",
            " STRICT",
        ))?;
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
        connection.pragma_update(None, "user_version", VERSION)?;
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))
    };
    make().map_err(AskStoreError::at(path))?;
    connection.close().map_err(|(_, cause)| AskStoreError::at(path)(cause))?;
    match draft.persist_noclobber(path) {
        Ok(()) => sync_folder(folder).map_err(io_error),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
            Err(AskStoreError::Taken { path: path.to_owned() })
        }
        Err(error) => Err(io_error(error.error)),
    }
}

/// An open file of asks.
#[derive(Debug)]
pub(crate) struct FileDatabase {
    path: PathBuf,
    connection: Connection,
}

impl FileDatabase {
    /// Opens the file at `path`. For changes, it is read through first, and each change is on disk before the statement
    /// that commits it returns.
    ///
    /// Cost: for changes, linear in the file.
    ///
    /// # Errors
    /// Returns an error if there is none, or it is not a healthy file of this version; such a file is left as it is.
    pub(crate) fn open(path: &Path, access: StoreAccess) -> Result<Self, AskStoreError> {
        let path = std::path::absolute(path).map_err(AskStoreError::io_at(path))?;
        let connection = match access {
            StoreAccess::Read => checked(&path, OpenFlags::SQLITE_OPEN_READ_ONLY)?,
            StoreAccess::Write => open_healthy(&path)?,
        };
        Ok(Self { path, connection })
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The file's version, by which SQLite counts the writes of others.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub(crate) fn version(&self) -> Result<i64, AskStoreError> {
        let read = || -> rusqlite::Result<i64> {
            self.connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
        };
        read().map_err(AskStoreError::at(&self.path))
    }

    pub(crate) fn change<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Sql) -> Result<T, WriteRefused>,
    ) -> Result<T, WriteRefused> {
        self.transaction(TransactionBehavior::Immediate, work)
    }

    pub(crate) fn read<T, E: From<AskStoreError>>(
        &mut self,
        work: impl FnOnce(&mut dyn Sql) -> Result<T, E>,
    ) -> Result<T, E> {
        self.transaction(TransactionBehavior::Deferred, work)
    }

    fn transaction<T, E: From<AskStoreError>>(
        &mut self,
        behavior: TransactionBehavior,
        work: impl FnOnce(&mut dyn Sql) -> Result<T, E>,
    ) -> Result<T, E> {
        let Self { path, connection } = self;
        let error = AskStoreError::at(path);
        let transaction = connection.transaction_with_behavior(behavior).map_err(&error)?;
        let outcome = work(&mut FileSql { path, transaction: &transaction })?;
        transaction.commit().map_err(&error)?;
        Ok(outcome)
    }

    /// Rewrites the file without removed data, and empties its log.
    pub(crate) fn compact(&mut self) -> Result<(), AskStoreError> {
        let compact = || -> rusqlite::Result<()> {
            self.connection.execute_batch("VACUUM")?;
            self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        };
        compact().map_err(AskStoreError::at(&self.path))
    }
}

/// A transaction on a file.
struct FileSql<'a> {
    path: &'a Path,
    transaction: &'a Transaction<'a>,
}

impl Sql for FileSql<'_> {
    fn rows(&mut self, sql: &str, with: &[SqlCell]) -> Result<Vec<SqlRow>, AskStoreError> {
        let read = || -> rusqlite::Result<Vec<SqlRow>> {
            let mut statement = self.transaction.prepare_cached(sql)?;
            let columns = statement.column_count();
            let row = |row: &rusqlite::Row<'_>| {
                let cells = (0..columns).map(|column| Ok(cell(row.get_ref(column)?)));
                Ok(SqlRow(cells.collect::<rusqlite::Result<_>>()?))
            };
            statement.query_map(params_from_iter(with), row)?.collect()
        };
        read().map_err(AskStoreError::at(self.path))
    }

    fn execute(&mut self, sql: &str, with: &[SqlCell]) -> Result<usize, AskStoreError> {
        let run = || self.transaction.prepare_cached(sql)?.execute(params_from_iter(with));
        run().map_err(AskStoreError::at(self.path))
    }
}

impl ToSql for SqlCell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Number(number) => ValueRef::Integer(*number),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

/// The value of a column; none of our columns holds a fraction.
fn cell(value: ValueRef<'_>) -> SqlCell {
    match value {
        ValueRef::Text(text) => SqlCell::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Integer(number) => SqlCell::Number(number),
        ValueRef::Blob(bytes) => SqlCell::Bytes(bytes.to_owned()),
        ValueRef::Null | ValueRef::Real(_) => SqlCell::Null,
    }
}

/// Opens the file for changes, after reading it through.
fn open_healthy(path: &Path) -> Result<Connection, AskStoreError> {
    let connection = checked(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let error = AskStoreError::at(path);
    let verdict: String =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(&error)?;
    if verdict != "ok" {
        return Err(AskStoreError::Corrupt { path: path.to_owned(), reason: verdict.replace('\n', " ") });
    }
    connection.pragma_update(None, "synchronous", "FULL").map_err(&error)?;
    // Removed data are overwritten.
    connection.pragma_update(None, "secure_delete", "ON").map_err(&error)?;
    keep_names(path).map_err(AskStoreError::io_at(path))?;
    Ok(connection)
}

fn checked(path: &Path, access: OpenFlags) -> Result<Connection, AskStoreError> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(AskStoreError::Missing { path: path.to_owned() });
        }
        Err(error) => return Err(AskStoreError::io_at(path)(error)),
        Ok(found) if !found.is_file() => return Err(AskStoreError::NotAStore { path: path.to_owned() }),
        Ok(found) if others_may(Use::Write, path, &found) => {
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
