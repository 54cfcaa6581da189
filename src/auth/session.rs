//! Sessions of browsers: a credential, sealed so that the browser that keeps it can neither read nor change it.
//!
//! There is no table of sessions. What the browser sends back is opened, and the credential in it is checked as if
//! it had come in a header, so that one that was revoked no longer holds from the next request on. The key is made at
//! the start: a restart ends all sessions.
//!
//! Promise: A session opens unchanged, within its time, by the process that made it.
//! Control: the unchanged one opens.

use std::time::{Duration, SystemTime};

use data_encoding::BASE64URL_NOPAD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

use crate::auth::clock::{duration_millis, to_millis_after_1970};
use crate::limits::{SESSION_CREDENTIAL_BYTES_MAX, SESSION_SECONDS};

/// The purpose that every seal is bound to.
const PURPOSE: &[u8] = b"kith session 1";
/// Bytes of the key.
const KEY_BYTES: usize = 32;
/// Bytes of the time in front of the credential.
const TIME_BYTES: usize = 8;
/// Characters of the longest sealed credential: nonce, time, credential and tag, in base64.
const SEALED_CHARS_MAX: usize = (NONCE_LEN + TIME_BYTES + SESSION_CREDENTIAL_BYTES_MAX + 16).div_ceil(3) * 4;

/// Seals credentials, and opens them. Nonces are drawn: one key is good for 2^32 sessions.
#[derive(Debug)]
pub struct SessionSealer {
    key: LessSafeKey,
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
        Ok(Self { key: LessSafeKey::new(key) })
    }

    /// Seals `credential` for [`SESSION_SECONDS`] from `now`. Returns `None` if it is longer than
    /// [`SESSION_CREDENTIAL_BYTES_MAX`], the clock is set before 1970, or the system has no randomness.
    #[must_use]
    pub fn seal(&self, credential: &str, now: SystemTime) -> Option<String> {
        if credential.len() > SESSION_CREDENTIAL_BYTES_MAX {
            return None;
        }
        let ends = to_millis_after_1970(now)?.checked_add(longest())?;
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce).ok()?;
        let mut within = [&ends.to_be_bytes(), credential.as_bytes()].concat();
        let sealed = Nonce::assume_unique_for_key(nonce);
        self.key.seal_in_place_append_tag(sealed, Aad::from(PURPOSE), &mut within).ok()?;
        Some(BASE64URL_NOPAD.encode(&[&nonce[..], &within].concat()))
    }

    /// The credential in `sealed`. Returns `None` if it was not sealed by this sealer, was changed, or its time is
    /// over; also if the clock was set back so far that it would last longer than one sealed now.
    #[must_use]
    pub fn open(&self, sealed: &str, now: SystemTime) -> Option<String> {
        if sealed.len() > SEALED_CHARS_MAX {
            return None;
        }
        let mut bytes = BASE64URL_NOPAD.decode(sealed.as_bytes()).ok()?;
        let (nonce, within) = bytes.split_at_mut_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let opened = self.key.open_in_place(nonce, Aad::from(PURPOSE), within).ok()?;
        let (ends, credential) = opened.split_first_chunk::<TIME_BYTES>()?;
        let left = i64::from_be_bytes(*ends).checked_sub(to_millis_after_1970(now)?)?;
        let holds = 0 < left && left <= longest();
        let credential = std::str::from_utf8(credential).ok().filter(|_| holds)?;
        Some(credential.to_owned())
    }
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
        let sealed = sealer.seal(KEY, after(100)).ok_or("not sealed")?;
        for (now, holds) in [
            (after(100), true),
            (after(99 + SESSION_SECONDS), true),
            (after(100 + SESSION_SECONDS), false),
            (after(200 + SESSION_SECONDS), false),
            (after(99), false),
            (UNIX_EPOCH - Duration::from_secs(1), false),
        ] {
            assert_eq!(sealer.open(&sealed, now).as_deref(), holds.then_some(KEY), "{now:?}");
        }
        assert_eq!(sealer.seal(KEY, UNIX_EPOCH - Duration::from_secs(1)), None);
        Ok(())
    }

    #[test]
    fn neither_a_changed_session_nor_one_of_another_start_opens_and_none_shows_what_is_in_it()
    -> Result<(), Box<dyn Error>> {
        let (sealer, other) = (SessionSealer::new()?, SessionSealer::new()?);
        let sealed = sealer.seal(KEY, after(0)).ok_or("not sealed")?;
        assert_eq!(sealer.open(&sealed, after(1)).as_deref(), Some(KEY), "the control");
        assert_eq!(other.open(&sealed, after(1)), None);
        assert_ne!(sealer.seal(KEY, after(0)).as_ref(), Some(&sealed), "a nonce came twice");
        let bytes = BASE64URL_NOPAD.decode(sealed.as_bytes())?;
        for bit in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(sealer.open(&BASE64URL_NOPAD.encode(&changed), after(1)), None, "bit {bit}");
        }
        for length in 0..sealed.len() {
            assert_eq!(sealer.open(&sealed[..length], after(1)), None, "{length} characters");
        }
        for text in ["", "=", "é", &format!("{sealed}A"), &format!("{sealed}="), &"A".repeat(1 << 20)] {
            assert_eq!(sealer.open(text, after(1)), None);
        }
        assert!(!format!("{sealer:?}{sealed}{}", String::from_utf8_lossy(&bytes)).contains("canary"));
        Ok(())
    }

    #[test]
    fn a_credential_that_fits_fits_a_cookie() -> Result<(), Box<dyn Error>> {
        let sealer = SessionSealer::new()?;
        let longest = "j".repeat(SESSION_CREDENTIAL_BYTES_MAX);
        let sealed = sealer.seal(&longest, after(0)).ok_or("not sealed")?;
        // Browsers keep a name and value of 4,096 bytes together.
        assert!(sealed.len() <= 4_096 - 64, "{}", sealed.len());
        assert_eq!(sealer.open(&sealed, after(0)), Some(longest.clone()));
        assert_eq!(sealer.seal(&format!("{longest}j"), after(0)), None);
        Ok(())
    }
}
