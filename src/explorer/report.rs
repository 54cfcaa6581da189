//! The report of the import behind the network in service, for the page alone.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::api::caller::Caller;
use crate::api::error::ApiError;
use crate::api::state::{ApiState, PageReport};

/// Answers with the report.
///
/// # Errors
/// As [`Caller`]; 404 if the report is of another organization.
pub async fn report(State(state): State<Arc<ApiState>>, caller: Caller) -> Result<Response, ApiError> {
    let report = of(&state, &caller).ok_or(ApiError::UnknownPath)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], report.json.clone()).into_response())
}

/// The report of the caller's own organization, or `None` if there is none.
pub(crate) fn of<'s>(state: &'s ApiState, caller: &Caller) -> Option<&'s PageReport> {
    let organization = &caller.index().data.organization.id;
    state.report.as_ref().filter(|report| report.organization_id == *organization)
}
