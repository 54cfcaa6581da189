//! Signing in to the page at an identity provider: OpenID Connect, the authorization code flow with PKCE.
//!
//! The page begins: it gets the provider's address to go to, and a seal with the data this server needs when the user
//! returns with a code. The server keeps nothing in between, so any replica can finish what another began. The seal
//! opens with the `state` that the provider returns, which thus proves that this browser began.
//!
//! Defences against the attacks of RFC 9700: `state` and the seal in the page's own storage (request forgery), PKCE and
//! `nonce` (a code or token of another user), one issuer and its `iss` (mix-up), a redirect address that no parameter
//! chooses, and ID tokens checked like JWTs.
//!
//! Promise: Nobody signs in but by an ID token of the provider, for this client, asked for by this browser, of now.
//! Control: the same answer of the provider, unchanged, signs in.

pub mod error;
pub mod settings;
mod provider;

use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use data_encoding::BASE64URL_NOPAD;
use form_urlencoded::Serializer;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use crate::auth::jwt::claims::{self, Bearer};
use crate::auth::jwt::refusal::Refusal;
use crate::auth::jwt::token::SignedToken;
use crate::auth::session::{Pending, SessionSealer, SignedIn};
use crate::auth::sign_in::error::SignInError;
use crate::auth::sign_in::provider::{Metadata, Provider, Tokens};
use crate::auth::sign_in::settings::SignInSettings;
use crate::clock;
use crate::limits::SIGN_INS_AT_ONCE;

/// Random bytes of a nonce and of a verifier.
const RANDOM_BYTES: usize = 32;

/// The log-in at one identity provider.
pub struct SignIn {
    settings: SignInSettings,
    sealer: Arc<SessionSealer>,
    provider: Provider,
    /// Limits concurrent exchanges of codes, since anybody may send one.
    exchanges: Semaphore,
}

/// A log-in that was begun.
#[derive(Debug)]
pub struct Begun {
    /// The address for the user to go to.
    pub address: String,
    /// The seal for the page to send back with the code.
    pub sealed: String,
}

/// The data the user returned with.
#[derive(Debug, Deserialize)]
pub struct Returned {
    /// The authorization code.
    pub code: String,
    /// The state given to the provider at the beginning.
    pub state: String,
    /// The provider's own issuer name (RFC 9207), if it sent one.
    pub iss: Option<String>,
    /// [`Begun::sealed`].
    pub sealed: String,
}

impl Returned {
    /// Parses the page's `{"returned": {…}}`; `None` if `body` is anything else.
    #[must_use]
    pub fn read(body: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Body {
            returned: Returned,
        }
        serde_json::from_slice(body).ok().map(|Body { returned }| returned)
    }
}

impl SignIn {
    /// The log-in of `settings`, with seals by `sealer`; sends nothing yet.
    ///
    /// # Errors
    /// Returns an error if TLS cannot be set up.
    pub fn new(settings: SignInSettings, sealer: Arc<SessionSealer>) -> Result<Self, SignInError> {
        let provider = Provider::new(&settings, Arc::new(clock::now))?;
        Ok(Self { settings, sealer, provider, exchanges: Semaphore::new(SIGN_INS_AT_ONCE) })
    }

    /// The provider's name for people: the host of its issuer.
    #[must_use]
    pub fn provider_name(&self) -> &str {
        self.settings.host()
    }

    /// Whether `signed_in` did so at this provider.
    #[must_use]
    pub fn is_of_provider(&self, signed_in: &SignedIn) -> bool {
        signed_in.issuer == self.settings.expected.issuer
    }

