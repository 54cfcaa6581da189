//! `GET /api/v1/changes`: changes since the previous generation.

use std::sync::Arc;

use axum::extract::State;

use crate::admission::class::Class;
use crate::api::caller::Caller;
use crate::api::changes::ChangesAnswer;
use crate::api::comparing::changes_since;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::params::Params;
use crate::api::state::ApiState;
use crate::query::changes::Change;
use crate::query::page::Page;

/// The parameters that `listChanges` takes.
pub const PARAMETERS: [&str; 3] = ["since", "limit", "offset"];
/// A description of the values of `since`.
const GENERATION: &str = "a generation, as the header Service-Generation of an answer names it";

/// Answers `listChanges`.
///
/// # Errors
/// Returns 503 if the service is overloaded, or the changes are not known in time; 400 for invalid parameters; 410 if
/// the generation is neither in service nor kept.
pub async fn list_changes(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    params: Params,
) -> Result<Json, ApiError> {
    let permit = caller.permit(&state, Class::Short).await?;
    params.check(&PARAMETERS)?;
    let since = params.required_whole("since", GENERATION)?;
    let page = params.page()?;
    if since == caller.generation() {
        return Ok(answer(&caller, since, page, 0, &[]));
    }
    let kept =
        caller.predecessor().filter(|kept| kept.generation == since).ok_or(ApiError::GenerationGone)?;
    // Computing the changes takes turns of its own.
    drop(permit);
    let organization = &caller.index().data.organization.id;
    let noted = changes_since(kept, organization, &state).await.ok_or(ApiError::Unavailable)?;
    let _permit = caller.permit(&state, Class::Short).await?;
    let place = |number: u64| usize::try_from(number).map_or(noted.len(), |number| number.min(noted.len()));
    let comparison = kept.comparison(&state.limits);
    let changes: Vec<_> = comparison.look_up(&noted[place(page.offset)..place(page.end())]).collect();
    Ok(answer(&caller, since, page, noted.len() as u64, &changes))
}

fn answer(caller: &Caller, since: u64, page: Page, total: u64, changes: &[Change<'_>]) -> Json {
    let generations = [since, caller.generation()];
    let bytes = 256 + 640 * changes.len();
    Json::of_object(bytes, |json| ChangesAnswer::write(json, (changes, total, page, generations)))
}
