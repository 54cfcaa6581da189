//! Answers that are given again to those who ask the same of the same network.

use crate::api::caller::Caller;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::written::finished;
use crate::live::answers::{AskedQuestion, WrittenAnswer};
use kith::limits::Limits;

/// The answer to the parameters `query` of `operation`, which were read and may be asked by `caller`: the one that is kept,
/// else what `write` writes by `limits`.
///
/// # Errors
/// Returns the error of `write`; one for an answer that is too long.
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
