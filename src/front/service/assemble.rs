//! Assembles a service from its setup. Nothing listens yet, and no snapshot is read.

use std::error::Error;
use std::path::Path;
use std::sync::{Arc, Mutex};

use tokio::runtime::Handle;

use crate::admission::Admission;
use crate::admission::class::Class;
use crate::api::admin::Operations;
use crate::api::cookie::PageCookie;
use crate::api::cors::Cors;
use crate::api::issuing::Issuing;
use crate::api::metrics::Metrics;
use crate::api::probes::Readiness;
use crate::api::state::ApiState;
use crate::api::traces::Traces;
use crate::ask_file::service::AskService;
use crate::audit::look_ups::LookUpLog;
use crate::auth::error::StoreError;
use crate::auth::host_name::HostName;
use crate::auth::jwt::Issuer;
use crate::auth::operator_token::OperatorToken;
use crate::auth::recorder::UseRecorder;
use crate::auth::session::SessionSealer;
use crate::auth::sign_in::SignIn;
use crate::auth::store::CredentialStore;
use crate::auth::verify::Verifier;
use crate::exports::service::ExportService;
use crate::live::gate::Gate;
use crate::live::networks::{LiveNetworks, Networks};
use crate::live::reload::Reloader;
use crate::live::suppression::ListPlace;
use crate::mcp::settings::McpSettings;
use crate::memory::Memory;
use crate::rates::Rates;
use crate::search;
use crate::search::threads::OwnThreads;
use crate::server::peers::PeerBound;
use crate::server::tls::Tls;
use crate::service::setup::Setup;
use crate::snapshot::FORMAT_VERSION;
use crate::system::raise_descriptors;
use crate::telemetry::exporter::Exporter;
use kith_embed::model::Model;

/// The error if there is a bound that nothing could be held to.
const MEMORY_UNKNOWN: &str = "service.memory_max_bytes cannot be kept to: kith learns how much memory it holds from Linux alone; \
                              leave it away on this system";
/// One of so many open files may be a snapshot: a reload opens as many again.
const SHARE_OF_SNAPSHOTS: usize = 4;

/// The assembled parts of a service.
#[derive(Debug)]
pub(crate) struct Assembled {
    /// The state shared by the handlers of the API.
    pub(crate) state: Arc<ApiState>,
    /// The state shared by the operator's handlers.
    pub(crate) operations: Arc<Operations>,
    /// The host names of the operator's listener.
    pub(crate) admin_hosts: Vec<HostName>,
    /// The token of the operator's listener, if it requires one.
    pub(crate) admin_token: Option<Arc<OperatorToken>>,
    /// The bound on each peer's connections to the API.
    pub(crate) peers: PeerBound,
    /// The addresses by which assistants reach the API's listener, if enabled.
    pub(crate) mcp: Option<McpSettings>,
    /// The store for credentials that the operator makes over HTTP.
    pub(crate) issuing: Issuing,
    /// The certificate of the API's listener, if it has one.
    pub(crate) tls: Option<Arc<Tls>>,
    /// Whether SIGHUP ends the service.
    pub(crate) ends_at_hangup: bool,
    /// Sends traces, if tracing is on.
    pub(crate) exporter: Option<Exporter>,
    /// Dropped last, when it writes once more.
    pub(crate) recorder: UseRecorder,
}

