//! A server's copy of the asks in memory: of a file as it is on disk at each request, of a database as it was at its
//! last notice.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use kith::asks::book::AskBook;

use crate::ask_file::books::KeptBooks;
use crate::ask_file::error::AskStoreError;
use crate::ask_file::file::FileDatabase;
#[cfg(feature = "postgres")]
use crate::ask_file::follower::Follower;
use crate::ask_file::sql::{StoreAccess, address, lock};
use crate::clock;
use crate::regular_file::FileStamp;

/// The books of all organizations, shared by all threads of a server.
#[derive(Debug)]
pub struct AskKeeper {
    books: Arc<Mutex<KeptBooks>>,
    source: Source,
}

/// The source of the books.
#[derive(Debug)]
enum Source {
    File(Box<FileSource>),
    #[cfg(feature = "postgres")]
    Server(Follower),
}

/// A file with its write-ahead log.
#[derive(Debug)]
struct FileSource {
    path: PathBuf,
    log: PathBuf,
    first: FileStamp,
    read: Mutex<ReadFile>,
}

#[derive(Debug)]
struct ReadFile {
    connection: FileDatabase,
    /// The stamps of the file and its log at the last look, if every later write changes them.
    settled: Option<[FileStamp; 2]>,
}

impl FileSource {
    fn open(path: &Path) -> Result<Self, AskStoreError> {
        // Reads it through once.
        drop(FileDatabase::open(path, StoreAccess::Write)?);
        let connection = FileDatabase::open(path, StoreAccess::Read)?;
        let path = connection.path().to_owned();
        let first = FileStamp::at(&path).ok_or_else(|| AskStoreError::Missing { path: path.clone() })?;
        let mut log = path.clone().into_os_string();
        log.push("-wal");
        Ok(Self { path, log: log.into(), first, read: Mutex::new(ReadFile { connection, settled: None }) })
    }

    /// Brings `books` up to date. Costs two looks at metadata, and more only after a recent write.
    fn look(&self, books: &Mutex<KeptBooks>) -> Result<(), AskStoreError> {
        let file = FileStamp::at(&self.path).filter(|now| now.is_same_file(self.first));
        let Some(file) = file else { return Err(AskStoreError::Replaced { path: self.path.clone() }) };
        let stamps = FileStamp::at(&self.log).map(|log| [file, log]);
        let mut read = lock(&self.read);
        if stamps.is_some() && stamps == read.settled {
            return Ok(());
        }
        let version = read.connection.version()?;
        // A panic leaves the books as they were: they are replaced whole.
        let mut books = lock(books);
        if books.version != Some(version) {
            read.connection.read(|sql| books.catch_up(sql))?;
            books.version = Some(version);
        }
        let now = clock::wall_time();
        read.settled = stamps.filter(|stamps| stamps.iter().all(|stamp| stamp.settled(now).is_some()));
        Ok(())
    }
}

impl AskKeeper {
    /// Opens `place`, and reads it.
    ///
    /// # Errors
    /// Returns an error if it does not hold this program's tables, is not healthy, or is of a later version.
    pub fn open(place: &Path) -> Result<Self, AskStoreError> {
        let books = Arc::default();
        let source = match address(place) {
            #[cfg(feature = "postgres")]
            Some(address) => Source::Server(Follower::start(address, &books)?),
            #[cfg(not(feature = "postgres"))]
            Some(address) => return Err(crate::ask_file::sql::other_build(address)),
            None => Source::File(Box::new(FileSource::open(place)?)),
        };
        let keeper = Self { books, source };
        keeper.check()?;
        Ok(keeper)
    }

    /// The asks of `org`, including all that any process has written. Costs two looks at a file's metadata, or none
    /// for a database; new events are read.
    ///
    /// # Errors
    /// Returns an error if they cannot be read, or the opened file was replaced.
    pub fn book(&self, org: &str) -> Result<Arc<AskBook>, AskStoreError> {
        match &self.source {
            Source::File(file) => file.look(&self.books)?,
            #[cfg(feature = "postgres")]
            Source::Server(follower) => follower.check()?,
        }
        Ok(lock(&self.books).of(org))
    }

    /// The books for a writer to update itself; `None` for a file, which every request checks.
    pub(crate) fn followed(&self) -> Option<Arc<Mutex<KeptBooks>>> {
        match &self.source {
            Source::File(_) => None,
            #[cfg(feature = "postgres")]
            Source::Server(_) => Some(Arc::clone(&self.books)),
        }
    }

    /// Checks that asks can be read.
    ///
    /// # Errors
    /// Returns the errors of [`Self::book`].
    pub fn check(&self) -> Result<(), AskStoreError> {
        self.book("").map(drop)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use kith::asks::event::{AskedOver, AskedPeople};
    use kith::model::time::Timestamp;

    use super::*;
    use crate::ask_file::file;
    use crate::ask_file::store::AskStore;
    use crate::ask_file::writing::{MemberWords, MemberWrite};

    fn write(store: &AskStore, person: &str) {
        let write = MemberWrite {
            org: "org_a".into(),
            user: "user_a".into(),
            name: "Ana".into(),
            is_admin: false,
            at: Timestamp { seconds: 1_800_000_000, nanos: 0 },
            note: None,
            key: None,
            is_dry_run: false,
        };
        let people = AskedPeople { person: person.to_owned(), connector: None, via_advocate: None };
        store.write(&write, MemberWords::Asked(people, AskedOver::default())).unwrap();
    }

    /// First after a pause in which the metadata alone show no change; then in the log's first bytes, after the log was
    /// moved into the file.
    #[test]
    fn a_write_of_another_connection_is_read_at_the_next_look_however_long_nothing_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("asks.db");
        file::create(&path).unwrap();
        let (keeper, store) = (AskKeeper::open(&path).unwrap(), AskStore::open(&path).unwrap());
        let is_settled = || match &keeper.source {
            Source::File(file) => lock(&file.read).settled.is_some(),
            #[cfg(feature = "postgres")]
            Source::Server(_) => false,
        };
        for round in 0..2 {
            write(&store, &format!("person_{round}a"));
            assert_eq!(keeper.book("org_a").unwrap().asks().len(), 2 * round + 1);
            assert!(!is_settled(), "a file that was written to lately is read");
            clock::sleep(Duration::from_millis(3_100));
            keeper.check().unwrap();
            assert!(is_settled(), "the control: no look at the file's version any more");
            store.forget("org_b", &Default::default(), &Default::default()).unwrap();
            write(&store, &format!("person_{round}b"));
            assert_eq!(keeper.book("org_a").unwrap().asks().len(), 2 * round + 2);
        }
    }
}
