//! The settings of the trusted issuer, validated: its name, our name for it, and the location of its keys.

use std::path::PathBuf;
use std::time::Duration;

use hyper::Uri;

use crate::auth::jwt::claims::ExpectedClaims;
use crate::auth::scope::Scopes;
use crate::auth::subject::parse_organization_id;
use crate::limits::{
    JWKS_AGE_SECONDS_DEFAULT, JWKS_AGE_SECONDS_MAX, JWKS_AGE_SECONDS_MIN, JWT_LIFE_SECONDS_DEFAULT,
    JWT_LIFE_SECONDS_MAX,
};
use crate::outbound::address;

/// An issuer to trust.
#[derive(Clone, Debug)]
pub struct IssuerSettings {
    pub(crate) expected: ExpectedClaims,
    pub(crate) source: KeySource,
    /// How long keys stay in force after they were last read.
    pub(crate) jwks_age_max: Duration,
}

/// Names of claims that differ between issuers, and defaults for missing ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct NamedClaims<'a> {
    /// The claim with the member's id.
    pub user_claim: &'a str,
    /// The organization of tokens without one.
    pub organization: &'a str,
    /// The scopes of tokens without any, space-separated.
    pub scopes: &'a str,
    /// Whether unverified addresses may identify members.
    pub trusts_address: bool,
}

/// The source of an issuer's keys: a file or an address.
#[derive(Clone, Debug)]
pub(crate) enum KeySource {
    File(PathBuf),
    /// At an address.
    Url(Uri),
}

/// A fault in the settings of an issuer. No message quotes a value: an address may contain a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IssuerSettingsError {
    /// Both a file and an address are named.
    #[error("the configuration keys oauth.jwks_url and oauth.jwks_file are both set; keep one of them")]
    BothSources,
    /// The address is not allowed for keys.
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
    /// The organization's id is invalid.
    #[error("the configuration key oauth.org is not an organization's id, org_…")]
    Organization,
    /// A bound in seconds is out of range.
    #[error("the configuration key {key} is {got}; it can be {least} to {most}")]
    Seconds {
        /// The key of the configuration.
        key: &'static str,
        /// The value found.
        got: u64,
        /// Minimum value.
        least: u64,
        /// Maximum value.
        most: u64,
    },
}

impl IssuerSettings {
    /// Validates a configuration; `None` if it names no keys. A blank value counts as not set, and white space around a
    /// value is ignored.
    ///
    /// # Errors
    /// Returns an error if it names keys and one of the settings is missing or invalid.
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
        let life_seconds_max = JWT_LIFE_SECONDS_DEFAULT;
        let expected = ExpectedClaims {
            issuer,
            audience,
            other_audience: None,
            life_seconds_max,
            user_claim: "sub".to_owned(),
            organization: None,
            scopes: None,
            trusts_address: false,
        };
        Ok(Some(Self { expected, source, jwks_age_max: Duration::from_secs(JWKS_AGE_SECONDS_DEFAULT) }))
    }

    /// The issuer's name, as in its tokens.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.expected.issuer
    }

    /// Also accepts tokens for `audience`, if given.
    pub fn allow_audience(&mut self, audience: Option<String>) {
        self.expected.other_audience = audience;
    }

    /// Sets another claim for the member, and defaults for organization and scopes. A blank text leaves one as it is.
    ///
    /// # Errors
    /// Returns an error for an invalid organization id.
    pub fn naming(mut self, claims: &NamedClaims<'_>) -> Result<Self, IssuerSettingsError> {
        let set = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        if let Some(claim) = set(claims.user_claim) {
            self.expected.user_claim = claim;
        }
        if let Some(org) = set(claims.organization) {
            let org = parse_organization_id(&org).map_err(|_| IssuerSettingsError::Organization)?;
            self.expected.organization = Some(org);
        }
        self.expected.scopes = set(claims.scopes).map(|scopes| Scopes::granted_by(&scopes));
        self.expected.trusts_address = claims.trusts_address;
        Ok(self)
    }

    /// Sets other bounds, in seconds; `None` leaves one as it is. Keys are in force for `jwks_age_max` after they were
    /// last read, and a token may be valid for at most `token_life_max` from now.
    ///
    /// # Errors
    /// Returns an error if one is out of range.
    pub fn bounded(
        mut self,
        jwks_age_max: Option<u64>,
        token_life_max: Option<u64>,
    ) -> Result<Self, IssuerSettingsError> {
        if let Some(got) = jwks_age_max {
            let bounds = (JWKS_AGE_SECONDS_MIN, JWKS_AGE_SECONDS_MAX);
            self.jwks_age_max = Duration::from_secs(within("oauth.jwks_max_age_seconds", got, bounds)?);
        }
        if let Some(got) = token_life_max {
            let bounds = (1, JWT_LIFE_SECONDS_MAX);
            self.expected.life_seconds_max = within("oauth.token_life_max_seconds", got, bounds)?;
        }
        Ok(self)
    }
}

fn within(key: &'static str, got: u64, (least, most): (u64, u64)) -> Result<u64, IssuerSettingsError> {
    if (least..=most).contains(&got) {
        Ok(got)
    } else {
        Err(IssuerSettingsError::Seconds { key, got, least, most })
    }
}

fn keys_address(url: &str) -> Option<Uri> {
    address::parse(url).filter(|address| !address::is_exposed(address))
}

fn required(key: &'static str, value: &str) -> Result<String, IssuerSettingsError> {
    let value = value.trim();
    if value.is_empty() { Err(IssuerSettingsError::Missing { key }) } else { Ok(value.to_owned()) }
}
