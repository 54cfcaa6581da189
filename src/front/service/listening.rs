//! The two listeners of a service: the API's and the operator's.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::{JoinError, JoinHandle};

use crate::api::admin::admin;
use crate::api::doorkeeper::Doorkeeper;
use crate::api::issuing;
use crate::api::router::public;
use crate::explorer;
use crate::limits::{ADMIN_CONNECTIONS_MAX, CONNECTIONS_BYTES_MAX, CONNECTIONS_MAX};
use crate::mcp;
use crate::openapi;
use crate::server::budget::ByteBudget;
use crate::server::connection::Answering;
use crate::server::guard::Deadlines;
use crate::server::listen::{ConnectionBounds, serve};
use crate::server::peers::PeerBound;
use crate::server::socket::bind;
use crate::service::assemble::Assembled;
use crate::stderr;
use crate::system::raise_descriptors;

/// Bound listeners that do not accept connections yet.
#[derive(Debug)]
pub(crate) struct Listeners {
    api: TcpListener,
    operator: TcpListener,
}

impl Listeners {
    /// Binds the API's listener, to `api_else` if `api` is taken, then the operator's; port 0 takes a free one.
    ///
    /// # Errors
    /// Returns an error naming the listener that cannot be bound.
    pub(crate) fn bind(
        api: SocketAddr,
        api_else: Option<SocketAddr>,
        operator: SocketAddr,
    ) -> io::Result<Self> {
        let api = match (bind(api), api_else) {
            (Err(error), Some(other)) if error.kind() == io::ErrorKind::AddrInUse => bind(other),
            (bound, _) => bound,
        };
        Ok(Self { api: api?, operator: bind(operator)? })
    }
}

/// Listeners that accept connections. Dropping this stops them without waiting.
#[derive(Debug)]
pub(crate) struct Serving {
    /// The address of the API.
    pub(crate) address: SocketAddr,
    operator_address: SocketAddr,
    scheme: &'static str,
    stop: watch::Sender<()>,
    api: JoinHandle<()>,
    operator: JoinHandle<()>,
}

impl Serving {
    /// Starts to accept connections for `assembled` on `listeners`.
    ///
    /// # Errors
    /// Returns an error if the system does not give the address of a listener.
    pub(crate) fn start(assembled: &Assembled, listeners: Listeners) -> io::Result<Self> {
        let Listeners { api, operator } = listeners;
        let (address, operator_address) = (api.local_addr()?, operator.local_addr()?);
        let (stop, stopped) = watch::channel(());
        let metrics = &assembled.state.metrics;
        let answering = |router, tls| Answering {
            router,
            metrics: Arc::clone(metrics),
            deadlines: Deadlines::DEFAULT,
            budget: ByteBudget::new(CONNECTIONS_BYTES_MAX),
            tls,
        };
        // Each snapshot loaded by need keeps a file open, and so does each new one while it is taken up.
        let files = raise_descriptors();
        let connections =
            if assembled.operations.reloader.by_need().is_some() { files / 4 } else { files / 2 };
        let agents = assembled.mcp.as_ref().map_or_else(Router::new, mcp::endpoint::routes);
        let reference = match &assembled.state.asks {
            Some(_) => &openapi::serve::ROUTES_WITH_ASKS,
            None => &openapi::serve::ROUTES,
        };
        let api = serve(
            api,
            answering(
                public(
                    Arc::clone(&assembled.state),
                    reference,
                    explorer::routes(&assembled.state).merge(agents),
                ),
                assembled.tls.clone(),
            ),
            ConnectionBounds {
                connections: connections.min(CONNECTIONS_MAX),
                peers: assembled.peers.clone(),
            },
            until_closed(stopped.clone()),
        );
        let doorkeeper = doorkeeper(assembled, operator_address);
        let operator = serve(
            operator,
            answering(
                admin(
                    Arc::clone(&assembled.operations),
                    doorkeeper,
                    explorer::operator::routes(&assembled.state)
                        .merge(issuing::routes(assembled.issuing.clone(), Arc::clone(&assembled.operations))),
                ),
                None,
            ),
            ConnectionBounds {
                connections: connections.min(ADMIN_CONNECTIONS_MAX),
                peers: PeerBound::none(),
            },
            until_closed(stopped),
        );
        let (api, operator) = (tokio::spawn(api), tokio::spawn(operator));
        let scheme = if assembled.tls.is_some() { "https" } else { "http" };
        Ok(Self { address, operator_address, scheme, stop, api, operator })
    }

    /// Writes both addresses to stderr.
    pub(crate) fn announce(&self) {
        let Self { address, operator_address, scheme, .. } = self;
        let lines = format!("listening on {scheme}://{address}\nadmin on http://{operator_address}\n");
        stderr::write(lines.as_bytes());
    }

    /// Stops accepting, and returns when the running requests have ended or reached their deadline.
    ///
    /// # Errors
    /// Returns an error if a listener panicked.
    pub(crate) async fn stop(self) -> Result<(), JoinError> {
        drop(self.stop);
        self.api.await?;
        self.operator.await
    }
}

/// The doorkeeper of the operator's listener at `address`; logs a warning if it lets everybody in.
fn doorkeeper(assembled: &Assembled, address: SocketAddr) -> Arc<Doorkeeper> {
    let hosts = assembled.admin_hosts.clone();
    let doorkeeper = Doorkeeper::new(address.ip(), hosts, assembled.admin_token.clone());
    if doorkeeper.is_open() {
        tracing::warn!(
            %address,
            "the operator's listener is not on loopback and asks for no credential; set admin.token_file"
        );
    }
    Arc::new(doorkeeper)
}

async fn until_closed(mut stopped: watch::Receiver<()>) {
    while stopped.changed().await.is_ok() {}
}