    /// Begins a log-in that returns to `redirect`, an address of the page.
    ///
    /// # Errors
    /// Returns an error if the provider cannot be reached, or the credential store cannot be read.
    pub async fn begin(&self, redirect: &str, now: SystemTime) -> Result<Begun, SignInError> {
        let metadata = self.provider.metadata().await.inspect_err(warn)?;
        let (nonce, verifier) = (random()?, random()?);
        let challenge = BASE64URL_NOPAD.encode(&Sha256::digest(&verifier));
        let pending = Pending { nonce, verifier, redirect: redirect.to_owned() };
        let sealed = self.sealer.seal_pending(&pending, now)?;
        let query = Serializer::new(String::new())
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.settings.expected.audience)
            .append_pair("redirect_uri", redirect)
            .append_pair("scope", &self.settings.scope)
            .append_pair("state", &sealed.half)
            .append_pair("nonce", &pending.nonce)
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256")
            .finish();
        Ok(Begun { address: with_query(&metadata.authorization_endpoint, &query), sealed: sealed.sealed })
    }

    /// Exchanges the code, and returns the user who signed in.
    ///
    /// # Errors
    /// Returns an error if the provider cannot be reached or refuses, or its answer breaks a rule.
    pub async fn finish(&self, returned: &Returned, now: SystemTime) -> Result<SignedIn, SignInError> {
        self.try_to_finish(returned, now).await.inspect_err(warn)
    }

    async fn try_to_finish(&self, returned: &Returned, now: SystemTime) -> Result<SignedIn, SignInError> {
        let pending = self.sealer.open_pending(&returned.sealed, &returned.state, now)?;
        let pending = pending.ok_or(SignInError::NotBegunHere)?;
        let _exchange = self.exchanges.try_acquire().map_err(|_| SignInError::Busy)?;
        let metadata = self.provider.metadata().await?;
        self.check_issuer(returned, &metadata)?;
        let tokens = self.provider.exchange(&self.settings, &metadata, &returned.code, &pending).await?;
        let bearer = self.check(&tokens, &metadata, &pending, now).await?;
        Ok(SignedIn { issuer: self.settings.expected.issuer.clone(), bearer })
    }

    /// The address of the provider's own log-out, if it has one.
    pub async fn leaving_address(&self, page: &str) -> Option<String> {
        let end = self.provider.metadata().await.ok()?.end_session_endpoint.clone()?;
        let query = Serializer::new(String::new())
            .append_pair("client_id", &self.settings.expected.audience)
            .append_pair("post_logout_redirect_uri", page)
            .finish();
        Some(with_query(&end, &query))
    }

    /// Refuses an answer of another provider, and one without an issuer although this provider always sends it.
    fn check_issuer(&self, returned: &Returned, metadata: &Metadata) -> Result<(), SignInError> {
        let is_ours = match &returned.iss {
            Some(iss) => *iss == self.settings.expected.issuer,
            None => !metadata.authorization_response_iss_parameter_supported,
        };
        if is_ours { Ok(()) } else { Err(SignInError::Token(Refusal::Issuer)) }
    }

    async fn check(
        &self,
        tokens: &Tokens,
        metadata: &Metadata,
        pending: &Pending,
        now: SystemTime,
    ) -> Result<Bearer, SignInError> {
        let token = SignedToken::parse(&tokens.id_token)?;
        let read = || token.payload(&*metadata.keys.current()?);
        let mut payload = read();
        if payload.as_ref().is_err_and(|refusal| refusal.asks_for_newer_keys()) {
            metadata.keys.renew().await;
            payload = read();
        }
        let SignInSettings { expected, groups, .. } = &self.settings;
        let mut claims = claims::check_id_token(&payload?, expected, &pending.nonce, now)?;
        // OpenID Connect Core 1.0, section 5.4: a provider may leave all but `sub` to the user info endpoint.
        if claims.lacks_any(expected, groups)
            && let Some(info) = self.provider.user_info(metadata, tokens).await?
        {
            claims.complete(&info)?;
        }
        Ok(claims.signed_in(expected, groups)?)
    }
}

impl fmt::Debug for SignIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignIn").field("issuer", &self.settings.expected.issuer).finish_non_exhaustive()
    }
}

fn warn(error: &SignInError) {
    tracing::warn!(%error, "a log-in at the identity provider did not end");
}

/// `address` with `query` appended to its own query, if any.
fn with_query(address: &str, query: &str) -> String {
    let joint = if address.contains('?') { '&' } else { '?' };
    format!("{address}{joint}{query}")
}

fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0; RANDOM_BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(BASE64URL_NOPAD.encode(&bytes))
}
