//! Which issuer is trusted, checked: its name, our name for it, and where its keys are.

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
    /// So long after they were last read, keys are in force.
    pub(crate) jwks_age_max: Duration,
}

/// How an issuer names what others name otherwise, or not at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NamedClaims<'a> {
    /// The claim that says who the member is.
    pub user_claim: &'a str,
    /// The organization of tokens that name none.
    pub organization: &'a str,
    /// The scopes of tokens that name none, space-separated.
    pub scopes: &'a str,
    /// Whether addresses say who a member is without having been verified.
    pub trusts_address: bool,
}

/// The source of an issuer's keys: a file or an address.
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
    /// The organization is no id.
    #[error("the configuration key oauth.org is not an organization's id, org_…")]
    Organization,
    /// A bound in seconds is outside of what it may be.
    #[error("the configuration key {key} is {got}; it can be {least} to {most}")]
    Seconds {
        /// The key of the configuration.
        key: &'static str,
        /// The value found.
        got: u64,
        /// The least it can be.
        least: u64,
        /// The most it can be.
        most: u64,
    },
}

impl IssuerSettings {
    /// Checks what a configuration says. Returns `None` if it names no keys. A blank value counts as not set,
    /// and white space around a value is left out.
    ///
    /// # Errors
    /// Returns an error if it names keys and one of the settings is missing or cannot be used.
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

    /// The issuer's name, as its tokens have it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.expected.issuer
    }

    /// Accepts tokens for `audience` too, if there is one.
    pub fn allow_audience(&mut self, audience: Option<String>) {
        self.expected.other_audience = audience;
    }

    /// The same for an issuer that says otherwise who the member is, or does not say the organization or the scopes. A blank
    /// text leaves one as it is.
    ///
    /// # Errors
    /// Returns an error for an organization that is no id.
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

    /// The same with other bounds, in seconds; `None` leaves one as it is. Keys are in force until they were last
    /// read `jwks_age_max` ago, and a token may hold for `token_life_max` from now on.
    ///
    /// # Errors
    /// Returns an error if one is outside of what it may be.
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
