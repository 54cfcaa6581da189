//! The page's log-in: a credential goes in once, the code of a link that stands for one, or what the user came back with
//! from the identity provider, and comes back sealed in a cookie; the page gets the half of the session that opens it.
//!
//! Only the page itself may ask for it, as the browser says; see `api/cookie.rs`.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::task;

use crate::api::body::{self, Object};
use crate::api::caller::Caller;
use crate::api::cookie;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::marks::{AnsweredFrom, Cause};
use crate::api::state::ApiState;
use crate::auth::error::StoreError;
use crate::auth::link::LoginLink;
use crate::auth::session::{Session, Visitor};
use crate::auth::sign_in::Returned;
use crate::clock;
use crate::explorer::exports::may_invite;
use crate::explorer::forget::may_forget;
use crate::explorer::further::may_add;
use crate::explorer::report::import_of;
use crate::explorer::{sign_in, tokens};
use crate::limits::{LOGIN_BODY_BYTES_MAX, SESSION_CREDENTIAL_BYTES_MAX};
use crate::model::dataset::Dataset;
use crate::model::ix::MemberIx;

/// The header by which a browser clears what it keeps of the origin.
const CLEAR_SITE_DATA: HeaderName = HeaderName::from_static("clear-site-data");

/// Answers who is logged in, by the cookie or by a header that a proxy adds: `null` for nobody, so that a page which
/// only asks shows no error.
///
/// # Errors
/// As [`Caller`], but for 401.
pub async fn who(State(state): State<Arc<ApiState>>, request: Request) -> Result<Json, Response> {
    let (mut parts, _) = request.into_parts();
    let is_proxied = parts.headers.contains_key(header::AUTHORIZATION);
    match Caller::from_request_parts(&mut parts, &state).await {
        Ok(caller) => Ok(described(&state, is_proxied, Some(&caller), None)),
        Err(refused) if refused.status() == StatusCode::UNAUTHORIZED => {
            Ok(described(&state, is_proxied, None, None))
        }
        Err(refused) => Err(refused),
    }
}

/// Checks a credential as the API does, and lets the browser keep it, sealed. The code of a link that logs in once stands for
/// the credential behind it; that of a colleague's link is a token with the scope `link`.
///
/// # Errors
/// 400 if the request does not come from the page or its body cannot be taken; 401 for a credential or a code that is
/// not good, and else as [`Caller`].
pub async fn log_in(State(state): State<Arc<ApiState>>, request: Request) -> Result<Response, Response> {
    let (parts, body) = request.into_parts();
    cookie::check_site(&parts.headers).map_err(IntoResponse::into_response)?;
    let presented = read(&parts.headers, body).await.map_err(IntoResponse::into_response)?;
    let is_by_code = matches!(presented, Presented::Code(_));
    let is_proxied = parts.headers.contains_key(header::AUTHORIZATION);
    let host = parts.headers.get(header::HOST).and_then(|host| host.to_str().ok()).map(str::to_owned);
    let visitor = visitor_of(presented, &state).await?;
    let from = parts.extensions.get::<AnsweredFrom>();
    let caller = Caller::behind(visitor.clone(), &state, from).await;
    let caller = caller.map_err(|refused| match visitor {
        Visitor::SignedIn(_) => sign_in::unless_unknown(&state, refused),
        Visitor::Credential(_) => refused,
    })?;
    let sealer = state.sessions.as_ref().ok_or_else(|| ApiError::UnknownPath.into_response())?;
    let session = sealer.seal(&visitor, clock::wall_time()).map_err(unusable)?;
    let keep = |session: &Session| state.page_cookie.keep(&session.sealed, sealer.life());
    let kept = session.as_ref().and_then(keep);
    let (session, kept) = session.zip(kept).ok_or_else(|| ApiError::Internal.into_response())?;
    let mut response = described(&state, is_proxied, Some(&caller), Some(&session.half)).into_response();
    response.headers_mut().insert(header::SET_COOKIE, kept);
    let is_first = |link: &LoginLink| host.as_deref().is_some_and(|host| link.is_first_at(host));
    if is_by_code && state.login_link.as_ref().is_some_and(is_first) {
        response.headers_mut().insert(CLEAR_SITE_DATA, HeaderValue::from_static("\"cache\", \"storage\""));
    }
    Ok(response)
}

/// Ends the session, and lets the browser forget its cookie. Answers where the identity provider ends what it keeps of the user,
/// if it says where.
///
/// # Errors
/// 400 if the request does not come from the page; 500 if the credential store cannot be written: the session may then
/// still open.
pub async fn log_out(State(state): State<Arc<ApiState>>, headers: HeaderMap) -> Result<Response, Response> {
    cookie::check_site(&headers).map_err(IntoResponse::into_response)?;
    if let (Some(sealer), Some((sealed, half))) = (&state.sessions, state.page_cookie.session(&headers)) {
        let (sealer, sealed, half) = (Arc::clone(sealer), sealed.to_owned(), half.to_owned());
        let ended = task::spawn_blocking(move || sealer.log_out(&sealed, &half, clock::wall_time())).await;
        ended.map_err(|_| ApiError::Internal.into_response())?.map_err(unusable)?;
    }
    let mut response = match sign_in::leaving_address(&state, &headers).await {
        Some(address) => Json::of_object(128, |json| json.field("leave", &*address)).into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    };
    if let Some(forgotten) = state.page_cookie.forget() {
        response.headers_mut().insert(header::SET_COOKIE, forgotten);
    }
    Ok(response)
}

