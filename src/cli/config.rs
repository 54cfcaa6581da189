//! The configuration: defaults, overridden by a TOML file, overridden by the environment.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use config::{Environment, File, FileFormat};
use serde::Deserialize;

use crate::auth::host_name::HostName;
use crate::auth::jwt::settings::{IssuerSettings, NamedClaims};
use crate::auth::pulled::PulledMark;
use crate::cells::folder::{MARK_FILE, NOTE_FILE};
use crate::cli::config::agents::McpSection;
use crate::cli::config::error::ConfigError;
use crate::cli::config::sections::{
    AdminSection, AsksSection, CellSection, ExplorerSection, ExportsSection, LanguageModelSection,
    LimitsSection, LiveSection, LookUpsSection, OauthSection, OutboundSection, RatesSection, SearchSection,
    ServiceSection, SnapshotsSection, SuppressionsSection, TelemetrySection, TlsSection,
};
use crate::cli::config::variables::Variable;
use crate::language_model::settings::{ApiKey, ProviderSettings};
use crate::limits::{CONNECTIONS_PER_PEER, DRAIN_SECONDS_MAX, PROVIDER_TIMEOUT_MS_DEFAULT};
use crate::live::predecessor::Keep;
use crate::live::reload::InMemory;
use crate::mcp::settings::McpSettings;
use crate::rates::RateSettings;
use crate::search::engine::{Engine, Engines};
use crate::server::peers::PeerBound;
use crate::telemetry::settings::TraceSettings;
use kith::limits::Limits;

mod agents;
mod asks;
pub mod error;
mod exports;
mod faults;
mod page;
mod sections;
pub(crate) mod variables;

/// The configuration. Unknown keys are refused by name.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    limits: LimitsSection,
    search: SearchSection,
    snapshots: SnapshotsSection,
    suppressions: SuppressionsSection,
    language_model: LanguageModelSection,
    oauth: OauthSection,
    tls: TlsSection,
    telemetry: TelemetrySection,
    admin: AdminSection,
    service: ServiceSection,
    outbound: OutboundSection,
    live: LiveSection,
    cell: CellSection,
    rates: RatesSection,
    mcp: McpSection,
    explorer: ExplorerSection,
    look_ups: LookUpsSection,
    asks: AsksSection,
    exports: ExportsSection,
}

impl Config {
    /// The file of further certificate authorities for outgoing requests.
    #[must_use]
    pub fn ca_file(&self) -> Option<&Path> {
        self.outbound.ca_file.as_deref()
    }

    /// Reads `file`, if given, and the overrides of `environment` (`KITH_SECTION__KEY`).
    ///
    /// # Errors
    /// Returns an error if the file cannot be read; else one that names each unknown or mistyped key, and each variable
    /// that is nearly a setting.
    pub fn read(
        file: Option<&Path>,
        environment: impl Iterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let (mut overrides, mut faults) = (HashMap::new(), Vec::new());
        for (name, value) in environment {
            match Variable::of(&name) {
                Variable::Nearly(meant) => faults.push(ConfigError::NearlySetting { got: name, meant }),
                Variable::Key => drop(overrides.insert(name, value)),
                Variable::Log
                | Variable::Flag
                | Variable::Injected
                | Variable::Unknown
                | Variable::Foreign => {}
            }
        }
        let overrides = Environment::with_prefix("KITH")
            .prefix_separator("_")
            .separator("__")
            .try_parsing(true)
            .list_separator(",")
            .with_list_parse_key("search.engines")
            .with_list_parse_key("admin.hosts")
            .with_list_parse_key("service.proxies")
            .with_list_parse_key("service.cors_origins")
            .with_list_parse_key("explorer.logo_hosts")
            .with_list_parse_key("oauth.groups")
            .with_list_parse_key("mcp.hosts")
            .with_list_parse_key("mcp.origins")
            .source(Some(overrides));
        let mut sources = config::Config::builder();
        if let Some(file) = file {
            sources = sources.add_source(File::from(file).format(FileFormat::Toml));
        }
        let merged = sources.add_source(overrides).build().map_err(ConfigError::Unreadable)?;
        let read = merged.clone().try_deserialize().map_err(ConfigError::Unreadable);
        if read.is_err() {
            faults.extend(faults::of_keys::<Self>(merged));
        }
        ConfigError::of(faults)?;
        read
    }

