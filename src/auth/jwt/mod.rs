//! User tokens that an issuer signed: JWTs, checked against the issuer's published keys (its JWKS).
//!
//! Nothing of a token is believed before its signature holds, and nothing is remembered between two
//! checks: a key that is taken out of the set ends its tokens with the next request that sees the
//! new set. What a token must be is in `docs/credentials.md`.

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
    /// The issuer of `settings`. Reads a file of keys; contacts nobody yet for those of an address.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or holds no usable key, or if TLS cannot be set up.
    pub fn new(settings: &IssuerSettings) -> Result<Self, IssuerError> {
        Self::with_clock(settings, Arc::new(clock::now))
    }

    /// Like [`Issuer::new`], with the clock by which keys grow old, and by which they are asked for because of
    /// a token. Deadlines and pauses are always those of the runtime.
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

    /// Whom `token` stands for at `now`, by the keys at hand.
    ///
    /// Costs one look at the state of a key file, and checking one signature.
    ///
    /// # Errors
    /// Returns the first rule that the token breaks.
    pub fn check(&self, token: &str, now: SystemTime) -> Result<Bearer, Refusal> {
        let token = SignedToken::parse(token)?;
        let payload = token.payload(&*self.keys.current()?)?;
        claims::check(&payload, &self.expected, now)
    }

    /// Asks an address for its keys again, because a token names one that is not among those at hand:
    /// at most once in 10 s, however many ask. Waits 2 s for them at most. A file is never asked: it is
    /// looked at with every token.
    pub async fn renew_keys(&self) {
        if let Keys::Url(keys) = &self.keys {
            keys.renew().await;
        }
    }

    /// What is known of the keys. Costs one look at the state of a key file.
    #[must_use]
    pub fn keys_status(&self) -> KeysStatus {
        match &self.keys {
            Keys::File(keys) => keys.status(),
            Keys::Url(keys) => keys.status(),
        }
    }

    /// The task that keeps the keys of an address fresh for as long as it runs. Returns `None` for keys from
    /// a file.
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
