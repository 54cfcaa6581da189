//! Sessions of browsers: a credential, sealed so that the browser that keeps it can neither read nor change it.
//!
//! A seal opens only beside its *half*: a secret that the page keeps and sends as a header. The seal travels as a cookie,
//! which browsers also send to other ports of the host, and is nothing without the half.
//!
//! There is no table of sessions, but one of those that ended by a log-out. What the browser sends back is opened, and the
//! credential in it is checked as if it had come in a header, so that a revoked one is refused from the next request on.
//! The key is made at the start: a restart ends all sessions.
//!
//! Promise: A session opens unchanged, beside its half, within its time and until its log-out, by the process that made it.
//! Control: the unchanged one opens.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use data_encoding::BASE64URL_NOPAD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

use crate::auth::clock::{duration_millis, to_millis_after_1970};
use crate::limits::{LOGGED_OUT_MAX, SESSION_CREDENTIAL_BYTES_MAX, SESSION_SECONDS};

/// The purpose that every seal is bound to.
const PURPOSE: &[u8] = b"kith session 2";
/// Bytes of the key.
const KEY_BYTES: usize = 32;
/// Random bytes of a half.
const HALF_BYTES: usize = 16;
/// Bytes of the time in front of the credential.
const TIME_BYTES: usize = 8;
/// Characters of the longest sealed credential: nonce, time, credential and tag, in base64.
const SEALED_CHARS_MAX: usize = (NONCE_LEN + TIME_BYTES + SESSION_CREDENTIAL_BYTES_MAX + 16).div_ceil(3) * 4;

/// Seals credentials, and opens them. Nonces are drawn: one key is good for 2^32 sessions.
#[derive(Debug)]
pub struct SessionSealer {
    key: LessSafeKey,
    logged_out: Mutex<LoggedOut>,
}

/// The sessions that ended by a log-out. Times are milliseconds since 1970.
#[derive(Debug, Default)]
struct LoggedOut {
    /// Their nonces, with the times at which they would have ended.
    nonces: HashMap<[u8; NONCE_LEN], i64>,
    /// Sessions that would end until then are over, whichever they are.
    all_until: i64,
}

/// A session as the browser keeps it, in two parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The sealed credential.
    pub sealed: String,
    /// The secret without which the seal does not open.
    pub half: String,
}

/// An opened session.
struct Opened {
    credential: String,
    nonce: [u8; NONCE_LEN],
    ends: i64,
}

impl SessionSealer {
    /// A sealer with a new key.
    ///
    /// # Errors
    /// Returns an error if the system has no randomness.
    pub fn new() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; KEY_BYTES];
        getrandom::fill(&mut bytes)?;
        let key = UnboundKey::new(&AES_256_GCM, &bytes).map_err(|_| getrandom::Error::UNEXPECTED)?;
        Ok(Self { key: LessSafeKey::new(key), logged_out: Mutex::default() })
    }

    /// Seals `credential` for [`SESSION_SECONDS`] from `now`. Returns `None` if it is longer than
    /// [`SESSION_CREDENTIAL_BYTES_MAX`], the clock is set before 1970, or the system has no randomness.
    #[must_use]
    pub fn seal(&self, credential: &str, now: SystemTime) -> Option<Session> {
        if credential.len() > SESSION_CREDENTIAL_BYTES_MAX {
            return None;
        }
        let ends = to_millis_after_1970(now)?.checked_add(longest())?;
        let (mut nonce, mut half) = ([0; NONCE_LEN], [0; HALF_BYTES]);
        getrandom::fill(&mut nonce).ok()?;
        getrandom::fill(&mut half).ok()?;
        let half = BASE64URL_NOPAD.encode(&half);
        let mut within = [&ends.to_be_bytes(), credential.as_bytes()].concat();
        let sealed = Nonce::assume_unique_for_key(nonce);
        self.key.seal_in_place_append_tag(sealed, bound_to(&half), &mut within).ok()?;
        Some(Session { sealed: BASE64URL_NOPAD.encode(&[&nonce[..], &within].concat()), half })
    }

    /// The credential in `sealed`. Returns `None` if it was not sealed by this sealer beside `half`, was changed, its time
    /// is over, or it was logged out; also if the clock was set back so far that it would last longer than one sealed now.
    #[must_use]
    pub fn open(&self, sealed: &str, half: &str, now: SystemTime) -> Option<String> {
        let opened = self.unseal(sealed, half, now)?;
        let out = self.logged_out.lock().unwrap_or_else(PoisonError::into_inner);
        let is_out = opened.ends <= out.all_until || out.nonces.contains_key(&opened.nonce);
        Some(opened.credential).filter(|_| !is_out)
    }

    /// Ends the session in `sealed`, if it opens. Of more than [`LOGGED_OUT_MAX`] within one life time none is kept apart:
    /// then all sessions end.
    pub fn log_out(&self, sealed: &str, half: &str, now: SystemTime) {
        let (Some(opened), Some(now)) = (self.unseal(sealed, half, now), to_millis_after_1970(now)) else {
            return;
        };
        let mut out = self.logged_out.lock().unwrap_or_else(PoisonError::into_inner);
        if out.nonces.len() >= LOGGED_OUT_MAX {
            out.nonces.retain(|_, ends| *ends > now);
        }
        if out.nonces.len() >= LOGGED_OUT_MAX {
            out.nonces.clear();
            out.all_until = now.saturating_add(longest());
        }
        out.nonces.insert(opened.nonce, opened.ends);
    }

    fn unseal(&self, sealed: &str, half: &str, now: SystemTime) -> Option<Opened> {
        if sealed.len() > SEALED_CHARS_MAX {
            return None;
        }
        let mut bytes = BASE64URL_NOPAD.decode(sealed.as_bytes()).ok()?;
        let (nonce, within) = bytes.split_first_chunk_mut::<NONCE_LEN>()?;
        let opened =
            self.key.open_in_place(Nonce::assume_unique_for_key(*nonce), bound_to(half), within).ok()?;
        let (ends, credential) = opened.split_first_chunk::<TIME_BYTES>()?;
        let ends = i64::from_be_bytes(*ends);
        let left = ends.checked_sub(to_millis_after_1970(now)?)?;
        let holds = 0 < left && left <= longest();
        let credential = std::str::from_utf8(credential).ok().filter(|_| holds)?;
        Some(Opened { credential: credential.to_owned(), nonce: *nonce, ends })
    }
}

