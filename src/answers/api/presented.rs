//! Reads who the caller claims to be: by the one header, or by the page's cookie.

use std::borrow::Cow;

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;

use crate::api::state::ApiState;
use crate::auth::basic::password_of;
use crate::auth::error::StoreError;
use crate::auth::session::{SignedIn, Visitor};
use crate::clock;

/// The identity a request presents, and how.
pub(crate) enum Presented<'a> {
    Credential(Cow<'a, str>),
    /// A session that began at the identity provider.
    SignedIn(SignedIn),
}

impl Presented<'_> {
    /// The identity of a visitor of the page.
    pub(crate) fn of(visitor: Visitor) -> Self {
        match visitor {
            Visitor::Credential(credential) => Self::Credential(Cow::Owned(credential)),
            Visitor::SignedIn(signed_in) => Self::SignedIn(signed_in),
        }
    }
}

/// The identity a request presents, or else whether it presents any: by the header, and only without such a header by
/// the page's cookie.
///
/// # Errors
/// Returns an error if the credential store cannot be read.
pub(crate) fn presented<'a>(
    headers: &'a HeaderMap,
    state: &ApiState,
) -> Result<Result<Presented<'a>, bool>, StoreError> {
    match &state.sessions {
        Some(sealer) if !headers.contains_key(AUTHORIZATION) => {
            let visitor = state.page_cookie.visitor(headers, sealer, clock::wall_time())?;
            Ok(visitor.map(Presented::of))
        }
        _ => Ok(bearer(headers).map(|credential| Presented::Credential(Cow::Borrowed(credential)))),
    }
}

/// The credential of the only `Authorization: Bearer` header; otherwise whether one was sent at all.
pub(crate) fn bearer(headers: &HeaderMap) -> Result<&str, bool> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return Err(headers.contains_key(AUTHORIZATION));
    };
    let value = value.to_str().map_err(|_| true)?.trim();
    let (scheme, credential) = value.split_once(' ').unwrap_or((value, ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(!value.is_empty());
    }
    Some(credential.trim()).filter(|credential| !credential.is_empty()).ok_or(false)
}

/// The password of the one `Authorization: Basic` header; else whether one was sent at all.
pub(crate) fn password(headers: &HeaderMap) -> Result<String, bool> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let sent = values.next().filter(|_| values.next().is_none()).and_then(|value| value.to_str().ok());
    sent.and_then(password_of).ok_or_else(|| headers.contains_key(AUTHORIZATION))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn exactly_one_bearer_header_holds_the_credential() {
        for (values, expected) in [
            (&["Bearer abc"][..], Ok("abc")),
            (&["bearer  abc "], Ok("abc")),
            (&[], Err(false)),
            (&["Bearer"], Err(false)),
            (&["Bearer "], Err(false)),
            (&["Basic abc"], Err(true)),
            (&["Bearer a", "Bearer a"], Err(true)),
        ] {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(AUTHORIZATION, HeaderValue::from_static(value));
            }
            assert_eq!(bearer(&headers), expected, "{values:?}");
        }
    }
}
