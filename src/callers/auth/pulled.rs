//! The mark of a replica's last pull: a file whose time says when the credentials and the list of people to forget last
//! equalled those of the cell.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use crate::auth::error::StoreError;

/// The path of the mark, and its maximum age.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PulledMark {
    /// The file.
    pub path: PathBuf,
    /// The maximum age at which credentials are accepted.
    pub age_max: Duration,
}

impl PulledMark {
    /// Checks that the mark is neither older than the maximum age, nor that far in the future of `now`. Costs one look
    /// at the file's metadata.
    ///
    /// # Errors
    /// Returns [`StoreError::Stale`] if it is older, or missing.
    pub(crate) fn check(&self, now: SystemTime) -> Result<(), StoreError> {
        let stale = |age: Option<Duration>| {
            let seconds = self.age_max.as_secs();
            Err(StoreError::Stale { path: self.path.clone(), age: age.map(|age| age.as_secs()), seconds })
        };
        let Ok(modified) = fs::metadata(&self.path).and_then(|found| found.modified()) else {
            return stale(None);
        };
        let age = now.duration_since(modified).unwrap_or_else(|ahead| ahead.duration());
        if age <= self.age_max { Ok(()) } else { stale(Some(age)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    #[test]
    fn a_mark_that_is_old_or_missing_or_of_the_future_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mark = PulledMark { path: folder.path().join("pulled"), age_max: Duration::from_secs(60) };
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        assert!(matches!(mark.check(now), Err(StoreError::Stale { age: None, .. })));
        File::create(&mark.path).unwrap().set_modified(now).unwrap();
        for (ahead, behind, passes) in
            [(0, 0, true), (60, 0, true), (61, 0, false), (0, 60, true), (0, 61, false)]
        {
            let seen = now + Duration::from_secs(ahead) - Duration::from_secs(behind);
            assert_eq!(mark.check(seen).is_ok(), passes, "{ahead} {behind}");
        }
    }
}
