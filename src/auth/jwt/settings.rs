//! Which issuer is trusted, checked: its name, our name for it, and where its keys are.

use std::path::PathBuf;

use hyper::Uri;

use crate::auth::jwt::claims::ExpectedClaims;
use crate::outbound::address;

/// An issuer to trust.
#[derive(Clone, Debug)]
pub struct IssuerSettings {
    pub(crate) expected: ExpectedClaims,
    pub(crate) source: KeySource,
}

/// Where the keys of an issuer are.
#[derive(Clone, Debug)]
pub(crate) enum KeySource {
    /// In a file.
    File(PathBuf),
    /// At an address.
    Url(Uri),
}

/// What is wrong with the settings of an issuer. No message holds a value: an address may have a
/// secret in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IssuerSettingsError {
    /// Both a file and an address are named.
    #[error("the configuration keys oauth.jwks_url and oauth.jwks_file are both set; keep one of them")]
    BothSources,
    /// The address is not one that keys may come from.
    #[error(
        "the configuration key oauth.jwks_url cannot be used; it must be an https address without a \
             user or a fragment, or an http address on this machine"
    )]
    Url,
    /// The issuer's name, or ours, is missing.
    #[error("the configuration key {key} is missing; the JWKS that oauth names needs it")]
    Missing {
        /// The key of the configuration.
        key: &'static str,
    },
}

impl IssuerSettings {
    /// Checks what a configuration says; nothing where no keys are named. What is blank is not set, and
    /// white space around a value is left out.
    ///
    /// # Errors
    /// Where it names keys, and something of it cannot be used or is missing.
    pub fn new(
        jwks_url: &str,
        jwks_file: &str,
        issuer: &str,
        audience: &str,
    ) -> Result<Option<Self>, IssuerSettingsError> {
        let source = match (jwks_url.trim(), jwks_file.trim()) {
            ("", "") => return Ok(None),
            ("", file) => KeySource::File(file.into()),
            (url, "") => KeySource::Url(keys_address(url).ok_or(IssuerSettingsError::Url)?),
            _ => return Err(IssuerSettingsError::BothSources),
        };
        let issuer = required("oauth.issuer", issuer)?;
        let audience = required("oauth.audience", audience)?;
        Ok(Some(Self { expected: ExpectedClaims { issuer, audience }, source }))
    }
}

fn keys_address(url: &str) -> Option<Uri> {
    address::parse(url).filter(|address| !address::is_exposed(address))
}

fn required(key: &'static str, value: &str) -> Result<String, IssuerSettingsError> {
    let value = value.trim();
    if value.is_empty() { Err(IssuerSettingsError::Missing { key }) } else { Ok(value.to_owned()) }
}
