//! When a session opens, and when it does not.

use std::error::Error;
use std::path::Path;
use std::time::UNIX_EPOCH;

use super::*;
use crate::limits::{LOGGED_OUT_MAX, SESSION_SECONDS_DEFAULT};

type Outcome = Result<(), Box<dyn Error>>;

const KEY: &str = "service_sk_canary";

fn after(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_700_000_000 + seconds)
}

/// A server of the store in `folder`.
fn server(folder: &Path) -> Result<SessionSealer, Box<dyn Error>> {
    let store = CredentialStore::open(&folder.join("credentials.db"))?;
    let verifier = store.verifier()?;
    let life = Duration::from_secs(SESSION_SECONDS_DEFAULT);
    Ok(SessionSealer::new(Arc::new(Mutex::new(store)), verifier, life)?)
}

fn visitor(credential: &str) -> Visitor {
    Visitor::Credential(credential.to_owned())
}

/// The session of [`KEY`] that begins at `at`.
fn session(sealer: &SessionSealer, at: u64) -> Result<Session, Box<dyn Error>> {
    sealer.seal(&visitor(KEY), after(at))?.ok_or_else(|| "not sealed".into())
}

/// Whether `it` opens at `at`.
fn opens(sealer: &SessionSealer, it: &Session, at: u64) -> Result<bool, StoreError> {
    Ok(sealer.open(&it.sealed, &it.half, after(at))?.is_some())
}

#[test]
fn a_session_opens_to_its_credential_until_its_time_is_over() -> Outcome {
    let folder = tempfile::tempdir()?;
    let sealer = server(folder.path())?;
    let Session { sealed, half } = session(&sealer, 100)?;
    for (now, holds) in [
        (after(100), true),
        (after(99 + SESSION_SECONDS_DEFAULT), true),
        (after(100 + SESSION_SECONDS_DEFAULT), false),
        (after(200 + SESSION_SECONDS_DEFAULT), false),
        // The clock of another server may be a little behind.
        (after(41), true),
        (after(39), false),
        (UNIX_EPOCH - Duration::from_secs(1), false),
    ] {
        assert_eq!(sealer.open(&sealed, &half, now)?, holds.then(|| visitor(KEY)), "{now:?}");
    }
    assert!(sealer.seal(&visitor(KEY), UNIX_EPOCH - Duration::from_secs(1)).is_err());
    Ok(())
}

#[test]
fn every_server_of_a_store_opens_its_sessions_also_after_a_restart_and_no_other_does() -> Outcome {
    let (folder, elsewhere) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let first = server(folder.path())?;
    let one = session(&first, 0)?;
    let (second, other) = (server(folder.path())?, server(elsewhere.path())?);
    assert!(opens(&second, &one, 1)? && !opens(&other, &one, 1)?);
    drop((first, second));
    let restarted = server(folder.path())?;
    assert!(opens(&restarted, &one, 1)?);
    // Until it pulls from the store, a replica has sessions of its own; afterwards those of the store.
    let list = CredentialStore::open(&folder.path().join("credentials.db"))?.list_for_replicas()?;
    let own = session(&other, 0)?;
    CredentialStore::open(&elsewhere.path().join("credentials.db"))?.take_over(&list)?;
    assert!(opens(&other, &one, 1)? && !opens(&other, &own, 1)?);
    // The store's key is not enough: the list contains no session.
    assert!(!String::from_utf8_lossy(&list).contains(&one.half));
    Ok(())
}

#[test]
fn no_changed_session_opens_and_none_shows_what_is_in_it() -> Outcome {
    let folder = tempfile::tempdir()?;
    let sealer = server(folder.path())?;
    let Session { sealed, half } = session(&sealer, 0)?;
    let open = |sealed: &str| sealer.open(sealed, &half, after(1));
    assert_eq!(open(&sealed)?, Some(visitor(KEY)), "the control");
    let again = session(&sealer, 0)?;
    assert!(again.sealed != sealed && again.half != half, "a nonce or a half came twice");
    for half in ["", &again.half, &half[1..], &format!("{half}A"), &half.to_uppercase()] {
        assert_eq!(sealer.open(&sealed, half, after(1))?, None, "a cookie without its half");
    }
    let bytes = BASE64URL_NOPAD.decode(sealed.as_bytes())?;
    for bit in 0..bytes.len() * 8 {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(open(&BASE64URL_NOPAD.encode(&changed))?, None, "bit {bit}");
    }
    for length in 0..sealed.len() {
        assert_eq!(open(&sealed[..length])?, None, "{length} characters");
    }
    for text in ["", "=", "é", &format!("{sealed}A"), &format!("{sealed}="), &"A".repeat(1 << 20)] {
        assert_eq!(open(text)?, None);
    }
    assert!(!format!("{sealer:?}{sealed}{}", String::from_utf8_lossy(&bytes)).contains("canary"));
    Ok(())
}

