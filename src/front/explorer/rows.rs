//! The rows of the imported files that a person comes from, for the page alone.

use std::sync::Arc;

use axum::extract::State;
use kith_import::tables::earlier::{IDENTITIES, IdentityLine, each_line};

use crate::api::caller::Caller;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::params::Params;
use crate::api::state::ApiState;
use crate::explorer::doubles::blocking;
use crate::explorer::report::import_of;

/// The parameter that names the person.
const PERSON: &str = "personId";
/// The most rows that are listed; how many there are in all is said.
const LISTED_MAX: usize = 200;

/// Answers with the rows of a person: `{rows: [{file, line, rule}], totalCount}`, in the order of the import.
///
/// # Errors
/// As [`Caller`]; 400 without a person; 404 if there is no import of the organization or nobody of that id; 500 if its tables
/// cannot be read.
pub async fn list(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    params: Params,
) -> Result<Json, ApiError> {
    let import = Arc::clone(import_of(&state, &caller).ok_or(ApiError::UnknownPath)?);
    let id = params.id(PERSON)?.ok_or_else(|| ApiError::missing(PERSON, "a person's id"))?.to_owned();
    caller.index().find_person(&id).ok_or(ApiError::NotFound)?;
    drop(caller);
    blocking(move || {
        let mut rows = Vec::new();
        let take = |one: IdentityLine| {
            if one.id == id {
                rows = one.rows;
            }
        };
        each_line(&import.tables.join(IDENTITIES), take).map_err(|_| ApiError::Internal)?;
        Ok(Json::of_object(64 + 96 * rows.len().min(LISTED_MAX), |json| {
            json.array_field("rows", rows.iter().take(LISTED_MAX), |json, row| {
                json.object(|json| {
                    json.field("file", &row.file);
                    json.field("line", row.line);
                    json.field("rule", &row.rule);
                });
            });
            json.field("totalCount", rows.len() as u64);
        }))
    })
    .await
}
