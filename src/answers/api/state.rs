//! State shared by every handler of the public API.

use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use kith::asks::caps::AskCaps;

use crate::admission::Admission;
use crate::api::cookie::PageCookie;
use crate::api::cors::Cors;
use crate::api::metrics::Metrics;
use crate::api::probes::Readiness;
use crate::api::traces::Traces;
use crate::ask_file::service::AskService;
use crate::audit::look_ups::LookUpLog;
use crate::auth::link::LoginLink;
use crate::auth::session::SessionSealer;
use crate::auth::sign_in::SignIn;
use crate::auth::store::CredentialStore;
use crate::auth::verify::Verifier;
use crate::auth::web_origin::WebOrigin;
use crate::exports::error::ExportsError;
use crate::exports::service::{Arrived, ExportService};
use crate::language_model::LanguageModel;
use crate::live::gate::Gate;
use crate::rates::Rates;
use crate::search::engine::Engines;
use crate::search::threads::OwnThreads;
use kith::limits::Limits;
use kith_import::manifest::answers::AnswersFile;

/// State shared by every handler.
#[derive(Debug)]
pub struct ApiState {
    /// The only way to the networks in service.
    pub gate: Gate,
    /// Verifies credentials.
    pub credentials: Verifier,
    /// The bounds on the work of one request.
    pub limits: Limits,
    /// The engines of network search that are in service.
    pub engines: Engines,
    /// The threads that searches run on.
    pub search_threads: Arc<OwnThreads>,
    /// The query parser tried before the built-in one, if enabled.
    pub language_model: LanguageModel,
    /// Grants permits to work.
    pub admission: Arc<Admission>,
    /// Whether callers can be answered.
    pub readiness: Arc<Readiness>,
    /// The rates of credentials; `None` if the operator sets none.
    pub rates: Option<Rates>,
    /// The origins whose web pages may read answers.
    pub cors: Cors,
    /// Seals the credentials of the page's users; `None` if the page is not served, and cookies are ignored.
    pub sessions: Option<Arc<SessionSealer>>,
    /// The cookie in which browsers keep these credentials.
    pub page_cookie: PageCookie,
    /// The log-in at the identity provider, if any.
    pub sign_in: Option<SignIn>,
    /// Whether a link may log in to the page: only in the demo, since it could lead people into a network that an
    /// attacker chose for them.
    pub takes_links: bool,
    /// The link that logs in to the page once, if any.
    pub login_link: Option<LoginLink>,
    /// The store in which members make their own tokens; `None` on a replica of a cell.
    pub own_tokens: Option<Arc<Mutex<CredentialStore>>>,
    /// Whether members have feeds.
    pub has_feeds: bool,
    /// The origins whose pictures the page shows as marks of companies.
    pub logo_hosts: Vec<WebOrigin>,
    /// The log of look-ups, if kept.
    pub look_ups: Option<LookUpLog>,
    /// The asks; `None` in a service without asks.
    pub asks: Option<Arc<AskService>>,
    /// The exports that colleagues bring; `None` if none are kept.
    pub exports: Option<Arc<ExportService>>,
    /// The import behind the network in service; `None` if its files are not at hand.
    pub import: Option<Arc<PageImport>>,
    /// Counters, gauges and histograms.
    pub metrics: Arc<Metrics>,
    /// Makes spans of answers, if tracing is on.
    pub traces: Option<Arc<Traces>>,
}

impl ApiState {
    /// The caps on how often people are asked.
    #[must_use]
    pub fn ask_caps(&self) -> AskCaps {
        self.asks.as_ref().map_or_else(AskCaps::default, |asks| asks.settings.caps)
    }
}

/// Gives the next piece of a file that arrives, and its end; `None` if it breaks off.
pub type NextPiece<'n> = dyn FnMut() -> Option<Arrived<Bytes>> + 'n;

/// Takes further exports of the owner, and makes the network again.
pub trait FurtherExports: Debug + Send + Sync {
    /// Takes the file `name` that `next` gives, and makes the network again with it, for the next reload.
    ///
    /// # Errors
    /// Returns an error if it gives nothing, or something cannot be written: then nothing changes.
    fn add(&self, name: &str, next: &mut NextPiece<'_>) -> Result<PageReport, ExportsError>;
}

/// The parts of an import that the page shows, as JSON.
#[derive(Clone, Debug)]
pub struct PageReport {
    /// The report.
    pub report: Bytes,
    /// Likely doubles side by side.
    pub doubles: Bytes,
}

/// The import behind the network in service, for the page of the organization that it was of.
#[derive(Debug)]
pub struct PageImport {
    pub(crate) organization_id: String,
    /// The report that the page shows.
    shown: Mutex<PageReport>,
    /// The file that the answers to likely doubles go to, for the next import.
    pub(crate) answers: AnswersFile,
    /// The folder of the tables.
    pub(crate) tables: PathBuf,
    /// The user id of the owner of the files, and what takes further ones.
    further: Option<(String, Arc<dyn FurtherExports>)>,
}

impl PageImport {
    /// An import for the organization of this id: what is shown of it, the file of overrides for answers, and the folder of its
    /// tables.
    #[must_use]
    pub fn new(organization_id: String, shown: PageReport, answers: PathBuf, tables: PathBuf) -> Self {
        let (answers, shown) = (AnswersFile::new(answers), Mutex::new(shown));
        Self { organization_id, shown, answers, tables, further: None }
    }

    /// The same, to which the user `owner` may add files by `further`.
    #[must_use]
    pub fn with_further(self, owner: String, further: Arc<dyn FurtherExports>) -> Self {
        Self { further: Some((owner, further)), ..self }
    }

    /// Returns the report that the page shows now.
    pub(crate) fn shown(&self) -> PageReport {
        // It is put in place whole.
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether the user `user` may add files.
    pub(crate) fn is_of(&self, user: &str) -> bool {
        self.further.as_ref().is_some_and(|(owner, _)| owner == user)
    }

    /// Takes the file `name` that `next` gives; what is shown is of the import with it from then on.
    ///
    /// # Errors
    /// Returns the errors of [`FurtherExports::add`].
    pub(crate) fn add(&self, name: &str, next: &mut NextPiece<'_>) -> Result<(), ExportsError> {
        let (_, further) = self.further.as_ref().ok_or(ExportsError::Missing("the import"))?;
        let shown = further.add(name, next)?;
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = shown;
        Ok(())
    }
}
