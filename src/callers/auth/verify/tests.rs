//! The credentials accepted by a verifier.
//!
//! Promise: A look-up sees each commit by any process, in whatever way it comes, and fails once a file of the store is
//!   moved.
//! Control: a door that reads the store as it was when it was opened: each of 6 commits is missed, and threads that
//!   check all the time let a revoked key in.

use std::error::Error;
use std::fs;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, UNIX_EPOCH};

use tempfile::TempDir;

use super::*;
use crate::auth::logged::logged;
use crate::auth::store::{CredentialStore, Issued};

type Outcome = Result<(), Box<dyn Error>>;

/// A key in tables of the version before keys could expire.
const OLD_TABLES: &str = "CREATE TABLE keys (id TEXT, hash BLOB, org TEXT, revoked_at INTEGER) STRICT;
                          INSERT INTO keys VALUES ('key_a', zeroblob(32), 'org_a', NULL);
                          PRAGMA user_version = 2;";

#[test]
fn a_key_is_found_if_the_store_is_taken_up_between_the_refused_statement_and_the_look_at_its_version() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("credentials.db");
    let (ours, other) = (Connection::open(&path).unwrap(), Connection::open(&path).unwrap());
    ours.execute_batch(OLD_TABLES).unwrap();
    let looks = std::cell::Cell::new(0);
    let taken_up_first = |connection: &Connection| {
        looks.set(looks.get() + 1);
        let take_up = "ALTER TABLE keys ADD COLUMN expires_at INTEGER; PRAGMA user_version = 3;";
        other.execute_batch(take_up)?;
        database::version(connection)
    };
    let found = find_key_by(&ours, &[0; 32], Some(0), taken_up_first).unwrap();
    assert_eq!(found.map(|found| found.org().to_owned()).as_deref(), Some("org_a"));
    assert_eq!(looks.get(), 1, "the old tables were met first");
}

#[test]
fn only_the_log_and_its_counter_say_why_a_jwt_is_refused() {
    let trial = Trial::new(OpenStore::open).unwrap();
    let lines = logged(|| assert_eq!(trial.verifier.principal(Err(Refusal::Expired)), None));
    assert!(lines.len() == 1 && lines[0].contains("its exp has passed"), "{lines:?}");
    let counted: Vec<_> = trial.verifier.refused_jwts().into_iter().filter(|(_, count)| *count > 0).collect();
    assert_eq!(counted, [(Refusal::Expired, 1)]);
}

/// A time relative to all trials.
fn at(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs((1 << 33) + seconds)
}

/// A store of its own, a key in it, and a verifier of it.
struct Trial {
    folder: TempDir,
    store: CredentialStore,
    key: Issued,
    verifier: Verifier,
}

type Open = fn(&Path) -> Result<OpenStore, StoreError>;

/// The control: a verifier that keeps reading the store as it was when opened.
fn of_before(path: &Path) -> Result<OpenStore, StoreError> {
    let store = OpenStore::open(path)?;
    for reader in &store.readers {
        let reader = reader.lock().unwrap_or_else(PoisonError::into_inner);
        reader.connection.execute_batch("BEGIN; SELECT id FROM keys").map_err(StoreError::at(path))?;
    }
    Ok(store)
}

impl Trial {
    fn new(open: Open) -> Result<Self, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("credentials.db");
        let store = CredentialStore::open(&path)?;
        let key = store.create_key("org_a", "trial", at(0))?;
        let verifier = Verifier { store: Arc::new(open(&path)?), ..Verifier::open(&path)? };
        Ok(Self { folder, store, key, verifier })
    }

    fn is_let_in(&self) -> bool {
        is_let_in(&self.verifier, &self.key)
    }

    /// Changes the store over another connection, like another process.
    fn change(&self, statement: &str) -> Outcome {
        let other = Connection::open(self.folder.path().join("credentials.db"))?;
        Ok(other.execute_batch(statement)?)
    }
}

fn is_let_in(verifier: &Verifier, key: &Issued) -> bool {
    verifier.verify(key.secret.reveal(), at(1)).is_ok_and(|found| found.is_some())
}

