//! Why a configuration cannot be taken, a sentence for each cause.

use crate::auth::jwt::settings::IssuerSettingsError;
use crate::auth::sign_in::settings::SignInSettingsError;
use crate::language_model::settings::ProviderSettingsError;
use crate::limits::{DRAIN_SECONDS_MAX, LOOK_UPS_DAYS_MAX, SESSION_SECONDS_MAX, SESSION_SECONDS_MIN};
use crate::rates::RateSettingsError;
use crate::server::peers::PeerNetworkError;
use crate::telemetry::settings::TraceSettingsError;
use kith::limits::Limits;

/// Why a configuration cannot be taken.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Several things are wrong with it: a line for each.
    #[error("{}", lines(.0))]
    Several(Vec<Self>),
    /// It cannot be read, or says something no key takes.
    #[error("the configuration cannot be taken: {0}")]
    Unreadable(config::ConfigError),
    /// A bound is greater than any bound may be.
    #[error("the configuration key {key} is {got}; it can be at most {}", Limits::MAX)]
    TooGreat {
        /// The key.
        key: &'static str,
        /// The value found.
        got: u32,
    },
    /// An age is set of what is pulled, and no folder into which.
    #[error("the configuration key cell.age_max_seconds needs cell.folder, the folder of `kith pull --into`")]
    AgeWithoutFolder,
    /// The networks in memory have a budget, and the generation before is to stay in memory too.
    #[error(
        "the configuration keys live.budget_bytes and live.keep_changes exclude each other: turn one off"
    )]
    BudgetWithChanges,
    /// The path below which a proxy serves kith is none.
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
    /// The language-model provider cannot be asked.
    #[error("{0}")]
    LanguageModel(ProviderSettingsError),
    /// The issuer of JWTs cannot be trusted.
    #[error("{0}")]
    Issuer(IssuerSettingsError),
    /// The page's log-in cannot be set up.
    #[error("{0}")]
    SignIn(SignInSettingsError),
    /// Of a certificate and its key one is named alone; this one is missing.
    #[error("the configuration key {0} is missing; TLS needs both tls.certificate_file and tls.key_file")]
    HalfOfTls(&'static str),
    /// Nothing is asked by such a host.
    #[error("the configuration key {key} names \"{got}\"; it takes names and addresses of hosts")]
    NotAHost {
        /// The key.
        key: &'static str,
        /// The name given.
        got: String,
    },
    /// A proxy is named by something else than an address or a network.
    #[error("the configuration key service.proxies names \"{got}\"; {fault}")]
    NotAPeer {
        /// The name given.
        got: String,
        /// The fault.
        fault: PeerNetworkError,
    },
    /// Web pages do not come from such an origin.
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
    /// A stop would wait for too long.
    #[error("the configuration key service.drain_seconds is {got}; it can be at most {DRAIN_SECONDS_MAX}")]
    DrainTooLong {
        /// The value found.
        got: u32,
    },
    /// Sessions would be too short, or too long.
    #[error(
        "the configuration key explorer.session_seconds is {got}; it can be {SESSION_SECONDS_MIN} to \
             {SESSION_SECONDS_MAX}, 5 minutes to 90 days"
    )]
    SessionSeconds {
        /// The value found.
        got: u64,
    },
    /// Look-ups would be kept for no time, or for too long.
    #[error("the configuration key look_ups.days is {got}; it can be 1 to {LOOK_UPS_DAYS_MAX}")]
    LookUpDays {
        /// The value found.
        got: u32,
    },
    /// Rates cannot be kept to.
    #[error("{0}")]
    Rates(RateSettingsError),
    /// A variable of the environment is nearly a setting.
    #[error("the environment variable {got} is no setting; {meant} is, and may be what is meant")]
    NearlySetting {
        /// The variable.
        got: String,
        /// The setting that it resembles.
        meant: String,
    },
    /// Traces cannot be sent.
    #[error("{0}")]
    Telemetry(TraceSettingsError),
}

impl ConfigError {
    /// One error of all `faults`.
    ///
    /// # Errors
    /// Returns it if there is a fault.
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
