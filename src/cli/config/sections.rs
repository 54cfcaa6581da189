//! The sections of the configuration, key by key.

use std::path::PathBuf;

use serde::Deserialize;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ExplorerSection {
    pub(super) enabled: Option<bool>,
    pub(super) session_seconds: Option<u64>,
    pub(super) feed: bool,
    pub(super) logo_hosts: Vec<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct LookUpsSection {
    pub(super) folder: Option<PathBuf>,
    pub(super) days: Option<u32>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct AdminSection {
    pub(super) hosts: Vec<String>,
    pub(super) token_file: Option<PathBuf>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ServiceSection {
    pub(super) drain_seconds: u32,
    pub(super) connections_per_peer: Option<u32>,
    pub(super) proxies: Vec<String>,
    pub(super) cors_origins: Vec<String>,
    pub(super) base_path: Option<String>,
    pub(super) memory_max_bytes: Option<u64>,
    pub(super) public_url: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct OutboundSection {
    pub(super) ca_file: Option<PathBuf>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct CellSection {
    pub(super) folder: Option<PathBuf>,
    pub(super) age_max_seconds: Option<u64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct LiveSection {
    pub(super) keep_changes: bool,
    pub(super) budget_bytes: Option<u64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct LimitsSection {
    pub(super) company_candidates: Option<u32>,
    pub(super) edges_per_target: Option<u32>,
    pub(super) edges_per_connector: Option<u32>,
    pub(super) bridges: Option<u32>,
    pub(super) edges_per_bridge: Option<u32>,
    pub(super) edges_read_per_bridge: Option<u32>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SearchSection {
    pub(super) engines: Option<Vec<String>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SnapshotsSection {
    pub(super) watch_seconds: Option<u32>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SuppressionsSection {
    pub(super) file: Option<PathBuf>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct LanguageModelSection {
    pub(super) base_url: Option<String>,
    pub(super) model: Option<String>,
    pub(super) api_key_env: Option<String>,
    pub(super) timeout_ms: Option<u64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct TlsSection {
    pub(super) certificate_file: String,
    pub(super) key_file: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct TelemetrySection {
    pub(super) traces_url: Option<String>,
    pub(super) sample_ratio: Option<f64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RatesSection {
    pub(super) requests_per_second: Option<f64>,
    // A whole number, but read as any number: the reader would round it.
    pub(super) burst: Option<f64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct AsksSection {
    pub(super) required: Option<bool>,
    pub(super) name_connectors: Option<bool>,
    pub(super) public_url: Option<String>,
    pub(super) per_connector: Option<u32>,
    pub(super) days: Option<u32>,
    pub(super) per_target_days: Option<u32>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ExportsSection {
    pub(super) folder: Option<PathBuf>,
    pub(super) key_file: Option<PathBuf>,
    pub(super) bytes_max: Option<u64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct OauthSection {
    pub(super) jwks_url: String,
    pub(super) jwks_file: String,
    pub(super) issuer: String,
    pub(super) audience: String,
    pub(super) jwks_max_age_seconds: Option<u64>,
    pub(super) token_life_max_seconds: Option<u64>,
    pub(super) user_claim: String,
    pub(super) org: String,
    pub(super) scope: String,
    pub(super) trust_email: bool,
    pub(super) client_id: String,
    pub(super) client_secret_file: Option<PathBuf>,
    pub(super) sign_in_scope: String,
    pub(super) groups: Vec<String>,
}
