//! Returns kept answers to repeated questions about the same network.

use crate::api::caller::Caller;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::written::finished;
use crate::live::answers::{AskedQuestion, WrittenAnswer};
use kith::limits::Limits;

/// Answers `operation` with the parameters `query`, which must be valid and allowed to `caller`: with the kept answer,
/// or else with what `write` writes within `limits`.
///
/// # Errors
/// Returns the error of `write`, or an error if the answer is too long.
pub(crate) fn answer(
    caller: &Caller,
    operation: &'static str,
    query: Option<&str>,
    limits: &Limits,
    write: impl FnOnce() -> Result<Json, ApiError>,
) -> Result<WrittenAnswer, ApiError> {
    let question = AskedQuestion { operation, asking: caller.member, query: query.unwrap_or_default() };
    let answers = caller.answers();
    if let Some(answer) = answers.get(question, limits) {
        return Ok(answer);
    }
    let answer = finished(write()?)?;
    answers.keep(question, limits, &answer);
    Ok(answer)
}
