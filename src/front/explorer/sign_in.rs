//! Signing in to the page at the identity provider: where to go, who came back, and why not.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::api::cookie;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::marks::Cause;
use crate::api::state::ApiState;
use crate::auth::jwt::refusal::Refusal;
use crate::auth::session::SignedIn;
use crate::auth::sign_in::error::SignInError;
use crate::auth::sign_in::{Returned, SignIn};
use crate::auth::web_origin::WebOrigin;
use crate::clock;

/// Answers where the user goes, and what the page keeps until they come back.
///
/// # Errors
/// 400 if the request does not come from the page; 404 if there is no provider, 503 if it cannot be asked.
pub async fn begin(State(state): State<Arc<ApiState>>, headers: HeaderMap) -> Result<Json, Response> {
    cookie::check_site(&headers).map_err(IntoResponse::into_response)?;
    let sign_in = state.sign_in.as_ref().ok_or_else(|| ApiError::UnknownPath.into_response())?;
    let page = page_of(&headers, &state).map_err(IntoResponse::into_response)?;
    let begun = sign_in.begin(&page, clock::wall_time()).await.map_err(|error| refused(sign_in, &error))?;
    Ok(Json::of_object(128, |json| {
        json.field("address", &*begun.address);
        json.field("sealed", &*begun.sealed);
    }))
}

/// Finishes the log-in; returns the user who came back.
///
/// # Errors
/// 403 with a sentence for the user if nobody is let in, 404 if there is no provider, 503 if it cannot be asked.
pub(super) async fn finish(state: &ApiState, returned: &Returned) -> Result<SignedIn, Response> {
    let sign_in = state.sign_in.as_ref().ok_or_else(|| ApiError::UnknownPath.into_response())?;
    sign_in.finish(returned, clock::wall_time()).await.map_err(|error| refused(sign_in, &error))
}

/// The answer to a user who is signed in and no member of the network; others as they are.
pub(super) fn unless_unknown(state: &ApiState, response: Response) -> Response {
    match &state.sign_in {
        Some(sign_in) if response.status() == StatusCode::UNAUTHORIZED => ApiError::Forbidden(format!(
            "You are signed in at {}, and no member of this network goes by what it calls you. Ask the people who run kith.",
            sign_in.provider_name()
        ))
        .into_response(),
        _ => response,
    }
}

/// The address at which the provider ends its own log-in, if it has one.
pub(super) async fn leaving_address(state: &ApiState, headers: &HeaderMap) -> Option<String> {
    let page = page_of(headers, state).ok()?;
    state.sign_in.as_ref()?.leaving_address(&page).await
}

/// The whole address of the page, as the browser that asks has it.
fn page_of(headers: &HeaderMap, state: &ApiState) -> Result<String, ApiError> {
    let expected = "the page's own origin, which browsers send";
    let sent = headers.get(header::ORIGIN).and_then(|sent| sent.to_str().ok());
    let sent = sent.ok_or_else(|| ApiError::missing("Origin", expected))?;
    let origin = WebOrigin::parse(sent).ok_or_else(|| ApiError::invalid("Origin", sent, expected))?;
    Ok(format!("{}{}", origin.as_str(), state.page_cookie.page()))
}

fn refused(sign_in: &SignIn, error: &SignInError) -> Response {
    let host = sign_in.provider_name();
    let ours = match error {
        SignInError::NotBegunHere => ApiError::Forbidden(
            "This log-in was not begun in this browser, or more than ten minutes ago. Begin it again.".into(),
        ),
        SignInError::Refused { word: "invalid_grant" } => {
            ApiError::Forbidden(format!("{host} no longer knows of this log-in. Begin it again."))
        }
        SignInError::Refused { .. } => ApiError::Forbidden(format!(
            "{host} does not accept this server as its client. Ask the people who run kith: the log says why."
        )),
        SignInError::Token(Refusal::Group) => ApiError::Forbidden(format!(
            "You are signed in at {host}, and in none of the groups that may use kith. Ask the people who run it."
        )),
        SignInError::Token(_) => ApiError::Forbidden(format!(
            "What {host} says of you cannot be used here. Ask the people who run kith: the log says why."
        )),
        SignInError::Unreachable { .. }
        | SignInError::Untrusted { .. }
        | SignInError::Status { .. }
        | SignInError::Unusable { .. }
        | SignInError::Busy => ApiError::Unavailable,
        SignInError::Store(_) | SignInError::Random(_) | SignInError::Tls => ApiError::Internal,
    };
    let is_fault = ours.status().is_server_error();
    let mut response = ours.into_response();
    if is_fault {
        response.extensions_mut().insert(Cause(error.to_string()));
    }
    response
}
