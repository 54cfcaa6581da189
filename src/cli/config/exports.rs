//! The section `exports`, and the address by which others reach the service.

use crate::auth::link::{is_readable_by_others, public_address};
use crate::cli::config::Config;
use crate::cli::config::error::ConfigError;
use crate::exports::service::ExportSettings;
use crate::limits::EXPORTS_BYTES_DEFAULT;

impl Config {
    /// The settings of the exports that colleagues bring; `None` without a folder, also by an empty text.
    ///
    /// # Errors
    /// Returns an error if the key or the address is missing, or the address would show their files to others.
    pub fn exports(&self) -> Result<Option<ExportSettings>, ConfigError> {
        let set = &self.exports;
        let named =
            |path: &Option<std::path::PathBuf>| path.clone().filter(|path| !path.as_os_str().is_empty());
        let (folder, key_file) = match (named(&set.folder), named(&set.key_file)) {
            (None, None) => return Ok(None),
            (Some(folder), Some(key_file)) => (folder, key_file),
            (None, Some(_)) => return Err(ConfigError::PartOfExports("exports.folder")),
            (Some(_), None) => return Err(ConfigError::PartOfExports("exports.key_file")),
        };
        let url = self.public_url("asks.public_url", self.asks.public_url.as_deref())?;
        let public_url = url.ok_or(ConfigError::PartOfExports("service.public_url"))?;
        if is_readable_by_others(&public_url) {
            return Err(ConfigError::ExportsWithoutTls { got: public_url });
        }
        let bytes_max = set.bytes_max.unwrap_or(EXPORTS_BYTES_DEFAULT);
        Ok(Some(ExportSettings { folder, key_file, bytes_max, public_url }))
    }

    /// The address by which others reach the service, for their links: `own`, the value of `key`, else `service.public_url`.
    ///
    /// # Errors
    /// Returns an error if it is no web address.
    pub(super) fn public_url(
        &self,
        key: &'static str,
        own: Option<&str>,
    ) -> Result<Option<String>, ConfigError> {
        let of_service = ("service.public_url", self.service.public_url.as_deref());
        let mut named = [(key, own), of_service].into_iter();
        let named =
            named.find_map(|(key, url)| Some((key, url.map(str::trim).filter(|url| !url.is_empty())?)));
        let address = |(key, url): (&'static str, &str)| {
            public_address(url).ok_or_else(|| ConfigError::NotAnOrigin { key, got: url.to_owned() })
        };
        named.map(address).transpose()
    }
}
