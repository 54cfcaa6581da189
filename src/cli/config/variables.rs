//! Classifies environment variables: settings, and those that only look like one.

use rapidfuzz::distance::osa;

use crate::cli::logs;

/// The prefix of the names of all settings in the environment.
const PREFIX: &str = "KITH_";
/// Between the section and the name of a key.
const SEPARATOR: &str = "__";
/// Every key of the configuration, by its name in the environment after the prefix.
pub(super) const KEYS: &[&str] = &[
    "LIMITS__COMPANY_CANDIDATES",
    "LIMITS__EDGES_PER_TARGET",
    "LIMITS__EDGES_PER_CONNECTOR",
    "LIMITS__BRIDGES",
    "LIMITS__EDGES_PER_BRIDGE",
    "LIMITS__EDGES_READ_PER_BRIDGE",
    "SEARCH__ENGINES",
    "SNAPSHOTS__WATCH_SECONDS",
    "SUPPRESSIONS__FILE",
    "LANGUAGE_MODEL__BASE_URL",
    "LANGUAGE_MODEL__MODEL",
    "LANGUAGE_MODEL__API_KEY_ENV",
    "LANGUAGE_MODEL__TIMEOUT_MS",
    "OAUTH__JWKS_URL",
    "OAUTH__JWKS_FILE",
    "OAUTH__ISSUER",
    "OAUTH__AUDIENCE",
    "OAUTH__JWKS_MAX_AGE_SECONDS",
    "OAUTH__TOKEN_LIFE_MAX_SECONDS",
    "OAUTH__USER_CLAIM",
    "OAUTH__ORG",
    "OAUTH__SCOPE",
    "OAUTH__TRUST_EMAIL",
    "OAUTH__CLIENT_ID",
    "OAUTH__CLIENT_SECRET_FILE",
    "OAUTH__SIGN_IN_SCOPE",
    "OAUTH__GROUPS",
    "TLS__CERTIFICATE_FILE",
    "TLS__KEY_FILE",
    "TELEMETRY__TRACES_URL",
    "TELEMETRY__SAMPLE_RATIO",
    "ADMIN__HOSTS",
    "ADMIN__TOKEN_FILE",
    "SERVICE__DRAIN_SECONDS",
    "SERVICE__CONNECTIONS_PER_PEER",
    "SERVICE__PROXIES",
    "SERVICE__CORS_ORIGINS",
    "SERVICE__BASE_PATH",
    "SERVICE__MEMORY_MAX_BYTES",
    "SERVICE__PUBLIC_URL",
    "OUTBOUND__CA_FILE",
    "LIVE__KEEP_CHANGES",
    "LIVE__BUDGET_BYTES",
    "CELL__FOLDER",
    "CELL__AGE_MAX_SECONDS",
    "RATES__REQUESTS_PER_SECOND",
    "RATES__BURST",
    "MCP__ENABLED",
    "MCP__PUBLIC_URL",
    "MCP__HOSTS",
    "MCP__ORIGINS",
    "EXPLORER__ENABLED",
    "EXPLORER__SESSION_SECONDS",
    "EXPLORER__FEED",
    "EXPLORER__LOGO_HOSTS",
    "LOOK_UPS__FOLDER",
    "LOOK_UPS__DAYS",
    "ASKS__REQUIRED",
    "ASKS__NAME_CONNECTORS",
    "ASKS__PUBLIC_URL",
    "ASKS__PER_CONNECTOR",
    "ASKS__DAYS",
    "ASKS__PER_TARGET_DAYS",
    "EXPORTS__FOLDER",
    "EXPORTS__KEY_FILE",
    "EXPORTS__BYTES_MAX",
];
/// The flags of commands that can be set in the environment, by their names after the prefix.
pub(super) const FLAGS: &[&str] = &["SNAPSHOTS", "CREDENTIALS", "ASKS", "CONFIG", "LISTEN", "ADMIN_LISTEN"];
/// Maximum slips in a misspelt name: letters wrong, missing, extra or swapped with their neighbour...
const SLIPS_MAX: usize = 2;
/// ... and letters a name must have per slip.
const LETTERS_PER_SLIP: usize = 3;

