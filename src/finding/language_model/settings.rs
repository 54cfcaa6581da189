//! The settings of the provider, validated: an address, a model, a key and a deadline.

use std::fmt;
use std::time::Duration;

use hyper::Uri;
use hyper::header::HeaderValue;

use crate::limits::PROVIDER_TIMEOUT_MS_MAX;
use crate::outbound;

/// Maximum length of a model's name, in bytes.
const MODEL_BYTES_MAX: usize = 200;

/// A provider to ask.
#[derive(Clone, Debug)]
pub struct ProviderSettings {
    pub(crate) address: Uri,
    pub(crate) model: String,
    pub(crate) key: Option<ApiKey>,
    pub(crate) timeout: Duration,
}

/// A provider's key, as the header that carries it. `{:?}` does not show it.
#[derive(Clone)]
pub struct ApiKey(HeaderValue);

/// A fault in the settings of a provider. No message quotes a value: an address may contain a password.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderSettingsError {
    /// The address is invalid.
    #[error(
        "the configuration key language_model.base_url cannot be used; it must be an http or https address \
             without a user, a query or a fragment, as https://api.example.com/v1"
    )]
    Address,
    /// No model is named.
    #[error("the configuration key language_model.model is missing; language_model.base_url needs it")]
    NoModel,
    /// The model's name is too long or contains control characters.
    #[error(
        "the configuration key language_model.model cannot be used; it can be at most {MODEL_BYTES_MAX} \
             bytes without control characters"
    )]
    Model,
    /// The deadline is out of range.
    #[error(
        "the configuration key language_model.timeout_ms is {got}; it can be 1 to {}",
        PROVIDER_TIMEOUT_MS_MAX
    )]
    Timeout {
        /// The requested value, in milliseconds.
        got: u64,
    },
    /// The variable for the key is not set.
    #[error(
        "the configuration key language_model.api_key_env names the environment variable {variable}, \
             which is not set"
    )]
    KeyUnset {
        /// Its name.
        variable: String,
    },
    /// The variable's value cannot be sent as a key.
    #[error(
        "the environment variable {variable}, named by language_model.api_key_env, holds no key; one is \
             visible ASCII characters without spaces"
    )]
    Key {
        /// Its name.
        variable: String,
    },
    /// TLS cannot be set up.
    #[error("TLS cannot be set up for the language-model provider")]
    Tls,
}

impl ProviderSettings {
    /// Validates a configuration. `base_url` is the part before `/chat/completions`.
    ///
    /// # Errors
    /// Returns an error for an invalid setting.
    pub fn new(
        base_url: &str,
        model: &str,
        key: Option<ApiKey>,
        timeout_ms: u64,
    ) -> Result<Self, ProviderSettingsError> {
        let model = model.trim();
        if model.is_empty() {
            return Err(ProviderSettingsError::NoModel);
        }
        if model.len() > MODEL_BYTES_MAX || model.chars().any(char::is_control) {
            return Err(ProviderSettingsError::Model);
        }
        if !(1..=PROVIDER_TIMEOUT_MS_MAX).contains(&timeout_ms) {
            return Err(ProviderSettingsError::Timeout { got: timeout_ms });
        }
        let address = address(base_url.trim()).ok_or(ProviderSettingsError::Address)?;
        Ok(Self { address, model: model.to_owned(), key, timeout: Duration::from_millis(timeout_ms) })
    }
}

/// The address for requests; `None` if `base_url` is not a plain http or https address.
fn address(base_url: &str) -> Option<Uri> {
    // A query would swallow the path added here.
    if base_url.contains('?') {
        return None;
    }
    outbound::address::parse(&format!("{}/chat/completions", base_url.trim_end_matches('/')))
}

