//! The settings of a service, as values: read and checked by the command that starts it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::api::state::PageImport;
use crate::ask_file::service::AskSettings;
use crate::audit::look_ups::LookUpSettings;
use crate::auth::host_name::HostName;
use crate::auth::jwt::Issuer;
use crate::auth::link::LoginLink;
use crate::auth::operator_token::OperatorToken;
use crate::auth::pulled::PulledMark;
use crate::auth::sign_in::settings::SignInSettings;
use crate::auth::web_origin::WebOrigin;
use crate::exports::service::ExportSettings;
use crate::language_model::LanguageModel;
use crate::limits::SESSION_SECONDS_DEFAULT;
use crate::live::predecessor::Keep;
use crate::live::reload::InMemory;
use crate::mcp::settings::McpSettings;
use crate::rates::RateSettings;
use crate::search::engine::Engines;
use crate::server::peers::PeerBound;
use crate::server::tls::Tls;
use crate::telemetry::settings::TraceSettings;
use kith::limits::Limits;

/// A service about to start.
#[derive(Debug)]
pub struct Setup<'a> {
    /// The folder of snapshots.
    pub snapshots: &'a Path,
    /// The credential store.
    pub credentials: &'a Path,
    /// The list of people to forget; if unset, the one among the snapshots, if any.
    pub suppressions: Option<&'a Path>,
    /// The address of the API.
    pub listen: SocketAddr,
    /// The fallback address of the API; `None` if the service then does not start.
    pub listen_else: Option<SocketAddr>,
    /// The address of the operator's listener.
    pub admin_listen: SocketAddr,
    /// Its further host names, besides its address, loopback addresses and `localhost`.
    pub admin_hosts: Vec<HostName>,
    /// The token it requires for everything but the probes, if any.
    pub admin_token: Option<OperatorToken>,
    /// How long both listeners go on answering after SIGTERM or SIGINT, unready.
    pub drain: Duration,
    /// Bounds on the work of a request.
    pub limits: Limits,
    /// The rates of credentials; `None` if there is no bound.
    pub rates: Option<RateSettings>,
    /// Maximum memory of the process, in bytes; `None` if only the system limits it.
    pub memory_max_bytes: Option<u64>,
    /// The note of `kith pull` with the organizations required for readiness; `None` if any network is enough.
    pub cell_note: Option<PathBuf>,
    /// The mark of `kith pull` required for accepting credentials, if any.
    pub pulled_mark: Option<PulledMark>,
    /// The networks to keep in memory.
    pub in_memory: InMemory,
    /// A snapshot to keep as the previous generation of its organization, if any.
    pub earlier: Option<PathBuf>,
    /// The engines of network search in service.
    pub engines: Engines,
    /// The time between two polls of the folder of snapshots; `None` if it is not watched.
    pub watch: Option<Duration>,
    /// The provider that parses queries first.
    pub language_model: LanguageModel,
    /// The issuer of accepted JWTs, if any.
    pub issuer: Option<Issuer>,
    /// The bound on each peer's connections to the API.
    pub peers: PeerBound,
    /// The origins whose web pages may read answers.
    pub cors_origins: Vec<WebOrigin>,
    /// The path below which a proxy serves it; `None` is the root.
    pub base_path: Option<String>,
    /// The addresses by which assistants reach the service, if enabled.
    pub mcp: Option<McpSettings>,
    /// Whether the page for people is served.
    pub is_page_served: bool,
    /// Whether members have feeds.
    pub has_feeds: bool,
    /// The origins whose pictures the page shows.
    pub logo_hosts: Vec<WebOrigin>,
    /// The life of the page's sessions.
    pub session_life: Duration,
    /// The identity provider for the page's log-in, if any.
    pub sign_in: Option<SignInSettings>,
    /// Whether a link may log in to it.
    pub takes_links: bool,
    /// A link that logs in to it once.
    pub login_link: Option<LoginLink>,
    /// The log of look-ups, if kept.
    pub look_ups: Option<LookUpSettings>,
    /// The asks, if kept.
    pub asks: Option<AskSettings>,
    /// The exports that colleagues bring; `None` if none are kept.
    pub exports: Option<ExportSettings>,
    /// The import behind the network, if its files are at hand.
    pub import: Option<PageImport>,
    /// The certificate; `None` if the API does not use TLS itself.
    pub tls: Option<Tls>,
    /// Whether SIGHUP, which a closing terminal sends, ends the service instead of reloading it.
    pub ends_at_hangup: bool,
    /// The collector of traces, if tracing is on.
    pub traces: Option<TraceSettings>,
}

impl<'a> Setup<'a> {
    /// The default address of the API.
    pub const ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080);

    /// A service with defaults for this machine: the API and the page at `listen`, or else at `usual`, or at a free
    /// port there if that one is taken. There is no list of people to forget of its own, no log-in link, and no agents'
    /// endpoint.
    #[must_use]
    pub fn on_loopback(
        snapshots: &'a Path,
        credentials: &'a Path,
        usual: SocketAddr,
        listen: Option<SocketAddr>,
    ) -> Self {
        Self {
            snapshots,
            credentials,
            suppressions: None,
            listen: listen.unwrap_or(usual),
            listen_else: listen.is_none().then_some(SocketAddr::new(usual.ip(), 0)),
            admin_listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            admin_hosts: Vec::new(),
            admin_token: None,
            drain: Duration::ZERO,
            memory_max_bytes: None,
            limits: Limits::DEFAULT,
            cell_note: None,
            pulled_mark: None,
            in_memory: InMemory::All(Keep::InService),
            rates: None,
            earlier: None,
            engines: Engines::ALL,
            watch: None,
            language_model: LanguageModel::default(),
            issuer: None,
            peers: PeerBound::none(),
            cors_origins: Vec::new(),
            base_path: None,
            mcp: None,
            is_page_served: true,
            has_feeds: false,
            logo_hosts: Vec::new(),
            session_life: Duration::from_secs(SESSION_SECONDS_DEFAULT),
            sign_in: None,
            takes_links: false,
            login_link: None,
            look_ups: None,
            asks: None,
            exports: None,
            import: None,
            tls: None,
            ends_at_hangup: false,
            traces: None,
        }
    }
}
