//! A language model as the parser of a search's query: optional, and off by default.
//!
//! The text of the query and a fixed prompt go out to one configured address; a
//! [`Draft`] or a [`DraftFailure`] comes back within a deadline. Who
//! asks, and what is searched, is not known here. Of a failure the log says which it was, and no more.

pub mod answer;
pub mod failure;
pub mod prompt;
pub mod settings;
mod breaker;
mod cache;
mod client;

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::Semaphore;

use crate::clock::{self, Clock};
use crate::language_model::breaker::{SharedBreaker, Verdict};
use crate::language_model::cache::DraftCache;
use crate::language_model::client::ProviderClient;
use crate::language_model::failure::DraftFailure;
use crate::language_model::prompt::Prompt;
use crate::language_model::settings::{ProviderSettings, ProviderSettingsError};
use crate::limits::PROVIDER_REQUESTS_MAX;
use crate::search::conditions::Draft;

/// A language model that turns queries into drafts, or nothing where it is off.
#[derive(Debug)]
pub struct LanguageModel {
    provider: Option<Provider>,
}

struct Provider {
    prompt: Prompt,
    client: ProviderClient,
    breaker: SharedBreaker,
    cache: DraftCache,
    slots: Semaphore,
    clock: Clock,
}

impl LanguageModel {
    /// The language model of `settings`; off without any. Contacts nobody.
    ///
    /// # Errors
    /// Where TLS cannot be set up.
    pub fn new(settings: Option<&ProviderSettings>) -> Result<Self, ProviderSettingsError> {
        Self::with_clock(settings, Arc::new(clock::now))
    }

    /// As [`LanguageModel::new`], with the clock by which the cache and the breaker go. The deadline
    /// of a request is always that of the runtime.
    ///
    /// # Errors
    /// Where TLS cannot be set up.
    pub fn with_clock(
        settings: Option<&ProviderSettings>,
        clock: Clock,
    ) -> Result<Self, ProviderSettingsError> {
        let provider = settings.map(|settings| Provider::new(settings, clock)).transpose()?;
        Ok(Self { provider })
    }

    /// Whether there is a provider to ask.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.provider.is_some()
    }

    /// As [`Self::parse`], but returns `None` if there is no provider, or if it fails: the built-in parser
    /// serves then. Logs the failure.
    pub async fn understand(&self, organization: &str, query: &str) -> Option<Draft> {
        if !self.is_on() {
            return None;
        }
        let parsed = self.parse(organization, query).await;
        parsed.inspect_err(|failure| tracing::warn!(%failure, "the built-in parser serves this query")).ok()
    }

    /// What `query` says, for a caller of `organization`; from memory where the organization had the
    /// same query parsed within the last hour.
    ///
    /// Only `query` leaves the process. Takes no longer than the configured deadline, and may be
    /// dropped at any time. Needs a runtime with IO and time.
    ///
    /// # Errors
    /// Where there is no draft that keeps to all bounds of its type. None of it is the caller's fault,
    /// and none of it holds a word of the provider.
    pub async fn parse(&self, organization: &str, query: &str) -> Result<Draft, DraftFailure> {
        let provider = self.provider.as_ref().ok_or(DraftFailure::Off)?;
        if let Some(draft) = provider.cache.find(organization, query, provider.now()) {
            return Ok(draft);
        }
        let draft = provider.ask(query).await?;
        provider.cache.keep(organization, query, &draft, provider.now());
        Ok(draft)
    }
}

impl Provider {
    fn new(settings: &ProviderSettings, clock: Clock) -> Result<Self, ProviderSettingsError> {
        Ok(Self {
            prompt: Prompt::new(&settings.model),
            client: ProviderClient::new(settings)?,
            breaker: SharedBreaker::new(),
            cache: DraftCache::new(),
            slots: Semaphore::new(PROVIDER_REQUESTS_MAX),
            clock,
        })
    }

    fn now(&self) -> Instant {
        (self.clock)()
    }

    async fn ask(&self, query: &str) -> Result<Draft, DraftFailure> {
        // The slot comes first, so that a request without one never is the breaker's probe.
        let _slot = self.slots.try_acquire().map_err(|_| DraftFailure::Busy)?;
        let pass = self.breaker.admit(self.now()).ok_or(DraftFailure::Open)?;
        let content = self.client.complete(self.prompt.request(query)).await;
        let draft = content.and_then(|content| answer::read(&content).map_err(DraftFailure::Malformed));
        let is_blamed = draft.as_ref().err().is_some_and(|failure| failure.blames_provider());
        pass.report(if is_blamed { Verdict::Failed } else { Verdict::Well }, self.now());
        draft
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Provider").field("client", &self.client).finish_non_exhaustive()
    }
}
