//! User tokens that an issuer signed: JWTs, checked against the issuer's published keys (its JWKS).
//!
//! Nothing in a token is trusted before its signature is verified, and nothing is cached between two checks: removing a
//! key from the set ends its tokens with the next request that sees the new set. `docs/credentials.md` has the
//! requirements for tokens.

pub mod error;
pub mod refusal;
pub mod settings;
pub(crate) mod claims;
mod held;
mod json;
pub(crate) mod jwk;
mod key;
mod key_file;
mod key_set;
pub(crate) mod key_url;
pub(crate) mod token;

pub use crate::auth::jwt::claims::Bearer;
pub use crate::auth::jwt::held::{KeyOrigin, KeysStatus};

use std::future::Future;
use std::sync::Arc;
use std::time::SystemTime;

use crate::auth::jwt::claims::ExpectedClaims;
use crate::auth::jwt::error::IssuerError;
use crate::auth::jwt::key_file::KeyFile;
use crate::auth::jwt::key_set::KeySet;
use crate::auth::jwt::key_url::KeyUrl;
use crate::auth::jwt::refusal::Refusal;
use crate::auth::jwt::settings::{IssuerSettings, KeySource};
use crate::auth::jwt::token::SignedToken;
use crate::clock::{self, Clock};

/// The issuer whose tokens are accepted, and its keys.
#[derive(Debug)]
pub struct Issuer {
    expected: ExpectedClaims,
    keys: Keys,
}

/// The source of the keys.
#[derive(Debug)]
enum Keys {
    File(KeyFile),
    Url(Arc<KeyUrl>),
}

impl Issuer {
    /// The issuer of `settings`. Reads a key file; sends nothing yet for keys at an address.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or has no usable key, or if TLS cannot be set up.
    pub fn new(settings: &IssuerSettings) -> Result<Self, IssuerError> {
        Self::with_clock(settings, Arc::new(clock::now))
    }

    /// Like [`Issuer::new`], with the clock that ages keys and limits fetches caused by tokens. Deadlines and pauses
    /// always use the runtime's clock.
    ///
    /// # Errors
    /// Returns the errors of [`Issuer::new`].
    pub fn with_clock(settings: &IssuerSettings, clock: Clock) -> Result<Self, IssuerError> {
        let keys = match &settings.source {
            KeySource::File(path) => Keys::File(KeyFile::open(path, settings.jwks_age_max, clock)?),
            KeySource::Url(address) => {
                Keys::Url(Arc::new(KeyUrl::new(address.clone(), settings.jwks_age_max, clock)?))
            }
        };
        Ok(Self { expected: settings.expected.clone(), keys })
    }

    /// Checks `token` at `now` with the current keys, and returns its user.
    ///
    /// Costs one look at the metadata of a key file, and checking one signature.
    ///
    /// # Errors
    /// Returns the first rule that the token breaks.
    pub fn check(&self, token: &str, now: SystemTime) -> Result<Bearer, Refusal> {
        let token = SignedToken::parse(token)?;
        let payload = token.payload(&*self.keys.current()?)?;
        claims::check(&payload, &self.expected, now)
    }

    /// Fetches an address's keys again, because a token names an unknown one: at most once in 10 s, for any number of
    /// callers. Waits for them at most 2 s. A file needs no fetch: it is checked for every token.
    pub async fn renew_keys(&self) {
        if let Keys::Url(keys) = &self.keys {
            keys.renew().await;
        }
    }

    /// The state of the keys. Costs one look at the metadata of a key file.
    #[must_use]
    pub fn keys_status(&self) -> KeysStatus {
        match &self.keys {
            Keys::File(keys) => keys.status(),
            Keys::Url(keys) => keys.status(),
        }
    }

    /// The task that keeps the keys of an address fresh for as long as it runs; `None` for keys from a file.
    pub fn keep_fresh(&self) -> Option<impl Future<Output = ()> + Send + use<>> {
        match &self.keys {
            Keys::Url(keys) => Some(Arc::clone(keys).keep_fresh()),
            Keys::File(_) => None,
        }
    }
}

impl Keys {
    fn current(&self) -> Result<Arc<KeySet>, Refusal> {
        match self {
            Self::File(keys) => keys.current(),
            Self::Url(keys) => keys.current(),
        }
    }
}