/// What a seal is bound to.
fn bound_to(half: &str) -> Aad<Vec<u8>> {
    Aad::from([PURPOSE, half.as_bytes()].concat())
}

/// Returns the longest life of a session, in milliseconds.
fn longest() -> i64 {
    duration_millis(Duration::from_secs(SESSION_SECONDS))
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::time::UNIX_EPOCH;

    use super::*;

    const KEY: &str = "service_sk_canary";

    fn after(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(1_700_000_000 + seconds)
    }

    #[test]
    fn a_session_opens_to_its_credential_until_its_time_is_over() -> Result<(), Box<dyn Error>> {
        let sealer = SessionSealer::new()?;
        let Session { sealed, half } = sealer.seal(KEY, after(100)).ok_or("not sealed")?;
        for (now, holds) in [
            (after(100), true),
            (after(99 + SESSION_SECONDS), true),
            (after(100 + SESSION_SECONDS), false),
            (after(200 + SESSION_SECONDS), false),
            (after(99), false),
            (UNIX_EPOCH - Duration::from_secs(1), false),
        ] {
            assert_eq!(sealer.open(&sealed, &half, now).as_deref(), holds.then_some(KEY), "{now:?}");
        }
        assert_eq!(sealer.seal(KEY, UNIX_EPOCH - Duration::from_secs(1)), None);
        Ok(())
    }

    #[test]
    fn neither_a_changed_session_nor_one_of_another_start_opens_and_none_shows_what_is_in_it()
    -> Result<(), Box<dyn Error>> {
        let (sealer, other) = (SessionSealer::new()?, SessionSealer::new()?);
        let Session { sealed, half } = sealer.seal(KEY, after(0)).ok_or("not sealed")?;
        let open = |sealed: &str| sealer.open(sealed, &half, after(1));
        assert_eq!(open(&sealed).as_deref(), Some(KEY), "the control");
        assert_eq!(other.open(&sealed, &half, after(1)), None);
        let again = sealer.seal(KEY, after(0)).ok_or("not sealed")?;
        assert!(again.sealed != sealed && again.half != half, "a nonce or a half came twice");
        for half in ["", &again.half, &half[1..], &format!("{half}A"), &half.to_uppercase()] {
            assert_eq!(sealer.open(&sealed, half, after(1)), None, "a cookie without its half");
        }
        let bytes = BASE64URL_NOPAD.decode(sealed.as_bytes())?;
        for bit in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(open(&BASE64URL_NOPAD.encode(&changed)), None, "bit {bit}");
        }
        for length in 0..sealed.len() {
            assert_eq!(open(&sealed[..length]), None, "{length} characters");
        }
        for text in ["", "=", "é", &format!("{sealed}A"), &format!("{sealed}="), &"A".repeat(1 << 20)] {
            assert_eq!(open(text), None);
        }
        assert!(!format!("{sealer:?}{sealed}{}", String::from_utf8_lossy(&bytes)).contains("canary"));
        Ok(())
    }

    #[test]
    fn a_credential_that_fits_fits_a_cookie() -> Result<(), Box<dyn Error>> {
        let sealer = SessionSealer::new()?;
        let longest = "j".repeat(SESSION_CREDENTIAL_BYTES_MAX);
        let Session { sealed, half } = sealer.seal(&longest, after(0)).ok_or("not sealed")?;
        // Browsers keep a name and value of 4,096 bytes together.
        assert!(sealed.len() <= 4_096 - 64, "{}", sealed.len());
        assert_eq!(sealer.open(&sealed, &half, after(0)), Some(longest.clone()));
        assert_eq!(sealer.seal(&format!("{longest}j"), after(0)), None);
        Ok(())
    }

    #[test]
    fn a_session_that_was_logged_out_opens_no_more_and_others_do() -> Result<(), Box<dyn Error>> {
        let sealer = SessionSealer::new()?;
        let session = |at| sealer.seal(KEY, after(at)).ok_or("not sealed");
        let opens = |it: &Session, at| sealer.open(&it.sealed, &it.half, after(at)).is_some();
        let (one, other) = (session(0)?, session(0)?);
        sealer.log_out(&one.sealed, &other.half, after(1));
        assert!(opens(&one, 1), "without its half nobody ends it");
        sealer.log_out(&one.sealed, &one.half, after(1));
        assert!(!opens(&one, 1) && opens(&other, 1));
        // More log-outs than are kept end all sessions, and those that begin later hold.
        for _ in 0..LOGGED_OUT_MAX {
            let more = session(2)?;
            sealer.log_out(&more.sealed, &more.half, after(2));
        }
        assert!(!opens(&one, 3) && !opens(&other, 3));
        assert!(opens(&session(3)?, 3));
        Ok(())
    }
}
