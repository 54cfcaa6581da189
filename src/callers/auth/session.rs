//! Sessions of browsers: a credential, or the user who signed in, sealed so that the browser that stores it can neither
//! read nor change it.
//!
//! A seal opens only with its *half*: a secret that the page keeps and sends as a header. The seal travels as a cookie,
//! which browsers also send to other ports of the host, and is useless without the half: its key is derived from both
//! the half and a key in the credential store. So all servers of one store open the same sessions, a restart ends none,
//! and the store alone opens none.
//!
//! The only table of sessions holds those ended by a log-out. The credential in a session is checked on each request as
//! if it had come in a header, so a revoked one is refused from the next request on.
//!
//! Promise: A session opens unchanged, beside its half, within its time and until its log-out, by every server of its
//!   store.
//! Control: the unchanged one opens; a server of another store opens none.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use data_encoding::BASE64URL_NOPAD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::hmac;
use serde::{Deserialize, Serialize};

use crate::auth::clock::{self, duration_millis, to_millis_after_1970};
use crate::auth::error::StoreError;
use crate::auth::jwt::Bearer;
use crate::auth::session_key::{self, KEY_BYTES, SESSION_ID_BYTES};
use crate::auth::store::CredentialStore;
use crate::auth::verify::Verifier;
use crate::limits::{SESSION_CREDENTIAL_BYTES_MAX, SIGN_IN_SECONDS};

/// The purposes to which seals are bound.
const SESSION: &[u8] = b"kith session 3";
const SIGN_IN: &[u8] = b"kith sign-in 1";
/// Random bytes of a half.
const HALF_BYTES: usize = 16;
/// Bytes of the time before the credential.
const TIME_BYTES: usize = 8;
/// Maximum content in bytes: a credential, and its kind.
const SEALED_BYTES_MAX: usize = SESSION_CREDENTIAL_BYTES_MAX + 16;
/// Maximum length of a seal in characters: id, time, content and tag, in base64.
const SEALED_CHARS_MAX: usize = (SESSION_ID_BYTES + TIME_BYTES + SEALED_BYTES_MAX + 16).div_ceil(3) * 4;
/// How far in the future of this server's clock another one may have issued a session.
const CLOCK_AHEAD_MAX: Duration = Duration::from_secs(60);

/// Seals credentials, and opens them.
#[derive(Debug)]
pub struct SessionSealer {
    store: Arc<Mutex<CredentialStore>>,
    verifier: Verifier,
    /// The duration of a session, in milliseconds.
    life: i64,
}

/// A session as the browser stores it, in two parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The sealed credential.
    pub sealed: String,
    /// The secret needed to open the seal.
    pub half: String,
}

/// The user of a session.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Visitor {
    /// A caller with a credential.
    #[serde(rename = "c")]
    Credential(String),
    /// A user who signed in at the identity provider.
    #[serde(rename = "s")]
    SignedIn(SignedIn),
}

/// A user who signed in at the identity provider.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct SignedIn {
    /// The provider's issuer.
    pub issuer: String,
    /// The user.
    pub bearer: Bearer,
}

/// A log-in under way at the identity provider.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Pending {
    /// The nonce that the ID token must repeat.
    pub nonce: String,
    /// The PKCE verifier, which proves that the code was requested here.
    pub verifier: String,
    /// The address to which the user returns.
    pub redirect: String,
}

/// An opened seal.
struct Opened {
    content: Vec<u8>,
    id: [u8; SESSION_ID_BYTES],
    /// When it was sealed, in milliseconds since 1970.
    issued_at: i64,
    /// Whether a log-out ended it.
    is_ended: bool,
}

impl SessionSealer {
    /// A sealer with the key in `store`, which is created if missing; `verifier` looks up in the same store. A session
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

    /// The duration of a session.
    #[must_use]
    pub fn life(&self) -> Duration {
        Duration::from_millis(self.life.unsigned_abs())
    }

    /// Begins a session of `visitor` at `now`; `None` if the content is too long for a cookie.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read, the system has no randomness, or the clock is set before 1970.
    pub fn seal(&self, visitor: &Visitor, now: SystemTime) -> Result<Option<Session>, StoreError> {
        // Texts can always be written.
        let content = serde_json::to_vec(visitor).unwrap_or_default();
        if content.len() > SEALED_BYTES_MAX {
            return Ok(None);
        }
        self.seal_for(SESSION, &content, now).map(Some)
    }

    /// Seals a log-in that begins `now`, for the page to keep; it opens with its half for [`SIGN_IN_SECONDS`].
    ///
    /// # Errors
    /// Returns the errors of [`Self::seal`].
    pub(crate) fn seal_pending(&self, pending: &Pending, now: SystemTime) -> Result<Session, StoreError> {
        self.seal_for(SIGN_IN, &serde_json::to_vec(pending).unwrap_or_default(), now)
    }