impl ApiKey {
    /// The key in the environment variable `variable`, with the value `value`. White space around it, such as a file's
    /// last line break, is removed.
    ///
    /// # Errors
    /// Returns an error if the variable is not set, or its value cannot be a key.
    pub fn new(variable: &str, value: Option<&str>) -> Result<Self, ProviderSettingsError> {
        let named = || variable.to_owned();
        let key = value.ok_or_else(|| ProviderSettingsError::KeyUnset { variable: named() })?.trim();
        if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(ProviderSettingsError::Key { variable: named() });
        }
        let mut header = HeaderValue::from_str(&format!("Bearer {key}"))
            .map_err(|_| ProviderSettingsError::Key { variable: named() })?;
        header.set_sensitive(true);
        Ok(Self(header))
    }

    /// The header value with the key.
    pub(crate) fn header(&self) -> HeaderValue {
        self.0.clone()
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(withheld)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_plain_http_or_https() {
        for (base_url, address) in [
            ("https://api.example.com/v1", Some("https://api.example.com/v1/chat/completions")),
            ("https://api.example.com/v1//", Some("https://api.example.com/v1/chat/completions")),
            ("http://127.0.0.1:11434/v1", Some("http://127.0.0.1:11434/v1/chat/completions")),
            ("http://[::1]:80", Some("http://[::1]:80/chat/completions")),
            (" https://host ", Some("https://host/chat/completions")),
            ("", None),
            ("host/v1", None),
            ("/v1", None),
            ("https://", None),
            ("https:///v1", None),
            ("ftp://host/v1", None),
            ("file:///etc/passwd", None),
            ("https://user:pass@host/v1", None),
            ("https://user@host/v1", None),
            ("https://@host/v1", None),
            ("https://host/v1?key=1", None),
            ("https://host/v1#x", None),
            ("https://host:99999/v1", None),
            ("https://host:/v1", None),
            ("https://ho st/v1", None),
            ("https://host/v1\r\nx: y", None),
        ] {
            let settings =
                ProviderSettings::new(base_url, "m", None, 1).map(|settings| settings.address.to_string());
            assert_eq!(
                settings,
                address.map(str::to_owned).ok_or(ProviderSettingsError::Address),
                "{base_url}"
            );
        }
    }

    #[test]
    fn models_and_deadlines_have_bounds() {
        let long = "m".repeat(MODEL_BYTES_MAX + 1);
        for (model, timeout_ms, refused) in [
            ("m", 1, None),
            (&long[1..], PROVIDER_TIMEOUT_MS_MAX, None),
            (&long, 1, Some(ProviderSettingsError::Model)),
            ("a\u{7}b", 1, Some(ProviderSettingsError::Model)),
            (" ", 1, Some(ProviderSettingsError::NoModel)),
            ("m", 0, Some(ProviderSettingsError::Timeout { got: 0 })),
            ("m", 5_001, Some(ProviderSettingsError::Timeout { got: 5_001 })),
        ] {
            assert_eq!(
                ProviderSettings::new("http://host", model, None, timeout_ms).err(),
                refused,
                "{model}"
            );
        }
    }

    #[test]
    fn a_key_is_never_shown() -> Result<(), ProviderSettingsError> {
        let key = ApiKey::new("KEY", Some("sk-canary\n"))?;
        assert_eq!(key.header().as_bytes(), b"Bearer sk-canary");
        let settings = ProviderSettings::new("http://host", "m", Some(key.clone()), 1)?;
        let shown = format!("{key:?} {settings:?} {settings:#?} {:?}", key.header());
        assert!(!shown.contains("canary"), "{shown}");
        for value in ["canary\u{7f}", "canary é", "canary canary", "canary\r\nx: y", " "] {
            let error = ApiKey::new("KEY", Some(value)).unwrap_err();
            let shown = format!("{error:?} {error}");
            assert!(shown.contains("KEY") && !shown.contains("canary"), "{shown}");
        }
        assert_eq!(
            ApiKey::new("KEY", None).err(),
            Some(ProviderSettingsError::KeyUnset { variable: "KEY".into() })
        );
        Ok(())
    }
}
