//! `service.base_path`: the path below which a proxy serves kith.

use crate::cli::config::Config;
use crate::cli::config::error::ConfigError;

impl Config {
    /// The path below which a proxy serves kith; `None` if it is the root, also by an empty text.
    ///
    /// # Errors
    /// Returns an error if it is no path such as `/kith`.
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
    use crate::cli::config::sections::ServiceSection;

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
}
