//! Writes to the store when its credentials were last used, and to the audit log how they were used and changed. A
//! separate thread does it, so no request waits for it or fails with it.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::audit;
use crate::auth::clock::{duration_millis, from_millis};
use crate::auth::error::StoreError;
use crate::auth::store::CredentialStore;
use crate::auth::used::Used;
use crate::auth::verify::Verifier;
use crate::clock;
use crate::limits::{AUDIT_PERIOD, AUDIT_USE_PERIOD, LAST_USED_PERIOD};

/// Writes and logs until it is dropped, which waits for a final write.
#[derive(Debug)]
pub struct UseRecorder {
    stop: Option<Sender<()>>,
    is_auditing: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl UseRecorder {
    /// Writes the uses of `verifier` to `store` once a minute; looks for changes to log once a second.
    ///
    /// # Errors
    /// Returns an error if the system cannot start a thread.
    pub fn start(store: Arc<Mutex<CredentialStore>>, verifier: Verifier) -> io::Result<Self> {
        Self::every(LAST_USED_PERIOD, store, verifier)
    }

    /// Like [`UseRecorder::start`], with a write per `period`; looks for changes at least as often.
    ///
    /// # Errors
    /// Returns the errors of [`UseRecorder::start`].
    pub fn every(
        period: Duration,
        store: Arc<Mutex<CredentialStore>>,
        verifier: Verifier,
    ) -> io::Result<Self> {
        let (stop, stopped) = mpsc::channel();
        let mut writing = Writing::new(store, verifier);
        let is_auditing = Arc::clone(&writing.is_auditing);
        let thread = thread::Builder::new().name("last-used".to_owned()).spawn(move || {
            let mut written_at = clock::now();
            while stopped.recv_timeout(period.min(AUDIT_PERIOD)) == Err(RecvTimeoutError::Timeout) {
                writing.log();
                if written_at.elapsed() >= period {
                    writing.write();
                    written_at = clock::now();
                }
            }
            writing.log();
            writing.write();
        })?;
        Ok(Self { stop: Some(stop), is_auditing, thread: Some(thread) })
    }

    /// Starts the audit log. Call it once serving, so that a server that failed to start does not mark changes as
    /// logged.
    pub(crate) fn audit(&self) {
        self.is_auditing.store(true, Ordering::Relaxed);
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
    store: Arc<Mutex<CredentialStore>>,
    verifier: Verifier,
    /// Whether to write the audit log.
    is_auditing: Arc<AtomicBool>,
    /// The uses not written yet.
    unwritten: Used,
    /// Whether the last write failed.
    is_failing: bool,
    /// The last logged use of each credential of the store, in milliseconds since 1970.
    logged_uses: HashMap<String, i64>,
    /// The number of the last logged change.
    logged_change: i64,
    /// Whether the last look for changes failed.
    is_blind: bool,
}

impl Writing {
    fn new(store: Arc<Mutex<CredentialStore>>, verifier: Verifier) -> Self {
        Self {
            store,
            verifier,
            is_auditing: Arc::default(),
            unwritten: Used::default(),
            is_failing: false,
            logged_uses: HashMap::new(),
            logged_change: 0,
            is_blind: false,
        }
    }

    /// Collects the latest uses; logs them and changes of credentials, if enabled.
    fn log(&mut self) {
        let used = self.verifier.take_used();
        if self.is_auditing.load(Ordering::Relaxed) {
            self.log_all_changes();
            self.log_first_uses(&used);
        }
        self.unwritten.merge(used);
    }

    /// Logs the changes of credentials since the last look, and only the first of consecutive failures.
    fn log_all_changes(&mut self) {
        let looked = self.log_changes();
        match &looked {
            Err(error) if !self.is_blind => {
                tracing::warn!(%error, "changes of credentials cannot be logged; it is tried again");
            }
            Ok(()) | Err(_) => {}
        }
        self.is_blind = looked.is_err();
    }

    /// Logs each credential of `used` on its first use, and again after [`AUDIT_USE_PERIOD`].
    fn log_first_uses(&mut self, used: &Used) {
        for (_, id, millis) in used.iter() {
            let is_due = |&last: &i64| millis.saturating_sub(last) >= duration_millis(AUDIT_USE_PERIOD);
            if self.logged_uses.get(id).is_none_or(is_due) {
                audit::credential_used(
                    id,
                    &from_millis(millis).map_or_else(String::new, |at| at.to_rfc3339_ms()),
                );
                self.logged_uses.insert(id.to_owned(), millis);
            }
        }
    }

    fn log_changes(&mut self) -> Result<(), StoreError> {
        self.verifier.check_files()?;
        let Self { store, logged_change, .. } = self;
        store.lock().unwrap_or_else(PoisonError::into_inner).log_changes(clock::wall_time(), |changes| {
            for (number, change) in changes {
                if number > *logged_change {
                    audit::credential_changed(&change);
                    *logged_change = number;
                }
            }
        })
    }

    /// Writes the collected uses; if that fails, keeps them for the next time. Logs only the first of consecutive
    /// failures.
    fn write(&mut self) {
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
        // Writing to files that were replaced could damage the store that replaced them.
        self.verifier.check_files()?;
        self.store.lock().unwrap_or_else(PoisonError::into_inner).record_uses(&self.unwritten)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::logged::logged;
    use crate::auth::secret::CredentialKind;

    #[test]
    fn a_use_is_logged_first_and_again_after_its_period() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let store = CredentialStore::open(&folder.path().join("credentials.db"))?;
        let verifier = store.verifier()?;
        let mut writing = Writing::new(Arc::new(Mutex::new(store)), verifier);
        let period = duration_millis(AUDIT_USE_PERIOD);
        for (millis, is_logged) in
            [(1, true), (2, false), (period, false), (period + 1, true), (period + 2, false)]
        {
            let mut used = Used::default();
            used.note(CredentialKind::OrganizationKey, "key_x", millis);
            let lines = logged(|| writing.log_first_uses(&used));
            assert_eq!(lines.len(), usize::from(is_logged), "{millis}: {lines:?}");
            assert!(lines.iter().all(|line| line.contains("credential.used") && line.contains("key_x")));
        }
        Ok(())
    }

    #[test]
    fn of_several_failures_the_first_is_logged() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let (file, aside) = (folder.path().join("credentials.db"), folder.path().join("aside"));
        let store = CredentialStore::open(&file)?;
        let verifier = store.verifier()?;
        let mut writing = Writing::new(Arc::new(Mutex::new(store)), verifier);
        for (step, (is_there, said)) in
            [(false, 1), (false, 0), (true, 0), (false, 1), (false, 0)].into_iter().enumerate()
        {
            writing.unwritten.note(CredentialKind::OrganizationKey, "key_x", 1);
            if is_there != file.exists() {
                let (from, to) = if is_there { (&aside, &file) } else { (&file, &aside) };
                std::fs::rename(from, to)?;
            }
            let lines = logged(|| writing.write());
            let is_logged = lines.iter().all(|line| line.contains("WARN") && line.contains("tried again"));
            assert!(lines.len() == said && is_logged, "step {step}: {lines:?}");
        }
        Ok(())
    }
}
