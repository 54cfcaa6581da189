//! Likely doubles: the page shows two people side by side, and writes whether they are one into the file of overrides that the
//! next import takes up.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use kith_import::manifest::answers::{AnswerError, DoubleAnswer};

use crate::api::body::{self, Object};
use crate::api::caller::Caller;
use crate::api::cookie::check_site;
use crate::api::error::ApiError;
use crate::api::json::{Json, Raw};
use crate::api::prefer::Handling;
use crate::api::sent::Sent;
use crate::api::state::{ApiState, PageImport};
use crate::explorer::report::import_of;

/// The fields of a body that answers.
const FIELDS: [&str; 3] = ["a", "b", "answer"];
/// The answer that takes an earlier one back.
const LATER: &str = "later";
/// The field that says whether two are untied.
const UNTIED: &str = "untied";

/// Answers with the likely doubles of the import, and with the answers that were given.
///
/// # Errors
/// As [`Caller`]; 404 if there is no import of the organization; 409 if the file of overrides cannot be read.
pub async fn list(State(state): State<Arc<ApiState>>, caller: Caller) -> Result<Json, ApiError> {
    let import = Arc::clone(import_of(&state, &caller).ok_or(ApiError::UnknownPath)?);
    drop(caller);
    blocking(move || {
        let (answers, untied) =
            (import.answers.answers().map_err(conflict)?, import.answers.untied().map_err(conflict)?);
        let doubles = String::from_utf8_lossy(&import.shown().doubles).into_owned();
        Ok(Json::of_object(doubles.len() + 128, |json| {
            json.field("found", Raw(&doubles));
            json.array_field("untied", &untied, |json, people| {
                json.object(|json| json.array_field("people", people, |json, id| json.element(id)));
            });
            json.array_field("answers", &answers, |json, (a, b, answer)| {
                json.object(|json| {
                    json.field("a", a);
                    json.field("b", b);
                    json.field("answer", answer.name());
                });
            });
        }))
    })
    .await
}

/// Writes that two people are one or two, or takes that back.
///
/// # Errors
/// 400 if the request does not come from the page or its body cannot be taken; as [`list`]; 403 for a credential that may not
/// write; 409 if the file of overrides cannot take the answer.
pub async fn answer(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    headers: HeaderMap,
    body: Body,
) -> Result<Json, ApiError> {
    let (import, body) = read(&state, &caller, &headers, body).await?;
    body.check(Handling::default(), &FIELDS)?;
    let (a, b) = (person(&caller, &body, "a")?, person(&caller, &body, "b")?);
    drop(caller);
    let expected = "same, apart or later";
    let sent = body.text("answer", expected)?.ok_or_else(|| ApiError::missing("answer", expected))?;
    let answer = DoubleAnswer::ALL.into_iter().find(|answer| answer.name() == sent);
    if answer.is_none() && sent != LATER {
        return Err(Sent::new("answer", &sent).refused(expected));
    }
    blocking(move || {
        import.answers.answer(&a, &b, answer).map_err(conflict)?;
        Ok(Json::of_object(32, |json| json.field("answer", &sent)))
    })
    .await
}

/// Writes that two people do not know each other, so that no import derives a tie between them, or takes that back.
///
/// # Errors
/// As [`answer`].
pub async fn untie(
    State(state): State<Arc<ApiState>>,
    caller: Caller,
    headers: HeaderMap,
    body: Body,
) -> Result<Json, ApiError> {
    let (import, body) = read(&state, &caller, &headers, body).await?;
    body.check(Handling::default(), &["a", "b", UNTIED])?;
    let (a, b) = (person(&caller, &body, "a")?, person(&caller, &body, "b")?);
    drop(caller);
    let is_untied = body.boolean(UNTIED)?.unwrap_or(true);
    blocking(move || {
        import.answers.untie(&a, &b, is_untied).map_err(conflict)?;
        Ok(Json::of_object(32, |json| json.field(UNTIED, is_untied)))
    })
    .await
}

/// The import of the caller's organization, for a caller who may write, and the body of a request of the page.
async fn read(
    state: &ApiState,
    caller: &Caller,
    headers: &HeaderMap,
    body: Body,
) -> Result<(Arc<PageImport>, Object), ApiError> {
    check_site(headers)?;
    let import = Arc::clone(import_of(state, caller).ok_or(ApiError::UnknownPath)?);
    if !caller.scopes.has_write() {
        return Err(ApiError::InsufficientWriteScope);
    }
    Ok((import, Object::parse(&body::read(headers, body).await?)?))
}

/// Runs `work` where it holds no request up.
pub(crate) async fn blocking(
    work: impl FnOnce() -> Result<Json, ApiError> + Send + 'static,
) -> Result<Json, ApiError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| ApiError::Internal)?
}

/// The id of a person of the network.
fn person(caller: &Caller, body: &Object, name: &str) -> Result<String, ApiError> {
    let expected = "a person's id";
    let id = body.text(name, expected)?.ok_or_else(|| ApiError::missing(name, expected))?;
    caller.index().find_person(&id).map(|_| id).ok_or(ApiError::NotFound)
}

fn conflict(error: AnswerError) -> ApiError {
    ApiError::Conflict(format!("The answer cannot be kept: {error}."))
}
