//! What every handler of the public API shares.

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
use crate::language_model::LanguageModel;
use crate::live::gate::Gate;
use crate::rates::Rates;
use crate::search::engine::Engines;
use crate::search::threads::OwnThreads;
use kith::limits::Limits;
use kith_import::manifest::answers::AnswersFile;

/// The state that every handler shares.
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
    /// The parser of queries that is asked before the built-in one, if it is on.
    pub language_model: LanguageModel,
    /// Grants permits to work.
    pub admission: Arc<Admission>,
    /// Whether callers can be answered.
    pub readiness: Arc<Readiness>,
    /// How many requests each credential may send; `None` if the operator sets no rates.
    pub rates: Option<Rates>,
    /// The origins whose web pages may read answers.
    pub cors: Cors,
    /// Seals the credentials of the page's users; `None` if the page is not served, and then no cookie counts.
    pub sessions: Option<Arc<SessionSealer>>,
    /// The cookie in which browsers keep them.
    pub page_cookie: PageCookie,
    /// The log-in at the identity provider; `None` if there is none.
    pub sign_in: Option<SignIn>,
    /// Whether a link may log in to the page: in the demo alone, for it could lead people into a network
    /// that another chose for them.
    pub takes_links: bool,
    /// The link that logs in to the page once; `None` if there is none.
    pub login_link: Option<LoginLink>,
    /// The store in which members make tokens of their own; `None` at a replica of a cell, which makes none.
    pub own_tokens: Option<Arc<Mutex<CredentialStore>>>,
    /// The log of look-ups; `None` if none is kept.
    pub look_ups: Option<LookUpLog>,
    /// The asks; `None` in a service without.
    pub asks: Option<Arc<AskService>>,
    /// The import behind the network in service; `None` if its files are not at hand.
    pub import: Option<Arc<PageImport>>,
    /// Counters, gauges and histograms.
    pub metrics: Arc<Metrics>,
    /// Makes spans of answers, if traces are on.
    pub traces: Option<Arc<Traces>>,
}

impl ApiState {
    /// How often people are asked at most.
    #[must_use]
    pub fn ask_caps(&self) -> AskCaps {
        self.asks.as_ref().map_or_else(AskCaps::default, |asks| asks.settings.caps)
    }
}

/// The import behind the network in service, for the page of the organization that it was of.
#[derive(Debug)]
pub struct PageImport {
    /// The id of the organization.
    pub(crate) organization_id: String,
    /// The report as JSON.
    pub(crate) report: Bytes,
    /// Likely doubles side by side, as JSON.
    pub(crate) doubles: Bytes,
    /// The file that the answers to them go to, for the next import.
    pub(crate) answers: AnswersFile,
    /// The folder of the tables.
    pub(crate) tables: PathBuf,
}

impl PageImport {
    /// An import for the organization of this id: its `report` and its likely `doubles` as JSON, the file of overrides for answers,
    /// and the folder of its tables.
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
