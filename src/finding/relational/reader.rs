//! One connection to a store: opened, checked, and interrupted if it takes too long.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::relational::error::{RelationalError, StoreUnusable};
use crate::relational::schema::{APPLICATION_ID, INDEXES, SCHEMA_VERSION, TABLES};
use crate::snapshot::header::Identity;

/// Steps of a statement's program between two looks at the clock: some ten microseconds.
const STEPS_BETWEEN_LOOKS: i32 = 1_000;
/// Maximum size of a value read from a store, in bytes. A look-up reads numbers and pages of the full-text index.
const VALUE_BYTES_MAX: i32 = 1 << 20;
/// The schema's text is ours alone, so nothing in it may run; pages are checked before they are used; up to 16 MiB of
/// frequently used pages are cached.
const READING: &str = "
    PRAGMA trusted_schema = OFF;
    PRAGMA cell_size_check = ON;
    PRAGMA query_only = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA mmap_size = 0;
    PRAGMA cache_size = -16384;
";

/// The snapshot that a store must belong to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExpectedStore {
    /// The identity of its snapshot.
    pub(crate) identity: Identity,
    /// The number of people of that snapshot.
    pub(crate) people: u32,
}

/// A connection to a store that passed all checks.
#[derive(Debug)]
pub(crate) struct Reader(Connection);

impl Reader {
    /// Opens the store at `path`, an absolute path, and checks that it is the expected one. Reads a few pages, however
    /// large the store is.
    ///
    /// # Errors
    /// Returns the first reason not to use it.
    pub(crate) fn open(path: &Path, expected: ExpectedStore) -> Result<Self, StoreUnusable> {
        let size_bytes = find_file(path)?;
        let access =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        let connection = Connection::open_with_flags(address(path), access).map_err(refused(path))?;
        prepare(&connection).map_err(refused(path))?;
        check_marks(path, &connection)?;
        check_size(path, &connection, size_bytes)?;
        check_schema(path, &connection)?;
        check_meta(path, &connection, expected)?;
        Ok(Self(connection))
    }

    /// Checks every page of the store and every index against its table.
    ///
    /// # Errors
    /// Returns the first fault.
    pub(crate) fn check_pages(&self, path: &Path) -> Result<(), StoreUnusable> {
        let found: String =
            self.0.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).map_err(refused(path))?;
        if found == "ok" { Ok(()) } else { Err(damaged(path, &found.replace('\n', " "))) }
    }

    /// Runs `look_up`, interrupting its statements as soon as `is_late` returns true; it is called every few
    /// microseconds.
    ///
    /// # Errors
    /// Returns the errors of `look_up`: [`RelationalError::Late`] if it was interrupted.
    pub(crate) fn run<T>(
        &mut self,
        is_late: impl FnMut() -> bool + Send + 'static,
        look_up: impl FnOnce(&Connection) -> Result<T, RelationalError>,
    ) -> Result<T, RelationalError> {
        self.0.progress_handler(STEPS_BETWEEN_LOOKS, Some(is_late))?;
        let outcome = look_up(&self.0);
        self.0.progress_handler(0, None::<fn() -> bool>)?;
        outcome
    }
}

/// The length in bytes of the file at `path`. Checked before opening, since opening a pipe would wait for a writer.
fn find_file(path: &Path) -> Result<u64, StoreUnusable> {
    let path = || path.to_owned();
    match fs::metadata(path()) {
        Ok(found) if found.is_file() => Ok(found.len()),
        Ok(_) => Err(StoreUnusable::NotAStore { path: path() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(StoreUnusable::Absent { path: path() }),
        Err(error) => Err(StoreUnusable::Unreadable { path: path(), reason: error.to_string() }),
    }
}

/// `path` as an address that opens it as immutable: a store is replaced as a whole, by its name, and never written to,
/// so SQLite takes no lock and looks for no other file beside it.
fn address(path: &Path) -> String {
    let mut address = "file:".to_owned();
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' => {
                address.push(char::from(byte));
            }
            _ => drop(write!(address, "%{byte:02X}")),
        }
    }
    address + "?immutable=1&mode=ro"
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.set_limit(Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 1)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.execute_batch(READING)
}

/// Returns a function that makes the error for a store being opened.
fn refused(path: &Path) -> impl Fn(rusqlite::Error) -> StoreUnusable {
    move |source| {
        let path = path.to_owned();
        if source.sqlite_error_code() == Some(ErrorCode::NotADatabase) {
            return StoreUnusable::NotAStore { path };
        }
        match RelationalError::from(source) {
            RelationalError::Unreadable { reason } => StoreUnusable::Unreadable { path, reason },
            RelationalError::Damaged { reason } => StoreUnusable::Damaged { path, reason },
            other => StoreUnusable::Damaged { path, reason: other.to_string() },
        }
    }
}

