//! The connections of one store, shared by all threads.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use tempfile::TempPath;

use crate::clock;
use crate::file_system::stand_in;
use crate::limits::STORE_READERS_MAX;
use crate::relational::error::{RelationalError, StoreUnusable};
use crate::relational::reader::{ExpectedStore, Reader};

/// Up to [`STORE_READERS_MAX`] connections, each used by one look-up at a time.
///
/// Another one is opened only when all are in use, and is checked like the first: after a build has put another store
/// at the path, the pool goes on with its open connections, which read the older file.
#[derive(Debug)]
pub(crate) struct ReaderPool {
    path: PathBuf,
    expected: ExpectedStore,
    state: Mutex<State>,
    /// Removed after the connections are closed.
    _copy: Option<TempPath>,
    /// Notified when a connection comes back, or when no more can be opened.
    changed: Condvar,
    /// The first failure that showed the store to be damaged or unreadable.
    failure: OnceLock<RelationalError>,
    /// Whether it was reported.
    is_reported: AtomicBool,
}

#[derive(Debug)]
struct State {
    idle: Vec<Reader>,
    /// Connections that are open or being opened.
    open: usize,
    /// Whether the path still leads to the store.
    may_open: bool,
}

/// A connection in use; dropping it returns it.
#[derive(Debug)]
pub(crate) struct Lent<'a> {
    pool: &'a ReaderPool,
    reader: Option<Reader>,
}

impl ReaderPool {
    /// A pool with one connection.
    ///
    /// # Errors
    /// Returns an error if the store cannot be used.
    pub(crate) fn open(path: PathBuf, expected: ExpectedStore) -> Result<Self, StoreUnusable> {
        // Of the file itself first: what is wrong names it, and not what stands in for it.
        let mut reader = Reader::open(&path, expected)?;
        let copy = stand_in(&path)
            .map_err(|error| StoreUnusable::Unreadable { path: path.clone(), reason: error.to_string() })?;
        if let Some(copy) = &copy {
            reader = Reader::open(copy, expected)?;
        }
        let state = State { idle: vec![reader], open: 1, may_open: true };
        Ok(Self {
            path: copy.as_ref().map_or(path, |copy| copy.to_path_buf()),
            expected,
            state: Mutex::new(state),
            _copy: copy,
            changed: Condvar::new(),
            failure: OnceLock::new(),
            is_reported: AtomicBool::new(false),
        })
    }

    /// Records how a look-up failed. A late look-up, or a too long phrase, is not the store's fault.
    pub(crate) fn note(&self, error: &RelationalError) {
        match error {
            RelationalError::Late | RelationalError::PhraseTooLong => {}
            RelationalError::Damaged { .. } | RelationalError::Unreadable { .. } => {
                let _ = self.failure.set(error.clone());
            }
        }
    }

    /// Whether a failure was recorded.
    pub(crate) fn has_failed(&self) -> bool {
        self.failure.get().is_some()
    }

    /// The first failure, for the first caller after it; otherwise `None`.
    pub(crate) fn unreported_failure(&self) -> Option<&RelationalError> {
        let failure = self.failure.get()?;
        (!self.is_reported.swap(true, Ordering::Relaxed)).then_some(failure)
    }

    /// A connection for one look-up; waits for one if all are in use.
    ///
    /// # Errors
    /// Returns [`RelationalError::Late`] if none is free at `deadline`.
    pub(crate) fn lend(&self, deadline: Instant) -> Result<Lent<'_>, RelationalError> {
        let mut state = self.lock();
        loop {
            if let Some(reader) = state.idle.pop() {
                return Ok(Lent { pool: self, reader: Some(reader) });
            }
            if state.may_open && state.open < STORE_READERS_MAX {
                state.open += 1;
                drop(state);
                if let Some(lent) = self.open_further() {
                    return Ok(lent);
                }
                state = self.lock();
                continue;
            }
            let patience = deadline.saturating_duration_since(clock::now());
            if patience.is_zero() {
                return Err(RelationalError::Late);
            }
            let waited = self.changed.wait_timeout(state, patience);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Opens one more connection, already counted. If that fails, no other is tried.
    fn open_further(&self) -> Option<Lent<'_>> {
        if let Ok(reader) = Reader::open(&self.path, self.expected) {
            return Some(Lent { pool: self, reader: Some(reader) });
        }
        let mut state = self.lock();
        state.open -= 1;
        state.may_open = false;
        self.changed.notify_all();
        None
    }

    /// The state is consistent between changes, so a panic elsewhere does not spoil it.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lent<'_> {
    /// The connection.
    pub(crate) fn reader(&mut self) -> &mut Reader {
        self.reader.as_mut().expect("it is only taken when this is dropped")
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.pool.lock().idle.extend(self.reader.take());
        self.pool.changed.notify_one();
    }
}
