//! One more export of the owner, dragged onto the page of `kith open`: the network is made again with it.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use tokio::task::spawn_blocking;

use crate::api::admin::reload_now;
use crate::api::caller::Caller;
use crate::api::cookie::check_site;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::state::{ApiState, PageImport};
use crate::audit::ReloadRequester;
use crate::explorer::arriving::{pieces, sent_name};
use crate::explorer::bring::refused;
use crate::explorer::report::import_of;

/// Whether the caller's files are those that are imported.
pub(crate) fn may_add(state: &ApiState, caller: &Caller) -> bool {
    owned(state, caller).is_ok()
}

/// Takes a file, makes the network again, and answers once it is in service.
///
/// # Errors
/// 400 if the request does not come from the page; as [`Caller`]; 403 for who is not the owner of the files; 404 if there is no import of
/// the organization; 409 for a file that gives nothing, or comes while another one is read.
pub async fn add(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    request: Request,
) -> Result<Json, Response> {
    let (parts, body) = request.into_parts();
    let (import, name) = read(&state, &caller, &parts).map_err(IntoResponse::into_response)?;
    drop(caller);
    let (mut receiver, sending) = pieces(body);
    let taking = spawn_blocking(move || import.add(&name, &mut || receiver.blocking_recv()));
    let (taken, sent) = tokio::join!(taking, sending);
    let taken = taken.map_err(|_| ApiError::Internal.into_response())?;
    taken.map_err(|error| sent.err().map_or_else(|| refused(error), IntoResponse::into_response))?;
    let reloader = state.gate.reloader().ok_or_else(|| ApiError::Internal.into_response())?;
    let loaded = reload_now(reloader, ReloadRequester::Page).await;
    if loaded.is_ok_and(|report| report.counts().refused == 0) {
        return Ok(Json::of_object(32, |json| json.field("added", true)));
    }
    let said = "The file was imported, and the network made of it could not be put in service: end kith open and start it again.";
    Err(ApiError::Conflict(said.to_owned()).into_response())
}

fn owned<'s>(state: &'s ApiState, caller: &Caller) -> Result<&'s Arc<PageImport>, ApiError> {
    let import = import_of(state, caller).ok_or(ApiError::UnknownPath)?;
    let member = caller.own_member("Adding an export")?;
    if !import.is_of(caller.index().data.members.user_ids.get(member.0)) {
        return Err(ApiError::Forbidden("Only the owner of the imported files adds one.".to_owned()));
    }
    if !caller.scopes.has_write() {
        return Err(ApiError::InsufficientWriteScope);
    }
    Ok(import)
}

fn read(state: &ApiState, caller: &Caller, parts: &Parts) -> Result<(Arc<PageImport>, String), ApiError> {
    check_site(&parts.headers)?;
    Ok((Arc::clone(owned(state, caller)?), sent_name(&parts.headers)?))
}
