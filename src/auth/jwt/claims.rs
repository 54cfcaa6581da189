//! The claims of a token whose signature holds.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value};

use crate::auth::jwt::json;
use crate::auth::jwt::refusal::Refusal;
use crate::auth::scope::Scopes;
use crate::auth::subject::parse_organization_id;
use crate::limits::CLOCK_LEEWAY_SECONDS;
use kith::limits::ID_BYTES_MAX;

/// The values that the claims of every token must have.
#[derive(Clone, Debug)]
pub(crate) struct ExpectedClaims {
    pub(crate) issuer: String,
    pub(crate) audience: String,
    /// Another audience that is as good, if there is one.
    pub(crate) other_audience: Option<String>,
    /// The furthest that `exp` may be from now, in seconds.
    pub(crate) life_seconds_max: u64,
    /// The claim that says who the member is.
    pub(crate) user_claim: String,
    /// The organization of tokens that name none.
    pub(crate) organization: Option<String>,
    /// The scopes of tokens that name none.
    pub(crate) scopes: Option<Scopes>,
    /// Whether an address says who the member is although the token does not say that it was verified.
    pub(crate) trusts_address: bool,
}

/// The user that a token stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bearer {
    /// The organization's id.
    pub org: String,
    /// What the issuer calls the user: a user's id, an address, or an id of its own.
    pub user: String,
    /// Whether an address may say who it is.
    pub trusts_address: bool,
    /// The scopes of the token.
    pub scopes: Scopes,
}

/// Whom the claims `payload` stand for at `now`.
///
/// A token holds from `nbf`, if it has one, up to, not at, `exp`, with [`CLOCK_LEEWAY_SECONDS`] at both ends, and `exp` is no further
/// away than any may be. A scope that
/// is not there grants nothing.
///
/// # Errors
/// Returns the first rule that they break.
pub(crate) fn check(payload: &[u8], expected: &ExpectedClaims, now: SystemTime) -> Result<Bearer, Refusal> {
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
    check_kind(&claims)?;
    let user = text(&claims, &expected.user_claim).filter(|user| is_name(user));
    let org = match claims.get("org") {
        None => expected.organization.clone(),
        Some(org) => org.as_str().and_then(|id| parse_organization_id(id).ok()),
    };
    let is_verified = matches!(claims.get("email_verified"), Some(Value::Bool(true)));
    Ok(Bearer {
        user: user.ok_or(Refusal::Subject)?.to_owned(),
        trusts_address: is_verified || expected.trusts_address,
        org: org.ok_or(Refusal::Organization)?,
        scopes: scopes(&claims)?.or(expected.scopes).unwrap_or_default(),
    })
}

/// Passes the claims of an access token: those of an ID token have a `nonce`, or say what they are.
fn check_kind(claims: &Map<String, Value>) -> Result<(), Refusal> {
    let says = |name, others: &[&str]| {
        text(claims, name).is_some_and(|kind| others.iter().any(|other| other.eq_ignore_ascii_case(kind)))
    };
    let is_other = says("typ", &["ID", "Refresh", "Offline", "Logout"]) || says("token_use", &["id"]);
    if claims.contains_key("nonce") || is_other { Err(Refusal::IdToken) } else { Ok(()) }
}

/// Whether a member may be called so.
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

/// Whether the audience is `ours`, or a list of texts that has it.
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
    // By the time of day and not by `iat`, which a token need not have.
    if exp > now + life_seconds_max as f64 + CLOCK_LEEWAY_SECONDS {
        return Err(Refusal::LongLived);
    }
    Ok(())
}

fn text<'a>(claims: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    claims.get(name).and_then(Value::as_str)
}
