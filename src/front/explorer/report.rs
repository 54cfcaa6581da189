//! The report of the import behind the network in service, for the page alone.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::api::caller::Caller;
use crate::api::error::ApiError;
use crate::api::state::{ApiState, PageImport};

/// Answers with the report.
///
/// # Errors
/// As [`Caller`]; 404 if the import is of another organization.
pub async fn report(State(state): State<Arc<ApiState>>, caller: Caller) -> Result<Response, ApiError> {
    let import = import_of(&state, &caller).ok_or(ApiError::UnknownPath)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], import.shown().report).into_response())
}

/// The import of the caller's own organization, or `None` if there is none.
pub(crate) fn import_of<'s>(state: &'s ApiState, caller: &Caller) -> Option<&'s Arc<PageImport>> {
    let organization = &caller.index().data.organization.id;
    state.import.as_ref().filter(|import| import.organization_id == *organization)
}
