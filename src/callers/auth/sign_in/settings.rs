//! The settings of the identity provider and of our client, validated.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use hyper::Uri;

use crate::auth::jwt::claims::ExpectedClaims;
use crate::auth::scope::Scopes;
use crate::auth::subject::parse_organization_id;
use crate::limits::{CLIENT_SECRET_BYTES_MAX, JWKS_AGE_SECONDS_DEFAULT};
use crate::outbound::address;
use crate::regular_file;

/// The scopes to request if the operator names none.
const SCOPE: &str = "openid email";

/// A provider to sign in at.
#[derive(Clone)]
pub struct SignInSettings {
    /// The expected claims of ID tokens; the audience is the client's id.
    pub(crate) expected: ExpectedClaims,
    pub(crate) client_secret: Option<String>,
    /// The scopes to request.
    pub(crate) scope: String,
    /// The user must be in one of these groups, unless the list is empty.
    pub(crate) groups: Vec<String>,
    pub(crate) discovery: Uri,
    pub(crate) jwks_age_max: Duration,
}

/// A provider as the configuration names it.
#[derive(Clone, Copy, Debug, Default)]
pub struct NamedProvider<'a> {
    /// The issuer, as in its tokens.
    pub issuer: &'a str,
    /// The provider's name for this server.
    pub client_id: &'a str,
    /// The file of the client's secret.
    pub client_secret_file: Option<&'a Path>,
    /// The scopes to request, space-separated.
    pub sign_in_scope: &'a str,
    /// The user must be in one of these groups.
    pub groups: &'a [String],
    /// The claim with the member's id; blank means `sub`.
    pub user_claim: &'a str,
    /// The organization of tokens without one; blank means none.
    pub organization: &'a str,
    /// The scopes of people, space-separated; blank means all.
    pub scopes: &'a str,
    /// Whether unverified addresses may identify members.
    pub trusts_address: bool,
}

/// A fault in the settings of a provider.
#[derive(Debug, thiserror::Error)]
pub enum SignInSettingsError {
    /// No issuer is named.
    #[error("the configuration key oauth.issuer is missing; the log-in of oauth.client_id needs it")]
    NoIssuer,
    /// The issuer is not a URL.
    #[error(
        "the configuration key oauth.issuer cannot be used for a log-in; it must be an https address without a user, a \
             query or a fragment, or an http address on this machine"
    )]
    Issuer,
    /// The organization's id is invalid.
    #[error("the configuration key oauth.org is not an organization's id, org_…")]
    Organization,
    /// A secret without its client.
    #[error("the configuration key oauth.client_secret_file needs oauth.client_id")]
    SecretAlone,
    /// The file of the secret cannot be used.
    #[error("the client's secret cannot be taken from {file} (oauth.client_secret_file): {fault}")]
    Secret {
        /// The file.
        file: String,
        /// The fault of the file.
        fault: String,
    },
    /// Scopes without `openid`, which requests an ID token.
    #[error("the configuration key oauth.sign_in_scope lacks openid, without which there is no log-in")]
    NoOpenid,
}

impl SignInSettings {
    /// Validates a configuration; `None` if it names no client. A blank value counts as not set.
    ///
    /// # Errors
    /// Returns an error if a value is missing or invalid.
    pub fn new(named: &NamedProvider<'_>) -> Result<Option<Self>, SignInSettingsError> {
        let secret_file = named.client_secret_file.filter(|file| !file.as_os_str().is_empty());
        let (client_id, issuer) = (named.client_id.trim(), named.issuer.trim());
        match (client_id, secret_file) {
            ("", Some(_)) => return Err(SignInSettingsError::SecretAlone),
            ("", None) => return Ok(None),
            _ if issuer.is_empty() => return Err(SignInSettingsError::NoIssuer),
            _ => {}
        }
        let set = |text: &str, usual: &str| {
            Some(text.trim()).filter(|it| !it.is_empty()).unwrap_or(usual).to_owned()
        };
        let scope = set(named.sign_in_scope, SCOPE);
        if !scope.split(' ').any(|word| word == "openid") {
            return Err(SignInSettingsError::NoOpenid);
        }
        let scopes = Some(named.scopes.trim()).filter(|it| !it.is_empty()).map(Scopes::granted_by);
        let organization =
            Some(named.organization.trim()).filter(|it| !it.is_empty()).map(parse_organization_id);
        let expected = ExpectedClaims {
            issuer: issuer.to_owned(),
            audience: client_id.to_owned(),
            other_audience: None,
            // It is checked at once, so its life does not matter.
            life_seconds_max: u64::from(u32::MAX),
            user_claim: set(named.user_claim, "sub"),
            organization: organization.transpose().map_err(|_| SignInSettingsError::Organization)?,
            // No ID token names scopes.
            scopes: Some(scopes.unwrap_or(Scopes::ALL)),
            trusts_address: named.trusts_address,
        };
        Ok(Some(Self {
            expected,
            client_secret: secret_file.map(read_secret).transpose()?,
            scope,
            groups: named
                .groups
                .iter()
                .map(|group| group.trim().to_owned())
                .filter(|it| !it.is_empty())
                .collect(),
            discovery: discovery(issuer).ok_or(SignInSettingsError::Issuer)?,
            jwks_age_max: Duration::from_secs(JWKS_AGE_SECONDS_DEFAULT),
        }))
    }

    /// The host of the provider.
    pub(crate) fn host(&self) -> &str {
        self.discovery.host().unwrap_or_default()
    }
}

impl fmt::Debug for SignInSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignInSettings").field("expected", &self.expected).finish_non_exhaustive()
    }
}

/// The address of the issuer's description.
fn discovery(issuer: &str) -> Option<Uri> {
    if issuer.contains('?') {
        return None;
    }
    let address = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
    address::parse(&address).filter(|address| !address::is_exposed(address))
}

/// The content of `file`, trimmed.
fn read_secret(file: &Path) -> Result<String, SignInSettingsError> {
    let refused = |fault: String| SignInSettingsError::Secret { file: file.display().to_string(), fault };
    let read =
        regular_file::read(file, CLIENT_SECRET_BYTES_MAX).map_err(|error| refused(error.to_string()))?;
    let secret = String::from_utf8(read.bytes).map_err(|_| refused("it is no text".to_owned()))?;
    match secret.trim() {
        "" => Err(refused("it is blank; put the secret there, or leave the key away".to_owned())),
        secret => Ok(secret.to_owned()),
    }
}
