//! `kith serve`: a folder of snapshots, served until stopped.

use std::error::Error;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::Runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use crate::api::admin::{Operations, admin, reload_now};
use crate::api::router::{Service, public};
use crate::auth::jwt::Issuer;
use crate::auth::recorder::UseRecorder;
use crate::auth::store::Store;
use crate::auth::verify::Verifier;
use crate::cli::config::Settings;
use crate::cli::telemetry;
use crate::language_model::LanguageModel;
use crate::limits::Limits;
use crate::live::networks::{LiveNetworks, Networks};
use crate::live::reload::Reloader;
use crate::search::engine::Engines;
use crate::server::listen::serve;

/// Serve a folder of snapshots.
#[derive(Debug, Args)]
pub struct ServeCommand {
    /// The folder with the snapshots (*.kith), one for each organization
    #[arg(long, value_name = "DIR")]
    snapshots: PathBuf,
    /// The credential store; made where there is none
    #[arg(long, value_name = "FILE")]
    credentials: PathBuf,
    /// Where the API listens; port 0 picks a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Where the operator's listener listens; keep it off public addresses
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:9090")]
    admin_listen: SocketAddr,
    /// The configuration, a TOML file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl ServeCommand {
    /// Serves until SIGTERM or SIGINT.
    ///
    /// # Errors
    /// Where the configuration, the credentials, the folder or an address cannot be used.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        telemetry::start_json();
        let settings = Settings::read(self.config.as_deref(), std::env::vars())?;
        let server = Server {
            snapshots: &self.snapshots,
            credentials: &self.credentials,
            listen: self.listen,
            admin_listen: self.admin_listen,
            limits: settings.limits()?,
            engines: settings.engines()?,
            language_model: LanguageModel::new(
                settings.language_model(|name| std::env::var(name).ok())?.as_ref(),
            )?,
            issuer: settings.issuer()?.as_ref().map(Issuer::new).transpose()?,
        };
        server.run(Host::new()?, |_| Ok(()))
    }
}

/// What a server runs on. From the moment there is one, no signal ends the process by itself: one
/// that comes before the server serves ends it as soon as it does.
#[derive(Debug)]
pub struct Host {
    runtime: Runtime,
    signals: Signals,
}

impl Host {
    /// Starts the threads that requests run on, and heeds signals.
    ///
    /// # Errors
    /// Where the system gives no threads or no signals.
    pub fn new() -> std::io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let signals = runtime.block_on(async { Signals::new() })?;
        Ok(Self { runtime, signals })
    }
}

/// A server about to start.
#[derive(Debug)]
pub struct Server<'a> {
    /// The folder of snapshots.
    pub snapshots: &'a Path,
    /// The credential store.
    pub credentials: &'a Path,
    /// Where the API listens.
    pub listen: SocketAddr,
    /// Where the operator's listener listens.
    pub admin_listen: SocketAddr,
    /// Bounds on the work of a request.
    pub limits: Limits,
    /// The engines of network search in service.
    pub engines: Engines,
    /// What parses queries first.
    pub language_model: LanguageModel,
    /// Whose JWTs are accepted.
    pub issuer: Option<Issuer>,
}

impl Server<'_> {
    /// Serves until SIGTERM or SIGINT; calls `ready` with the API's address once it listens.
    ///
    /// # Errors
    /// Where something is missing to start with, or `ready` fails.
    pub fn run(
        self,
        host: Host,
        ready: impl FnOnce(SocketAddr) -> Result<(), Box<dyn Error>>,
    ) -> Result<(), Box<dyn Error>> {
        let Host { runtime, signals } = host;
        let ended = runtime.block_on(self.run_until_stopped(signals, ready));
        // A reload that still runs is not waited for: it has put nothing in service.
        runtime.shutdown_background();
        ended
    }

    async fn run_until_stopped(
        self,
        mut signals: Signals,
        ready: impl FnOnce(SocketAddr) -> Result<(), Box<dyn Error>>,
    ) -> Result<(), Box<dyn Error>> {
        let networks = Arc::new(LiveNetworks::new(Networks::default()));
        let reloader = Arc::new(Reloader::new(self.snapshots.to_owned(), Arc::clone(&networks)));
        let store = Store::open(self.credentials)?;
        let credentials = accept(store.verifier()?, self.issuer);
        // Dropped last of all, and writes once more then.
        let _recorder = UseRecorder::start(store, credentials.clone())?;
        let service = Arc::new(Service {
            networks: Arc::clone(&networks),
            credentials,
            limits: self.limits,
            engines: self.engines,
            language_model: self.language_model,
        });
        let api = bind(self.listen)?;
        let operator = bind(self.admin_listen)?;
        let folder = self.snapshots.display();
        reload_now(&reloader)
            .await
            .map_err(|error| format!("cannot list the snapshots in {folder}: {error}"))?;

        let (stop, stopped) = watch::channel(());
        let address = api.local_addr()?;
        let operations = Arc::new(Operations { networks, reloader: Arc::clone(&reloader) });
        let operator_address = operator.local_addr()?;
        let serving = tokio::spawn(serve(api, public(service), until_closed(stopped.clone())));
        let operating = tokio::spawn(serve(operator, admin(operations), until_closed(stopped)));
        writeln!(std::io::stderr(), "listening on http://{address}\nadmin on http://{operator_address}")?;
        ready(address)?;
        signals.reload_until_stop(&reloader).await;
        drop(stop);
        serving.await?;
        operating.await?;
        Ok(())
    }
}

/// `credentials`, and the JWTs of `issuer`, whose keys are kept fresh from now on.
fn accept(credentials: Verifier, issuer: Option<Issuer>) -> Verifier {
    let Some(issuer) = issuer else { return credentials };
    if let Some(fresh) = issuer.keep_fresh() {
        tokio::spawn(fresh);
    }
    credentials.trusting(issuer)
}

/// The signals a server heeds.
#[derive(Debug)]
struct Signals {
    hangup: Signal,
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self {
            hangup: signal(SignalKind::hangup())?,
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Reloads at each SIGHUP; returns at SIGTERM or SIGINT.
    async fn reload_until_stop(&mut self, reloader: &Arc<Reloader>) {
        loop {
            tokio::select! {
                _ = self.hangup.recv() => {
                    let reloader = Arc::clone(reloader);
                    tokio::spawn(async move {
                        if let Err(error) = reload_now(&reloader).await {
                            tracing::error!(%error, "the snapshots cannot be listed");
                        }
                    });
                }
                _ = self.terminate.recv() => return,
                _ = self.interrupt.recv() => return,
            }
        }
    }
}

async fn until_closed(mut stopped: watch::Receiver<()>) {
    while stopped.changed().await.is_ok() {}
}

/// Connections that wait to be accepted; beyond this the kernel makes newcomers try again.
const BACKLOG: u32 = 4096;

fn bind(address: SocketAddr) -> Result<TcpListener, Box<dyn Error>> {
    let listen = || {
        let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(BACKLOG)
    };
    listen().map_err(|error| format!("cannot listen on {address}: {error}").into())
}
