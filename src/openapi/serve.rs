//! `GET /api/v1/openapi.json` and `GET /docs`: made once, the same for everyone.

use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::on;

use crate::api::endpoints::ROUTES as API_ROUTES;
use crate::api::route::Route;
use crate::openapi::table::Endpoint;
use crate::openapi::{document, endpoints, page};

static DOCUMENT: LazyLock<Bytes> = LazyLock::new(|| Bytes::from(document::write(&described())));
static PAGE: LazyLock<Bytes> = LazyLock::new(|| Bytes::from(page::write(&described())));

/// The routes that describe the API, themselves among them. They need no credential.
pub const ROUTES: [Route; 2] = [
    Route::get("/api/v1/openapi.json", "getOpenApi", |method| on(method, get_open_api)),
    Route::get("/docs", "getDocs", |method| on(method, get_docs)),
];

/// Every operation of the API, described.
#[must_use]
pub fn described() -> Vec<Endpoint> {
    endpoints::describe(&[&API_ROUTES[..], &ROUTES].concat())
}

/// The page runs no script, loads nothing, and stands in no other page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// Answers with the document. No credential is looked at: it holds no data.
pub async fn get_open_api() -> Response {
    let json = HeaderValue::from_static("application/json");
    ([(header::CONTENT_TYPE, json)], DOCUMENT.clone()).into_response()
}

/// Answers with the page. No credential is looked at: it holds no data.
pub async fn get_docs() -> Response {
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    let policy = HeaderValue::from_static(POLICY);
    ([(header::CONTENT_TYPE, html), (header::CONTENT_SECURITY_POLICY, policy)], PAGE.clone()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_is_described_once() {
        let mut described: Vec<&str> = described().iter().map(|endpoint| endpoint.route.id).collect();
        let mut routes: Vec<&str> = API_ROUTES.iter().chain(&ROUTES).map(|route| route.id).collect();
        described.sort_unstable();
        routes.sort_unstable();
        assert_eq!(described, routes);
    }
}
