//! A language model as the parser of search queries: optional, and off by default.
//!
//! The text of the query and a fixed prompt go to one configured address; a [`Draft`] or a [`DraftFailure`] comes back
//! within a deadline. This room knows neither the caller nor the network. The log names only the kind of a failure.

pub mod answer;
pub mod failure;
pub mod prompt;
pub mod settings;
mod breaker;
mod cache;
mod client;
mod shares;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::clock::{self, Clock};
use crate::language_model::breaker::Verdict;
use crate::language_model::cache::DraftCache;
use crate::language_model::client::ProviderClient;
use crate::language_model::failure::DraftFailure;
use crate::language_model::prompt::Prompt;
use crate::language_model::settings::{ProviderSettings, ProviderSettingsError};
use crate::language_model::shares::Shares;
use crate::search::conditions::Draft;

/// A language model that turns queries into drafts, if it is on; the default is off. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct LanguageModel {
    provider: Option<Arc<Provider>>,
}

/// The outcome of a query with a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftOutcome {
    /// The draft, or the reason of the failure.
    pub draft: Result<Draft, DraftFailure>,
    /// How long it waited for the provider; `None` if it sent no request.
    pub waited: Option<Duration>,
}

struct Provider {
    prompt: Prompt,
    client: ProviderClient,
    shares: Shares,
    cache: DraftCache,
    clock: Clock,
}

impl LanguageModel {
    /// The language model of `settings`; off without any. Sends nothing.
    ///
    /// # Errors
    /// Returns an error if TLS cannot be set up.
    pub fn new(settings: Option<&ProviderSettings>) -> Result<Self, ProviderSettingsError> {
        Self::with_clock(settings, Arc::new(clock::now))
    }

    /// Like [`LanguageModel::new`], with the clock of the cache and the breaker. The runtime's clock always measures
    /// the deadline of a request.
    ///
    /// # Errors
    /// Returns an error if TLS cannot be set up.
    pub fn with_clock(
        settings: Option<&ProviderSettings>,
        clock: Clock,
    ) -> Result<Self, ProviderSettingsError> {
        let provider = settings.map(|settings| Provider::new(settings, clock)).transpose()?;
        Ok(Self { provider: provider.map(Arc::new) })
    }

    /// Like [`Self::parse`], with the time it took; `None` without a provider. Logs a failure: the built-in parser then
    /// takes over.
    pub async fn understand(&self, organization: &str, query: &str) -> Option<DraftOutcome> {
        let asked = self.provider.as_ref()?.ask(organization, query).await;
        if let Err(failure) = &asked.draft {
            tracing::warn!(%failure, "the built-in parser serves this query");
        }
        Some(asked)
    }

    /// Parses `query` for a caller of `organization`; from memory if the organization had the same query parsed within
    /// the last hour.
    ///
    /// Only `query` leaves the process. Takes no longer than the configured deadline, and may be dropped at any time.
    /// Needs a runtime with IO and time.
    ///
    /// # Errors
    /// Returns an error if there is no draft within all bounds of its type. The caller is never at fault, and the error
    /// contains no text from the provider.
    pub async fn parse(&self, organization: &str, query: &str) -> Result<Draft, DraftFailure> {
        let provider = self.provider.as_ref().ok_or(DraftFailure::Off)?;
        provider.ask(organization, query).await.draft
    }

    /// The number of requests to the provider under way; `None` without a provider.
    #[must_use]
    pub fn requests_in_flight(&self) -> Option<usize> {
        Some(self.provider.as_ref()?.shares.places())
    }

    /// Whether the breaker of `organization` stops its requests, after too many failures.
    #[must_use]
    pub fn is_left_alone_by(&self, organization: &str) -> bool {
        self.provider.as_ref().is_some_and(|provider| provider.shares.is_open(organization))
    }
}

impl DraftOutcome {
    /// All names that [`Self::outcome`] returns.
    pub const OUTCOMES: [&'static str; 9] = [
        "answered",
        "remembered",
        "left_alone",
        "no_place",
        "late",
        "refused",
        "unreachable",
        "malformed",
        "too_large",
    ];

    /// The outcome's name in metrics.
    #[must_use]
    pub fn outcome(&self) -> &'static str {
        match (&self.draft, self.waited) {
            (Ok(_), Some(_)) => "answered",
            (Ok(_), None) => "remembered",
            (Err(failure), _) => failure.name(),
        }
    }
}

impl Provider {
    fn new(settings: &ProviderSettings, clock: Clock) -> Result<Self, ProviderSettingsError> {
        Ok(Self {
            prompt: Prompt::new(&settings.model),
            client: ProviderClient::new(settings)?,
            shares: Shares::default(),
            cache: DraftCache::new(),
            clock,
        })
    }

    fn now(&self) -> Instant {
        (self.clock)()
    }

    async fn ask(&self, organization: &str, query: &str) -> DraftOutcome {
        let begun = self.now();
        if let Some(draft) = self.cache.find(organization, query, begun) {
            return DraftOutcome { draft: Ok(draft), waited: None };
        }
        let pass = match self.shares.admit(organization, begun) {
            Ok(pass) => pass,
            Err(failure) => return DraftOutcome { draft: Err(failure), waited: None },
        };
        let content = self.client.complete(self.prompt.request(query)).await;
        let draft = content.and_then(|content| answer::read(&content).map_err(DraftFailure::Malformed));
        let ended = self.now();
        let is_blamed = draft.as_ref().err().is_some_and(|failure| failure.blames_provider());
        pass.report(if is_blamed { Verdict::Failed } else { Verdict::Well }, ended);
        if let Ok(draft) = &draft {
            self.cache.keep(organization, query, draft, ended);
        }
        DraftOutcome { draft, waited: Some(ended.saturating_duration_since(begun)) }
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Provider").field("client", &self.client).finish_non_exhaustive()
    }
}
