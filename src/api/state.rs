//! State shared by every handler of the public API.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

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
use crate::exports::service::ExportService;
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

/// The import behind the network in service, for the page of its organization.
#[derive(Debug)]
pub struct PageImport {
    pub(crate) organization_id: String,
    /// The report as JSON.
    pub(crate) report: Bytes,
    /// Likely doubles side by side, as JSON.
    pub(crate) doubles: Bytes,
    /// The file that collects answers to them, for the next import.
    pub(crate) answers: AnswersFile,
    /// The folder of the tables.
    pub(crate) tables: PathBuf,
}

impl PageImport {
    /// An import for the organization with this id: its `report` and likely `doubles` as JSON, the file of overrides
    /// for answers, and the folder of its tables.
    #[must_use]
    pub fn new(
        organization_id: String,
        (report, doubles): (Vec<u8>, Vec<u8>),
        answers: PathBuf,
        tables: PathBuf,
    ) -> Self {
        let [report, doubles] = [report, doubles].map(Bytes::from);
        Self { organization_id, report, doubles, answers: AnswersFile::new(answers), tables }
    }
}