#[test]
fn a_credential_that_fits_fits_a_cookie() -> Outcome {
    let folder = tempfile::tempdir()?;
    let sealer = server(folder.path())?;
    let longest = "j".repeat(SESSION_CREDENTIAL_BYTES_MAX);
    let Session { sealed, half } = sealer.seal(&visitor(&longest), after(0))?.ok_or("not sealed")?;
    // Browsers store a name and value of 4,096 bytes together.
    assert!(sealed.len() <= 4_096 - 64, "{}", sealed.len());
    assert_eq!(sealer.open(&sealed, &half, after(0))?, Some(visitor(&longest)));
    assert_eq!(sealer.seal(&visitor(&"j".repeat(SESSION_CREDENTIAL_BYTES_MAX + 16)), after(0))?, None);
    Ok(())
}

#[test]
fn a_session_that_was_logged_out_no_longer_opens_at_any_server_and_others_do() -> Outcome {
    let folder = tempfile::tempdir()?;
    let (sealer, replica) = (server(folder.path())?, server(folder.path())?);
    let (one, other) = (session(&sealer, 0)?, session(&sealer, 0)?);
    sealer.log_out(&one.sealed, &other.half, after(1))?;
    assert!(opens(&replica, &one, 1)?, "without its half nobody ends it");
    sealer.log_out(&one.sealed, &one.half, after(1))?;
    for server in [&sealer, &replica, &self::server(folder.path())?] {
        assert!(!opens(server, &one, 1)? && opens(server, &other, 1)?);
    }
    Ok(())
}

#[test]
fn more_log_outs_than_are_kept_end_all_sessions_but_those_that_begin_later() -> Outcome {
    let folder = tempfile::tempdir()?;
    let sealer = server(folder.path())?;
    let (one, other) = (session(&sealer, 0)?, session(&sealer, 0)?);
    lock(&sealer.store).change(|change| {
        let mut insert = change.prepare("INSERT INTO ended_sessions (id, issued_at) VALUES (?1, ?2)")?;
        for number in 0..LOGGED_OUT_MAX as u64 - 1 {
            let id = [&[0; 4][..], &number.to_be_bytes()].concat();
            insert.execute(rusqlite::params![id, to_millis_after_1970(after(0))])?;
        }
        Ok(())
    })?;
    sealer.log_out(&one.sealed, &one.half, after(1))?;
    assert!(!opens(&sealer, &one, 2)? && opens(&sealer, &other, 2)?);
    let more = session(&sealer, 2)?;
    sealer.log_out(&more.sealed, &more.half, after(2))?;
    assert!(!opens(&sealer, &one, 3)? && !opens(&sealer, &other, 3)? && !opens(&sealer, &more, 3)?);
    assert!(opens(&sealer, &session(&sealer, 3)?, 3)?);
    Ok(())
}

#[test]
fn a_log_in_that_begins_is_no_session_and_ends_after_ten_minutes() -> Outcome {
    let folder = tempfile::tempdir()?;
    let sealer = server(folder.path())?;
    let [nonce, verifier, redirect] = ["n", "v", "https://kith.example/explore"].map(str::to_owned);
    let pending = Pending { nonce, verifier, redirect };
    let Session { sealed, half } = sealer.seal_pending(&pending, after(0))?;
    for (at, half, opens) in [
        (0, &*half, true),
        (SIGN_IN_SECONDS - 1, &*half, true),
        (SIGN_IN_SECONDS, &*half, false),
        (0, "x", false),
    ] {
        assert_eq!(sealer.open_pending(&sealed, half, after(at))?, opens.then(|| pending.clone()), "{at}");
    }
    assert_eq!(sealer.open(&sealed, &half, after(0))?, None);
    let session = session(&sealer, 0)?;
    assert_eq!(sealer.open_pending(&session.sealed, &session.half, after(0))?, None);
    Ok(())
}