/// The changes after which a key that was accepted twice is still accepted.
fn unseen_changes(open: Open) -> Result<Vec<&'static str>, Box<dyn Error>> {
    let mut unseen = Vec::new();
    for change in [
        "it is revoked",
        "UPDATE keys SET revoked_at = 1",
        "UPDATE keys SET expires_at = 1",
        "UPDATE keys SET hash = zeroblob(32)",
        "DELETE FROM keys",
        "BEGIN; DELETE FROM keys; COMMIT; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)",
        "",
        "-wal",
        "-shm",
    ] {
        let trial = Trial::new(open)?;
        assert!(trial.is_let_in() && trial.is_let_in());
        match change {
            "it is revoked" => drop(trial.store.revoke_key(&trial.key.id, at(1))?),
            "" | "-wal" | "-shm" => {
                let file = trial.folder.path().join(format!("credentials.db{change}"));
                fs::rename(&file, trial.folder.path().join("aside"))?;
            }
            statement => trial.change(statement)?,
        }
        if trial.is_let_in() {
            unseen.push(change);
        }
    }
    Ok(unseen)
}

#[test]
fn who_was_let_in_before_is_not_after_any_change_that_says_so() -> Outcome {
    assert_eq!(unseen_changes(OpenStore::open)?, [""; 0]);
    let missed = unseen_changes(of_before)?;
    assert_eq!(missed.len(), 6, "the control misses each commit: {missed:?}");
    Ok(())
}

/// How often, in so many trials with constant checks by several threads, a key is accepted by a check that began after
/// its revocation.
fn let_in_after(open: Open, trials: u64) -> Result<usize, Box<dyn Error>> {
    let late = AtomicUsize::new(0);
    for _ in 0..trials {
        let trial = Trial::new(open)?;
        let (verifier, key) = (&trial.verifier, &trial.key);
        let (is_revoked, is_over) = (AtomicBool::new(false), AtomicBool::new(false));
        let revoked = thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while !is_over.load(Ordering::SeqCst) {
                        let was_revoked = is_revoked.load(Ordering::SeqCst);
                        if is_let_in(verifier, key) && was_revoked {
                            late.fetch_add(1, Ordering::SeqCst);
                        }
                    }
                });
            }
            let revoked = trial.store.revoke_key(&trial.key.id, at(1));
            is_revoked.store(true, Ordering::SeqCst);
            crate::clock::sleep(Duration::from_millis(50));
            is_over.store(true, Ordering::SeqCst);
            revoked
        });
        assert!(revoked?.is_some());
    }
    Ok(late.into_inner())
}

#[test]
fn no_check_that_begins_after_a_revocation_lets_the_key_in_whatever_other_threads_check() -> Outcome {
    assert_eq!(let_in_after(OpenStore::open, 20)?, 0);
    assert!(let_in_after(of_before, 2)? > 0, "the control");
    Ok(())
}

#[test]
fn what_expires_ends_and_what_is_unknown_is_not_let_in() -> Outcome {
    let trial = Trial::new(OpenStore::open)?;
    let ttl = crate::auth::ttl::Ttl::from_seconds(60).ok_or("a key lives longer")?;
    let short = trial.store.create_expiring_key("org_a", "short", ttl, at(0))?;
    let token = trial.store.create_token("org_a", "user_1", Scopes::READ, ttl, at(0))?;
    let last = at(60) - Duration::from_millis(1);
    let before_1970 = UNIX_EPOCH - Duration::from_secs(1);
    for (now, is_held) in [(at(0), true), (last, true), (at(60), false), (before_1970, false), (at(1), true)]
    {
        for issued in [&short, &token] {
            let found = trial.verifier.verify(issued.secret.reveal(), now)?;
            assert_eq!(found.is_some(), is_held, "{now:?}");
        }
    }
    let unknown = secret::Secret::generate(CredentialKind::OrganizationKey)?;
    assert_eq!(trial.verifier.verify(unknown.reveal(), at(1))?, None);
    Ok(())
}