/// The meaning of an environment variable.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Variable {
    /// A key of the configuration, or a refused one.
    Key,
    /// The level of the log.
    Log,
    /// A flag of a command, which the command line reads.
    Flag,
    /// Nearly a setting, so it must be meant as one: the setting.
    Nearly(String),
    /// Set by an orchestrator for a service whose name begins with kith.
    Injected,
    /// Has this program's prefix, but is unknown.
    Unknown,
    /// Another program's variable.
    Foreign,
}

impl Variable {
    /// Returns the kind of the variable `name`.
    pub(crate) fn of(name: &str) -> Self {
        let Some(rest) = name.strip_prefix(PREFIX) else { return Self::Foreign };
        let upper = rest.to_ascii_uppercase();
        if name == logs::VARIABLE {
            Self::Log
        } else if KEYS.contains(&upper.as_str()) {
            Self::Key
        } else if FLAGS.contains(&rest) {
            Self::Flag
        } else if is_injected(rest) {
            Self::Injected
        } else if let Some(meant) = setting_like(&upper) {
            Self::Nearly(format!("{PREFIX}{meant}"))
        } else if rest.contains(SEPARATOR) {
            Self::Key
        } else {
            Self::Unknown
        }
    }
}

/// The setting most similar to `rest`.
fn setting_like(rest: &str) -> Option<&'static str> {
    let settings = KEYS.iter().chain(FLAGS).copied().chain(logs::VARIABLE.strip_prefix(PREFIX));
    let near = settings.filter_map(|setting| Some((slips(rest, setting)?, setting)));
    near.min().map(|(_, setting)| setting)
}

/// The slips between `rest` and `setting`; `None` if they are too many.
fn slips(rest: &str, setting: &str) -> Option<usize> {
    let letters = |name: &str| name.replace('_', "");
    if letters(rest) == letters(setting) {
        return Some(0);
    }
    let most = SLIPS_MAX.min(letters(setting).len() / LETTERS_PER_SLIP);
    let slips = osa::distance(rest.chars(), setting.chars());
    (slips <= most).then_some(slips)
}

