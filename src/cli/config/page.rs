//! The page for people: whether it is served, log-in, session life, base path, and the hosts of its pictures; the origins
//! that may read answers; and the log of look-ups.

use std::time::Duration;

use crate::audit::look_ups::LookUpSettings;
use crate::auth::sign_in::settings::{NamedProvider, SignInSettings};
use crate::auth::web_origin::WebOrigin;
use crate::cli::config::Config;
use crate::cli::config::error::ConfigError;
use crate::limits::{
    LOOK_UPS_DAYS_DEFAULT, LOOK_UPS_DAYS_MAX, SESSION_SECONDS_DEFAULT, SESSION_SECONDS_MAX,
    SESSION_SECONDS_MIN,
};

impl Config {
    /// Whether the page for people is served; the default is yes.
    #[must_use]
    pub fn is_page_served(&self) -> bool {
        self.explorer.enabled.unwrap_or(true)
    }

    /// Whether members may have feeds: only if it is turned on.
    #[must_use]
    pub fn has_feeds(&self) -> bool {
        self.explorer.feed
    }

    /// The identity provider for the page's log-in; `None` if no client is named.
    ///
    /// # Errors
    /// Returns an error if a value is missing or invalid, or the client's secret cannot be read.
    pub fn sign_in(&self) -> Result<Option<SignInSettings>, ConfigError> {
        let set = &self.oauth;
        let named = NamedProvider {
            issuer: &set.issuer,
            client_id: &set.client_id,
            client_secret_file: set.client_secret_file.as_deref(),
            sign_in_scope: &set.sign_in_scope,
            groups: &set.groups,
            user_claim: &set.user_claim,
            organization: &set.org,
            scopes: &set.scope,
            trusts_address: set.trust_email,
        };
        SignInSettings::new(&named).map_err(ConfigError::SignIn)
    }

    /// The origins whose web pages may read answers; blank ones are ignored.
    ///
    /// # Errors
    /// Returns an error for an invalid origin.
    pub fn cors_origins(&self) -> Result<Vec<WebOrigin>, ConfigError> {
        let named = self.service.cors_origins.iter().filter(|origin| !origin.trim().is_empty());
        let parse = |origin: &String| {
            let key = "service.cors_origins";
            WebOrigin::parse(origin).ok_or_else(|| ConfigError::NotAnOrigin { key, got: origin.clone() })
        };
        named.map(parse).collect()
    }

    /// The origins whose pictures the page shows as marks of companies; blank hosts are ignored.
    ///
    /// # Errors
    /// Returns an error for an invalid host.
    pub fn logo_hosts(&self) -> Result<Vec<WebOrigin>, ConfigError> {
        let hosts = self.explorer.logo_hosts.iter().filter(|host| !host.trim().is_empty());
        let parse = |host: &String| {
            let key = "explorer.logo_hosts";
            WebOrigin::parse(&format!("https://{}", host.trim()))
                .ok_or_else(|| ConfigError::NotAHost { key, got: host.clone() })
        };
        hosts.map(parse).collect()
    }

    /// The log of look-ups; `None` if its folder is unset or empty.
    ///
    /// # Errors
    /// Returns an error if the days to keep them are out of range.
    pub fn look_ups(&self) -> Result<Option<LookUpSettings>, ConfigError> {
        let folder = self.look_ups.folder.clone().filter(|folder| !folder.as_os_str().is_empty());
        match self.look_ups.days.unwrap_or(LOOK_UPS_DAYS_DEFAULT) {
            days @ 1..=LOOK_UPS_DAYS_MAX => Ok(folder.map(|folder| LookUpSettings { folder, days })),
            got => Err(ConfigError::LookUpDays { got }),
        }
    }

    /// The life of the page's sessions.
    ///
    /// # Errors
    /// Returns an error if it is out of range.
    pub fn session_life(&self) -> Result<Duration, ConfigError> {
        let got = self.explorer.session_seconds.unwrap_or(SESSION_SECONDS_DEFAULT);
        if (SESSION_SECONDS_MIN..=SESSION_SECONDS_MAX).contains(&got) {
            Ok(Duration::from_secs(got))
        } else {
            Err(ConfigError::SessionSeconds { got })
        }
    }

    /// The path below which a proxy serves kith; `None` if it is the root, also by an empty text.
    ///
    /// # Errors
    /// Returns an error if it is not a path such as `/kith`.
    pub fn base_path(&self) -> Result<Option<String>, ConfigError> {
        let Some(path) = self.service.base_path.clone().filter(|path| !path.is_empty()) else {
            return Ok(None);
        };
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-._~".contains(letter);
        let is_segment = |segment: &str| !["", ".", ".."].contains(&segment) && segment.chars().all(is_plain);
        match path.strip_prefix('/') {
            Some(rest) if rest.split('/').all(is_segment) => Ok(Some(path)),
            _ => Err(ConfigError::NotABasePath { got: path }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::config::sections::{ExplorerSection, ServiceSection};

    fn base_path(path: &str) -> Result<Option<String>, ConfigError> {
        let service = ServiceSection { base_path: Some(path.to_owned()), ..ServiceSection::default() };
        Config { service, ..Config::default() }.base_path()
    }

    #[test]
    fn a_base_path_is_one_or_more_plain_segments() {
        for (path, expected) in [("", None), ("/kith", Some("/kith")), ("/a/kith-2", Some("/a/kith-2"))] {
            assert_eq!(base_path(path).ok(), Some(expected.map(str::to_owned)), "{path}");
        }
        for path in
            ["/", "kith", "/kith/", "//kith", "/../kith", "/kith;Path=/", "/k th", "https://a.example/kith"]
        {
            let said = base_path(path).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(said.contains("service.base_path") && said.contains(path), "{path}: {said}");
        }
    }

    #[test]
    fn a_picture_comes_from_hosts_that_are_named_alone() {
        let read = |host: &str| {
            let explorer =
                ExplorerSection { logo_hosts: vec![host.to_owned()], ..ExplorerSection::default() };
            Config { explorer, ..Config::default() }.logo_hosts()
        };
        for (host, origin) in [("a.example", "https://a.example"), (" b.example:81 ", "https://b.example:81")]
        {
            let read = read(host).ok().and_then(|read| read.first().map(|it| it.as_str().to_owned()));
            assert_eq!(read.as_deref(), Some(origin), "{host}");
        }
        assert_eq!(read(" ").ok(), Some(Vec::new()));
        for host in ["*", "*.example", "https://a.example", "a.example/", "a.example; script-src *", "a b"] {
            let said = read(host).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(said.contains("explorer.logo_hosts names") && said.contains(host), "{host}: {said}");
        }
    }
}
