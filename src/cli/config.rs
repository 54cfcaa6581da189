//! The configuration: defaults, overridden by a TOML file, overridden by the environment.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::path::Path;

use config::{Config, Environment, File, FileFormat};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::limits::Limits;

/// What the configuration may say. Keys that no part of the service knows are refused by name.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    limits: LimitSettings,
    /// Sections of the contract whose features this version does not have: known, and not used.
    search: Option<IgnoredAny>,
    language_model: Option<IgnoredAny>,
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
        let sections =
            [("search", self.search), ("language_model", self.language_model), ("oauth", self.oauth)];
        sections.iter().filter(|(_, set)| set.is_some()).map(|&(name, _)| name).collect()
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
        }
    }
}

impl Error for ConfigError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(toml: &str, environment: &[(&str, &str)]) -> Result<Limits, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("kith.toml");
        std::fs::write(&file, toml)?;
        let environment = environment.iter().map(|&(name, value)| (name.to_owned(), value.to_owned()));
        Ok(Settings::read(Some(&file), environment)?.limits()?)
    }

    #[test]
    fn the_environment_overrides_the_file_and_the_file_the_defaults() -> Result<(), Box<dyn Error>> {
        let toml = "[limits]\nbridges = 3\nedges_per_target = 4\n";
        let limits = read(toml, &[("KITH_LIMITS__BRIDGES", "5"), ("KITH_LOG", "debug"), ("OTHER__X", "1")])?;
        assert_eq!(limits, Limits { bridges: 5, edges_per_target: 4, ..Limits::DEFAULT });
        Ok(())
    }

    #[test]
    fn sections_that_nothing_reads_yet_are_told() -> Result<(), Box<dyn Error>> {
        let environment = [("KITH_SEARCH__ENGINES".to_owned(), "graph".to_owned())];
        assert_eq!(Settings::read(None, environment.into_iter())?.unused(), ["search"]);
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
            ("[limits\n", &[], "kith.toml"),
        ] {
            let told = read(toml, environment).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(told.contains(named), "{toml}: {told}");
        }
    }
}
