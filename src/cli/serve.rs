//! `kith serve`: a folder of snapshots, served until stopped.

use std::error::Error;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::Runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use crate::api::admin::{Operations, admin, reload_now};
use crate::api::router::{Service, public};
use crate::auth::store::Store;
use crate::cli::config::Settings;
use crate::cli::telemetry;
use crate::language_model::LanguageModel;
use crate::limits::Limits;
use crate::live::networks::{LiveNetworks, Networks};
use crate::live::reload::Reloader;
use crate::live::suppression::ListPlace;
use crate::live::watch::Watch;
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
    /// The list of people to forget; where none is named, suppressions.txt among the snapshots
    #[arg(long, value_name = "FILE")]
    suppressions: Option<PathBuf>,
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
        for section in settings.unused() {
            tracing::warn!(section, "this configuration section is not used by this version");
        }
        let server = Server {
            snapshots: &self.snapshots,
            credentials: &self.credentials,
            suppressions: self.suppressions.as_deref().or(settings.suppressions()),
            listen: self.listen,
            admin_listen: self.admin_listen,
            limits: settings.limits()?,
            engines: settings.engines()?,
            watch: settings.watch(),
            language_model: LanguageModel::new(
                settings.language_model(|name| std::env::var(name).ok())?.as_ref(),
            )?,
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
    /// The list of people to forget; where none is named, the one among the snapshots, if there is one.
    pub suppressions: Option<&'a Path>,
    /// Where the API listens.
    pub listen: SocketAddr,
    /// Where the operator's listener listens.
    pub admin_listen: SocketAddr,
    /// Bounds on the work of a request.
    pub limits: Limits,
    /// The engines of network search in service.
    pub engines: Engines,
    /// How often the folder of snapshots is looked at; nothing where it is not watched.
    pub watch: Option<Duration>,
    /// What parses queries first.
    pub language_model: LanguageModel,
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
        let named = self.suppressions.map(|file| ListPlace::named(file.to_owned()));
        let list = named.unwrap_or_else(|| ListPlace::among(self.snapshots));
        let reloader = Reloader::with_list(self.snapshots.to_owned(), Arc::clone(&networks), list)?;
        let credentials = Store::open(self.credentials)?.verifier()?;
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
        reload_now(&reloader).await.map_err(|error| format!("cannot serve {folder}: {error}"))?;

        let (stop, stopped) = watch::channel(());
        let address = api.local_addr()?;
        let operations = Arc::new(Operations { networks, reloader: Arc::clone(&reloader) });
        let operator_address = operator.local_addr()?;
        let serving = tokio::spawn(serve(api, public(service), until_closed(stopped.clone())));
        let operating = tokio::spawn(serve(operator, admin(operations), until_closed(stopped)));
        writeln!(std::io::stderr(), "listening on http://{address}\nadmin on http://{operator_address}")?;
        ready(address)?;
        if let Some(every) = self.watch {
            tokio::spawn(watch_folder(Arc::clone(&reloader), every));
        }
        signals.reload_until_stop(&reloader).await;
        drop(stop);
        serving.await?;
        operating.await?;
        Ok(())
    }
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
                    // What becomes of it stands in the log.
                    tokio::spawn(async move { reload_now(&reloader).await.ok() });
                }
                _ = self.terminate.recv() => return,
                _ = self.interrupt.recv() => return,
            }
        }
    }
}

/// Reloads when the snapshots have changed, and looks whether they have `every` so often. Never ends.
async fn watch_folder(reloader: Arc<Reloader>, every: Duration) {
    let mut watch = Watch::default();
    loop {
        tokio::time::sleep(every).await;
        let looking = Arc::clone(&reloader);
        match tokio::task::spawn_blocking(move || looking.look()).await {
            Ok(Ok((now, loaded))) if watch.is_due(&now, &loaded) => {
                tracing::info!("the snapshots have changed");
                // What becomes of it stands in the log.
                reload_now(&reloader).await.ok();
            }
            Ok(Err(error)) => tracing::warn!(%error, "the snapshots cannot be looked at"),
            Ok(Ok(_)) | Err(_) => {}
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