/// The answer if the credential store cannot be used, with the cause for the log.
fn unusable(error: StoreError) -> Response {
    let mut response = ApiError::Internal.into_response();
    response.extensions_mut().insert(Cause(error.to_string()));
    response
}

/// The credential or code that the page sends to log in.
enum Presented {
    /// A key or token.
    Credential(String),
    /// The code of a link.
    Code(String),
    /// The parameters with which the identity provider sent the user back.
    Returned(Returned),
}

/// Reads the credential or the code. No error repeats any of what was sent.
async fn read(headers: &HeaderMap, body: Body) -> Result<Presented, ApiError> {
    let expected = format!("a key or token of 1 to {SESSION_CREDENTIAL_BYTES_MAX} bytes");
    let body = body::read_up_to(LOGIN_BODY_BYTES_MAX, headers, body, None).await?;
    let fits = |text: &String| (1..=SESSION_CREDENTIAL_BYTES_MAX).contains(&text.trim().len());
    if let Some(returned) = Returned::read(&body) {
        return Ok(Presented::Returned(returned));
    }
    let object = Object::parse(&body).ok();
    let sent = |name: &str| -> Option<String> {
        let text = object.as_ref()?.text(name, &expected).ok().flatten().filter(fits)?;
        Some(text.trim().to_owned())
    };
    match (sent("credential"), sent("code")) {
        (Some(credential), None) => Ok(Presented::Credential(credential)),
        (None, Some(code)) => Ok(Presented::Code(code)),
        _ => Err(ApiError::missing("credential", expected)),
    }
}

/// Who is to be logged in: the visitor of what was sent, or of what the code stood for, which is dead from then on.
async fn visitor_of(presented: Presented, state: &ApiState) -> Result<Visitor, Response> {
    match presented {
        Presented::Credential(credential) => Ok(Visitor::Credential(credential)),
        Presented::Code(code) => {
            let redeemed = match &state.login_link {
                Some(link) => link.redeem(&code, clock::now()),
                None => tokens::behind_link(state, &code).await.map_err(IntoResponse::into_response)?,
            };
            let unknown = || ApiError::Unauthorized { was_sent: true }.into_response();
            Ok(Visitor::Credential(redeemed.ok_or_else(unknown)?.reveal().to_owned()))
        }
        Presented::Returned(returned) => sign_in::finish(state, &returned).await.map(Visitor::SignedIn),
    }
}

/// Whether anybody is known behind the contacts of `member`.
fn knows_behind(data: &Dataset, member: MemberIx) -> bool {
    let out = &data.edges.out;
    out.row(data.members.people[member.0 as usize]).ends.iter().any(|contact| out.edge_count(*contact) > 0)
}

/// The half of a new session; whose network is shown, as whom, whether there is a report of its import, whether people can be
/// forgotten, and since which generation its changes can be asked for; whether a link with a key may log in, and whether the request came with a
/// header, which pages cannot set for a person: a proxy did.
fn described(state: &ApiState, is_proxied: bool, caller: Option<&Caller>, half: Option<&str>) -> Json {
    Json::of_object(128, |json| {
        if let Some(half) = half {
            json.field("half", half);
        }
        json.field("links", state.takes_links);
        json.field("opened", state.login_link.is_some());
        if let Some(sign_in) = &state.sign_in {
            json.field("provider", sign_in.provider_name());
        }
        json.field("proxied", is_proxied);
        let Some(caller) = caller else { return json.null("data") };
        json.object_field("data", |json| {
            let data = &caller.index().data;
            json.object_field("organization", |json| {
                json.field("id", &data.organization.id);
                json.field("name", &data.organization.name);
            });
            if import_of(state, caller).is_some() {
                json.field("report", true);
            }
            if may_add(state, caller) {
                json.field("adds", true);
            }
            if !data.opportunities.ids.is_empty() {
                json.field("opportunities", true);
            }
            if caller.member.is_some_and(|member| knows_behind(data, member)) {
                json.field("behind", true);
            }
            if !data.evidence.at.is_empty() {
                json.field("quiet", true);
            }
            if may_forget(state, caller) {
                json.field("forgets", true);
            }
            if may_invite(state, caller) {
                json.field("invites", true);
            }
            if state.own_tokens.is_some() && caller.member.is_some() {
                json.field("tokens", true);
                if state.has_feeds {
                    json.field("feeds", true);
                }
            }
            if !state.logo_hosts.is_empty() {
                json.array_field("logoHosts", &state.logo_hosts, |json, host| json.element(host.as_str()));
            }
            if caller.asked().is_some() {
                let may_write = caller.member.is_some() && caller.scopes.has_write();
                json.field("asks", if may_write { "write" } else { "read" });
            }
            json.field("generation", caller.generation());
            match caller.predecessor() {
                Some(kept) => json.field("before", kept.generation),
                None => json.null("before"),
            }
            let Some(member) = caller.member else { return };
            let person = data.members.people[member.0 as usize];
            json.object_field("member", |json| {
                json.field("userId", data.members.user_ids.get(member.0));
                json.field("personId", data.people.ids.get(person.0));
                json.field("name", data.people.names.get(person.0));
            });
        });
    })
}