    /// Checks all values for what no key accepts. `variable` returns the value of an environment variable.
    ///
    /// # Errors
    /// Returns all faults as one error.
    pub fn check(&self, variable: impl Fn(&str) -> Option<String>) -> Result<(), ConfigError> {
        let too_great = |(key, set, _): (&'static str, Option<u32>, u32)| {
            set.filter(|&got| got > Limits::MAX).map(|got| ConfigError::TooGreat { key, got })
        };
        let mut faults: Vec<ConfigError> = self.bounds().into_iter().filter_map(too_great).collect();
        let others = [
            self.engines().err(),
            self.language_model(variable).err(),
            self.issuer().err(),
            self.tls().err(),
            self.traces().err(),
            self.admin_hosts().err(),
            self.drain().err(),
            self.session_life().err(),
            self.sign_in().err(),
            self.look_ups().err(),
            self.peers().err(),
            self.cors_origins().err(),
            self.logo_hosts().err(),
            self.base_path().err(),
            self.rates().err(),
            self.in_memory().err(),
            self.mcp(None).err(),
            self.asks(Path::new("")).err(),
            self.exports().err(),
        ];
        faults.extend(others.into_iter().flatten());
        ConfigError::of(faults)
    }

    /// The search engines in service.
    ///
    /// # Errors
    /// Returns an error for an unknown engine.
    pub fn engines(&self) -> Result<Engines, ConfigError> {
        let Some(names) = &self.search.engines else { return Ok(Engines::ALL) };
        let engine = |name: &String| {
            let named = Engine::ALL.into_iter().find(|engine| engine.mode() == name.trim());
            named.ok_or_else(|| ConfigError::UnknownEngine { got: name.clone() })
        };
        names.iter().map(engine).collect()
    }

    /// The pause between two looks at the folder of snapshots; `None` if it is not watched: unset, or 0.
    #[must_use]
    pub fn watch(&self) -> Option<Duration> {
        let seconds = self.snapshots.watch_seconds.filter(|&seconds| seconds > 0);
        seconds.map(|seconds| Duration::from_secs(seconds.into()))
    }

    /// The files of the certificate and of its key, both PEM. `None` without both: then the listener does not use TLS.
    ///
    /// # Errors
    /// Returns an error if only one is named.
    pub fn tls(&self) -> Result<Option<(&Path, &Path)>, ConfigError> {
        match (self.tls.certificate_file.trim(), self.tls.key_file.trim()) {
            ("", "") => Ok(None),
            ("", _) => Err(ConfigError::HalfOfTls("tls.certificate_file")),
            (_, "") => Err(ConfigError::HalfOfTls("tls.key_file")),
            (certificate, key) => Ok(Some((Path::new(certificate), Path::new(key)))),
        }
    }

    /// The list of people to forget; `None` if unset or empty.
    #[must_use]
    pub fn suppressions(&self) -> Option<&Path> {
        self.suppressions.file.as_deref().filter(|file| !file.as_os_str().is_empty())
    }

    /// Further host names of the operator's listener; blank ones are ignored.
    ///
    /// # Errors
    /// Returns an error for an invalid host.
    pub fn admin_hosts(&self) -> Result<Vec<HostName>, ConfigError> {
        let hosts = self.admin.hosts.iter().filter(|host| !host.trim().is_empty());
        hosts
            .map(|host| {
                HostName::parse(host)
                    .ok_or_else(|| ConfigError::NotAHost { key: "admin.hosts", got: host.clone() })
            })
            .collect()
    }

    /// The file with the operator's token; `None` if unset or empty.
    #[must_use]
    pub fn admin_token_file(&self) -> Option<&Path> {
        self.admin.token_file.as_deref().filter(|file| !file.as_os_str().is_empty())
    }