fn damaged(path: &Path, reason: &str) -> StoreUnusable {
    StoreUnusable::Damaged { path: path.to_owned(), reason: reason.to_owned() }
}

fn check_marks(path: &Path, connection: &Connection) -> Result<(), StoreUnusable> {
    let mark = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    if mark("application_id").map_err(refused(path))? != APPLICATION_ID {
        return Err(StoreUnusable::NotAStore { path: path.to_owned() });
    }
    match mark("user_version").map_err(refused(path))? {
        SCHEMA_VERSION => Ok(()),
        found if found > SCHEMA_VERSION => Err(StoreUnusable::Newer { path: path.to_owned(), found }),
        _ => Err(damaged(path, "its version never existed")),
    }
}

/// Checks that nothing is cut off, and nothing follows the end.
fn check_size(path: &Path, connection: &Connection, size_bytes: u64) -> Result<(), StoreUnusable> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, u32>(0));
    let pages = number("page_count").map_err(refused(path))?;
    let page_bytes = number("page_size").map_err(refused(path))?;
    if u64::from(pages) * u64::from(page_bytes) == size_bytes {
        Ok(())
    } else {
        Err(damaged(path, "the file is not as long as it says"))
    }
}

/// Checks that the tables and indexes are exactly those of a build: no view, no trigger, no other kind of table is ever
/// read.
fn check_schema(path: &Path, connection: &Connection) -> Result<(), StoreUnusable> {
    let expected = schema_built().map_err(refused(path))?;
    if schema_of(connection, expected.len()).map_err(refused(path))? == expected {
        Ok(())
    } else {
        Err(damaged(path, "its tables are not those that were written"))
    }
}

/// One table or index: kind, name, table, and the statement that creates it.
type SchemaRow = [String; 4];

/// The tables and indexes of a build, by name. Created once, in memory.
fn schema_built() -> rusqlite::Result<&'static [SchemaRow]> {
    static BUILT: OnceLock<Vec<SchemaRow>> = OnceLock::new();
    if let Some(built) = BUILT.get() {
        return Ok(built);
    }
    let model = Connection::open_in_memory()?;
    model.execute_batch(TABLES)?;
    model.execute_batch(INDEXES)?;
    let rows = schema_of(&model, usize::MAX)?;
    Ok(BUILT.get_or_init(|| rows))
}

/// The tables and indexes of `connection`, by name; at most one more than `rows`.
fn schema_of(connection: &Connection, rows: usize) -> rusqlite::Result<Vec<SchemaRow>> {
    let sql = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema ORDER BY name";
    let mut statement = connection.prepare(sql)?;
    let found = statement.query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))?;
    found.take(rows.saturating_add(1)).collect()
}

fn check_meta(path: &Path, connection: &Connection, expected: ExpectedStore) -> Result<(), StoreUnusable> {
    let mut statement = connection.prepare("SELECT identity, people FROM meta").map_err(refused(path))?;
    let mut rows = statement.query([]).map_err(refused(path))?;
    let Some(row) = rows.next().map_err(refused(path))? else {
        return Err(damaged(path, "it names no snapshot"));
    };
    let (identity, people) = (row.get_ref(0), row.get_ref(1));
    let (ValueRef::Blob(identity), ValueRef::Integer(people)) =
        (identity.map_err(refused(path))?, people.map_err(refused(path))?)
    else {
        return Err(damaged(path, "it names no snapshot"));
    };
    if identity != expected.identity.0 {
        return Err(StoreUnusable::OfAnotherSnapshot { path: path.to_owned() });
    }
    if people != i64::from(expected.people) {
        return Err(damaged(path, "it has another number of people than its snapshot"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A long statement over a sound connection.
    fn count(connection: &Connection) -> Result<i64, RelationalError> {
        let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
                   SELECT count(*) FROM n";
        Ok(connection.query_row(sql, [], |row| row.get(0))?)
    }

    #[test]
    fn a_statement_in_flight_is_stopped_and_the_connection_goes_on() -> Result<(), RelationalError> {
        let mut reader = Reader(Connection::open_in_memory()?);
        let mut looks = 0;
        let stopped = reader.run(
            move || {
                looks += 1;
                looks == 3
            },
            count,
        );
        assert_eq!(stopped, Err(RelationalError::Late));
        // The control: the same statement, without an interruption.
        assert_eq!(reader.run(|| false, count), Ok(100_000));
        Ok(())
    }

    #[test]
    fn no_character_of_a_path_means_anything_in_an_address() {
        let said = address(Path::new("/a b/é?x=1#y%20/net.kith.sqlite"));
        assert_eq!(said, "file:/a%20b/%C3%A9%3Fx%3D1%23y%2520/net.kith.sqlite?immutable=1&mode=ro");
    }
}
