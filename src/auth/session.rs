//! Sessions of browsers: a credential, sealed so that the browser that keeps it can neither read nor change it.
//!
//! A seal opens only beside its *half*: a secret that the page keeps and sends as a header. The seal travels as a cookie,
//! which browsers also send to other ports of the host, and is nothing without the half; the key that sealed it is
//! derived from both the half and a key in the credential store. So all servers of one store open the same sessions,
//! a restart ends none, and the store alone opens none.
//!
//! There is no table of sessions, but one of those that ended by a log-out. What the browser sends back is opened, and the
//! credential in it is checked as if it had come in a header, so that a revoked one is refused from the next request on.
//!
//! Promise: A session opens unchanged, beside its half, within its time and until its log-out, by every server of its store.
//! Control: the unchanged one opens; a server of another store opens none.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use data_encoding::BASE64URL_NOPAD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::hmac;

use crate::auth::clock::{self, duration_millis, to_millis_after_1970};
use crate::auth::error::StoreError;
use crate::auth::session_key::{self, KEY_BYTES, SESSION_ID_BYTES};
use crate::auth::store::CredentialStore;
use crate::auth::verify::Verifier;
use crate::limits::SESSION_CREDENTIAL_BYTES_MAX;

/// The purpose that every seal is bound to.
const PURPOSE: &[u8] = b"kith session 3";
/// Random bytes of a half.
const HALF_BYTES: usize = 16;
/// Bytes of the time in front of the credential.
const TIME_BYTES: usize = 8;
/// Characters of the longest sealed credential: id, time, credential and tag, in base64.
const SEALED_CHARS_MAX: usize =
    (SESSION_ID_BYTES + TIME_BYTES + SESSION_CREDENTIAL_BYTES_MAX + 16).div_ceil(3) * 4;
/// How much later than this server's clock another one may have issued a session.
const CLOCK_AHEAD_MAX: Duration = Duration::from_secs(60);

/// Seals credentials, and opens them.
#[derive(Debug)]
pub struct SessionSealer {
    store: Arc<Mutex<CredentialStore>>,
    verifier: Verifier,
    /// How long a session lasts, in milliseconds.
    life: i64,
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
    id: [u8; SESSION_ID_BYTES],
    /// When it was sealed, in milliseconds since 1970.
    issued_at: i64,
    /// Whether it ended by a log-out.
    is_ended: bool,
}

impl SessionSealer {
    /// A sealer by the key in `store`, which is made if there is none; `verifier` looks things up in the same store. A session
    /// lasts for `life`.
    ///
    /// # Errors
    /// Returns an error if the store cannot be written, or the system has no randomness.
    pub fn new(
        store: Arc<Mutex<CredentialStore>>,
        verifier: Verifier,
        life: Duration,
    ) -> Result<Self, StoreError> {
        make_key(&lock(&store))?;
        Ok(Self { store, verifier, life: duration_millis(life) })
    }

    /// How long a session lasts.
    #[must_use]
    pub fn life(&self) -> Duration {
        Duration::from_millis(self.life.unsigned_abs())
    }

    /// Seals `credential` at `now`. Returns `None` if it is longer than [`SESSION_CREDENTIAL_BYTES_MAX`], or the clock is
    /// set before 1970.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read, or the system has no randomness.
    pub fn seal(&self, credential: &str, now: SystemTime) -> Result<Option<Session>, StoreError> {
        let Some(issued_at) = to_millis_after_1970(now) else { return Ok(None) };
        if credential.len() > SESSION_CREDENTIAL_BYTES_MAX {
            return Ok(None);
        }
        let (mut id, mut half) = ([0; SESSION_ID_BYTES], [0; HALF_BYTES]);
        getrandom::fill(&mut id)?;
        getrandom::fill(&mut half)?;
        let half = BASE64URL_NOPAD.encode(&half);
        let key = self.verifier.session(&id)?.key;
        let mut within = [&issued_at.to_be_bytes(), credential.as_bytes()].concat();
        let nonce = Nonce::assume_unique_for_key(id);
        let is_sealed = key_of(&key, &half)
            .is_some_and(|key| key.seal_in_place_append_tag(nonce, Aad::from(PURPOSE), &mut within).is_ok());
        let sealed = BASE64URL_NOPAD.encode(&[&id[..], &within].concat());
        Ok(is_sealed.then_some(Session { sealed, half }))
    }

    /// The credential in `sealed`. Returns `None` if it was not sealed by the key of the store beside `half`, was changed,
    /// its time is over, it was logged out, or it was issued later than now.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub fn open(&self, sealed: &str, half: &str, now: SystemTime) -> Result<Option<String>, StoreError> {
        let opened = self.unseal(sealed, half, now)?;
        Ok(opened.filter(|opened| !opened.is_ended).map(|opened| opened.credential))
    }

    /// Ends the session in `sealed`, if it opens, for every server of the store.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or written. The session may then still open.
    pub fn log_out(&self, sealed: &str, half: &str, now: SystemTime) -> Result<(), StoreError> {
        match self.unseal(sealed, half, now)? {
            Some(Opened { id, issued_at, .. }) => lock(&self.store)
                .change(|change| session_key::end(change, &id, issued_at, clock::to_millis(now))),
            None => Ok(()),
        }
    }

    fn unseal(&self, sealed: &str, half: &str, now: SystemTime) -> Result<Option<Opened>, StoreError> {
        if sealed.len() > SEALED_CHARS_MAX {
            return Ok(None);
        }
        let Ok(mut bytes) = BASE64URL_NOPAD.decode(sealed.as_bytes()) else { return Ok(None) };
        let Some((id, within)) = bytes.split_first_chunk_mut::<SESSION_ID_BYTES>() else { return Ok(None) };
        let row = self.verifier.session(id)?;
        let holds = |issued_at: i64| {
            let age = to_millis_after_1970(now)?.checked_sub(issued_at)?;
            (age < self.life && age >= -duration_millis(CLOCK_AHEAD_MAX)).then_some(())
        };
        let mut opened = || {
            let nonce = Nonce::assume_unique_for_key(*id);
            let opened = key_of(&row.key, half)?.open_in_place(nonce, Aad::from(PURPOSE), within).ok()?;
            let (issued_at, credential) = opened.split_first_chunk::<TIME_BYTES>()?;
            let issued_at = i64::from_be_bytes(*issued_at);
            holds(issued_at)?;
            let credential = std::str::from_utf8(credential).ok()?.to_owned();
            let is_ended = row.is_ended || issued_at <= row.ended_before;
            Some(Opened { credential, id: *id, issued_at, is_ended })
        };
        Ok(opened())
    }
}

/// The key in `store` that seals sessions; makes one if there is none.
///
/// # Errors
/// Returns an error if the store cannot be written, or the system has no randomness.
pub(crate) fn make_key(store: &CredentialStore) -> Result<[u8; KEY_BYTES], StoreError> {
    let mut fresh = [0; KEY_BYTES];
    getrandom::fill(&mut fresh)?;
    store.change(|change| session_key::ensure(change, fresh))
}

/// The key of the one session that has this half.
fn key_of(key: &[u8; KEY_BYTES], half: &str) -> Option<LessSafeKey> {
    let derived = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), &[PURPOSE, half.as_bytes()].concat());
    UnboundKey::new(&AES_256_GCM, derived.as_ref()).ok().map(LessSafeKey::new)
}

/// A store that a panic left is whole: its changes are transactions.
fn lock(store: &Mutex<CredentialStore>) -> std::sync::MutexGuard<'_, CredentialStore> {
    store.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