    /// How long both listeners go on answering after a stop signal, unready.
    ///
    /// # Errors
    /// Returns an error if that is more than [`DRAIN_SECONDS_MAX`].
    pub fn drain(&self) -> Result<Duration, ConfigError> {
        match self.service.drain_seconds {
            got if got > DRAIN_SECONDS_MAX => Err(ConfigError::DrainTooLong { got }),
            seconds => Ok(Duration::from_secs(seconds.into())),
        }
    }

    /// The maximum connections of each peer to the API; blank proxies are ignored.
    ///
    /// # Errors
    /// Returns an error if a proxy is neither an address nor a network.
    pub fn peers(&self) -> Result<PeerBound, ConfigError> {
        let set = &self.service;
        let named = set.proxies.iter().filter(|proxy| !proxy.trim().is_empty());
        let parse = |proxy: &String| {
            proxy.parse().map_err(|fault| ConfigError::NotAPeer { got: proxy.clone(), fault })
        };
        let most = set.connections_per_peer.unwrap_or(CONNECTIONS_PER_PEER);
        Ok(PeerBound::new(most as usize, named.map(parse).collect::<Result<_, _>>()?))
    }

    /// The maximum memory of the process, in bytes; `None` if unset or 0: then only the system limits it.
    #[must_use]
    pub fn memory_max_bytes(&self) -> Option<u64> {
        self.service.memory_max_bytes.filter(|&bytes| bytes > 0)
    }

    /// The folder that `kith pull` maintains for this replica; `None` if unset or empty: then it is not a replica of a
    /// cell.
    fn cell_folder(&self) -> Option<&Path> {
        self.cell.folder.as_deref().filter(|folder| !folder.as_os_str().is_empty())
    }

    /// The list of organizations that must be in service for readiness; `None` if any network is enough.
    #[must_use]
    pub fn cell_note(&self) -> Option<PathBuf> {
        self.cell_folder().map(|folder| folder.join(NOTE_FILE))
    }

    /// The mark required for accepting credentials, and its maximum age; `None` if unset or 0.
    ///
    /// # Errors
    /// Returns an error if an age is set without a folder.
    pub fn pulled_mark(&self) -> Result<Option<PulledMark>, ConfigError> {
        match (self.cell.age_max_seconds.filter(|&seconds| seconds > 0), self.cell_folder()) {
            (None, _) => Ok(None),
            (Some(_), None) => Err(ConfigError::AgeWithoutFolder),
            (Some(seconds), Some(folder)) => {
                let age_max = Duration::from_secs(seconds);
                Ok(Some(PulledMark { path: folder.join(MARK_FILE), age_max }))
            }
        }
    }

    /// Returns which networks to keep in memory; a budget of 0 counts as unset.
    ///
    /// # Errors
    /// Returns an error if there is a budget and the previous generation should stay in memory too.
    pub fn in_memory(&self) -> Result<InMemory, ConfigError> {
        match (self.live.budget_bytes.filter(|&bytes| bytes > 0), self.live.keep_changes) {
            (None, false) => Ok(InMemory::All(Keep::InService)),
            (None, true) => Ok(InMemory::All(Keep::OneBefore)),
            (Some(budget), false) => Ok(InMemory::ByNeed { budget }),
            (Some(_), true) => Err(ConfigError::BudgetWithChanges),
        }
    }

