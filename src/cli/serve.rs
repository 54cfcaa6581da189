//! `kith serve`: serves a folder of snapshots until stopped.

use std::error::Error;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

use crate::auth::jwt::Issuer;
use crate::auth::operator_token::OperatorToken;
use crate::cli::addresses::listening;
use crate::cli::config::Config;
use crate::cli::config::error::ConfigError;
use crate::cli::config::variables::Variable;
use crate::cli::drafts;
use crate::cli::environment;
use crate::cli::logs;
use crate::cli::version;
use crate::language_model::LanguageModel;
use crate::outbound::authorities;
use crate::server::tls::Tls;
use crate::service::host::Host;
use crate::service::run::run;
use crate::service::setup::Setup;

/// Serve a folder of snapshots.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kith serve --snapshots snapshots --credentials credentials.db
  kith serve --snapshots snapshots --credentials credentials.db \\
    --listen localhost:0 --config kith.toml")]
pub struct ServeCommand {
    /// The folder with the snapshots (*.kith), one for each organization
    #[arg(long, value_name = "DIR", env = "KITH_SNAPSHOTS")]
    snapshots: PathBuf,
    /// The credential store; made if there is none
    #[arg(long, value_name = "FILE", env = "KITH_CREDENTIALS")]
    credentials: PathBuf,
    /// The list of people to forget; if none is named, suppressions.txt among the snapshots
    #[arg(long, value_name = "FILE")]
    suppressions: Option<PathBuf>,
    /// The file of asks, which `kith ask create` makes; without it none are kept
    #[arg(long, value_name = "FILE", env = "KITH_ASKS", hide_env_values = true)]
    asks: Option<PathBuf>,
    /// The address of the API; port 0 picks a free one
    #[arg(long, value_name = "ADDR", env = "KITH_LISTEN", default_value = "127.0.0.1:8080", value_parser = listening)]
    listen: SocketAddr,
    /// The address of the operator's listener; keep it off public addresses
    #[arg(
        long,
        value_name = "ADDR",
        env = "KITH_ADMIN_LISTEN",
        default_value = "127.0.0.1:9090",
        value_parser = listening
    )]
    admin_listen: SocketAddr,
    /// The folder of the exports that colleagues bring, which `kith exports create` makes; without it they bring none
    #[arg(long, value_name = "DIR", requires_all = ["exports_key", "public_url"])]
    exports: Option<String>,
    /// The key of that folder
    #[arg(long, value_name = "FILE")]
    exports_key: Option<String>,
    /// The address by which people reach the server, for the links that it makes
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// For how many days people stay logged in to the page, instead of 12 hours; at most 90
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u64).range(1..=90))]
    session_days: Option<u64>,
    /// Look at the folder every so many seconds, and take up what is new
    #[arg(long, value_name = "SECONDS")]
    watch_seconds: Option<u32>,
    /// The configuration, a TOML file
    #[arg(long, value_name = "FILE", env = "KITH_CONFIG")]
    config: Option<PathBuf>,
}

impl ServeCommand {
    /// `error` with the configuration file's name before each line about it, if a file is given.
    fn in_config(&self, error: &ConfigError) -> String {
        let lines = error.to_string();
        let named = |line: &str| match &self.config {
            Some(file) if line.contains("the configuration") => format!("{}: {line}", file.display()),
            _ => line.to_owned(),
        };
        lines.lines().map(named).collect::<Vec<_>>().join("\n")
    }

    /// The flags that stand for keys of the configuration, as the variables of these.
    fn keys(&self) -> impl Iterator<Item = (String, String)> {
        let seconds = self.session_days.map(|days| (days * 24 * 60 * 60).to_string());
        let keys = [
            ("KITH_EXPORTS__FOLDER", self.exports.clone()),
            ("KITH_EXPORTS__KEY_FILE", self.exports_key.clone()),
            ("KITH_SERVICE__PUBLIC_URL", self.public_url.clone()),
            ("KITH_EXPLORER__SESSION_SECONDS", seconds),
            ("KITH_SNAPSHOTS__WATCH_SECONDS", self.watch_seconds.map(|seconds| seconds.to_string())),
        ];
        keys.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)))
    }

    /// Serves until SIGTERM or SIGINT.
    ///
    /// # Errors
    /// Returns an error if the configuration, the credentials, the folder or an address cannot be used.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let _logs = logs::start_json(environment::lossy(logs::VARIABLE).as_deref())?;
        let settings = Config::read(self.config.as_deref(), environment::variables().chain(self.keys()));
        let settings = settings.map_err(|error| self.in_config(&error))?;
        for (name, _) in environment::variables().filter(|(name, _)| Variable::of(name) == Variable::Unknown)
        {
            tracing::warn!(variable = name, "an environment variable begins with KITH_ and is no setting");
        }
        settings.check(environment::variable).map_err(|error| self.in_config(&error))?;
        settings.ca_file().map(authorities::trust).transpose()?;
        drafts::sweep(&self.snapshots);
        let mut issuer = settings.issuer()?;
        let mcp = settings.mcp(issuer.as_mut())?;
        let setup = Setup {
            snapshots: &self.snapshots,
            credentials: &self.credentials,
            suppressions: self.suppressions.as_deref().or(settings.suppressions()),
            listen: self.listen,
            listen_else: None,
            admin_listen: self.admin_listen,
            admin_hosts: settings.admin_hosts()?,
            admin_token: settings.admin_token_file().map(OperatorToken::read).transpose()?,
            drain: settings.drain()?,
            memory_max_bytes: settings.memory_max_bytes(),
            limits: settings.limits()?,
            cell_note: settings.cell_note(),
            pulled_mark: settings.pulled_mark()?,
            in_memory: settings.in_memory()?,
            rates: settings.rates()?,
            earlier: None,
            engines: settings.engines()?,
            watch: settings.watch(),
            language_model: LanguageModel::new(settings.language_model(environment::variable)?.as_ref())?,
            issuer: issuer.as_ref().map(Issuer::new).transpose()?,
            peers: settings.peers()?,
            cors_origins: settings.cors_origins()?,
            base_path: settings.base_path()?,
            mcp,
            is_page_served: settings.is_page_served(),
            has_feeds: settings.has_feeds(),
            logo_hosts: settings.logo_hosts()?,
            session_life: settings.session_life()?,
            sign_in: settings.sign_in()?,
            look_ups: settings.look_ups()?,
            takes_links: false,
            login_link: None,
            asks: self.asks.as_deref().map(|file| settings.asks(file)).transpose()?,
            exports: settings.exports()?,
            import: None,
            tls: settings.tls()?.map(|(certificate, key)| Tls::read(certificate, key)).transpose()?,
            ends_at_hangup: false,
            traces: settings.traces()?,
        };
        run(setup, Host::new()?, |_| {
            tracing::info!(
                version = version::short(),
                snapshots = %self.snapshots.display(),
                credentials = %self.credentials.display(),
                config = self.config.as_deref().map(|file| tracing::field::display(file.display())),
                "serves"
            );
            Ok(())
        })
    }
}
