//! The files of the page: the same for everybody, packed once.

use std::sync::{Arc, LazyLock};

use axum::extract::{Extension, RawQuery};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};

use crate::api::browsers::wants_page;
use crate::api::compress::PackedOnce;
use crate::api::error::ApiError;
use crate::api::state::ApiState;
use crate::auth::web_origin::WebOrigin;

/// A file of a page.
pub(super) struct File {
    packed: PackedOnce,
    kind: &'static str,
    policy: HeaderValue,
}

/// The page itself, and the header that says whose pictures it may show.
#[derive(Clone)]
pub struct Index(Arc<File>);

impl Index {
    /// The page that shows pictures of `logo_hosts` beside its own.
    #[must_use]
    pub fn showing(logo_hosts: &[WebOrigin]) -> Self {
        let hosts: String = logo_hosts.iter().map(|host| format!(" {}", host.as_str())).collect();
        let policy = POLICY.replace(PICTURES, &format!("{PICTURES}{hosts}"));
        let bytes = include_bytes!("../../../explorer/dist/index.html");
        Self(Arc::new(File::held_to(&policy, bytes, HTML)))
    }
}

impl File {
    /// A file that is `bytes`, held to the policy of the page.
    pub(super) fn of(bytes: &[u8], kind: &'static str) -> Self {
        Self::held_to(POLICY, bytes, kind)
    }

    /// A file that is `bytes`, with a policy of its own.
    pub(super) fn held_to(policy: &str, bytes: &[u8], kind: &'static str) -> Self {
        let packed = PackedOnce::beside(bytes.to_vec(), policy);
        // Constants, and hosts in plain letters.
        let policy = HeaderValue::from_str(policy).expect("a policy can stand in a header");
        Self { packed, kind, policy }
    }

    /// The answer to a request with `headers`, to be kept as `kept` says.
    pub(super) fn answer(&self, headers: &HeaderMap, kept: &'static str) -> Response {
        let mut response = self.packed.answer(headers, self.kind);
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, self.policy.clone());
        for (name, value) in GUARDS {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
        response
    }
}

/// The page's content security policy: it loads only from this server, has no inline scripts, and cannot be framed.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

/// The part of the policy on pictures.
const PICTURES: &str = "img-src 'self' blob:";

/// Further headers of every file.
const GUARDS: [(HeaderName, &str); 3] = [
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (header::REFERRER_POLICY, "no-referrer"),
];

/// The content types of pages, scripts and styles.
pub(super) const HTML: &str = "text/html; charset=utf-8";
pub(super) const SCRIPT: &str = "text/javascript; charset=utf-8";
pub(super) const STYLE: &str = "text/css; charset=utf-8";

/// Asked for each time, and answered 304 if it is still the same.
pub(super) const FRESH: &str = "no-cache";
/// Never asked for again: another file has another address.
const FOREVER: &str = "public, max-age=31536000, immutable";

/// Answers a browser at `/` with the page, and every other request with 404.
pub async fn root(Extension(index): Extension<Index>, method: Method, headers: HeaderMap) -> Response {
    if !wants_page(&method, &headers) {
        return ApiError::unknown_path("/").into_response();
    }
    let mut response = index.0.answer(&headers, FRESH);
    response.headers_mut().append(header::VARY, HeaderValue::from_static("Accept"));
    response
}

/// Answers with the page.
pub async fn page(Extension(index): Extension<Index>, headers: HeaderMap) -> Response {
    index.0.answer(&headers, FRESH)
}

/// A route to the file `bytes`, asked for each time.
pub(super) fn fresh(bytes: &'static [u8], kind: &'static str) -> MethodRouter<Arc<ApiState>> {
    serve(bytes, kind, |_| FRESH)
}

/// A route to the file `bytes`, whose address in the page names its bytes.
pub(super) fn versioned(bytes: &'static [u8], kind: &'static str) -> MethodRouter<Arc<ApiState>> {
    serve(bytes, kind, kept)
}

fn serve(
    bytes: &'static [u8],
    kind: &'static str,
    kept: fn(&RawQuery) -> &'static str,
) -> MethodRouter<Arc<ApiState>> {
    let file = Arc::new(LazyLock::new(move || File::of(bytes, kind)));
    get(move |query: RawQuery, headers: HeaderMap| async move { file.answer(&headers, kept(&query)) })
}

/// How long a file is kept: forever only by the address that the page has for it, which names its bytes.
fn kept(RawQuery(query): &RawQuery) -> &'static str {
    let named = query.as_deref().and_then(|query| query.strip_prefix("v="));
    let page = include_str!("../../../explorer/dist/index.html");
    let is_of_page = named.is_some_and(|version| version.len() == 16 && page.contains(version));
    if is_of_page { FOREVER } else { FRESH }
}
