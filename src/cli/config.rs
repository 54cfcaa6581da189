//! The configuration: defaults, overridden by a TOML file, overridden by the environment.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use config::{Config, Environment, File, FileFormat};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::language_model::settings::{ApiKey, Settings as LanguageModelSettings, SettingsError};
use crate::limits::Limits;
use crate::search::engine::{Engine, Engines};

/// What the configuration may say. Keys that no part of the service knows are refused by name.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    limits: LimitSettings,
    search: SearchSettings,
    snapshots: SnapshotSettings,
    suppressions: SuppressionSettings,
    language_model: ProviderSettings,
    /// A section of the contract whose feature this version does not have: known, and not used.
    oauth: Option<IgnoredAny>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct LimitSettings {
    company_candidates: Option<u32>,
    edges_per_target: Option<u32>,
    edges_per_connector: Option<u32>,
    bridges: Option<u32>,
    edges_per_bridge: Option<u32>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SearchSettings {
    engines: Option<Vec<String>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SnapshotSettings {
    watch_seconds: Option<u32>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SuppressionSettings {
    file: Option<PathBuf>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ProviderSettings {
    base_url: Option<String>,
    model: Option<String>,
    api_key_env: Option<String>,
    timeout_ms: Option<u64>,
}

/// Why a configuration cannot be taken.
#[derive(Debug)]
pub enum ConfigError {
    /// It cannot be read, or says something no key takes.
    Unreadable(config::ConfigError),
    /// A bound is greater than any bound may be.
    TooGreat {
        /// The key.
        key: &'static str,
        /// What it says.
        got: u32,
    },
    /// There is no such search engine.
    UnknownEngine {
        /// What was named.
        got: String,
    },
    /// The language-model provider cannot be asked.
    LanguageModel(SettingsError),
}

impl Settings {
    /// Reads `file`, if there is one, and what `environment` overrides (`KITH_SECTION__KEY`).
    ///
    /// # Errors
    /// Where a file cannot be read, or a key is unknown or of the wrong kind.
    pub fn read(
        file: Option<&Path>,
        environment: impl Iterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let overrides: HashMap<String, String> =
            environment.filter(|(name, _)| name.starts_with("KITH_") && name.contains("__")).collect();
        let overrides = Environment::with_prefix("KITH")
            .prefix_separator("_")
            .separator("__")
            .try_parsing(true)
            .list_separator(",")
            .with_list_parse_key("search.engines")
            .source(Some(overrides));
        let mut sources = Config::builder();
        if let Some(file) = file {
            sources = sources.add_source(File::from(file).format(FileFormat::Toml));
        }
        let merged = sources.add_source(overrides).build().map_err(ConfigError::Unreadable)?;
        merged.try_deserialize().map_err(ConfigError::Unreadable)
    }

    /// The sections that are set and that nothing in this version reads.
    #[must_use]
    pub fn unused(&self) -> Vec<&'static str> {
        self.oauth.iter().map(|_| "oauth").collect()
    }

    /// The search engines in service.
    ///
    /// # Errors
    /// Where one is named that does not exist.
    pub fn engines(&self) -> Result<Engines, ConfigError> {
        let Some(names) = &self.search.engines else { return Ok(Engines::ALL) };
        let engine = |name: &String| {
            let named = Engine::ALL.into_iter().find(|engine| engine.mode() == name.trim());
            named.ok_or_else(|| ConfigError::UnknownEngine { got: name.clone() })
        };
        names.iter().map(engine).collect()
    }

    /// How often the folder of snapshots is looked at; nothing where it is not watched, which is so
    /// without a number and with 0.
    #[must_use]
    pub fn watch(&self) -> Option<Duration> {
        let seconds = self.snapshots.watch_seconds.filter(|&seconds| seconds > 0);
        seconds.map(|seconds| Duration::from_secs(seconds.into()))
    }

    /// The list of people to forget; nothing where none is named, also not by an empty text.
    #[must_use]
    pub fn suppressions(&self) -> Option<&Path> {
        self.suppressions.file.as_deref().filter(|file| !file.as_os_str().is_empty())
    }

    /// The language-model provider; nothing where it is off, which it is without a `base_url`.
    /// `variable` gives what an environment variable holds.
    ///
    /// # Errors
    /// Where a value cannot be used, or the variable that should hold the key is not set.
    pub fn language_model(
        &self,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<LanguageModelSettings>, ConfigError> {
        let set = &self.language_model;
        // A blank one is none, so that the environment can turn off what the file turns on.
        let Some(base_url) = set.base_url.as_deref().filter(|base_url| !base_url.trim().is_empty()) else {
            return Ok(None);
        };
        let key = set.api_key_env.as_deref().map(|name| ApiKey::new(name, variable(name).as_deref()));
        let settings = key.transpose().and_then(|key| {
            let timeout_ms = set.timeout_ms.unwrap_or(LanguageModelSettings::TIMEOUT_MS_DEFAULT);
            LanguageModelSettings::new(base_url, set.model.as_deref().unwrap_or_default(), key, timeout_ms)
        });
        settings.map(Some).map_err(ConfigError::LanguageModel)
    }

    /// The bounds on work.
    ///
    /// # Errors
    /// Where one is above [`Limits::MAX`].
    pub fn limits(&self) -> Result<Limits, ConfigError> {
        let default = Limits::DEFAULT;
        let bound = |key, set: Option<u32>, default| match set {
            Some(got) if got > Limits::MAX => Err(ConfigError::TooGreat { key, got }),
            set => Ok(set.unwrap_or(default)),
        };
        let set = &self.limits;
        Ok(Limits {
            company_candidates: bound(
                "limits.company_candidates",
                set.company_candidates,
                default.company_candidates,
            )?,
            edges_per_target: bound(
                "limits.edges_per_target",
                set.edges_per_target,
                default.edges_per_target,
            )?,
            edges_per_connector: bound(
                "limits.edges_per_connector",
                set.edges_per_connector,
                default.edges_per_connector,
            )?,
            bridges: bound("limits.bridges", set.bridges, default.bridges)?,
            edges_per_bridge: bound(
                "limits.edges_per_bridge",
                set.edges_per_bridge,
                default.edges_per_bridge,
            )?,
        })
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(out, "the configuration cannot be taken: {error}"),
            Self::TooGreat { key, got } => {
                write!(out, "the configuration key {key} is {got}; it can be at most {}", Limits::MAX)
            }
            Self::UnknownEngine { got } => write!(
                out,
                "the configuration key search.engines names \"{got}\"; the engines are vector, graph and relational"
            ),
            Self::LanguageModel(error) => error.fmt(out),
        }
    }
}

impl Error for ConfigError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(toml: &str, environment: &[(&str, &str)]) -> Result<Limits, Box<dyn Error>> {
        Ok(parsed(toml, environment)?.limits()?)
    }

    #[test]
    fn the_environment_overrides_the_file_and_the_file_the_defaults() -> Result<(), Box<dyn Error>> {
        let toml = "[limits]\nbridges = 3\nedges_per_target = 4\n";
        let limits = read(toml, &[("KITH_LIMITS__BRIDGES", "5"), ("KITH_LOG", "debug"), ("OTHER__X", "1")])?;
        assert_eq!(limits, Limits { bridges: 5, edges_per_target: 4, ..Limits::DEFAULT });
        Ok(())
    }

    fn parsed(toml: &str, environment: &[(&str, &str)]) -> Result<Settings, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("kith.toml");
        std::fs::write(&file, toml)?;
        let environment = environment.iter().map(|&(name, value)| (name.to_owned(), value.to_owned()));
        Ok(Settings::read(Some(&file), environment)?)
    }

    #[test]
    fn sections_that_nothing_reads_yet_are_told() -> Result<(), Box<dyn Error>> {
        let toml = "[search]\nengines = []\n[language_model]\nmodel = \"x\"\n";
        assert_eq!(parsed(toml, &[])?.unused(), [""; 0]);
        assert_eq!(parsed(toml, &[("KITH_OAUTH__ISSUER", "x")])?.unused(), ["oauth"]);
        Ok(())
    }

    #[test]
    fn engines_are_a_list_of_names() -> Result<(), Box<dyn Error>> {
        let (graph, vector) =
            ([Engine::Keyword].into_iter().collect(), [Engine::Vector].into_iter().collect());
        let (both, none) =
            ([Engine::Vector, Engine::Keyword].into_iter().collect(), [].into_iter().collect());
        let file = "[search]\nengines = [\"graph\", \"graph\"]";
        for (toml, environment, engines) in [
            ("", &[][..], Engines::ALL),
            ("[search]", &[], Engines::ALL),
            ("[search]\nengines = [\"vector\", \"graph\", \"relational\"]", &[], Engines::ALL),
            ("[search]\nengines = []", &[], none),
            (file, &[], graph),
            (file, &[("KITH_SEARCH__ENGINES", "graph,vector")], both),
            ("", &[("KITH_SEARCH__ENGINES", "graph, vector")], both),
            ("", &[("KITH_SEARCH__ENGINES", "vector")], vector),
        ] {
            assert_eq!(parsed(toml, environment)?.engines()?, engines, "{toml} {environment:?}");
        }
        for named in ["Graph", "keyword", ""] {
            let told = parsed("", &[("KITH_SEARCH__ENGINES", named)])?
                .engines()
                .err()
                .map(|error| error.to_string());
            assert!(
                told.is_some_and(|told| told.contains(&format!("search.engines names \"{named}\""))),
                "{named}"
            );
        }
        Ok(())
    }

    #[test]
    fn the_folder_is_watched_where_a_number_of_seconds_says_so() -> Result<(), Box<dyn Error>> {
        let file = "[snapshots]\nwatch_seconds = 5";
        let name = "KITH_SNAPSHOTS__WATCH_SECONDS";
        for (toml, environment, seconds) in [
            ("", &[][..], None),
            ("[snapshots]", &[], None),
            (file, &[], Some(5)),
            (file, &[(name, "0")], None),
            ("", &[(name, "60")], Some(60)),
        ] {
            let watch = parsed(toml, environment)?.watch();
            assert_eq!(watch, seconds.map(Duration::from_secs), "{toml} {environment:?}");
        }
        Ok(())
    }

    #[test]
    fn a_list_of_people_to_forget_is_named_by_its_file() -> Result<(), Box<dyn Error>> {
        let (file, name) = ("[suppressions]\nfile = \"a b.txt\"", "KITH_SUPPRESSIONS__FILE");
        for (toml, environment, named) in [
            ("", &[][..], None),
            (file, &[], Some("a b.txt")),
            (file, &[(name, "/c")], Some("/c")),
            (file, &[(name, "")], None),
        ] {
            let settings = parsed(toml, environment)?;
            assert_eq!(settings.suppressions(), named.map(Path::new), "{toml} {environment:?}");
        }
        Ok(())
    }

    /// What is told of a provider: its settings, or nothing where it is off, or the error.
    fn provider(toml: &str, environment: &[(&str, &str)]) -> Result<Option<String>, Box<dyn Error>> {
        let variable = |name: &str| (name == "MY_KEY").then(|| "sk-canary".to_owned());
        Ok(parsed(toml, environment)?.language_model(variable)?.map(|settings| format!("{settings:?}")))
    }

    #[test]
    fn a_language_model_is_off_without_an_address() -> Result<(), Box<dyn Error>> {
        let on = "[language_model]\nbase_url = \"http://host/v1\"\nmodel = \"m\"";
        let address = ("KITH_LANGUAGE_MODEL__BASE_URL", "http://host/v1");
        for (toml, environment, is_on) in [
            ("", &[][..], false),
            ("[language_model]\nmodel = \"m\"\napi_key_env = \"UNSET\"\ntimeout_ms = 0", &[], false),
            (on, &[], true),
            (on, &[("KITH_LANGUAGE_MODEL__BASE_URL", "")], false),
            ("[language_model]\nmodel = \"m\"", &[address], true),
            (
                "",
                &[address, ("KITH_LANGUAGE_MODEL__MODEL", "m"), ("KITH_LANGUAGE_MODEL__TIMEOUT_MS", "7")],
                true,
            ),
        ] {
            assert_eq!(provider(toml, environment)?.is_some(), is_on, "{toml} {environment:?}");
        }
        Ok(())
    }

    #[test]
    fn a_provider_has_two_seconds_and_the_key_that_a_variable_holds() -> Result<(), Box<dyn Error>> {
        let on = "[language_model]\nbase_url = \"http://host/v1\"\nmodel = \"m\"\n";
        let told = provider(&format!("{on}api_key_env = \"MY_KEY\""), &[])?.unwrap_or_default();
        assert!(
            told.contains("timeout: 2s") && told.contains("withheld") && !told.contains("canary"),
            "{told}"
        );
        let told = provider(&format!("{on}timeout_ms = 300"), &[])?.unwrap_or_default();
        assert!(told.contains("timeout: 300ms") && told.contains("key: None"), "{told}");
        for (more, named) in [
            ("api_key_env = \"OTHER_KEY\"", "OTHER_KEY"),
            ("timeout_ms = 0", "language_model.timeout_ms"),
            ("timeout_ms = -1", "timeout_ms"),
            ("key = \"sk-canary\"", "unknown field `key`"),
        ] {
            let told = provider(&format!("{on}{more}"), &[])
                .err()
                .map(|error| error.to_string())
                .unwrap_or_default();
            assert!(told.contains(named) && !told.contains("canary"), "{more}: {told}");
        }
        Ok(())
    }

    #[test]
    fn what_no_key_takes_is_refused_by_name() {
        for (toml, environment, named) in [
            ("[limits]\nbridge = 3", &[][..], "bridge"),
            ("[limit]\nbridges = 3", &[], "limit"),
            ("[limits]\nbridges = -1", &[], "bridges"),
            ("[limits]\nbridges = \"x\"", &[], "bridges"),
            ("[limits]\nbridges = 1000001", &[], "limits.bridges"),
            ("", &[("KITH_LIMITS__EDGES", "1")], "edges"),
            ("[snapshots]\nwatch_seconds = -1", &[], "watch_seconds"),
            ("[snapshots]\nwatch = 1", &[], "watch"),
            ("[suppressions]\npath = \"x\"", &[], "path"),
            ("[search]\nengine = [\"graph\"]", &[], "engine"),
            ("[search]\nengines = 3", &[], "engines"),
            ("[language_model]\nurl = \"x\"", &[], "url"),
            ("[limits\n", &[], "kith.toml"),
        ] {
            let told = read(toml, environment).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(told.contains(named), "{toml}: {told}");
        }
    }
}
