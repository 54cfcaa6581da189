//! A member's own tokens: listed and revoked on the page, and made there by who signed in at the identity provider.
//!
//! Who logged in by a token makes none: a token that was stolen for an hour would make itself one for a year.
//!
//! Promise: A member sees and revokes their own tokens and no other's; who signed in at the identity provider makes some. The
//!   link of a colleague logs them in once.
//! Control: a member of the same organization, an organization key, and a log-in by a token; the same link again.
//! Also in: `.ci/sign-in-check`.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::HeaderMap;

use crate::api::body::{self, Object};
use crate::api::caller::Caller;
use crate::api::cookie::check_site;
use crate::api::error::ApiError;
use crate::api::issuing;
use crate::api::json::Json;
use crate::api::prefer::Handling;
use crate::api::state::ApiState;
use crate::ask_file::service::moment;
use crate::auth::error::StoreError;
use crate::auth::scope::{LoneScope, Scopes};
use crate::auth::secret::Secret;
use crate::auth::store::{CredentialOf, CredentialStore, StoredCredential};
use crate::auth::ttl::Ttl;
use crate::auth::verify::Principal;
use crate::clock;

/// The longest life of a token that a member makes.
const DAYS_MAX: u64 = 90;

/// The caller's organization and user id.
#[derive(Clone)]
struct Own {
    organization: String,
    user: String,
}

impl Own {
    fn of(caller: &Caller) -> Result<Self, ApiError> {
        let member = caller.own_member("Tokens of one's own")?;
        let data = &caller.index().data;
        let user = data.members.user_ids.get(member.0).to_owned();
        Ok(Self { organization: data.organization.id.clone(), user })
    }

    fn is_owner(&self, token: &StoredCredential) -> bool {
        let is_user = matches!(&token.of, CredentialOf::Member { user, .. } if *user == self.user);
        is_user && token.org == self.organization
    }
}

/// Answers the caller's tokens that still hold, and whether they may make one.
///
/// # Errors
/// As [`Caller`]; 403 for an organization key, 404 at a replica of a cell.
pub async fn list(State(state): State<Arc<ApiState>>, caller: Caller) -> Result<Json, ApiError> {
    let own = Own::of(&caller)?;
    let tokens = with_store(&state, move |store| holding(store, &own)).await?;
    Ok(Json::of_object(64, |json| {
        json.field("makes", caller.is_signed_in);
        json.array_field("tokens", &tokens, issuing::write);
    }))
}

/// Makes a token that may read, or what the session may, or is for the feed alone, and lives for so many days.
///
/// # Errors
/// 400 if the request does not come from the page or its body cannot be taken; as [`list`]; 403 for who did not sign in at the
/// identity provider.
pub async fn create(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    headers: HeaderMap,
    body: Body,
) -> Result<Json, ApiError> {
    check_site(&headers)?;
    let own = Own::of(&caller)?;
    if !caller.is_signed_in {
        let why = "Only who signs in at the identity provider makes tokens here. Ask the people who run kith for one.";
        return Err(ApiError::Forbidden(why.to_owned()));
    }
    let body = Object::parse(&body::read(&headers, body).await?)?;
    body.check(Handling::Strict, &["days", "write", "feed"])?;
    let days = body.whole("days", 1..=DAYS_MAX)?.ok_or_else(|| ApiError::missing("days", "1 to 90"))?;
    let scopes = match (body.boolean("write")?.unwrap_or(false), body.boolean("feed")?.unwrap_or(false)) {
        (true, true) => return Err(ApiError::invalid("feed", "true", "false beside write")),
        (false, true) if state.has_feeds => Scopes::FEED,
        (false, true) => return Err(ApiError::Forbidden("Feeds need explorer.feed = true.".to_owned())),
        (true, false) if caller.scopes.has_write() => Scopes::ALL,
        (true, false) => return Err(ApiError::InsufficientWriteScope),
        (false, false) => Scopes::READ,
    };
    let ttl = Ttl::from_seconds(days * 24 * 60 * 60).ok_or(ApiError::Internal)?;
    let issued = with_store(&state, move |store| {
        store.create_token(&own.organization, &own.user, scopes, ttl, clock::wall_time())
    });
    let issued = issued.await?;
    Ok(Json::of_object(64, |json| {
        json.field("id", &*issued.id);
        json.field("token", issued.secret.reveal());
    }))
}

/// Revokes one of the caller's tokens, from the next request on.
///
/// # Errors
/// 400 if the request does not come from the page; as [`list`]; 404 for an id that is none of theirs.
pub async fn revoke(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Json, ApiError> {
    check_site(&headers)?;
    let own = Own::of(&caller)?;
    let revoked = with_store(&state, move |store| {
        if !holding(store, &own)?.iter().any(|token| token.id == id) {
            return Ok(None);
        }
        store.revoke_token(&id, clock::wall_time())
    });
    revoked.await?.ok_or(ApiError::NotFound)?;
    Ok(Json::of_object(64, |_| {}))
}

/// A new token of the member whose `link` token this is, which ends with the session; the link is revoked before. Returns `None` if it
/// is no such token, does not hold any more, the network in service has no such member, or this server makes no tokens.
///
/// # Errors
/// Returns an error if the credential store cannot be used.
pub(super) async fn behind_link(state: &ApiState, link: &str) -> Result<Option<Secret>, ApiError> {
    let now = clock::wall_time();
    let principal = state.credentials.admit(link, now).await.map_err(|_| ApiError::Internal)?;
    let owner = principal.filter(|principal| principal.alone() == Some(LoneScope::Link));
    let Some(Principal::User { org, user, token_id: Some(id), .. }) = owner else { return Ok(None) };
    let (Some(store), Some(sealer)) = (state.own_tokens.clone(), &state.sessions) else { return Ok(None) };
    // A link to a network that was imported, but is not in service yet, is good later.
    if !is_member(state, &org, &user).await {
        return Ok(None);
    }
    let ttl = Ttl::from_seconds(sealer.life().as_secs()).ok_or(ApiError::Internal)?;
    let redeemed = issuing::with_store(store, move |store| {
        // Another request may have been faster.
        if !store.has_unrevoked_token(&id)? {
            return Ok(None);
        }
        store.revoke_token(&id, now)?;
        store.create_token(&org, &user, Scopes::ALL, ttl, now).map(Some)
    });
    Ok(redeemed.await?.map(|issued| issued.secret))
}

/// Whether the network of `org` in service has the member `user`.
async fn is_member(state: &ApiState, org: &str, user: &str) -> bool {
    let networks = state.gate.pin_for(org).await;
    let Some(slot) = networks.as_ref().and_then(|networks| networks.by_organization.get(org)) else {
        return false;
    };
    state.gate.network_in(slot).await.is_ok_and(|network| network.index.find_user(user).is_some())
}

/// The tokens of `own` that hold now. Costs a pass over all tokens.
fn holding(store: &CredentialStore, own: &Own) -> Result<Vec<StoredCredential>, StoreError> {
    let now = moment(clock::wall_time());
    let mut tokens = store.list_tokens()?;
    tokens.retain(|token| {
        own.is_owner(token) && token.revoked_at.is_none() && token.expires_at.is_none_or(|at| at > now)
    });
    Ok(tokens)
}

/// Does `work` with the store that tokens are made in.
async fn with_store<T: Send + 'static>(
    state: &ApiState,
    work: impl FnOnce(&CredentialStore) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, ApiError> {
    let store = state.own_tokens.clone().ok_or(ApiError::UnknownPath)?;
    issuing::with_store(store, work).await
}