/// Assembles the parts of `setup`. Starts the tasks and threads that maintain credentials and traces.
///
/// # Errors
/// Returns an error if the list of people to forget or the credential store cannot be used, or the system gives no
/// thread.
pub(crate) fn assemble(setup: Setup<'_>, admission: Arc<Admission>) -> Result<Assembled, Box<dyn Error>> {
    let networks = Arc::new(LiveNetworks::new(Networks::default()));
    let reloader = reloader(&setup, &networks)?;
    let store = open_credentials(setup.credentials)?;
    let mut verifier = store.verifier()?;
    let store = Arc::new(Mutex::new(store));
    let (issuing, metrics) = (issuing(&setup, &store), metrics(&setup)?);
    if let Some(mark) = setup.pulled_mark {
        verifier = verifier.while_fresh(mark);
    }
    let credentials = accept(verifier, setup.issuer);
    let sealer = Arc::new(SessionSealer::new(Arc::clone(&store), credentials.clone(), setup.session_life)?);
    let recorder = UseRecorder::start(Arc::clone(&store), credentials.clone())?;
    let search_threads = OwnThreads::start("search", admission.most(Class::Long))?;
    // Before the first load, so that no network is charged for them.
    search::prepare();
    let exporter = setup.traces.map(|to| Exporter::start(&to, Handle::current())).transpose()?;
    let gate = Gate::keeping_to_list(Arc::clone(&reloader));
    let readiness = Readiness::new(gate.clone(), credentials.clone());
    let mut readiness = setup.cell_note.into_iter().fold(readiness, Readiness::with_all_of);
    let asks = setup.asks.map(AskService::open).transpose()?.map(Arc::new);
    if let Some(asks) = &asks {
        readiness = readiness.with_asks(Arc::clone(asks));
    }
    let readiness = Arc::new(readiness);
    let state = ApiState {
        gate,
        credentials,
        limits: setup.limits,
        engines: setup.engines,
        search_threads: Arc::new(search_threads),
        language_model: setup.language_model.clone(),
        admission,
        readiness: Arc::clone(&readiness),
        rates: setup.rates.map(Rates::new),
        cors: Cors::new(&setup.cors_origins),
        page_cookie: PageCookie::below(setup.base_path.as_deref()),
        sign_in: setup.sign_in.map(|at| SignIn::new(at, Arc::clone(&sealer))).transpose()?,
        sessions: setup.is_page_served.then_some(sealer),
        takes_links: setup.takes_links,
        login_link: setup.login_link,
        look_ups: setup.look_ups.map(LookUpLog::start).transpose()?,
        own_tokens: issuing.store_of_members(store),
        has_feeds: setup.has_feeds,
        logo_hosts: setup.logo_hosts,
        asks,
        exports: setup.exports.map(ExportService::open).transpose()?.map(Arc::new),
        import: setup.import.map(Arc::new),
        metrics: Arc::clone(&metrics),
        traces: exporter.as_ref().map(|exporter| Arc::new(Traces::new(exporter.tracer()))),
    };
    Ok(Assembled {
        state: Arc::new(state),
        operations: Arc::new(Operations {
            networks,
            reloader,
            readiness,
            language_model: setup.language_model,
            metrics,
        }),
        issuing,
        admin_hosts: setup.admin_hosts,
        admin_token: setup.admin_token.map(Arc::new),
        peers: setup.peers,
        mcp: setup.mcp,
        tls: setup.tls.map(Arc::new),
        ends_at_hangup: setup.ends_at_hangup,
        exporter,
        recorder,
    })
}

/// Decides whether the operator can make credentials over HTTP.
fn issuing(setup: &Setup<'_>, store: &Arc<Mutex<CredentialStore>>) -> Issuing {
    match (&setup.cell_note, &setup.admin_token) {
        (Some(_), _) => Issuing::Pulled,
        (None, None) => Issuing::WithoutToken,
        (None, Some(_)) => Issuing::In(Arc::clone(store)),
    }
}

/// Empty metrics, except for the build and the process's limits.
fn metrics(setup: &Setup<'_>) -> Result<Arc<Metrics>, Box<dyn Error>> {
    let metrics = Metrics::new()?;
    metrics.describe_build(&Model::sha256_hex(), FORMAT_VERSION);
    metrics.set_memory_limit(Memory::of_system(setup.memory_max_bytes).limit());
    metrics.set_certificate_end(setup.tls.as_ref().map(Tls::ends));
    Ok(Arc::new(metrics))
}

/// A reloader of the snapshots of `setup` into `networks`, without the people on its list.
fn reloader(setup: &Setup<'_>, networks: &Arc<LiveNetworks>) -> Result<Arc<Reloader>, Box<dyn Error>> {
    let named = setup.suppressions.map(|file| ListPlace::named(file.to_owned()));
    let list = named.unwrap_or_else(|| ListPlace::among(setup.snapshots));
    if setup.memory_max_bytes.is_some() && !cfg!(target_os = "linux") {
        return Err(MEMORY_UNKNOWN.into());
    }
    let memory = Memory::of_system(setup.memory_max_bytes);
    let (folder, live) = (setup.snapshots.to_owned(), Arc::clone(networks));
    let snapshots_max = raise_descriptors() / SHARE_OF_SNAPSHOTS;
    Ok(Reloader::within(folder, live, list, memory, setup.in_memory, snapshots_max)?)
}

/// The credential store at `path`; logs if it is an older copy.
fn open_credentials(path: &Path) -> Result<CredentialStore, StoreError> {
    let store = CredentialStore::open(path)?;
    if store.revoked_again() > 0 {
        tracing::warn!(
            credentials = store.revoked_again(),
            "the credential store is an older copy: what was revoked after it was made is revoked again"
        );
    }
    Ok(store)
}

/// `credentials`, plus the JWTs of `issuer`, whose keys are kept fresh from now on.
fn accept(credentials: Verifier, issuer: Option<Issuer>) -> Verifier {
    let Some(issuer) = issuer else { return credentials };
    if let Some(fresh) = issuer.keep_fresh() {
        tokio::spawn(fresh);
    }
    credentials.trusting(issuer)
}
