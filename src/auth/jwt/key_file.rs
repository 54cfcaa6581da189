//! Keys in a file, read again when the file has changed.
//!
//! The file's stamp is compared with every token, so that a change holds from the next request on.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::auth::jwt::error::{IssuerError, KeysFault};
use crate::auth::jwt::held::Held;
use crate::auth::jwt::key_set::KeySet;
use crate::clock;
use crate::limits::JWKS_BYTES_MAX;
use crate::regular_file::{self, FileStamp};

/// What messages call the file.
const SOURCE: &str = "oauth.jwks_file";

/// The keys of a file.
#[derive(Debug)]
pub(crate) struct KeyFile {
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    held: Held,
    /// The stamp of the file that was read last; `None` if it may have changed unseen.
    stamp: Option<FileStamp>,
}

impl KeyFile {
    /// Reads the file `path`.
    ///
    /// # Errors
    /// Where it cannot be read, is no JWKS, or has no key to use.
    pub(crate) fn open(path: &Path) -> Result<Self, IssuerError> {
        let refused = |fault| IssuerError::File { path: path.to_owned(), fault };
        let (stamp, keys) = read_keys(path);
        let keys = keys.map_err(refused)?;
        let is_empty = keys.is_empty();
        let mut state = State { stamp, ..State::default() };
        // Tells why the keys that are there are not used.
        state.held.take(SOURCE, Ok(keys));
        if is_empty {
            return Err(refused(KeysFault::NoKey));
        }
        Ok(Self { path: path.to_owned(), state: Mutex::new(state) })
    }

    /// The keys that the file holds now, or held last where it cannot be taken now.
    ///
    /// Costs one look at the file's metadata, and reading it if its stamp is another one.
    pub(crate) fn current(&self) -> Arc<KeySet> {
        let found = FileStamp::at(&self.path);
        // Each change below is whole before anything could panic.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if found.is_none() || state.stamp != found {
            let (stamp, keys) = read_keys(&self.path);
            state.stamp = stamp;
            state.held.take(SOURCE, keys);
        }
        state.held.keys()
    }
}

/// The keys in the file `path`, and its stamp if it cannot change unseen any more.
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
