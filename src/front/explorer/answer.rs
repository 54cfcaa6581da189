//! The page behind a connector's link, and their answer: no account, no cookie, and nothing of anybody else.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use kith::asks::overlay::{AskOverlay, FoundAsk};

use crate::api::body::{self, Object};
use crate::api::cookie::check_site;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::marks::Peer;
use crate::api::state::ApiState;
use crate::ask_file::error::WriteRefused;
use crate::ask_file::link::{LinkAnswer, Linked};
use crate::ask_file::service::{AskService, moment};
use crate::audit;
use crate::auth::clock::to_millis;
use crate::clock;
use crate::live::asked::AskedNetwork;
use crate::query::card::{MemberCard, PersonCard};

/// The most bytes of an answer.
const BODY_BYTES_MAX: usize = 4 << 10;

/// Shows the ask behind a link, or writes its connector's answer.
///
/// # Errors 400 if the request does not come from the page or its body cannot be taken; 404 for a void link, like for an unknown
/// one; 429 after too many of those.
pub async fn answer(State(state): State<Arc<ApiState>>, request: Request) -> Result<Json, ApiError> {
    let (parts, body) = request.into_parts();
    check_site(&parts.headers)?;
    let asks = state.asks.clone().ok_or(ApiError::UnknownPath)?;
    let peer = parts.extensions.get::<Peer>().map(|peer| peer.0.ip());
    let (code, answer) = read(&parts.headers, body).await?;
    let looking = {
        let (asks, code) = (Arc::clone(&asks), code.clone());
        tokio::task::spawn_blocking(move || asks.store.linked(&code, to_millis(clock::wall_time())))
    };
    let linked = looking.await.map_err(|_| ApiError::Internal)?.map_err(ApiError::from)?;
    let Some(linked) = linked else { return Err(wrong(&state, peer)) };
    let network = overlay_of(&state, &asks, &linked.org).await?;
    let overlay = &network.asks;
    // Of an ask with a person who was forgotten nothing is shown.
    let Some(found) = overlay.find(&linked.ask).cloned() else { return Err(wrong(&state, peer)) };
    let Some(answer) = answer else { return Ok(shown(overlay, &found, &linked)) };
    let writing = tokio::task::spawn_blocking(move || {
        let now = clock::wall_time();
        asks.store.answer(&code, &answer, (moment(now), to_millis(now)))
    });
    match writing.await.map_err(|_| ApiError::Internal)? {
        Ok(written) => {
            audit::ask_written(&audit::AskWrite {
                organization: &linked.org,
                ask: &linked.ask,
                event: &written.event.id,
                kind: written.event.kind.name(),
                by: "connector",
                is_overriding: false,
            });
            Ok(Json::of_object(64, |json| {
                json.object_field("data", |json| json.field("answered", written.event.kind.name()));
            }))
        }
        Err(WriteRefused::UnknownAsk) => Err(wrong(&state, peer)),
        Err(refused) => Err(refused.into()),
    }
}

/// The code, and the answer if one is given.
async fn read(headers: &HeaderMap, body: Body) -> Result<(String, Option<LinkAnswer>), ApiError> {
    let body = Object::parse(&body::read_up_to(BODY_BYTES_MAX, headers, body, None).await?)?;
    let code = body.text("code", "the code of a link")?;
    let code = code.ok_or_else(|| ApiError::missing("code", "the code of a link"))?;
    let expected = "one of yes, no, not_now, never_about, never_me";
    let answer = match body.text("answer", expected)?.as_deref() {
        None => None,
        Some("yes") => Some(LinkAnswer::Yes),
        Some("no") => Some(LinkAnswer::No),
        Some("never_about") => Some(LinkAnswer::NeverAbout),
        Some("never_me") => Some(LinkAnswer::NeverMe),
        Some("not_now") => {
            let expected = "a day, as 2026-11-27";
            let until = body.text("until", expected)?.ok_or_else(|| ApiError::missing("until", expected))?;
            if !kith::asks::preferences::is_day(&until) {
                return Err(ApiError::invalid("until", &until, expected));
            }
            Some(LinkAnswer::NotNow(until))
        }
        Some(other) => return Err(ApiError::invalid("answer", other, expected)),
    };
    Ok((code, answer))
}

/// The asks of `org` over its network as it is now.
async fn overlay_of(state: &ApiState, asks: &AskService, org: &str) -> Result<Arc<AskedNetwork>, ApiError> {
    let networks = state.gate.pin_for(org).await.ok_or(ApiError::Unavailable)?;
    let slot = networks.by_organization.get(org).ok_or(ApiError::NotFound)?;
    let network = state.gate.network_in(slot).await.map_err(|_| ApiError::Unavailable)?;
    let book = asks.book(org).map_err(|_| ApiError::Unavailable)?.ok_or(ApiError::Unavailable)?;
    Ok(network.with_asks(&book))
}

/// Returns the asker, the target, and the text to forward.
fn shown(overlay: &AskOverlay, found: &FoundAsk, linked: &Linked) -> Json {
    let index = &overlay.index;
    let (asker, person) = (MemberCard::of(index, found.asker), PersonCard::of(index, found.person));
    Json::of_object(512, |json| {
        json.object_field("data", |json| {
            json.object_field("askedBy", |json| json.field("name", asker.name));
            json.object_field("person", |json| {
                json.field("name", person.name);
                json.field_if("position", person.position);
                json.field_if("company", person.company);
            });
            json.field("why", &format!("You are said to know {}.", person.name));
            json.field_if("text", linked.text.as_deref());
            json.field("state", found.state.name());
        });
    })
}

/// Counts a wrong code of `peer`. Returns 404, or 429 after too many.
fn wrong(state: &ApiState, peer: Option<IpAddr>) -> ApiError {
    let counted =
        peer.zip(state.asks.as_ref()).and_then(|(peer, asks)| asks.wrong_codes.count(peer, clock::now()));
    counted.map_or(ApiError::NotFound, |retry_after| ApiError::TooManyCodes { retry_after })
}
