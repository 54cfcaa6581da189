//! The claims of a token whose signature is valid.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::auth::jwt::json;
use crate::auth::jwt::refusal::Refusal;
use crate::auth::scope::Scopes;
use crate::auth::subject::parse_organization_id;
use crate::limits::CLOCK_LEEWAY_SECONDS;
use kith::limits::ID_BYTES_MAX;

/// The expected values of every token's claims.
#[derive(Clone, Debug)]
pub(crate) struct ExpectedClaims {
    pub(crate) issuer: String,
    pub(crate) audience: String,
    /// A second accepted audience, if any.
    pub(crate) other_audience: Option<String>,
    /// The maximum time from now to `exp`, in seconds.
    pub(crate) life_seconds_max: u64,
    /// The claim with the member's id.
    pub(crate) user_claim: String,
    /// The organization of tokens without one.
    pub(crate) organization: Option<String>,
    /// The scopes of tokens without any.
    pub(crate) scopes: Option<Scopes>,
    /// Whether to accept an address as the member's id even if the token does not say that it was verified.
    pub(crate) trusts_address: bool,
}

/// The user of a token.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Bearer {
    /// The organization's id.
    pub org: String,
    /// The issuer's name for the user: a user id, an address, or an id of its own.
    pub user: String,
    /// Whether an address may identify the user.
    pub trusts_address: bool,
    /// The scopes of the token.
    pub scopes: Scopes,
}

/// The claims of a user who signed in.
#[derive(Debug)]
pub(crate) struct IdClaims(Map<String, Value>);

/// Checks the claims `payload` at `now`, and returns their user.
///
/// A token is valid from `nbf`, if it has one, up to but excluding `exp`, with [`CLOCK_LEEWAY_SECONDS`] at both ends,
/// and `exp` must be within the maximum life. A missing scope grants nothing.
///
/// # Errors
/// Returns the first rule that they break.
pub(crate) fn check(payload: &[u8], expected: &ExpectedClaims, now: SystemTime) -> Result<Bearer, Refusal> {
    let claims = sound(payload, expected, now)?;
    check_kind(&claims)?;
    bearer(&claims, expected)
}

/// Checks the claims `payload` of an ID token that was requested with `nonce`.
///
/// # Errors
/// Returns the first rule that they break.
pub(crate) fn check_id_token(
    payload: &[u8],
    expected: &ExpectedClaims,
    nonce: &str,
    now: SystemTime,
) -> Result<IdClaims, Refusal> {
    let claims = sound(payload, expected, now)?;
    if text(&claims, "nonce") != Some(nonce) {
        return Err(Refusal::Nonce);
    }
    let is_of_several = claims.get("aud").and_then(Value::as_array).is_some_and(|aud| aud.len() > 1);
    if (is_of_several || claims.contains_key("azp")) && text(&claims, "azp") != Some(&expected.audience) {
        return Err(Refusal::Audience);
    }
    Ok(IdClaims(claims))
}

impl IdClaims {
    /// Whether a claim about the user's id or groups is missing.
    pub(crate) fn lacks_any(&self, expected: &ExpectedClaims, groups: &[String]) -> bool {
        let lacks = |name: &str| !self.0.contains_key(name);
        lacks(&expected.user_claim) || (!groups.is_empty() && lacks("groups"))
    }

    /// Adds the provider's user info, `info`, about the same user; the token's claims take precedence.
    pub(crate) fn complete(&mut self, info: &[u8]) -> Result<(), Refusal> {
        let info = json::object(info).ok_or(Refusal::Claims)?;
        if text(&info, "sub").is_none() || info.get("sub") != self.0.get("sub") {
            return Err(Refusal::Subject);
        }
        for (name, value) in info {
            self.0.entry(name).or_insert(value);
        }
        Ok(())
    }

    /// The user who signed in, who must be in one of `groups` unless it is empty. Ignores scopes in the claims: the
    /// user gets the expected ones.
    ///
    /// # Errors
    /// Returns the first rule that the claims break.
    pub(crate) fn signed_in(
        mut self,
        expected: &ExpectedClaims,
        groups: &[String],
    ) -> Result<Bearer, Refusal> {
        if !groups.is_empty() && !groups.iter().any(|group| is_for(self.0.get("groups"), group)) {
            return Err(Refusal::Group);
        }
        self.0.retain(|name, _| !["scope", "scp"].contains(&name.as_str()));
        bearer(&self.0, expected)
    }
}

