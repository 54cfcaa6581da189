//! Recognizes requests of browsers that open a page.

use axum::extract::Request;
use axum::http::{HeaderMap, Method, header};

/// The path of the page on both listeners.
pub const PAGE: &str = "/";

/// Returns whether `request` opens the page at [`PAGE`].
#[must_use]
pub fn opens_page<B>(request: &Request<B>) -> bool {
    request.uri().path() == PAGE && wants_page(request.method(), request.headers())
}

/// Returns whether a request accepts HTML by name, as browsers do and programs do not.
#[must_use]
pub fn wants_page(method: &Method, headers: &HeaderMap) -> bool {
    let lines = headers.get_all(header::ACCEPT).iter().filter_map(|line| line.to_str().ok());
    let mut kinds = lines.flat_map(|line| line.split(',')).map(|kind| kind.split(';').next().unwrap_or(""));
    matches!(*method, Method::GET | Method::HEAD)
        && kinds.any(|kind| kind.trim().eq_ignore_ascii_case("text/html"))
}
