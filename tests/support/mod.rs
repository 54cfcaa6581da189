//! A service in process: the real router over real snapshots and a real credential store, no socket.
#![allow(dead_code, reason = "each binary uses a part of this")]

pub(crate) mod encoding;
pub(crate) mod issuer;
pub(crate) mod pasted;
pub(crate) mod scale;
pub(crate) mod stub;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use kith::limits::Limits;
use kith_server::admission::Admission;
use kith_server::api::admin::{Operations, admin};
use kith_server::api::cors::Cors;
use kith_server::api::doorkeeper::Doorkeeper;
use kith_server::api::layers::{GENERATION, REQUEST_ID};
use kith_server::api::metrics::Metrics;
use kith_server::api::probes::Readiness;
use kith_server::api::router::public;
use kith_server::api::state::ApiState;
use kith_server::api::traces::Traces;
use kith_server::auth::scope::Scopes;
use kith_server::auth::session::SessionSealer;
use kith_server::auth::store::CredentialStore;
use kith_server::auth::ttl::Ttl;
use kith_server::auth::verify::Verifier;
use kith_server::auth::web_origin::WebOrigin;
use kith_server::language_model::LanguageModel;
use kith_server::live::gate::Gate;
use kith_server::live::network::LiveNetwork;
use kith_server::live::networks::{LiveNetworks, Networks};
use kith_server::live::predecessor::Predecessor;
use kith_server::live::reload::Reloader;
use kith_server::live::slot::Slot;
use kith_server::mcp::settings::McpSettings;
use kith_server::rates::Rates;
use kith_server::search::engine::Engines;
use kith_server::search::threads::OwnThreads;
use kith_server::snapshot::read::decode;
use kith_server::{explorer, openapi};
use kith_tables::progress::Silent;
use kith_tables::source::build::read_folder;
use serde_json::Value;
use tempfile::TempDir;
use tower::ServiceExt;

/// A folder of the project, by its path there.
pub(crate) fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Credentials for any organization and user, made once and kept for all services of a test.
pub(crate) struct Credentials {
    _folder: TempDir,
    pub(crate) store: CredentialStore,
    made: Mutex<BTreeMap<(String, Option<String>), String>>,
}

impl Credentials {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = CredentialStore::open(&folder.path().join("credentials.db")).unwrap();
        Self { _folder: folder, store, made: Mutex::default() }
    }

    pub(crate) fn key(&self, organization: &str) -> String {
        self.make(organization, None)
    }

    /// A token of `user`, good for a day, that may read.
    pub(crate) fn token(&self, organization: &str, user: &str) -> String {
        self.make(organization, Some(user))
    }

    fn make(&self, organization: &str, user: Option<&str>) -> String {
        let mut made = self.made.lock().unwrap();
        let entry = made.entry((organization.to_owned(), user.map(str::to_owned)));
        let secret = entry.or_insert_with(|| match user {
            None => {
                let issued = self.store.create_key(organization, "test", SystemTime::now()).unwrap();
                issued.secret.reveal().to_owned()
            }
            Some(user) => self.token_with(organization, user, "mcp:read"),
        });
        secret.clone()
    }

    /// A new token of `user` with `scope`.
    pub(crate) fn token_with(&self, organization: &str, user: &str, scope: &str) -> String {
        let (scopes, ttl) = (Scopes::stored(scope), Ttl::from_seconds(86_400).unwrap());
        let issued = self.store.create_token(organization, user, scopes, ttl, SystemTime::now()).unwrap();
        issued.secret.reveal().to_owned()
    }
}

/// The network of the source tables in `folder`, by way of a snapshot.
pub(crate) fn network_of(folder: &Path) -> LiveNetwork {
    let built = read_folder(folder, &Silent).unwrap();
    let bytes = kith_server::snapshot::encode::encode(&built.dataset).unwrap();
    LiveNetwork::new(decode(&bytes).unwrap(), "test.kith")
}

/// Like [`network_of`], with its relational store, by way of files in `place`.
pub(crate) fn stored(folder: &Path, place: &Path) -> LiveNetwork {
    let built = read_folder(folder, &Silent).unwrap();
    let path = place.join(format!("{}.kith", built.dataset.organization.id));
    kith_server::relational::pair::write(&path, &built.dataset).unwrap();
    LiveNetwork::open(kith_server::snapshot::read::load(&path).unwrap(), &path)
}

/// The operator's listener at a loopback address, over what `reloader` puts in service.
pub(crate) fn operator(
    networks: &Arc<LiveNetworks>,
    reloader: &Arc<Reloader>,
    credentials: &Credentials,
) -> Router {
    operator_over(networks, reloader, credentials.store.verifier().unwrap())
}

