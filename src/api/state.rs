//! What every handler of the public API shares.

use std::sync::Arc;

use crate::admission::Admission;
use crate::api::cors::Cors;
use crate::api::metrics::Metrics;
use crate::api::probes::Readiness;
use crate::api::traces::Traces;
use crate::auth::session::SessionSealer;
use crate::auth::verify::Verifier;
use crate::language_model::LanguageModel;
use crate::limits::Limits;
use crate::live::gate::Gate;
use crate::rates::Rates;
use crate::search::engine::Engines;
use crate::search::threads::SearchThreads;

/// What every handler shares.
#[derive(Debug)]
pub struct ApiState {
    /// The only way to the networks in service.
    pub gate: Gate,
    /// Who may ask.
    pub credentials: Verifier,
    /// How much work one request may cause.
    pub limits: Limits,
    /// The engines of network search that are in service.
    pub engines: Engines,
    /// What they run on.
    pub search_threads: Arc<SearchThreads>,
    /// The parser of queries that is asked before the built-in one, if it is on.
    pub language_model: LanguageModel,
    /// Which requests may work now.
    pub admission: Arc<Admission>,
    /// Whether callers can be answered.
    pub readiness: Arc<Readiness>,
    /// How many requests each credential may send; `None` if the operator sets no rates.
    pub rates: Option<Rates>,
    /// Whose web pages may read answers.
    pub cors: Cors,
    /// Seals the credentials of the page's users; `None` if the page is not served, and then no cookie counts.
    pub sessions: Option<SessionSealer>,
    /// Whether a link may log in to the page: in the demo alone, for it could lead people into a network
    /// that another chose for them.
    pub takes_links: bool,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// Makes spans of answers, if traces are on.
    pub traces: Option<Arc<Traces>>,
}
