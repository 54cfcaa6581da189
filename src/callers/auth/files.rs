//! The files of an open store, and whether their names still lead to them.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use crate::auth::database;
use crate::auth::error::StoreError;
use crate::file_system::marks;

/// The store's file and SQLite's two files beside it, as opened.
#[derive(Debug)]
pub(crate) struct StoreFiles([OpenedFile; 3]);

impl StoreFiles {
    /// The files of the open store `store`.
    ///
    /// # Errors
    /// Returns an error if one of the files is missing, or is not a regular file.
    pub(crate) fn beside(store: OpenedFile) -> Result<Self, StoreError> {
        // For a link, the files beside it are beside its target.
        let resolved = fs::canonicalize(&store.path).map_err(StoreError::io_at(&store.path))?;
        let log = OpenedFile::at(database::beside(&resolved, "-wal"))?;
        let index = OpenedFile::at(database::beside(&resolved, "-shm"))?;
        Ok(Self([store, log, index]))
    }

    /// The path of the store.
    pub(crate) fn path(&self) -> &Path {
        &self.0[0].path
    }

    /// Checks that the store's files are still the opened ones. Costs three `statx`.
    ///
    /// # Errors
    /// Returns [`StoreError::Replaced`] for the first that is not.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        self.0.iter().try_for_each(OpenedFile::check)
    }
}

/// A file by its identity, whatever happens to its name.
#[derive(Debug)]
pub(crate) struct OpenedFile {
    path: PathBuf,
    identity: (u64, u64),
}

impl OpenedFile {
    /// The file that `path` leads to.
    ///
    /// # Errors
    /// Returns an error if there is none, or it is not a regular file.
    pub(crate) fn at(path: PathBuf) -> Result<Self, StoreError> {
        let found = database::find_file(&path)?;
        Ok(Self { path, identity: marks(&found).identity })
    }

    /// Checks that the name still leads to the same file.
    fn check(&self) -> Result<(), StoreError> {
        let is_same = |found: &Metadata| marks(found).identity == self.identity;
        match fs::metadata(&self.path) {
            Ok(found) if is_same(&found) => Ok(()),
            _ => Err(StoreError::Replaced { path: self.path.clone() }),
        }
    }
}