/// Like [`operator`]; `credentials` let callers in.
pub(crate) fn operator_over(
    networks: &Arc<LiveNetworks>,
    reloader: &Arc<Reloader>,
    credentials: Verifier,
) -> Router {
    let gate = Gate::keeping_to_list(Arc::clone(reloader));
    let operations = Operations {
        networks: Arc::clone(networks),
        reloader: Arc::clone(reloader),
        readiness: Arc::new(Readiness::new(gate, credentials)),
        language_model: LanguageModel::new(None).unwrap(),
        metrics: Arc::new(Metrics::new().unwrap()),
    };
    let doorkeeper = Doorkeeper::new(std::net::Ipv4Addr::LOCALHOST.into(), Vec::new(), None);
    admin(Arc::new(operations), Arc::new(doorkeeper), kith_server::explorer::operator::page_alone())
}

/// The threads for the searches of every service in this process.
static SEARCH_THREADS: LazyLock<Arc<OwnThreads>> = LazyLock::new(|| {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    Arc::new(OwnThreads::start("search", processors).unwrap())
});

/// A service over some networks.
pub(crate) struct Served {
    pub(crate) state: Arc<ApiState>,
    pub(crate) router: Router,
}

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
}

/// Everything a caller sees of an answer: status, headers in their order, body.
pub(crate) type Visible<'a> = (StatusCode, Vec<(&'a str, &'a [u8])>, &'a [u8]);

impl Answer {
    /// What a caller sees, for comparing; of the request's id, which is never the same, and of the
    /// generation, only the places where they stand.
    pub(crate) fn visible(&self) -> Visible<'_> {
        let headers = self.headers.iter().map(|(name, value)| {
            let is_distinct = *name == REQUEST_ID || *name == GENERATION;
            let value = if is_distinct { &b"any"[..] } else { value.as_bytes() };
            (name.as_str(), value)
        });
        (self.status, headers.collect(), &self.bytes)
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }
}

impl Served {
    /// Serves the networks of the source tables in `folders`.
    pub(crate) fn folders(folders: &[&Path], credentials: &Credentials, limits: Limits) -> Self {
        Self::networks(folders.iter().map(|folder| network_of(folder)), credentials, limits)
    }

    /// Serves `networks`.
    pub(crate) fn networks(
        networks: impl IntoIterator<Item = LiveNetwork>,
        credentials: &Credentials,
        limits: Limits,
    ) -> Self {
        Self::with_engines(networks, credentials, limits, Engines::ALL)
    }

    /// Serves `networks` with some of the engines alone.
    pub(crate) fn with_engines(
        networks: impl IntoIterator<Item = LiveNetwork>,
        credentials: &Credentials,
        limits: Limits,
        engines: Engines,
    ) -> Self {
        let networks: Vec<_> = networks.into_iter().map(Arc::new).collect();
        let verifier = credentials.store.verifier().unwrap();
        Self::whole(&networks, verifier, limits, engines, LanguageModel::new(None).unwrap())
    }

    /// Serves `networks`, with `language_model` as the parser of queries.
    pub(crate) fn parsing(
        networks: &[Arc<LiveNetwork>],
        credentials: &Credentials,
        limits: Limits,
        language_model: LanguageModel,
    ) -> Self {
        let verifier = credentials.store.verifier().unwrap();
        Self::whole(networks, verifier, limits, Engines::ALL, language_model)
    }

    /// Serves `networks` to callers whom `verifier` lets in.
    pub(crate) fn verifying(networks: &[Arc<LiveNetwork>], verifier: Verifier) -> Self {
        let language_model = LanguageModel::new(None).unwrap();
        Self::whole(networks, verifier, Limits::DEFAULT, Engines::ALL, language_model)
    }

    fn whole(
        networks: &[Arc<LiveNetwork>],
        credentials: Verifier,
        limits: Limits,
        engines: Engines,
        language_model: LanguageModel,
    ) -> Self {
        let by_organization = networks.iter().map(|network| Arc::new(Slot::resident(Arc::clone(network))));
        let by_organization = by_organization.map(|slot| (slot.organization().to_owned(), slot));
        let by_organization = by_organization.collect();
        let networks = Networks { by_organization, generation: 1, ..Networks::default() };
        let gate = Gate::without_list(Arc::new(LiveNetworks::new(networks)));
        Self::over(gate, credentials, limits, engines, language_model, None)
    }

    /// Serves `new` in the place of `old`, which is kept as generation 1.
    pub(crate) fn since(old: LiveNetwork, new: LiveNetwork, keys: &Credentials, limits: Limits) -> Self {
        Self::all_since([[old, new]], keys, limits)
    }

    /// Like [`Self::since`], of several organizations.
    pub(crate) fn all_since(
        pairs: impl IntoIterator<Item = [LiveNetwork; 2]>,
        credentials: &Credentials,
        limits: Limits,
    ) -> Self {
        let mut networks = Networks { generation: 2, ..Networks::default() };
        for [old, new] in pairs {
            let organization = new.index.data.organization.id.clone();
            let predecessor = Arc::new(Predecessor::new(1, old.index, Arc::clone(&new.index)));
            networks.predecessors.insert(organization.clone(), predecessor);
            networks.by_organization.insert(organization, Arc::new(Slot::resident(new)));
        }
        let verifier = credentials.store.verifier().unwrap();
        let language_model = LanguageModel::new(None).unwrap();
        let gate = Gate::without_list(Arc::new(LiveNetworks::new(networks)));
        Self::over(gate, verifier, limits, Engines::ALL, language_model, None)
    }