    fn seal_for(&self, purpose: &[u8], content: &[u8], now: SystemTime) -> Result<Session, StoreError> {
        let issued_at = to_millis_after_1970(now).ok_or(StoreError::ClockBefore1970)?;
        let (mut id, mut half) = ([0; SESSION_ID_BYTES], [0; HALF_BYTES]);
        getrandom::fill(&mut id)?;
        getrandom::fill(&mut half)?;
        let half = BASE64URL_NOPAD.encode(&half);
        let key = self.verifier.session(&id)?.key;
        let mut within = [&issued_at.to_be_bytes(), content].concat();
        let nonce = Nonce::assume_unique_for_key(id);
        let sealed = key_of(&key, &half)
            .and_then(|key| key.seal_in_place_append_tag(nonce, Aad::from(purpose), &mut within).ok());
        // Only gigabytes are refused.
        sealed.ok_or(getrandom::Error::UNEXPECTED)?;
        Ok(Session { sealed: BASE64URL_NOPAD.encode(&[&id[..], &within].concat()), half })
    }

    /// The user of the session `sealed`; `None` if it was not sealed by the store's key with `half`, was changed,
    /// expired or logged out, or was issued in the future.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub fn open(&self, sealed: &str, half: &str, now: SystemTime) -> Result<Option<Visitor>, StoreError> {
        let opened = self.unseal(SESSION, self.life, (sealed, half), now)?.filter(|opened| !opened.is_ended);
        Ok(opened.and_then(|opened| serde_json::from_slice(&opened.content).ok()))
    }

    /// The pending log-in in `sealed`, like [`Self::open`].
    ///
    /// # Errors
    /// Returns the errors of [`Self::open`].
    pub(crate) fn open_pending(
        &self,
        sealed: &str,
        half: &str,
        now: SystemTime,
    ) -> Result<Option<Pending>, StoreError> {
        let life = duration_millis(Duration::from_secs(SIGN_IN_SECONDS));
        let opened = self.unseal(SIGN_IN, life, (sealed, half), now)?;
        Ok(opened.and_then(|opened| serde_json::from_slice(&opened.content).ok()))
    }

    /// Ends the session in `sealed`, if it opens, for every server of the store.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or written. The session may then still open.
    pub fn log_out(&self, sealed: &str, half: &str, now: SystemTime) -> Result<(), StoreError> {
        match self.unseal(SESSION, self.life, (sealed, half), now)? {
            Some(Opened { id, issued_at, .. }) => lock(&self.store)
                .change(|change| session_key::end(change, &id, issued_at, clock::to_millis(now))),
            None => Ok(()),
        }
    }

    fn unseal(
        &self,
        purpose: &[u8],
        life: i64,
        (sealed, half): (&str, &str),
        now: SystemTime,
    ) -> Result<Option<Opened>, StoreError> {
        if sealed.len() > SEALED_CHARS_MAX {
            return Ok(None);
        }
        let Ok(mut bytes) = BASE64URL_NOPAD.decode(sealed.as_bytes()) else { return Ok(None) };
        let Some((id, within)) = bytes.split_first_chunk_mut::<SESSION_ID_BYTES>() else { return Ok(None) };
        let row = self.verifier.session(id)?;
        let mut opened = || {
            let nonce = Nonce::assume_unique_for_key(*id);
            let opened = key_of(&row.key, half)?.open_in_place(nonce, Aad::from(purpose), within).ok()?;
            let (issued_at, content) = opened.split_first_chunk::<TIME_BYTES>()?;
            let issued_at = i64::from_be_bytes(*issued_at);
            let age = to_millis_after_1970(now)?.checked_sub(issued_at)?;
            let is_ended = row.is_ended || issued_at <= row.ended_before;
            let holds = age < life && age >= -duration_millis(CLOCK_AHEAD_MAX);
            holds.then(|| Opened { content: content.to_owned(), id: *id, issued_at, is_ended })
        };
        Ok(opened())
    }
}

/// The key in `store` that seals sessions, which is created if missing.
///
/// # Errors
/// Returns an error if the store cannot be written, or the system has no randomness.
pub(crate) fn make_key(store: &CredentialStore) -> Result<[u8; KEY_BYTES], StoreError> {
    let mut fresh = [0; KEY_BYTES];
    getrandom::fill(&mut fresh)?;
    store.change(|change| session_key::ensure(change, fresh))
}

/// The key for the one seal with this half.
fn key_of(key: &[u8; KEY_BYTES], half: &str) -> Option<LessSafeKey> {
    let derived = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), half.as_bytes());
    UnboundKey::new(&AES_256_GCM, derived.as_ref()).ok().map(LessSafeKey::new)
}

/// A panic leaves the store whole: its changes are transactions.
fn lock(store: &Mutex<CredentialStore>) -> std::sync::MutexGuard<'_, CredentialStore> {
    store.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
