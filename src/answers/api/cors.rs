//! Cross-origin requests: which web pages may read answers in a browser. Off unless the operator lists origins.
//!
//! We do not use tower-http: its layer answers every `OPTIONS`, even for unknown paths, and before the request has an
//! id, a log line and a count.

use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::auth::web_origin::WebOrigin;
use crate::limits::PREFLIGHT_SECONDS;

/// The paths below which answers are shared.
const PATHS: &str = "/api/v1/";
/// The methods that a page may send.
const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, POST");
/// Headers that a page may send besides the always allowed ones.
const SENT: HeaderValue =
    HeaderValue::from_static("Authorization, Content-Type, Prefer, Traceparent, Tracestate");
/// Headers that a page may read besides the always readable ones.
const READ: HeaderValue = HeaderValue::from_static(
    "Service-Request-Id, Service-Generation, RateLimit-Policy, RateLimit, Retry-After, Preference-Applied, \
     WWW-Authenticate, Allow",
);

/// The origins whose pages may read answers.
#[derive(Clone, Debug, Default)]
pub struct Cors(Arc<[HeaderValue]>);

impl Cors {
    /// Shares answers with the pages of `origins` only.
    #[must_use]
    pub fn new(origins: &[WebOrigin]) -> Self {
        Self(origins.iter().filter_map(|origin| HeaderValue::from_str(origin.as_str()).ok()).collect())
    }

    /// Whether no origin is listed.
    #[must_use]
    pub fn is_off(&self) -> bool {
        self.0.is_empty()
    }

    /// The listed origin that a request to `path` comes from, if any.
    fn origin(&self, path: &str, headers: &HeaderMap) -> Option<HeaderValue> {
        let mut sent = headers.get_all(header::ORIGIN).iter().filter(|_| path.starts_with(PATHS));
        let (Some(one), None) = (sent.next(), sent.next()) else { return None };
        self.0.iter().find(|listed| *listed == one).cloned()
    }
}

/// Answers a browser's preflight for a page of a listed origin, without looking at credentials. Passes everything else
/// to `next`.
pub async fn preflight(State(cors): State<Cors>, request: Request, next: Next) -> Response {
    let (path, headers) = (request.uri().path(), request.headers());
    let is_asked = request.method() == Method::OPTIONS
        && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
        && request.extensions().get::<MatchedPath>().is_some()
        && cors.origin(path, headers).is_some();
    if !is_asked {
        return next.run(request).await;
    }
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, SENT);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from(PREFLIGHT_SECONDS));
    response
}

/// Answers with `next`, and names the page that may read the answer. Never allows browsers to add what they keep of a
/// user (cookies): the page sends a credential itself, or none is sent.
pub async fn share(State(cors): State<Cors>, request: Request, next: Next) -> Response {
    let is_shared = request.uri().path().starts_with(PATHS);
    let origin = cors.origin(request.uri().path(), request.headers());
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if is_shared {
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
    }
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, READ);
    }
    response
}
