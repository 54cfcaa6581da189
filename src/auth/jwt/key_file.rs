//! Keys in a file, read again when the file has changed.
//!
//! The file is looked at with every token, so that a change holds from the next request on.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::auth::jwt::error::{IssuerError, KeysFault};
use crate::auth::jwt::held::Held;
use crate::auth::jwt::key_set::KeySet;
use crate::limits::JWKS_BYTES_MAX;

/// What messages call the file.
const SOURCE: &str = "oauth.jwks_file";
/// File systems write the time of a change as coarsely as this. A file that changed more recently
/// may change once more and look the same, so it is read again with the next token.
const COARSEST_TIME: Duration = Duration::from_secs(2);

/// The keys of a file.
#[derive(Debug)]
pub(crate) struct KeyFile {
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    held: Held,
    /// The version that was read last; none where it may have changed unseen.
    version: Option<Version>,
}

/// Which file it is, and when it changed last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Version {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl KeyFile {
    /// Reads the file `path`.
    ///
    /// # Errors
    /// Where it cannot be read, is no JWKS, or has no key to use.
    pub(crate) fn open(path: &Path) -> Result<Self, IssuerError> {
        let refused = |fault| IssuerError::File { path: path.to_owned(), fault };
        let (version, keys) = read(path);
        let keys = keys.map_err(refused)?;
        let is_empty = keys.is_empty();
        let mut state = State { version, ..State::default() };
        // Tells why the keys that are there are not used.
        state.held.take(SOURCE, Ok(keys));
        if is_empty {
            return Err(refused(KeysFault::NoKey));
        }
        Ok(Self { path: path.to_owned(), state: Mutex::new(state) })
    }

    /// The keys that the file holds now, or held last where it cannot be taken now.
    ///
    /// Cost: one look at the file's state, and reading it where that is not the one before.
    pub(crate) fn current(&self) -> Arc<KeySet> {
        let found = fs::metadata(&self.path).map(|found| Version::of(&found)).ok();
        // Each change below is whole before anything could panic.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if found.is_none() || state.version != found {
            let (version, keys) = read(&self.path);
            state.version = version;
            state.held.take(SOURCE, keys);
        }
        state.held.keys()
    }
}

/// What the file `path` holds, and the version that was read where it cannot change unseen any more.
fn read(path: &Path) -> (Option<Version>, Result<KeySet, KeysFault>) {
    let now = SystemTime::now();
    match read_bytes(path) {
        Ok((found, bytes)) => (Version::of(&found).settled(now), parse(&bytes)),
        Err(error) => (None, Err(KeysFault::Unreadable(error.kind()))),
    }
}

fn read_bytes(path: &Path) -> io::Result<(Metadata, Vec<u8>)> {
    // Opening a pipe would wait for somebody to write into it.
    if !fs::metadata(path)?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let file = File::open(path)?;
    let found = file.metadata()?;
    let mut bytes = Vec::new();
    file.take(JWKS_BYTES_MAX as u64 + 1).read_to_end(&mut bytes)?;
    Ok((found, bytes))
}

fn parse(bytes: &[u8]) -> Result<KeySet, KeysFault> {
    if bytes.len() > JWKS_BYTES_MAX { Err(KeysFault::TooLong) } else { KeySet::parse(bytes) }
}

impl Version {
    fn of(found: &Metadata) -> Self {
        Self {
            device: found.dev(),
            inode: found.ino(),
            size: found.size(),
            modified: (found.mtime(), found.mtime_nsec()),
            changed: (found.ctime(), found.ctime_nsec()),
        }
    }

    /// The version, where it is so old at `now` that every later change makes another one. Goes by the
    /// time that nobody can set.
    fn settled(self, now: SystemTime) -> Option<Self> {
        let changed = Duration::from_secs(u64::try_from(self.changed.0).unwrap_or_default() + 1);
        (now >= UNIX_EPOCH + changed + COARSEST_TIME).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_settled_once_no_change_can_look_like_it() {
        let version = Version { device: 1, inode: 1, size: 1, modified: (0, 0), changed: (1_000, 999) };
        for (seconds, is_settled) in [(0, false), (999, false), (1_000, false), (1_002, false), (1_003, true)]
        {
            let now = UNIX_EPOCH + Duration::from_secs(seconds);
            assert_eq!(version.settled(now).is_some(), is_settled, "{seconds}");
        }
    }
}
