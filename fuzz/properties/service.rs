//! The public router in process, over any network, and the form of every answer.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{Request, StatusCode};
use kith::limits::Limits;
use kith_server::admission::Admission;
use kith_server::api::cookie::PageCookie;
use kith_server::api::cors::Cors;
use kith_server::api::endpoints::ROUTES;
use kith_server::api::metrics::Metrics;
use kith_server::api::probes::Readiness;
use kith_server::api::router::{finish, router_of};
use kith_server::api::state::ApiState;
use kith_server::auth::scope::Scopes;
use kith_server::auth::session::SessionSealer;
use kith_server::auth::store::CredentialStore;
use kith_server::auth::ttl::Ttl;
use kith_server::language_model::LanguageModel;
use kith_server::live::gate::Gate;
use kith_server::live::network::LiveNetwork;
use kith_server::live::networks::{LiveNetworks, Networks};
use kith_server::live::slot::Slot;
use kith_server::openapi;
use kith_server::search::engine::Engines;
use kith_server::search::threads::OwnThreads;
use kith_server::snapshot::decode;
use serde_json::value::RawValue;
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

/// The snapshot of the network that can be checked by hand.
pub const TINY: &[u8] = include_bytes!("../../snapshots/tiny.kith");
/// Its organization, and a member of it.
const ORGANIZATION: &str = "org_tiny";
const USER: &str = "user_ana";

/// Maximum time for an answer. Not the deadline of a server: a fuzzer runs alone, and reports slow inputs itself.
const PATIENCE: Duration = Duration::from_secs(24 * 3600);

/// A service with one network at a time, and its callers.
pub struct Front {
    runtime: Runtime,
    router: Router,
    networks: Arc<LiveNetworks>,
    key: String,
    token: String,
    _credentials: TempDir,
}

/// The caller of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// The organization, by its key.
    Organization,
    /// A member, by a token.
    Member,
    /// A caller without a credential.
    Nobody,
}

impl Front {
    /// A service over [`TINY`].
    pub fn new() -> Self {
        let credentials = tempfile::tempdir().unwrap();
        let store = CredentialStore::open(&credentials.path().join("credentials.db")).unwrap();
        let now = SystemTime::now();
        let (scopes, ttl) = (Scopes::granted_by("mcp:read"), Ttl::from_seconds(86_400).unwrap());
        let key = store.create_key(ORGANIZATION, "fuzz", now).unwrap();
        let token = store.create_token(ORGANIZATION, USER, scopes, ttl, now).unwrap();
        let networks = Arc::new(LiveNetworks::new(Networks::default()));
        let metrics = Arc::new(Metrics::new().unwrap());
        let (gate, verifier) = (Gate::without_list(Arc::clone(&networks)), store.verifier().unwrap());
        let store = Arc::new(Mutex::new(store));
        let sealer = SessionSealer::new(store, verifier.clone(), Duration::from_secs(600)).unwrap();
        let state = ApiState {
            readiness: Arc::new(Readiness::new(gate.clone(), verifier.clone())),
            gate,
            credentials: verifier,
            limits: Limits::DEFAULT,
            engines: Engines::ALL,
            search_threads: Arc::new(OwnThreads::start("search", 1).unwrap()),
            language_model: LanguageModel::new(None).unwrap(),
            admission: Admission::for_this_machine(),
            rates: None,
            cors: Cors::default(),
            sessions: Some(Arc::new(sealer)),
            page_cookie: PageCookie::below(None),
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
            metrics: Arc::clone(&metrics),
            traces: None,
        };
        let routes = router_of(ROUTES.iter().chain(&openapi::serve::ROUTES));
        let front = Self {
            runtime: Builder::new_current_thread().enable_time().build().unwrap(),
            router: finish(routes.with_state(Arc::new(state)), PATIENCE, metrics, None),
            networks,
            key: key.secret.reveal().to_owned(),
            token: token.secret.reveal().to_owned(),
            _credentials: credentials,
        };
        front.serve(LiveNetwork::new(decode(TINY).unwrap(), "tiny.kith"));
        front
    }

    /// Replaces the network in service with `network`, whatever organization it claims.
    pub fn serve(&self, network: LiveNetwork) {
        let by_organization = BTreeMap::from([(ORGANIZATION.to_owned(), Arc::new(Slot::resident(network)))]);
        self.networks.swap(Networks { by_organization, generation: 1, ..Networks::default() });
    }

    /// The status of a GET of `path` by `caller`.
    pub fn get(&self, caller: Caller, path: &str) -> StatusCode {
        self.send(caller, Request::get(path).body(Body::empty()).unwrap())
    }

    /// The status of a POST of `body` as JSON to `path` by `caller`.
    pub fn post(&self, caller: Caller, path: &str, body: &[u8]) -> StatusCode {
        let request = Request::post(path).header(CONTENT_TYPE, "application/json");
        self.send(caller, request.body(Body::from(body.to_vec())).unwrap())
    }

    /// Sends a request and checks the answer: its status is one that callers can cause, and its body is valid JSON.
    fn send(&self, caller: Caller, mut request: Request<Body>) -> StatusCode {
        let credential = match caller {
            Caller::Organization => Some(&self.key),
            Caller::Member => Some(&self.token),
            Caller::Nobody => None,
        };
        if let Some(credential) = credential {
            let value = format!("Bearer {credential}").parse().unwrap();
            request.headers_mut().insert(AUTHORIZATION, value);
        }
        let asked = format!("{caller:?} {} {}", request.method(), request.uri());
        let (head, body) = self.runtime.block_on(async {
            let (head, body) = self.router.clone().oneshot(request).await.unwrap().into_parts();
            (head, to_bytes(body, usize::MAX).await.unwrap())
        });
        let status = head.status;
        assert!(
            matches!(status.as_u16(), 200 | 400 | 401 | 403 | 404 | 405 | 413 | 415),
            "{asked}: {status}"
        );
        let kind = head.headers.get(CONTENT_TYPE);
        assert!(kind.is_some_and(|kind| kind == "application/json"), "{asked}: {kind:?}");
        check_body(status, &body).unwrap_or_else(|fault| panic!("{asked}: {status}: {fault}"));
        status
    }
}

/// Whether `body` is the JSON of an answer or of an error. Numbers of any size are allowed: those of free-form objects
/// are passed on as written.
fn check_body(status: StatusCode, body: &[u8]) -> Result<(), Box<dyn Error>> {
    let fields: BTreeMap<String, &RawValue> = serde_json::from_str(std::str::from_utf8(body)?)?;
    let begins =
        |field: &str, with: &[char]| fields.get(field).is_some_and(|value| value.get().starts_with(with));
    let is_in_shape = match status {
        StatusCode::OK => begins("data", &['{', '[']),
        _ => begins("error", &['"']) && begins("code", &['"']),
    };
    if is_in_shape { Ok(()) } else { Err(format!("no answer: {}", String::from_utf8_lossy(body)).into()) }
}

impl Default for Front {
    fn default() -> Self {
        Self::new()
    }
}

/// `bytes` as a part of an address; forbidden characters and `kept_out` are percent-encoded.
pub fn in_address(bytes: &[u8], kept_out: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, &byte| {
        if byte.is_ascii_graphic() && !b"#\"<>`{}|\\^".contains(&byte) && !kept_out.contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
        text
    })
}