/// Whether an orchestrator sets it for a service: `SERVICE_HOST`, `SERVICE_PORT`, `SERVICE_PORT_HTTP`, `PORT`,
/// `PORT_8080_TCP`, `PORT_8080_TCP_ADDR`, and the same after the rest of the service's name.
fn is_injected(rest: &str) -> bool {
    let words: Vec<&str> = rest.split('_').collect();
    // A name between two adjacent underscores is not a service's.
    if words.contains(&"") {
        return false;
    }
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_port = |words: &[&str]| match words {
        ["PORT"] => true,
        ["PORT", number, "TCP" | "UDP" | "SCTP"]
        | ["PORT", number, "TCP" | "UDP" | "SCTP", "PROTO" | "PORT" | "ADDR"] => is_number(number),
        ["SERVICE", "HOST"] | ["SERVICE", "PORT", ..] => true,
        _ => false,
    };
    (0..words.len()).any(|from| is_port(&words[from..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::config::Config;

    #[test]
    fn what_is_nearly_a_setting_is_refused_and_names_the_one_meant() {
        for (name, meant) in [
            ("KITH_SUPPRESSIONS_FILE", "KITH_SUPPRESSIONS__FILE"),
            ("KITH_SUPPRESSION__FILE", "KITH_SUPPRESSIONS__FILE"),
            ("KITH_SUPRESSIONS_FILE", "KITH_SUPPRESSIONS__FILE"),
            ("KITH_suppressions_file", "KITH_SUPPRESSIONS__FILE"),
            ("KITH_SUPPRESSIONS___FILE", "KITH_SUPPRESSIONS__FILE"),
            ("KITH__SUPPRESSIONS__FILE", "KITH_SUPPRESSIONS__FILE"),
            ("KITH_LIMIT__BRIDGES", "KITH_LIMITS__BRIDGES"),
            ("KITH_LIMITS__BRIDGE", "KITH_LIMITS__BRIDGES"),
            ("KITH_TLS_KEY_FILE", "KITH_TLS__KEY_FILE"),
            ("KITH_TLS__KEYFILE", "KITH_TLS__KEY_FILE"),
            ("KITH_LANGUAGEMODEL__BASE_URL", "KITH_LANGUAGE_MODEL__BASE_URL"),
            ("KITH_OAUTH__JWKS_URI", "KITH_OAUTH__JWKS_URL"),
            ("KITH_SNAPSHOT", "KITH_SNAPSHOTS"),
            ("KITH_listen", "KITH_LISTEN"),
            ("KITH_ADMIN__LISTEN", "KITH_ADMIN_LISTEN"),
            ("KITH_LOGS", "KITH_LOG"),
            ("KITH_LGO", "KITH_LOG"),
            ("KITH_log", "KITH_LOG"),
            ("KITH__LOG", "KITH_LOG"),
        ] {
            assert_eq!(Variable::of(name), Variable::Nearly(meant.to_owned()), "{name}");
            let environment = [(name.to_owned(), "x".to_owned())];
            let said = Config::read(None, environment.into_iter()).err().map(|error| error.to_string());
            let said = said.unwrap_or_default();
            assert!(said.contains(name) && said.contains(meant), "{said}");
        }
    }

    #[test]
    fn what_orchestrators_set_is_passed_over_and_the_rest_is_unknown_or_of_others() {
        for name in [
            "KITH_SERVICE_HOST",
            "KITH_SERVICE_PORT",
            "KITH_SERVICE_PORT_HTTP",
            "KITH_SERVICE_PORT_ADMIN_METRICS",
            "KITH_PORT",
            "KITH_PORT_8080_TCP",
            "KITH_PORT_8080_TCP_PROTO",
            "KITH_PORT_8080_TCP_PORT",
            "KITH_PORT_8080_TCP_ADDR",
            "KITH_PORT_53_UDP",
            "KITH_ADMIN_SERVICE_HOST",
            "KITH_ADMIN_PORT_9090_TCP_ADDR",
        ] {
            assert_eq!(Variable::of(name), Variable::Injected, "{name}");
        }
        for name in ["KITH_SCALE", "KITH_REAL_NETWORKS", "KITH_ORG", "KITH_PORT_X_TCP", "KITH_", "KITH_FILE"]
        {
            assert_eq!(Variable::of(name), Variable::Unknown, "{name}");
        }
        for name in ["KITHLOG", "PATH", "MY_KITH_LOG", "kith_log", "KITHS_LOG"] {
            assert_eq!(Variable::of(name), Variable::Foreign, "{name}");
        }
        assert_eq!(Variable::of("KITH_LOG"), Variable::Log);
        for flag in FLAGS {
            let name = format!("{PREFIX}{flag}");
            assert_eq!(Variable::of(&name), Variable::Flag, "{name}");
        }
        for name in ["KITH_SUPPRESSIONS__FILE", "KITH_suppressions__file", "KITH_FRUIT__APPLES"] {
            assert_eq!(Variable::of(name), Variable::Key, "{name}");
        }
    }

    /// The values that the configuration accepts in `place`, from its refusal of any other.
    fn taken(place: &str) -> Vec<String> {
        let name = format!("KITH_{place}");
        let said =
            Config::read(None, [(name, "1".to_owned())].into_iter()).err().map(|error| error.to_string());
        let said = said.unwrap_or_default();
        let (_, expected) = said.split_once("expected ").unwrap_or_default();
        let (expected, _) = expected.split_once(" for key").unwrap_or((expected, ""));
        expected.split('`').skip(1).step_by(2).map(str::to_uppercase).collect()
    }

    #[test]
    fn the_keys_are_those_that_the_configuration_takes() {
        let sections = taken("FRUIT__APPLES");
        assert!(sections.len() > 5, "{sections:?}");
        let keys = |section: &String| {
            let keys = taken(&format!("{section}__WATERMELONS"));
            keys.into_iter().map(move |key| format!("{section}__{key}")).collect::<Vec<_>>()
        };
        let mut taken: Vec<String> = sections.iter().flat_map(keys).collect();
        let mut listed: Vec<String> = KEYS.iter().map(|&key| key.to_owned()).collect();
        taken.sort();
        listed.sort();
        assert_eq!(listed, taken);
    }
}
