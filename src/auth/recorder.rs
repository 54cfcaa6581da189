//! Writes into the store when its credentials were last used: by a thread of its own, so that no
//! request ever waits for it or fails with it.

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::auth::error::StoreError;
use crate::auth::store::CredentialStore;
use crate::auth::used::Used;
use crate::auth::verify::Verifier;
use crate::limits::LAST_USED_PERIOD;

/// Writes while it lives, and once more when it is dropped; that waits for the writing to end.
#[derive(Debug)]
pub struct UseRecorder {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl UseRecorder {
    /// Writes into `store` once a minute what `verifier` has let in.
    ///
    /// # Errors
    /// Where the system gives no thread.
    pub fn start(store: CredentialStore, verifier: Verifier) -> io::Result<Self> {
        Self::every(LAST_USED_PERIOD, store, verifier)
    }

    /// As [`UseRecorder::start`], once in `period`.
    ///
    /// # Errors
    /// As [`UseRecorder::start`].
    pub fn every(period: Duration, store: CredentialStore, verifier: Verifier) -> io::Result<Self> {
        let (stop, stopped) = mpsc::channel();
        let mut writing = Writing { store, verifier, unwritten: Used::default(), is_failing: false };
        let thread = thread::Builder::new().name("last-used".to_owned()).spawn(move || {
            while stopped.recv_timeout(period) == Err(RecvTimeoutError::Timeout) {
                writing.write();
            }
            writing.write();
        })?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for UseRecorder {
    fn drop(&mut self) {
        drop(self.stop.take());
        // A writer that panicked has nothing left to write.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

#[derive(Debug)]
struct Writing {
    store: CredentialStore,
    verifier: Verifier,
    /// What could not be written yet.
    unwritten: Used,
    is_failing: bool,
}

impl Writing {
    /// Writes what was noted since; where that fails it is kept for the next time. Logs the first of
    /// several failures.
    fn write(&mut self) {
        self.unwritten.merge(self.verifier.take_used());
        if self.unwritten.is_empty() {
            return;
        }
        let written = self.try_write();
        match &written {
            Ok(()) => self.unwritten = Used::default(),
            Err(error) if !self.is_failing => {
                tracing::warn!(%error, "when credentials were last used cannot be written; it is tried again");
            }
            Err(_) => {}
        }
        self.is_failing = written.is_err();
    }

    fn try_write(&self) -> Result<(), StoreError> {
        // Writing into files that are not the store's any more could spoil the store that took their place.
        self.verifier.check_files()?;
        self.store.record_uses(&self.unwritten)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::logged::logged;
    use crate::auth::secret::CredentialKind;

    #[test]
    fn of_several_failures_the_first_is_told() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let (file, aside) = (folder.path().join("credentials.db"), folder.path().join("aside"));
        let store = CredentialStore::open(&file)?;
        let verifier = store.verifier()?;
        let mut writing = Writing { store, verifier, unwritten: Used::default(), is_failing: false };
        for (step, (is_there, told)) in
            [(false, 1), (false, 0), (true, 0), (false, 1), (false, 0)].into_iter().enumerate()
        {
            writing.unwritten.note(CredentialKind::OrganizationKey, "key_x", 1);
            if is_there != file.exists() {
                let (from, to) = if is_there { (&aside, &file) } else { (&file, &aside) };
                std::fs::rename(from, to)?;
            }
            let lines = logged(|| writing.write());
            let is_told = lines.iter().all(|line| line.contains("WARN") && line.contains("tried again"));
            assert!(lines.len() == told && is_told, "step {step}: {lines:?}");
        }
        Ok(())
    }
}
