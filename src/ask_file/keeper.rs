//! What a server reads of the asks, in memory: of a file as it is on the disk at each request, of a database as it was
//! at its last notice.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use kith::asks::book::AskBook;

use crate::ask_file::books::KeptBooks;
use crate::ask_file::error::AskStoreError;
use crate::ask_file::file::FileDatabase;
#[cfg(feature = "postgres")]
use crate::ask_file::follower::Follower;
use crate::ask_file::sql::{StoreAccess, address, lock};
use crate::regular_file::FileStamp;

/// The books of all organizations. Shared by all threads of a server.
#[derive(Debug)]
pub struct AskKeeper {
    books: Arc<Mutex<KeptBooks>>,
    source: Source,
}

/// What they are read from.
#[derive(Debug)]
enum Source {
    File {
        path: PathBuf,
        stamp: FileStamp,
        connection: Mutex<FileDatabase>,
    },
    #[cfg(feature = "postgres")]
    Server(Follower),
}

impl AskKeeper {
    /// Opens `place`, and reads what is there.
    ///
    /// # Errors
    /// Returns an error if nothing of this program's is there, it is not healthy, or it is of a later version.
    pub fn open(place: &Path) -> Result<Self, AskStoreError> {
        let books = Arc::default();
        let source = match address(place) {
            #[cfg(feature = "postgres")]
            Some(address) => Source::Server(Follower::start(address, &books)?),
            #[cfg(not(feature = "postgres"))]
            Some(address) => return Err(crate::ask_file::sql::other_build(address)),
            None => {
                // Reads it through once.
                drop(FileDatabase::open(place, StoreAccess::Write)?);
                let connection = FileDatabase::open(place, StoreAccess::Read)?;
                let path = connection.path().to_owned();
                let stamp =
                    FileStamp::at(&path).ok_or_else(|| AskStoreError::Missing { path: path.clone() })?;
                Source::File { path, stamp, connection: Mutex::new(connection) }
            }
        };
        let keeper = Self { books, source };
        keeper.check()?;
        Ok(keeper)
    }

    /// The asks of `org`, with all that any process has written. Costs one look at the file and at its version, and nothing of a
    /// database; what is new is read.
    ///
    /// # Errors
    /// Returns an error if they cannot be read, or the file is another one than was opened.
    pub fn book(&self, org: &str) -> Result<Arc<AskBook>, AskStoreError> {
        match &self.source {
            Source::File { path, stamp, connection } => {
                if !FileStamp::at(path).is_some_and(|now| now.is_same_file(*stamp)) {
                    return Err(AskStoreError::Replaced { path: path.clone() });
                }
                let mut connection = lock(connection);
                let version = connection.version()?;
                // A panic leaves the books as they were: they are put in place whole.
                let mut books = lock(&self.books);
                if books.version != Some(version) {
                    connection.read(|sql| books.catch_up(sql))?;
                    books.version = Some(version);
                }
                Ok(books.of(org))
            }
            #[cfg(feature = "postgres")]
            Source::Server(follower) => {
                follower.check()?;
                Ok(lock(&self.books).of(org))
            }
        }
    }

    /// The books that a writer brings up to date itself; `None` of a file, at which every request looks.
    pub(crate) fn followed(&self) -> Option<Arc<Mutex<KeptBooks>>> {
        match &self.source {
            Source::File { .. } => None,
            #[cfg(feature = "postgres")]
            Source::Server(_) => Some(Arc::clone(&self.books)),
        }
    }

    /// Passes if asks can be read.
    ///
    /// # Errors
    /// Returns the errors of [`Self::book`].
    pub fn check(&self) -> Result<(), AskStoreError> {
        self.book("").map(drop)
    }
}
