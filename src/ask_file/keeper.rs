//! What a server reads of the file of asks, in memory: as it is on the disk at each request.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use kith::asks::book::{AskBook, WrittenEvent};
use rusqlite::Connection;

use crate::ask_file::error::AskStoreError;
use crate::ask_file::{file, rows};
use crate::regular_file::FileStamp;

/// The books of all organizations. Shared by all threads of a server.
#[derive(Debug)]
pub struct AskKeeper {
    path: PathBuf,
    stamp: FileStamp,
    state: Mutex<KeptBooks>,
}

#[derive(Debug)]
struct KeptBooks {
    connection: Connection,
    /// The version of the file as SQLite counts the writes of others.
    version: Option<i64>,
    epoch: i64,
    /// The number of the last event that was read.
    seq: i64,
    books: HashMap<String, Arc<AskBook>>,
    /// The book of organizations of which nothing is in the file.
    empty: Arc<AskBook>,
}

impl AskKeeper {
    /// Opens the file at `path`, and reads it.
    ///
    /// # Errors
    /// Returns an error if there is none, or it is not a healthy file of this version.
    pub fn open(path: &Path) -> Result<Self, AskStoreError> {
        let path = file::absolute(path)?;
        // Reads it through once.
        drop(file::open_writer(&path)?);
        let connection = file::open_reader(&path)?;
        let stamp = FileStamp::at(&path).ok_or_else(|| AskStoreError::Missing { path: path.clone() })?;
        let books = HashMap::new();
        let state = Mutex::new(KeptBooks {
            connection,
            version: None,
            epoch: 0,
            seq: 0,
            books,
            empty: Arc::default(),
        });
        let keeper = Self { path, stamp, state };
        keeper.check()?;
        Ok(keeper)
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The asks of `org`, with all that any process has written. Costs one look at the file and at its version; what is new
    /// is read.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is another one than was opened.
    pub fn book(&self, org: &str) -> Result<Arc<AskBook>, AskStoreError> {
        if !FileStamp::at(&self.path).is_some_and(|stamp| stamp.is_same_file(self.stamp)) {
            return Err(AskStoreError::Replaced { path: self.path.clone() });
        }
        // A panic leaves the books as they were: they are put in place whole.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.catch_up().map_err(AskStoreError::at(&self.path))?;
        Ok(Arc::clone(state.books.get(org).unwrap_or(&state.empty)))
    }

    /// Passes if asks can be read.
    ///
    /// # Errors
    /// Returns the errors of [`Self::book`].
    pub fn check(&self) -> Result<(), AskStoreError> {
        self.book("").map(drop)
    }
}

impl KeptBooks {
    /// Reads what was written since the last look.
    fn catch_up(&mut self) -> rusqlite::Result<()> {
        let version: i64 =
            self.connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
        if self.version == Some(version) {
            return Ok(());
        }
        // One state of the file, whatever is written meanwhile.
        let reading = self.connection.unchecked_transaction()?;
        let epoch: i64 = reading.query_row("SELECT number FROM epoch", [], |row| row.get(0))?;
        let is_new = epoch != self.epoch;
        let since = if is_new { 0 } else { self.seq };
        let mut books = if is_new { HashMap::new() } else { self.books.clone() };
        let (by_org, seq) = events_after(&reading, since)?;
        let mut orgs: BTreeSet<String> = by_org.keys().cloned().collect();
        if is_new {
            orgs.extend(orgs_of(&reading)?);
        }
        for (org, events) in by_org {
            let book = books.get(&org).cloned().unwrap_or_default();
            books.insert(org, Arc::new(book.after(events)));
        }
        if is_new {
            for org in orgs {
                let book = books.entry(org.clone()).or_default();
                let book = Arc::make_mut(book);
                book.preferences = rows::preferences(&reading, &org)?;
                book.formerly = rows::merged(&reading, &org)?.into_iter().collect();
            }
        }
        drop(reading);
        (self.version, self.epoch, self.seq, self.books) = (Some(version), epoch, seq.max(since), books);
        Ok(())
    }
}

/// The events with numbers above `seq`, by organization, and the number of the last.
fn events_after(
    connection: &Connection,
    seq: i64,
) -> rusqlite::Result<(HashMap<String, Vec<WrittenEvent>>, i64)> {
    let sql = format!("SELECT {}, org, seq FROM events WHERE seq > ?1 ORDER BY seq", rows::COLUMNS);
    let mut statement = connection.prepare_cached(&sql)?;
    let mut found = statement.query([seq])?;
    let (mut by_org, mut last): (HashMap<String, Vec<WrittenEvent>>, _) = (HashMap::new(), seq);
    while let Some(row) = found.next()? {
        by_org.entry(row.get(16)?).or_default().push(rows::event(row)?);
        last = row.get(17)?;
    }
    Ok((by_org, last))
}

/// The organizations of which anything but events is in the file.
fn orgs_of(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare("SELECT org FROM preferences UNION SELECT org FROM merged")?;
    statement.query_map([], |row| row.get(0))?.collect()
}
