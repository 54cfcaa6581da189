//! The report of a reload: the outcome of each file; and the status of all reloads so far.

use std::time::{Duration, SystemTime};

use crate::live::refusal::RefusedNetwork;
use crate::relational::error::StoreUnusable;

/// The outcome of a reload for one snapshot file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was read, checked and put in service.
    Loaded,
    /// It is already in service.
    Unchanged,
    /// It was not put in service, for this reason; the previous network stays in service.
    Refused(String),
    /// It is gone, and no longer in service.
    Unloaded,
}

impl Outcome {
    /// The outcome of a refused file.
    pub(crate) fn refused(refusal: &RefusedNetwork) -> Self {
        Self::Refused(refusal.to_string())
    }

    /// Its name in logs and answers.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Loaded => "loaded",
            Self::Unchanged => "unchanged",
            Self::Refused(_) => "refused",
            Self::Unloaded => "unloaded",
        }
    }
}

/// One line of a reload's report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileOutcome {
    /// The file's name in the folder.
    pub file: String,
    /// The organization of its network, if known.
    pub organization: Option<String>,
    /// The outcome for the file.
    pub outcome: Outcome,
    /// Why the relational store beside it cannot be used; `None` if it can, or was not checked.
    pub store_fault: Option<StoreUnusable>,
}

/// The result of one reload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Each file, by name; then the removed ones.
    pub files: Vec<FileOutcome>,
    /// The generation in service when it began.
    pub generation_before: u64,
    /// The generation in service when it ended.
    pub generation_after: u64,
    /// How long it took.
    pub duration: Duration,
}

impl Report {
    /// Counts the files by outcome.
    #[must_use]
    pub fn counts(&self) -> FileCounts {
        let mut counts = FileCounts::default();
        self.files.iter().for_each(|line| counts.note(&line.outcome));
        counts
    }
}

/// Files by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileCounts {
    /// Read and put in service.
    pub loaded: u64,
    /// In service already.
    pub unchanged: u64,
    /// Files that were refused.
    pub refused: u64,
    /// Networks whose file is gone.
    pub unloaded: u64,
}

impl FileCounts {
    fn note(&mut self, outcome: &Outcome) {
        *match outcome {
            Outcome::Loaded => &mut self.loaded,
            Outcome::Unchanged => &mut self.unchanged,
            Outcome::Refused(_) => &mut self.refused,
            Outcome::Unloaded => &mut self.unloaded,
        } += 1;
    }

    fn add(&mut self, other: Self) {
        self.loaded += other.loaded;
        self.unchanged += other.unchanged;
        self.refused += other.refused;
        self.unloaded += other.unloaded;
    }
}

/// The status of all reloads so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Reloads that ended, well or not.
    pub reloads: u64,
    /// Reloads that failed as a whole: the folder could not be listed, or the reload broke.
    pub failed: u64,
    /// The files of all reloads by outcome.
    pub files: FileCounts,
    /// The latest.
    pub last: Option<LastReload>,
    /// When the latest reload without a refused file ended.
    pub last_success: Option<SystemTime>,
}

/// The latest reload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastReload {
    /// When it ended.
    pub ended_at: SystemTime,
    /// How long it took.
    pub duration: Duration,
    /// Its files by outcome; `None` if it failed as a whole.
    pub files: Option<FileCounts>,
}

impl Status {
    pub(crate) fn note(&mut self, ended_at: SystemTime, duration: Duration, files: Option<FileCounts>) {
        self.reloads += 1;
        self.last = Some(LastReload { ended_at, duration, files });
        match files {
            None => self.failed += 1,
            Some(files) => self.files.add(files),
        }
        if files.is_some_and(|files| files.refused == 0) {
            self.last_success = Some(ended_at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reloads_are_counted_and_one_that_refuses_is_no_success() {
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let took = Duration::from_millis(3);
        let refused = FileCounts { unchanged: 2, refused: 1, ..FileCounts::default() };
        let loaded = FileCounts { loaded: 1, unloaded: 4, ..FileCounts::default() };
        let mut status = Status::default();
        for (seconds, files, last_success) in [
            (1, Some(refused), None),
            (2, Some(loaded), Some(at(2))),
            (3, None, Some(at(2))),
            (4, Some(refused), Some(at(2))),
        ] {
            status.note(at(seconds), took, files);
            assert_eq!(status.last_success, last_success);
            assert_eq!(status.last, Some(LastReload { ended_at: at(seconds), duration: took, files }));
        }
        assert_eq!((status.reloads, status.failed), (4, 1));
        assert_eq!(status.files, FileCounts { loaded: 1, unchanged: 4, refused: 2, unloaded: 4 });
    }
}
