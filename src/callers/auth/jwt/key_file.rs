//! Keys in a file, read again when it changes.
//!
//! The file's stamp is compared for every token, so a change takes effect with the next request.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::auth::jwt::error::{IssuerError, KeysFault};
use crate::auth::jwt::held::{HeldKeys, KeyOrigin, KeysStatus};
use crate::auth::jwt::key_set::KeySet;
use crate::auth::jwt::refusal::Refusal;
use crate::clock::{self, Clock};
use crate::limits::JWKS_BYTES_MAX;
use crate::regular_file::{self, FileStamp};

pub(crate) struct KeyFile {
    path: PathBuf,
    clock: Clock,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    held: HeldKeys,
    /// The stamp of the file when last read; `None` if it may have changed unnoticed.
    stamp: Option<FileStamp>,
}

impl KeyFile {
    /// Reads the file `path`. Its keys are in force for `age_max` after they were last seen there.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, is not a JWKS, or has no usable key.
    pub(crate) fn open(path: &Path, age_max: Duration, clock: Clock) -> Result<Self, IssuerError> {
        let refused = |fault| IssuerError::File { path: path.to_owned(), fault };
        let (stamp, keys) = read_keys(path);
        let keys = keys.map_err(refused)?;
        let is_empty = keys.is_empty();
        let mut state = State { stamp, held: HeldKeys::new(KeyOrigin::File, age_max) };
        // Logs why the present keys are not used.
        state.held.take(Ok(keys), clock());
        if is_empty {
            return Err(refused(KeysFault::NoKey));
        }
        Ok(Self { path: path.to_owned(), clock, state: Mutex::new(state) })
    }

    /// The keys in the file now, or its previous keys if it is faulty.
    ///
    /// Costs one look at the file's metadata, and reading it if its stamp changed.
    ///
    /// # Errors
    /// Returns an error if the previous keys are too old.
    pub(crate) fn current(&self) -> Result<Arc<KeySet>, Refusal> {
        let (mut state, now) = self.looked_at();
        state.held.keys(now)
    }

    /// Returns the state of the keys in the file now.
    pub(crate) fn status(&self) -> KeysStatus {
        let (state, now) = self.looked_at();
        state.held.status(now)
    }

    /// The state, updated from the file.
    fn looked_at(&self) -> (MutexGuard<'_, State>, Instant) {
        let found = FileStamp::at(&self.path);
        // Each change below is complete before anything could panic.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = (self.clock)();
        if found.is_none() || state.stamp != found {
            let (stamp, keys) = read_keys(&self.path);
            state.stamp = stamp;
            state.held.take(keys, now);
        } else {
            state.held.confirm(now);
        }
        (state, now)
    }
}

impl fmt::Debug for KeyFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyFile")
            .field("path", &self.path)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

/// The keys in the file `path`, and its stamp if the file can no longer change unnoticed.
fn read_keys(path: &Path) -> (Option<FileStamp>, Result<KeySet, KeysFault>) {
    let now = clock::wall_time();
    match regular_file::read(path, JWKS_BYTES_MAX) {
        Ok(found) => (found.stamp.settled(now), parse(&found.bytes)),
        Err(error) => (None, Err(KeysFault::Unreadable(error.kind()))),
    }
}

fn parse(bytes: &[u8]) -> Result<KeySet, KeysFault> {
    if bytes.len() > JWKS_BYTES_MAX { Err(KeysFault::TooLong) } else { KeySet::parse(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_as_many_bytes_as_are_allowed_and_no_more() {
        let mut bytes = br#"{"keys":[]}"#.to_vec();
        bytes.resize(JWKS_BYTES_MAX, b' ');
        assert_eq!(parse(&bytes).map(|keys| keys.is_empty()), Ok(true));
        bytes.push(b' ');
        assert_eq!(parse(&bytes).map(|keys| keys.is_empty()), Err(KeysFault::TooLong));
    }
}
