//! A member's feed: what is new, as Atom, for readers that poll.
//!
//! Browsers send the password of HTTP Basic along with all that lies beside or below an address that asked for it, and the
//! page counts only without such a header; so the feed has a folder of its own.
//!
//! Promise: A feed opens by a token for it alone, as the password of HTTP Basic, and that token opens nothing else; it has no
//!   one who was forgotten from the next request on.
//! Control: a token that reads, a key, the token in the address or as a bearer, another organization's, a revoked one.
//! Also in: `tests/api/explorer/feed.rs`.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::admission::class::Class;
use crate::api::caller::Caller;
use crate::api::comparing::changes_since;
use crate::api::compress::{has_current, tag_of};
use crate::api::endpoints::asks::{AskFilter, list};
use crate::api::error::ApiError;
use crate::api::marks::AnsweredFrom;
use crate::api::state::ApiState;
use crate::digest::section::{asks, changes, quiet};
use crate::digest::{FoundChanges, News, newly_quiet};
use crate::live::predecessor::Predecessor;
use crate::model::ix::MemberIx;
use crate::query::changes::NotedChange;
use crate::query::members::data_as_of;

/// Its path.
pub const PATH: &str = "/explore/feed/news.atom";
/// Readers keep it for themselves, and ask whether it is still the same.
const KEPT: HeaderValue = HeaderValue::from_static("private, no-cache");

/// Answers with the feed of the member whose token was sent; 304 if the reader has it.
///
/// # Errors
/// 401 for anything but a token of the feed that holds; 503 if there is too much to do already, or the changes are not noted yet.
pub async fn feed(State(state): State<Arc<ApiState>>, request: Request) -> Result<Response, Response> {
    let (parts, _) = request.into_parts();
    let caller = Caller::of_feed(&parts.headers, &state, parts.extensions.get::<AnsweredFrom>()).await?;
    answer(&state, &caller, &parts.headers).await.map_err(IntoResponse::into_response)
}

async fn answer(state: &Arc<ApiState>, caller: &Caller, headers: &HeaderMap) -> Result<Response, ApiError> {
    let member = caller.own_member("A feed")?;
    let tag = tag_of(&made_of(caller, member));
    let mut response = if has_current(headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let kept = caller.predecessor();
        let noted = match kept {
            Some(kept) => {
                let organization = &caller.index().data.organization.id;
                changes_since(kept, organization, state).await.ok_or(ApiError::Unavailable)?
            }
            None => Arc::default(),
        };
        let _permit = caller.permit(state, Class::Short).await?;
        let kind = HeaderValue::from_static("application/atom+xml; charset=utf-8");
        ([(header::CONTENT_TYPE, kind)], written(state, caller, member, kept, &noted)).into_response()
    };
    // Weak: packed or not, it is the same feed.
    let tag = HeaderValue::from_str(&format!("W/{tag}")).map_err(|_| ApiError::Internal)?;
    response.headers_mut().insert(header::ETAG, tag);
    response.headers_mut().insert(header::CACHE_CONTROL, KEPT);
    Ok(response)
}

/// All that the feed of `member` depends on: the program, the networks without those who are forgotten, and the asks that
/// wait for them.
fn made_of(caller: &Caller, member: MemberIx) -> String {
    let user = caller.index().data.members.user_ids.get(member.0);
    let mut parts = format!("{}\n{user}\n{}", env!("CARGO_PKG_VERSION"), networks(caller));
    for index in caller.predecessor().iter().flat_map(|kept| kept.indexes()) {
        // Who is forgotten may be in the earlier one alone, and the generation in service is then the same.
        parts.push_str(&format!("\n{}", index.data.people.len()));
    }
    if let Some(asked) = caller.asked() {
        let own = AskFilter { connector: Some(own_person(caller, member)), ..AskFilter::default() };
        for found in list(&asked.asks, &own) {
            parts.push_str(&format!("\n{}", found.ask.id));
        }
    }
    parts
}

/// The names of the two networks that are compared.
fn networks(caller: &Caller) -> String {
    let before = caller.predecessor().map(|kept| kept.generation);
    format!("{before:?}-{}", caller.generation())
}

fn own_person(caller: &Caller, member: MemberIx) -> &str {
    let data = &caller.index().data;
    data.people.ids.get(data.members.person(member).0)
}

/// Writes the feed, with the changes `noted` since `kept`.
fn written(
    state: &ApiState,
    caller: &Caller,
    member: MemberIx,
    kept: Option<&Arc<Predecessor>>,
    noted: &[NotedChange],
) -> String {
    let index = caller.index();
    let comparison = kept.map(|kept| kept.comparison(&state.limits));
    let old = kept.map(|kept| &**kept.indexes()[0]);
    let mut sections = Vec::new();
    if let Some(comparison) = &comparison {
        let found = FoundChanges::of(comparison, noted, &|change| comparison.is_of_member(change));
        sections.extend([changes("people", found.reachable), changes("moved", found.moved)]);
    }
    sections.push(quiet(newly_quiet(old, index, Some(member))));
    if let Some(asked) = caller.asked() {
        sections.push(asks(&asked.asks, Some(own_person(caller, member))));
    }
    let digest = News { index, since: old.and_then(data_as_of), sections };
    digest.atom(index.data.members.user_ids.get(member.0), &networks(caller))
}
