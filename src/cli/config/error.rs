//! Why a configuration is refused, one sentence per cause.

use crate::auth::jwt::settings::IssuerSettingsError;
use crate::auth::sign_in::settings::SignInSettingsError;
use crate::language_model::settings::ProviderSettingsError;
use crate::limits::{DRAIN_SECONDS_MAX, LOOK_UPS_DAYS_MAX, SESSION_SECONDS_MAX, SESSION_SECONDS_MIN};
use crate::rates::RateSettingsError;
use crate::server::peers::PeerNetworkError;
use crate::telemetry::settings::TraceSettingsError;
use kith::limits::Limits;

/// Why a configuration is refused.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Several faults, one line each.
    #[error("{}", lines(.0))]
    Several(Vec<Self>),
    /// It cannot be read, or has an unknown key or value.
    #[error("the configuration cannot be taken: {0}")]
    Unreadable(config::ConfigError),
    /// A bound exceeds the maximum.
    #[error("the configuration key {key} is {got}; it can be at most {}", Limits::MAX)]
    TooGreat {
        /// The key.
        key: &'static str,
        /// The value found.
        got: u32,
    },
    /// A maximum age of pulled data without a folder for them.
    #[error("the configuration key cell.age_max_seconds needs cell.folder, the folder of `kith pull --into`")]
    AgeWithoutFolder,
    /// The networks in memory have a budget, but the previous generation should stay in memory too.
    #[error(
        "the configuration keys live.budget_bytes and live.keep_changes exclude each other: turn one off"
    )]
    BudgetWithChanges,
    /// The path below which a proxy serves kith is invalid.
    #[error(
        "the configuration key service.base_path is \"{got}\"; expected a path such as /kith, without a / at its end"
    )]
    NotABasePath {
        /// The value found.
        got: String,
    },
    /// There is no such search engine.
    #[error(
        "the configuration key search.engines names \"{got}\"; the engines are vector, graph and relational"
    )]
    UnknownEngine {
        /// The name given.
        got: String,
    },
    /// The language-model provider's settings are invalid.
    #[error("{0}")]
    LanguageModel(ProviderSettingsError),
    /// The issuer's settings are invalid.
    #[error("{0}")]
    Issuer(IssuerSettingsError),
    /// The settings of the page's log-in are invalid.
    #[error("{0}")]
    SignIn(SignInSettingsError),
    /// Only one of certificate and key is set; this one is missing.
    #[error("the configuration key {0} is missing; TLS needs both tls.certificate_file and tls.key_file")]
    HalfOfTls(&'static str),
    /// The host is invalid.
    #[error("the configuration key {key} names \"{got}\"; it takes names and addresses of hosts")]
    NotAHost {
        /// The key.
        key: &'static str,
        /// The name given.
        got: String,
    },
    /// The proxy is neither an address nor a network.
    #[error("the configuration key service.proxies names \"{got}\"; {fault}")]
    NotAPeer {
        /// The name given.
        got: String,
        /// The fault.
        fault: PeerNetworkError,
    },
    /// The origin is not one that browsers send.
    #[error(
        "the configuration key {key} names \"{got}\"; it takes origins as browsers send them, such as \
         https://app.example.com: in lower case, without a path, and without the port that the scheme has anyway"
    )]
    NotAnOrigin {
        /// The key.
        key: &'static str,
        /// The name given.
        got: String,
    },
    /// Exports are kept by three keys, and this one is missing.
    #[error(
        "the configuration key {0} is missing; exports need exports.folder, exports.key_file and service.public_url"
    )]
    PartOfExports(&'static str),
    /// Colleagues would send their files where others can read them on the way.
    #[error(
        "colleagues would send their exports to {got}, where others can read them on the way; set service.public_url to the \
         https:// address of the service (docs/deployment.md)"
    )]
    ExportsWithoutTls {
        /// The address.
        got: String,
    },
    /// A stop would wait for too long.
    #[error("the configuration key service.drain_seconds is {got}; it can be at most {DRAIN_SECONDS_MAX}")]
    DrainTooLong {
        /// The value found.
        got: u32,
    },
    /// The life of sessions is out of range.
    #[error(
        "the configuration key explorer.session_seconds is {got}; it can be {SESSION_SECONDS_MIN} to \
             {SESSION_SECONDS_MAX}, 5 minutes to 90 days"
    )]
    SessionSeconds {
        /// The value found.
        got: u64,
    },
    /// The days to keep look-ups are out of range.
    #[error("the configuration key look_ups.days is {got}; it can be 1 to {LOOK_UPS_DAYS_MAX}")]
    LookUpDays {
        /// The value found.
        got: u32,
    },
    /// The rates are invalid.
    #[error("{0}")]
    Rates(RateSettingsError),
    /// A variable of the environment is nearly a setting.
    #[error("the environment variable {got} is no setting; {meant} is, and may be what is meant")]
    NearlySetting {
        /// The variable.
        got: String,
        /// The setting it resembles.
        meant: String,
    },
    /// The trace settings are invalid.
    #[error("{0}")]
    Telemetry(TraceSettingsError),
}

impl ConfigError {
    /// Combines `faults` into one error.
    ///
    /// # Errors
    /// Returns it unless there are none.
    pub(super) fn of(mut faults: Vec<Self>) -> Result<(), Self> {
        match faults.len() {
            0 => Ok(()),
            1 => faults.pop().map_or(Ok(()), Err),
            _ => Err(Self::Several(faults)),
        }
    }
}

fn lines(faults: &[ConfigError]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
