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
    /// The list of people to forget; if none is named, the one among the snapshots, if there is one.
    pub suppressions: Option<&'a Path>,
    /// The address of the API.
    pub listen: SocketAddr,
    /// The address that takes its place if it is taken; `None` if the service then does not start.
    pub listen_else: Option<SocketAddr>,
    /// The address of the operator's listener.
    pub admin_listen: SocketAddr,
    /// The hosts by which it is asked beside its address, loopback addresses and `localhost`.
    pub admin_hosts: Vec<HostName>,
    /// The token that it wants for all but the probes; `None` if it wants none.
    pub admin_token: Option<OperatorToken>,
    /// How long both listeners go on answering after SIGTERM or SIGINT, unready.
    pub drain: Duration,
    /// Bounds on the work of a request.
    pub limits: Limits,
    /// How many requests each credential may send; `None` if there is no bound.
    pub rates: Option<RateSettings>,
    /// The most memory that the process may hold, in bytes; `None` if the system alone bounds it.
    pub memory_max_bytes: Option<u64>,
    /// The note of `kith pull` whose organizations have to be in service for readiness; `None` if any will do.
    pub cell_note: Option<PathBuf>,
    /// The mark of `kith pull` without which no credential is accepted; `None` if none is asked for.
    pub pulled_mark: Option<PulledMark>,
    /// Which networks are in memory.
    pub in_memory: InMemory,
    /// A snapshot that is kept as the generation before the first one of its organization; `None` if there is none.
    pub earlier: Option<PathBuf>,
    /// The engines of network search in service.
    pub engines: Engines,
    /// The time between two polls of the folder of snapshots; `None` if it is not watched.
    pub watch: Option<Duration>,
    /// The provider that parses queries first.
    pub language_model: LanguageModel,
    /// The issuer whose JWTs are accepted; `None` if no JWT is.
    pub issuer: Option<Issuer>,
    /// The bound on each peer's connections to the API.
    pub peers: PeerBound,
    /// The origins whose web pages may read answers.
    pub cors_origins: Vec<WebOrigin>,
    /// The path below which a proxy serves it; `None` is the root.
    pub base_path: Option<String>,
    /// The addresses by which assistants reach the service; `None` if they do not.
    pub mcp: Option<McpSettings>,
    /// Whether the page for people is served.
    pub is_page_served: bool,
    /// How long people stay logged in to it.
    pub session_life: Duration,
    /// The identity provider at which people log in to it; `None` if they do not.
    pub sign_in: Option<SignInSettings>,
    /// Whether a link may log in to it.
    pub takes_links: bool,
    /// A link that logs in to it once.
    pub login_link: Option<LoginLink>,
    /// The log of look-ups; `None` if none is kept.
    pub look_ups: Option<LookUpSettings>,
    /// The asks; `None` if none are kept.
    pub asks: Option<AskSettings>,
    /// The import behind the network, if its files are at hand.
    pub import: Option<PageImport>,
    /// The certificate; `None` if the API does not speak TLS itself.
    pub tls: Option<Tls>,
    /// Whether SIGHUP, which a terminal sends when it is closed, ends the service and does not reload it.
    pub ends_at_hangup: bool,
    /// The collector of traces; `None` if nothing is traced.
    pub traces: Option<TraceSettings>,
}

impl<'a> Setup<'a> {
    /// The address of the API if a command is given none.
    pub const ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080);

    /// A service of defaults for this machine: the API and the page at `listen`, or if none is named at `usual`, or at a free
    /// port there if that one is taken. Nobody is forgotten by a list of its own, no link logs in, and agents are not served.
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
            session_life: Duration::from_secs(SESSION_SECONDS_DEFAULT),
            sign_in: None,
            takes_links: false,
            login_link: None,
            look_ups: None,
            asks: None,
            import: None,
            tls: None,
            ends_at_hangup: false,
            traces: None,
        }
    }
}