    /// Serves `network`, its requests traced by `traces`.
    pub(crate) fn tracing(network: LiveNetwork, credentials: &Credentials, traces: Arc<Traces>) -> Self {
        let by_organization =
            BTreeMap::from([(network.index.data.organization.id.clone(), Arc::new(Slot::resident(network)))]);
        let networks = Networks { by_organization, generation: 1, ..Networks::default() };
        let verifier = credentials.store.verifier().unwrap();
        let language_model = LanguageModel::new(None).unwrap();
        let gate = Gate::without_list(Arc::new(LiveNetworks::new(networks)));
        Self::over(gate, verifier, Limits::DEFAULT, Engines::ALL, language_model, Some(traces))
    }

    /// Serves the networks behind `gate`, also those of later generations.
    pub(crate) fn live(gate: Gate, credentials: &Credentials) -> Self {
        let verifier = credentials.store.verifier().unwrap();
        Self::over(gate, verifier, Limits::DEFAULT, Engines::ALL, LanguageModel::new(None).unwrap(), None)
    }

    fn over(
        gate: Gate,
        credentials: Verifier,
        limits: Limits,
        engines: Engines,
        language_model: LanguageModel,
        traces: Option<Arc<Traces>>,
    ) -> Self {
        let readiness = Arc::new(Readiness::new(gate.clone(), credentials.clone()));
        let store = Arc::new(Mutex::new(CredentialStore::open(credentials.path()).unwrap()));
        let sealer = SessionSealer::new(store, credentials.clone(), Duration::from_secs(600)).unwrap();
        Self::of(ApiState {
            gate,
            credentials,
            limits,
            engines,
            search_threads: Arc::clone(&SEARCH_THREADS),
            language_model,
            admission: Admission::for_this_machine(),
            readiness,
            rates: None,
            cors: Cors::default(),
            sessions: Some(Arc::new(sealer)),
            page_cookie: kith_server::api::cookie::PageCookie::below(None),
            sign_in: None,
            takes_links: false,
            login_link: None,
            own_tokens: None,
            has_feeds: false,
            logo_hosts: Vec::new(),
            look_ups: None,
            asks: None,
            exports: None,
            import: None,
            metrics: Arc::new(Metrics::new().unwrap()),
            traces,
        })
    }

    fn of(state: ApiState) -> Self {
        let state = Arc::new(state);
        Self { router: public(Arc::clone(&state), &openapi::serve::ROUTES, explorer::routes(&state)), state }
    }

    /// Serves the same once more, at these rates.
    pub(crate) fn at_rates(self, rates: Rates) -> Self {
        self.changed(|state| state.rates = Some(rates))
    }

    /// Serves the same once more, requests let in by `admission`.
    pub(crate) fn admitted_by(self, admission: Arc<Admission>) -> Self {
        self.changed(|state| state.admission = admission)
    }

    /// Serves the same once more, to web pages of these origins too.
    pub(crate) fn sharing_with(self, origins: &[&str]) -> Self {
        let origins: Vec<_> = origins.iter().map(|origin| WebOrigin::parse(origin).unwrap()).collect();
        self.changed(|state| state.cors = Cors::new(&origins))
    }

    /// Serves the same once more, to agents too.
    pub(crate) fn serving_agents(self, settings: &McpSettings) -> Self {
        drop(self.router);
        let state = self.state;
        let agents = kith_server::mcp::endpoint::routes(settings);
        let beside = explorer::routes(&state).merge(agents);
        Self { router: public(Arc::clone(&state), &openapi::serve::ROUTES, beside), state }
    }

    /// Serves the same once more, with what `change` changes.
    pub(crate) fn changed(self, change: impl FnOnce(&mut ApiState)) -> Self {
        drop(self.router);
        let mut state = Arc::into_inner(self.state).unwrap();
        change(&mut state);
        Self::of(state)
    }

    /// Serves the same once more, without the page.
    pub(crate) fn without_page(self) -> Self {
        self.changed(|state| state.sessions = None)
    }

    /// Asks for `path` with `credential`.
    pub(crate) async fn get(&self, path: &str, credential: &str) -> Answer {
        let authorization = format!("Bearer {credential}");
        let request = Request::builder().uri(path).header("authorization", authorization);
        self.send(request.body(Body::empty()).unwrap()).await
    }

    /// Posts a JSON body to `path` with `credential`.
    pub(crate) async fn post(&self, path: &str, credential: &str, body: &Value) -> Answer {
        let request = Request::post(path)
            .header("authorization", format!("Bearer {credential}"))
            .header("content-type", "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// Asks for `path` with any headers and method.
    pub(crate) async fn ask(&self, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(Body::empty()).unwrap()).await
    }

    /// Sends any request.
    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec();
        Answer { status, headers, bytes }
    }
}
