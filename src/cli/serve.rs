//! `kith serve`: a folder of snapshots, served until stopped.

use std::error::Error;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tokio::runtime::{Handle, Runtime};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use crate::api::admin::{Operations, admin, reload_now};
use crate::api::metrics::Metrics;
use crate::api::router::{Service, public};
use crate::api::traces::Traces;
use crate::auth::jwt::Issuer;
use crate::auth::recorder::UseRecorder;
use crate::auth::store::CredentialStore;
use crate::auth::verify::Verifier;
use crate::cli::config::Config;
use crate::cli::telemetry;
use crate::language_model::LanguageModel;
use crate::limits::Limits;
use crate::live::networks::{LiveNetworks, Networks};
use crate::live::reload::Reloader;
use crate::live::suppression::ListPlace;
use crate::live::watch::Watch;
use crate::search::engine::Engines;
use crate::server::connection::Answering;
use crate::server::guard::Deadlines;
use crate::server::listen::serve;
use crate::server::socket::{bind, raise_descriptors};
use crate::server::tls::Tls;
use crate::telemetry::exporter::Exporter;
use crate::telemetry::settings::TraceSettings;
use crate::turns::Turns;

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
        let settings = Config::read(self.config.as_deref(), environment())?;
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
            issuer: settings.issuer()?.as_ref().map(Issuer::new).transpose()?,
            tls: settings.tls()?.map(|(certificate, key)| Tls::read(certificate, key)).transpose()?,
            traces: settings.traces()?,
        };
        server.run(Host::new()?, |_| Ok(()))
    }
}

/// The environment; bytes that are no text stand as such marks, and no setting takes those.
fn environment() -> impl Iterator<Item = (String, String)> {
    let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
    std::env::vars_os().map(move |(name, value)| (text(name), text(value)))
}

/// What a server runs on. From the moment there is one, no signal ends the process by itself: one
/// that comes before the server serves ends it as soon as it does.
#[derive(Debug)]
pub struct Host {
    runtime: Runtime,
    signals: Signals,
    turns: Arc<Turns>,
}

impl Host {
    /// Starts the threads that requests run on, and heeds signals.
    ///
    /// # Errors
    /// Where the system gives no threads or no signals.
    pub fn new() -> std::io::Result<Self> {
        let turns = Turns::for_this_machine();
        let threads = turns.threads();
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
        let signals = runtime.block_on(async { Signals::new() })?;
        Ok(Self { runtime, signals, turns })
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
    /// Whose JWTs are accepted.
    pub issuer: Option<Issuer>,
    /// The certificate, where the API speaks TLS itself.
    pub tls: Option<Tls>,
    /// Where traces go, where they are asked for.
    pub traces: Option<TraceSettings>,
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
        let Host { runtime, signals, turns } = host;
        let ended = runtime.block_on(self.run_until_stopped(signals, turns, ready));
        // A reload that still runs is not waited for: it has put nothing in service.
        runtime.shutdown_background();
        ended
    }

    async fn run_until_stopped(
        self,
        mut signals: Signals,
        turns: Arc<Turns>,
        ready: impl FnOnce(SocketAddr) -> Result<(), Box<dyn Error>>,
    ) -> Result<(), Box<dyn Error>> {
        let networks = Arc::new(LiveNetworks::new(Networks::default()));
        let named = self.suppressions.map(|file| ListPlace::named(file.to_owned()));
        let list = named.unwrap_or_else(|| ListPlace::among(self.snapshots));
        let reloader = Reloader::with_list(self.snapshots.to_owned(), Arc::clone(&networks), list)?;
        let store = CredentialStore::open(self.credentials)?;
        let credentials = accept(store.verifier()?, self.issuer);
        // Dropped last of all, and writes once more then.
        let _recorder = UseRecorder::start(store, credentials.clone())?;
        let metrics = Arc::new(Metrics::new()?);
        let exporter = self.traces.map(|to| Exporter::start(&to, Handle::current())).transpose()?;
        let service = Arc::new(Service {
            networks: Arc::clone(&networks),
            credentials,
            limits: self.limits,
            engines: self.engines,
            language_model: self.language_model,
            turns,
            metrics: Arc::clone(&metrics),
            traces: exporter.as_ref().map(|exporter| Arc::new(Traces::new(exporter.tracer()))),
        });
        let api = bind(self.listen)?;
        let operator = bind(self.admin_listen)?;
        let folder = self.snapshots.display();
        reload_now(&reloader).await.map_err(|error| format!("cannot serve {folder}: {error}"))?;

        let (stop, stopped) = watch::channel(());
        let address = api.local_addr()?;
        let operations =
            Operations { networks, reloader: Arc::clone(&reloader), metrics: Arc::clone(&metrics) };
        let operator_address = operator.local_addr()?;
        let tls = self.tls.map(Arc::new);
        let answering = |router, tls: Option<&Arc<Tls>>| Answering {
            router,
            metrics: Arc::clone(&metrics),
            deadlines: Deadlines::DEFAULT,
            tls: tls.map(Arc::clone),
        };
        let connections = raise_descriptors() / 2;
        let serving = serve(
            api,
            answering(public(service), tls.as_ref()),
            connections.min(CONNECTIONS_MAX),
            until_closed(stopped.clone()),
        );
        let operating = serve(
            operator,
            answering(admin(Arc::new(operations)), None),
            connections.min(ADMIN_CONNECTIONS_MAX),
            until_closed(stopped),
        );
        let (serving, operating) = (tokio::spawn(serving), tokio::spawn(operating));
        let scheme = if tls.is_some() { "https" } else { "http" };
        writeln!(std::io::stderr(), "listening on {scheme}://{address}\nadmin on http://{operator_address}")?;
        ready(address)?;
        if let Some(every) = self.watch {
            tokio::spawn(watch_folder(Arc::clone(&reloader), every));
        }
        signals.reload_until_stop(&reloader, tls.as_deref()).await;
        drop(stop);
        serving.await?;
        operating.await?;
        if let Some(exporter) = exporter {
            exporter.stop().await;
        }
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

    /// Reloads snapshots and certificate at each SIGHUP; returns at SIGTERM or SIGINT.
    async fn reload_until_stop(&mut self, reloader: &Arc<Reloader>, tls: Option<&Tls>) {
        loop {
            tokio::select! {
                _ = self.hangup.recv() => {
                    if let Some(Err(error)) = tls.map(Tls::reload) {
                        tracing::error!(%error, "the old certificate stays in use");
                    }
                    let reloader = Arc::clone(reloader);
                    tokio::spawn(async move { reload_unasked(&reloader).await });
                }
                _ = self.terminate.recv() => return,
                _ = self.interrupt.recv() => return,
            }
        }
    }
}

/// Reloads where nobody waits for an answer: what becomes of it stands in the log.
async fn reload_unasked(reloader: &Arc<Reloader>) {
    if let Err(error) = reload_now(reloader).await {
        tracing::error!(%error, "reload failed");
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
                reload_unasked(&reloader).await;
            }
            Ok(Err(error)) => tracing::warn!(%error, "the snapshots cannot be looked at"),
            Ok(Ok(_)) | Err(_) => {}
        }
    }
}

async fn until_closed(mut stopped: watch::Receiver<()>) {
    while stopped.changed().await.is_ok() {}
}

/// The most connections to the API at once; fewer where the process may not have twice as many files.
const CONNECTIONS_MAX: usize = 16_384;
/// Likewise to the operator's listener.
const ADMIN_CONNECTIONS_MAX: usize = 64;
