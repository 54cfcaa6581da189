//! `GET /api/v1/openapi.json` and `GET /docs`: made once, the same for everyone.

use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

static DOCUMENT: LazyLock<Bytes> = LazyLock::new(|| Bytes::from(crate::api::openapi::document::write()));
static PAGE: LazyLock<Bytes> = LazyLock::new(|| Bytes::from(crate::api::openapi::page::write()));

/// The page runs no script, loads nothing, and stands in no other page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// Answers with the document. No credential is looked at: it holds no data.
pub async fn document() -> Response {
    let json = HeaderValue::from_static("application/json");
    ([(header::CONTENT_TYPE, json)], DOCUMENT.clone()).into_response()
}

/// Answers with the page. No credential is looked at: it holds no data.
pub async fn page() -> Response {
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    let policy = HeaderValue::from_static(POLICY);
    ([(header::CONTENT_TYPE, html), (header::CONTENT_SECURITY_POLICY, policy)], PAGE.clone()).into_response()
}
