//! The operator's page: one file, at `/` of the operator's listener for browsers.
//!
//! It reads `/metrics` and `/readyz` with the token that is typed in, if the listener asks for one. Without a token
//! the doorkeeper answers 401 by the page itself, which asks for it (`api/doorkeeper.rs`).

use std::sync::LazyLock;

use axum::Router;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};
use axum::routing::any;

use crate::api::browsers::{PAGE, wants_page};
use crate::api::error::ApiError;
use crate::api::state::ApiState;
use crate::explorer::page::{FRESH, File, HTML};

/// It holds its one script and its one style by their hashes.
static FILE: LazyLock<File> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../explorer/dist/operator.html");
    File::held_to(include_str!("../../../explorer/dist/operator.csp"), bytes, HTML)
});

/// The route of the page; none if the page for people is not served either.
pub fn routes(state: &ApiState) -> Router {
    if state.sessions.is_some() { page_alone() } else { Router::new() }
}

/// The route of the page.
pub fn page_alone() -> Router {
    Router::new().route(PAGE, any(root))
}

/// Answers a browser with the page, and every other request with 404.
async fn root(method: Method, headers: HeaderMap) -> Response {
    if !wants_page(&method, &headers) {
        return ApiError::UnknownPath.into_response();
    }
    let mut response = FILE.answer(&headers, FRESH);
    response.headers_mut().append(header::VARY, HeaderValue::from_static("Accept"));
    response
}