    /// The language-model provider; `None` without a `base_url`. `variable` returns the value of an environment
    /// variable.
    ///
    /// # Errors
    /// Returns an error for an invalid value, or if the variable for the key is not set.
    pub fn language_model(
        &self,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<ProviderSettings>, ConfigError> {
        let set = &self.language_model;
        // A blank one counts as unset, so that the environment can turn off what the file turns on.
        let Some(base_url) = set.base_url.as_deref().filter(|base_url| !base_url.trim().is_empty()) else {
            return Ok(None);
        };
        let key = set.api_key_env.as_deref().map(|name| ApiKey::new(name, variable(name).as_deref()));
        let settings = key.transpose().and_then(|key| {
            let timeout_ms = set.timeout_ms.unwrap_or(PROVIDER_TIMEOUT_MS_DEFAULT);
            ProviderSettings::new(base_url, set.model.as_deref().unwrap_or_default(), key, timeout_ms)
        });
        settings.map(Some).map_err(ConfigError::LanguageModel)
    }

    /// The trusted issuer of JWTs; `None` without a JWKS.
    ///
    /// # Errors
    /// Returns an error if a value is invalid or missing, or two exclude each other.
    pub fn issuer(&self) -> Result<Option<IssuerSettings>, ConfigError> {
        let set = &self.oauth;
        let settings = IssuerSettings::new(&set.jwks_url, &set.jwks_file, &set.issuer, &set.audience);
        let bounded = settings.and_then(|settings| {
            let named = NamedClaims {
                user_claim: &set.user_claim,
                organization: &set.org,
                scopes: &set.scope,
                trusts_address: set.trust_email,
            };
            let bounded = settings
                .map(|it| it.bounded(set.jwks_max_age_seconds, set.token_life_max_seconds)?.naming(&named));
            bounded.transpose()
        });
        bounded.map_err(ConfigError::Issuer)
    }

    /// The collector of traces, and the share to sample; `None` if tracing is off.
    ///
    /// # Errors
    /// Returns an error if a value is invalid, or a share is set without an address.
    pub fn traces(&self) -> Result<Option<TraceSettings>, ConfigError> {
        let set = &self.telemetry;
        TraceSettings::new(set.traces_url.as_deref(), set.sample_ratio).map_err(ConfigError::Telemetry)
    }

    /// The rates of credentials; `None` if they are off.
    ///
    /// # Errors
    /// Returns an error if a value is invalid, or a burst is set without a rate.
    pub fn rates(&self) -> Result<Option<RateSettings>, ConfigError> {
        RateSettings::new(self.rates.requests_per_second, self.rates.burst).map_err(ConfigError::Rates)
    }

    /// The agents' endpoint; `None` if it is off. Also lets `issuer`, the issuer of JWTs, issue tokens for agents
    /// alone.
    ///
    /// # Errors
    /// Returns an error if a host, the public URL or an origin is invalid.
    pub fn mcp(&self, issuer: Option<&mut IssuerSettings>) -> Result<Option<McpSettings>, ConfigError> {
        self.mcp.settings(issuer)
    }

    /// The bounds on work.
    ///
    /// # Errors
    /// Returns an error if one is above [`Limits::MAX`].
    pub fn limits(&self) -> Result<Limits, ConfigError> {
        let bound = |(key, set, default): (&'static str, Option<u32>, u32)| match set {
            Some(got) if got > Limits::MAX => Err(ConfigError::TooGreat { key, got }),
            set => Ok(set.unwrap_or(default)),
        };
        let [candidates, target, connector, bridges, bridge, read] = self.bounds();
        Ok(Limits {
            company_candidates: bound(candidates)?,
            edges_per_target: bound(target)?,
            edges_per_connector: bound(connector)?,
            bridges: bound(bridges)?,
            edges_per_bridge: bound(bridge)?,
            edges_read_per_bridge: bound(read)?,
        })
    }

    /// Each bound on work: its key, its set value, and its default.
    fn bounds(&self) -> [(&'static str, Option<u32>, u32); 6] {
        let (set, default) = (&self.limits, Limits::DEFAULT);
        [
            ("limits.company_candidates", set.company_candidates, default.company_candidates),
            ("limits.edges_per_target", set.edges_per_target, default.edges_per_target),
            ("limits.edges_per_connector", set.edges_per_connector, default.edges_per_connector),
            ("limits.bridges", set.bridges, default.bridges),
            ("limits.edges_per_bridge", set.edges_per_bridge, default.edges_per_bridge),
            ("limits.edges_read_per_bridge", set.edges_read_per_bridge, default.edges_read_per_bridge),
        ]
    }
}

#[cfg(test)]
mod tests;
