//! Turns written answers into responses.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::marks::Capped;
use crate::live::answers::WrittenAnswer;

/// Finishes an answer.
///
/// # Errors
/// Returns an error if it exceeds the maximum length.
pub(crate) fn finished(json: Json) -> Result<WrittenAnswer, ApiError> {
    json.into_answer().ok_or(ApiError::AnswerTooLong { instead: "fewer entries with limit" })
}

impl IntoResponse for Json {
    fn into_response(self) -> Response {
        finished(self).into_response()
    }
}

impl IntoResponse for WrittenAnswer {
    fn into_response(self) -> Response {
        let json = HeaderValue::from_static("application/json");
        let mut response = ([(header::CONTENT_TYPE, json)], self.body).into_response();
        if self.is_capped {
            response.extensions_mut().insert(Capped);
        }
        response
    }
}