/// Checks that `payload` has the issuer's claims, for our audience, valid now.
fn sound(payload: &[u8], expected: &ExpectedClaims, now: SystemTime) -> Result<Map<String, Value>, Refusal> {
    let claims = json::object(payload).ok_or(Refusal::Claims)?;
    if text(&claims, "iss") != Some(&expected.issuer) {
        return Err(Refusal::Issuer);
    }
    let is_ours = |ours: &String| is_for(claims.get("aud"), ours);
    if !is_ours(&expected.audience) && !expected.other_audience.as_ref().is_some_and(is_ours) {
        return Err(Refusal::Audience);
    }
    let now = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
    check_times(&claims, now, expected.life_seconds_max)?;
    Ok(claims)
}

/// The user of sound claims.
fn bearer(claims: &Map<String, Value>, expected: &ExpectedClaims) -> Result<Bearer, Refusal> {
    let user = text(claims, &expected.user_claim).filter(|user| is_name(user));
    let org = match claims.get("org") {
        None => expected.organization.clone(),
        Some(org) => org.as_str().and_then(|id| parse_organization_id(id).ok()),
    };
    let is_verified = matches!(claims.get("email_verified"), Some(Value::Bool(true)));
    Ok(Bearer {
        user: user.ok_or(Refusal::Subject)?.to_owned(),
        trusts_address: is_verified || expected.trusts_address,
        org: org.ok_or(Refusal::Organization)?,
        scopes: scopes(claims)?.or(expected.scopes).unwrap_or_default(),
    })
}

/// Accepts only claims of an access token: those of an ID token have a `nonce`, or state their kind.
fn check_kind(claims: &Map<String, Value>) -> Result<(), Refusal> {
    let says = |name, others: &[&str]| {
        text(claims, name).is_some_and(|kind| others.iter().any(|other| other.eq_ignore_ascii_case(kind)))
    };
    let is_other = says("typ", &["ID", "Refresh", "Offline", "Logout"]) || says("token_use", &["id"]);
    if claims.contains_key("nonce") || is_other { Err(Refusal::IdToken) } else { Ok(()) }
}

/// Whether `user` can be a member's name.
fn is_name(user: &str) -> bool {
    !user.trim().is_empty() && user.len() <= ID_BYTES_MAX && !user.chars().any(char::is_control)
}

/// The scopes in `scope`, else in `scp`: a text, or a list of texts. `None` without both.
fn scopes(claims: &Map<String, Value>) -> Result<Option<Scopes>, Refusal> {
    let Some(said) = claims.get("scope").or_else(|| claims.get("scp")) else { return Ok(None) };
    let list = match said {
        Value::String(list) => list.clone(),
        Value::Array(words) => {
            let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
            words.ok_or(Refusal::Scope)?.join(" ")
        }
        _ => return Err(Refusal::Scope),
    };
    Ok(Some(Scopes::granted_by(&list)))
}

/// Whether the audience is `ours`, or a list with it.
fn is_for(audience: Option<&Value>, ours: &str) -> bool {
    match audience {
        Some(Value::String(one)) => one == ours,
        Some(Value::Array(several)) => {
            several.iter().all(Value::is_string) && several.iter().any(|one| one == ours)
        }
        _ => false,
    }
}

/// Checks the times, in seconds since 1970.
fn check_times(claims: &Map<String, Value>, now: f64, life_seconds_max: u64) -> Result<(), Refusal> {
    let number = |name| claims.get(name).and_then(Value::as_f64);
    let exp = number("exp").filter(|exp| now < exp + CLOCK_LEEWAY_SECONDS).ok_or(Refusal::Expired)?;
    if claims.contains_key("nbf") && !number("nbf").is_some_and(|nbf| nbf <= now + CLOCK_LEEWAY_SECONDS) {
        return Err(Refusal::NotYet);
    }
    if claims.contains_key("iat") && !number("iat").is_some_and(|iat| iat <= now + CLOCK_LEEWAY_SECONDS) {
        return Err(Refusal::IssuedAt);
    }
    // By the wall clock, not by `iat`, which a token need not have.
    if exp > now + life_seconds_max as f64 + CLOCK_LEEWAY_SECONDS {
        return Err(Refusal::LongLived);
    }
    Ok(())
}

fn text<'a>(claims: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    claims.get(name).and_then(Value::as_str)
}
