//! The storage of asks: a file on this machine, or a database for several machines.

use std::path::Path;

use crate::ask_file::error::{AskStoreError, WriteRefused};
use crate::ask_file::file::{self, FileDatabase};
#[cfg(feature = "postgres")]
use crate::ask_file::server::ServerDatabase;
#[cfg(not(feature = "postgres"))]
use crate::ask_file::sql::other_build;
use crate::ask_file::sql::{Sql, StoreAccess, address};

/// A connection to the storage of asks.
#[derive(Debug)]
pub(crate) enum Database {
    /// To a file of this machine.
    File(Box<FileDatabase>),
    /// To a server for several machines.
    #[cfg(feature = "postgres")]
    Server(Box<ServerDatabase>),
}

impl Database {
    /// Opens `place`: the path of a file, or the address of a server.
    ///
    /// # Errors
    /// Returns an error if it does not hold this program's tables, is not healthy, or is of a later version.
    pub(crate) fn open(place: &Path, access: StoreAccess) -> Result<Self, AskStoreError> {
        match address(place) {
            #[cfg(feature = "postgres")]
            Some(address) => Ok(Self::Server(Box::new(ServerDatabase::open(address)?))),
            #[cfg(not(feature = "postgres"))]
            Some(address) => Err(other_build(address)),
            None => Ok(Self::File(Box::new(FileDatabase::open(place, access)?))),
        }
    }

    /// Runs `work` as one exclusive transaction. Its commit is on disk when this returns; if `work` fails, nothing
    /// changes.
    ///
    /// # Errors
    /// Returns the error of `work`, or one if the database refuses.
    pub(crate) fn change<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Sql) -> Result<T, WriteRefused>,
    ) -> Result<T, WriteRefused> {
        match self {
            Self::File(file) => file.change(work),
            #[cfg(feature = "postgres")]
            Self::Server(server) => server.change(work),
        }
    }

    /// Runs `work` over one consistent state, whatever is written meanwhile.
    ///
    /// # Errors
    /// Returns the error of `work`, or one if the database refuses.
    pub(crate) fn read<T, E: From<AskStoreError>>(
        &mut self,
        work: impl FnOnce(&mut dyn Sql) -> Result<T, E>,
    ) -> Result<T, E> {
        match self {
            Self::File(file) => file.read(work),
            #[cfg(feature = "postgres")]
            Self::Server(server) => server.read(work),
        }
    }

    /// Rewrites the storage without removed data.
    ///
    /// # Errors
    /// Returns an error if the database refuses.
    pub(crate) fn compact(&mut self) -> Result<(), AskStoreError> {
        match self {
            Self::File(file) => file.compact(),
            #[cfg(feature = "postgres")]
            Self::Server(server) => server.compact(),
        }
    }
}

/// Creates the storage at `place`, a path or the address of a server, whole or not at all.
///
/// # Errors
/// Returns an error if something is already there, or it cannot be created.
pub fn create(place: &Path) -> Result<(), AskStoreError> {
    match address(place) {
        #[cfg(feature = "postgres")]
        Some(address) => ServerDatabase::create(address),
        #[cfg(not(feature = "postgres"))]
        Some(address) => Err(other_build(address)),
        None => file::create(place),
    }
}
