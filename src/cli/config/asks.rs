//! The section `asks`.

use std::path::Path;

use kith::asks::caps::AskCaps;

use crate::ask_file::service::AskSettings;
use crate::cli::config::Config;
use crate::cli::config::error::ConfigError;

impl Config {
    /// The settings of the asks at `place`.
    ///
    /// # Errors
    /// Returns an error if the connectors' address is not a web origin.
    pub fn asks(&self, place: &Path) -> Result<AskSettings, ConfigError> {
        let set = &self.asks;
        let defaults = AskCaps::default();
        Ok(AskSettings {
            place: place.to_owned(),
            caps: AskCaps {
                per_connector: set.per_connector.unwrap_or(defaults.per_connector),
                days: set.days.unwrap_or(defaults.days),
                per_target_days: set.per_target_days.unwrap_or(defaults.per_target_days),
            },
            is_required: set.required.unwrap_or(true),
            names_connectors: set.name_connectors.unwrap_or(true),
            public_url: self.public_url("asks.public_url", set.public_url.as_deref())?,
        })
    }
}
