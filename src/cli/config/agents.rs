//! The configuration of the agents' endpoint.

use serde::Deserialize;

use crate::auth::host_name::HostName;
use crate::auth::jwt::settings::IssuerSettings;
use crate::auth::web_origin::WebOrigin;
use crate::cli::config::error::ConfigError;
use crate::mcp::settings::McpSettings;

/// `[mcp]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct McpSection {
    enabled: bool,
    public_url: String,
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl McpSection {
    /// The agents' endpoint, if it is on; blank hosts and origins are ignored. Also lets `issuer`, the issuer of JWTs,
    /// issue tokens for agents alone.
    ///
    /// # Errors
    /// Returns an error if a host, the public URL or an origin is invalid.
    pub(super) fn settings(
        &self,
        issuer: Option<&mut IssuerSettings>,
    ) -> Result<Option<McpSettings>, ConfigError> {
        let set = self;
        let origin = |key, got: &str| match WebOrigin::parse(got) {
            Some(origin) => Ok(origin.as_str().to_owned()),
            None => Err(ConfigError::NotAnOrigin { key, got: got.to_owned() }),
        };
        let host = |host: &String| match HostName::parse(host) {
            Some(_) => Ok(host.trim().to_owned()),
            None => Err(ConfigError::NotAHost { key: "mcp.hosts", got: host.clone() }),
        };
        let named = |list: &[String]| -> Vec<String> {
            list.iter().filter(|name| !name.trim().is_empty()).cloned().collect()
        };
        let url = Some(set.public_url.trim()).filter(|url| !url.is_empty());
        let mut settings = McpSettings {
            public_url: url.map(|url| origin("mcp.public_url", url)).transpose()?,
            hosts: named(&set.hosts).iter().map(host).collect::<Result<_, _>>()?,
            origins: named(&set.origins)
                .iter()
                .map(|got| origin("mcp.origins", got))
                .collect::<Result<_, _>>()?,
            issuer: None,
        };
        if !set.enabled {
            return Ok(None);
        }
        if let Some(issuer) = issuer {
            settings.issuer = Some(issuer.name().to_owned());
            issuer.allow_audience(settings.resource());
        }
        Ok(Some(settings))
    }
}
