//! Asks as the page writes them: one press each, as the member who is logged in.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, Uri};
use axum::response::{IntoResponse, Response};
use kith::asks::event::EventKind;
use kith::asks::report::AskReport;

use crate::api::asking::{AskWords, AskWriter, HowWritten, write_answer};
use crate::api::body::{self, Object};
use crate::api::caller::Caller;
use crate::api::cookie::check_site;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::sent::Sent;
use crate::api::state::ApiState;
use crate::ask_file::reported::report_json;
use crate::ask_file::service::AskService;
use crate::ask_file::writing::{KEY_CHARS_MAX, WrittenAsk, outcome_names};
use crate::auth::ttl::Ttl;
use crate::clock;
use crate::limits::TARGET_CHARS_MAX;
use crate::model::ix::MemberIx;

/// The fields of a body that says who was asked.
const ASK_FIELDS: [&str; 7] = ["target", "connector", "via_advocate", "note", "key", "override", "dry_run"];
/// The fields of one that says what came of an ask.
const OUTCOME_FIELDS: [&str; 5] = ["ask", "outcome", "note", "key", "dry_run"];
/// The fields of a request for a link.
const LINK_FIELDS: [&str; 2] = ["text", "ttl"];
/// The most characters of a text to forward.
const FORWARD_CHARS_MAX: usize = 4_000;

/// Writes that the member asked for an introduction.
///
/// # Errors
/// 400 if the request does not come from the page or its body cannot be taken; as [`Caller`]; 403 for a key, and for a token
/// that may not write; else as [`AskWriter::record`].
pub async fn record(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    headers: HeaderMap,
    body: Body,
) -> Result<Json, ApiError> {
    let (asks, member, body) = read(&state, &caller, &headers, body).await?;
    let text = |name: &str| body.text(name, &format!("a text of 1 to {TARGET_CHARS_MAX} characters"));
    let words = AskWords {
        target: text("target")?.ok_or_else(|| ApiError::missing("target", "a person"))?,
        connector: text("connector")?,
        via_advocate: text("via_advocate")?,
        overrides: body.boolean("override")?.unwrap_or(false),
    };
    let how = how_written(&body, &ASK_FIELDS)?;
    write(state, caller, asks, member, move |writer, asks| {
        writer.record(&asks.store, &words, &how, clock::wall_time())
    })
    .await
}

/// Writes what came of an ask.
///
/// # Errors
/// As [`record`]; else as [`AskWriter::report`].
pub async fn report(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    address: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Json, ApiError> {
    let (asks, member, body) = read(&state, &caller, &headers, body).await?;
    let ask = address.path().rsplit('/').next().unwrap_or("").to_owned();
    let expected = format!("one of {}", outcome_names().join(", "));
    let outcome =
        body.text("outcome", &expected)?.ok_or_else(|| ApiError::missing("outcome", &expected[..]))?;
    let kind =
        EventKind::outcome(&outcome).ok_or_else(|| Sent::new("outcome", &outcome).refused(expected))?;
    let how = how_written(&body, &OUTCOME_FIELDS)?;
    write(state, caller, asks, member, move |writer, asks| {
        writer.report(&asks.store, &ask, kind, &how, clock::wall_time())
    })
    .await
}

/// The outcomes of the asks of the caller's organization, like `kith ask report --json`.
///
/// # Errors
/// As [`Caller`].
pub async fn results(State(state): State<Arc<ApiState>>, caller: Caller) -> Result<Response, ApiError> {
    let asks = state.asks.clone().ok_or(ApiError::UnknownPath)?;
    let report = AskReport::of(caller.asks()?, asks.settings.names_connectors);
    Ok(([(CONTENT_TYPE, "application/json")], report_json(&report).to_string()).into_response())
}

/// Makes the connector's link of an ask.
///
/// # Errors
/// As [`record`]; 404 for an ask that is not there; 403 for who is neither its asker nor an admin; 409 for one that is closed or
/// has no connector; 400 if connectors do not reach this service.
pub async fn link(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    address: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Json, ApiError> {
    let (asks, member, body) = read(&state, &caller, &headers, body).await?;
    body.check(crate::api::prefer::Handling::default(), &LINK_FIELDS)?;
    let expected = format!("a text of 1 to {FORWARD_CHARS_MAX} characters");
    let text = body.text("text", &expected)?;
    if let Some(text) = text.as_ref().filter(|text| text.chars().count() > FORWARD_CHARS_MAX) {
        return Err(ApiError::invalid("text", text, expected));
    }
    let sent = body.text("ttl", "a time such as 30d")?;
    let ttl = sent
        .as_ref()
        .map(|ttl| ttl.parse::<Ttl>().map_err(|_| ApiError::invalid("ttl", ttl, "a time such as 30d")));
    let ttl = ttl.transpose()?;
    let ask = address.path().rsplit('/').nth(1).unwrap_or("").to_owned();
    let Some(url) = asks.settings.public_url.clone() else {
        return Err(ApiError::Conflict(
            "Links need the configuration key asks.public_url; ask the people who run kith.".into(),
        ));
    };
    let made = tokio::task::spawn_blocking(move || {
        let overlay = caller.asks()?;
        let writer = AskWriter { overlay, member, limits: &state.limits };
        writer.make_link(&asks.store, &ask, text.as_deref(), ttl, clock::wall_time())
    });
    let (code, expires_at) = made.await.map_err(|_| ApiError::Internal)??;
    Ok(Json::of_object(256, |json| {
        json.field("url", &format!("{url}/answer#{code}"));
        json.field("expiresAt", expires_at);
    }))
}

/// The asks, the member who may write to them, and the body of the request.
async fn read(
    state: &ApiState,
    caller: &Caller,
    headers: &HeaderMap,
    body: Body,
) -> Result<(Arc<AskService>, MemberIx, Object), ApiError> {
    check_site(headers)?;
    let asks = state.asks.clone().ok_or(ApiError::UnknownPath)?;
    caller.asks()?;
    let member = caller.own_member("Writing an ask")?;
    if !caller.scopes.has_write() {
        return Err(ApiError::InsufficientWriteScope);
    }
    Ok((asks, member, Object::parse(&body::read(headers, body).await?)?))
}

fn how_written(body: &Object, fields: &[&str]) -> Result<HowWritten, ApiError> {
    body.check(crate::api::prefer::Handling::default(), fields)?;
    let expected = format!("a text of 1 to {KEY_CHARS_MAX} characters");
    let key = body.text("key", &expected)?.ok_or_else(|| ApiError::missing("key", &expected[..]))?;
    Ok(HowWritten {
        note: body.text("note", "a text")?,
        key: Some(key),
        is_dry_run: body.boolean("dry_run")?.unwrap_or(false),
        at: None,
    })
}

/// Does `work` on a thread that may block, and answers with what it wrote.
async fn write(
    state: Arc<ApiState>,
    caller: Caller,
    asks: Arc<AskService>,
    member: MemberIx,
    work: impl FnOnce(&AskWriter<'_>, &AskService) -> Result<WrittenAsk, ApiError> + Send + 'static,
) -> Result<Json, ApiError> {
    let writing = tokio::task::spawn_blocking(move || {
        let overlay = caller.asks()?;
        let writer = AskWriter { overlay, member, limits: &state.limits };
        let written = work(&writer, &asks)?;
        Ok(write_answer(overlay, &written))
    });
    writing.await.map_err(|_| ApiError::Internal)?
}
