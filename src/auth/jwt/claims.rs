//! The claims of a token whose signature holds.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value};

use crate::auth::jwt::json;
use crate::auth::jwt::refusal::Refusal;
use crate::auth::scope::Scopes;
use crate::auth::subject::{parse_organization_id, parse_user_id};
use crate::limits::CLOCK_LEEWAY_SECONDS;

/// The values that the claims of every token must have.
#[derive(Clone, Debug)]
pub(crate) struct ExpectedClaims {
    pub(crate) issuer: String,
    pub(crate) audience: String,
    /// Another audience that is as good, if there is one.
    pub(crate) other_audience: Option<String>,
    /// The furthest that `exp` may be from now, in seconds.
    pub(crate) life_seconds_max: u64,
}

/// The user that a token stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bearer {
    /// The organization's id.
    pub org: String,
    /// The user's id.
    pub user: String,
    /// The scopes of the token.
    pub scopes: Scopes,
}

/// Whom the claims `payload` stand for at `now`.
///
/// A token holds from `nbf` up to, not at, `exp`, with [`CLOCK_LEEWAY_SECONDS`] at both ends, and `exp` is no further
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
    let user = text(&claims, "sub").and_then(|id| parse_user_id(id).ok());
    let org = text(&claims, "org").and_then(|id| parse_organization_id(id).ok());
    let scope = claims.get("scope").map(|scope| scope.as_str().ok_or(Refusal::Scope)).transpose()?;
    Ok(Bearer {
        user: user.ok_or(Refusal::Subject)?,
        org: org.ok_or(Refusal::Organization)?,
        scopes: scope.map_or_else(Scopes::default, Scopes::granted_by),
    })
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
    if !number("nbf").is_some_and(|nbf| nbf <= now + CLOCK_LEEWAY_SECONDS) {
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
