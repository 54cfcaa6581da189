//! What every answer passes on its way out: a request id, a deadline, caught panics, one log line.

use std::fmt::Write;
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;

use crate::api::error::ApiError;

/// The header that tells one request from all others.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("service-request-id");

/// Why an answer is an error of ours: for the log alone, never for the caller.
#[derive(Clone, Debug)]
pub struct Cause(pub String);

/// Answers `request` by `next`: within `deadline`, panics caught, stamped and logged.
///
/// The id is made here and never taken from the caller. The log line holds the route's template,
/// never the address that was asked for: that can hold names.
pub async fn answer(request: Request, next: Next, deadline: Duration) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let running = AssertUnwindSafe(next.run(request)).catch_unwind();
    let mut response = match tokio::time::timeout(deadline, running).await {
        Ok(Ok(response)) => response,
        Ok(Err(panic)) => failed(ApiError::Internal, panic_message(panic.as_ref())),
        Err(_) => failed(ApiError::Unavailable, "the request ran past its deadline".to_owned()),
    };
    let id = request_id();
    let cause = response.extensions_mut().remove::<Cause>();
    let (status, route) = (response.status().as_u16(), route.as_deref().unwrap_or("none"));
    let duration_us = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    match cause {
        Some(Cause(cause)) => {
            tracing::error!(request_id = %id, %method, route, status, duration_us, cause, "request failed");
        }
        None => tracing::info!(request_id = %id, %method, route, status, duration_us, "request"),
    }
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert(REQUEST_ID, id);
    }
    response
}

fn failed(error: ApiError, cause: String) -> Response {
    let mut response = error.into_response();
    response.extensions_mut().insert(Cause(cause));
    response
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("panicked: {}", text.unwrap_or("without a message"))
}

/// `req_` and 128 random bits in hexadecimal.
fn request_id() -> String {
    let mut bits = [0_u8; 16];
    // Without random bits an id is still an id; nothing secret hangs on it.
    let _ = getrandom::fill(&mut bits);
    bits.iter().fold(String::from("req_"), |mut id, byte| {
        let _ = write!(id, "{byte:02x}");
        id
    })
}
