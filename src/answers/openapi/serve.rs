//! `GET /api/v1/openapi.json` and `GET /docs`: built once, the same for everybody.
//!
//! Promise: `/docs` and `openapi.json` are packed once: two answers are the same memory, and `If-None-Match` gets 304.
//! Control: the same page from an ordinary endpoint.

use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use axum::routing::on;

use crate::api::compress::PackedOnce;
use crate::api::endpoints::ROUTES as API_ROUTES;
use crate::api::error::ApiError;
use crate::api::params::Params;
use crate::api::prefer::Handling;
use crate::api::route::Route;
use crate::openapi::parameters::prefer;
use crate::openapi::table::Endpoint;
use crate::openapi::{asks, document, endpoints, page, schemas};

static DOCUMENT: LazyLock<PackedOnce> =
    LazyLock::new(|| PackedOnce::of(document::write(&described(), &asks::without(schemas::all()))));
static DOCUMENT_WITH_ASKS: LazyLock<PackedOnce> =
    LazyLock::new(|| PackedOnce::of(document::write(&described_with_asks(), &schemas::all())));
static PAGE: LazyLock<PackedOnce> =
    LazyLock::new(|| PackedOnce::of(page::write(&described(), &asks::without(schemas::all())).into_bytes()));
static PAGE_WITH_ASKS: LazyLock<PackedOnce> =
    LazyLock::new(|| PackedOnce::of(page::write(&described_with_asks(), &schemas::all()).into_bytes()));

/// The routes that describe the API, including themselves. They need no credential.
pub const ROUTES: [Route; 2] = [
    Route::get("/api/v1/openapi.json", "getOpenApi", |method| on(method, get_open_api)),
    Route::get("/docs", "getDocs", |method| on(method, get_docs)),
];

/// The same in a service with asks.
pub const ROUTES_WITH_ASKS: [Route; 2] = [
    Route::get("/api/v1/openapi.json", "getOpenApi", |method| on(method, get_open_api_with_asks)),
    Route::get("/docs", "getDocs", |method| on(method, get_docs_with_asks)),
];

/// Every operation of the API without asks, described.
#[must_use]
pub fn described() -> Vec<Endpoint> {
    preferring(endpoints::describe(&[&API_ROUTES[..], &ROUTES].concat()))
}

/// Every operation of the API with asks, described.
#[must_use]
pub fn described_with_asks() -> Vec<Endpoint> {
    preferring(asks::with(endpoints::describe(&[&API_ROUTES[..], &ROUTES].concat())))
}

fn preferring(mut described: Vec<Endpoint>) -> Vec<Endpoint> {
    for endpoint in described.iter_mut().filter(|endpoint| endpoint.route.path.starts_with("/api/v1/")) {
        endpoint.parameters.push(prefer());
    }
    described
}

/// The page may run only its own script, load nothing, send requests only to this server, and not be framed. The hash
/// is that of [`page::SCRIPT`].
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; \
                      script-src 'sha256-ZxE6VtRStOzL2PgCfSfq2nvPWRBaPAwtAKOAbCWH3mk='; connect-src 'self'; \
                      img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

/// Answers with the document. Checks no credential: the document has no data.
///
/// # Errors
/// 400 for any parameter, if the caller wants unknown ones refused.
pub async fn get_open_api(headers: HeaderMap, params: Params) -> Result<Response, ApiError> {
    document(&DOCUMENT, &headers, &params)
}

/// Answers with the document of a service with asks.
///
/// # Errors
/// Returns the errors of [`get_open_api`].
pub async fn get_open_api_with_asks(headers: HeaderMap, params: Params) -> Result<Response, ApiError> {
    document(&DOCUMENT_WITH_ASKS, &headers, &params)
}

fn document(packed: &PackedOnce, headers: &HeaderMap, params: &Params) -> Result<Response, ApiError> {
    // All others may send anything, even what cannot be decoded.
    if params.handling() == Handling::Strict {
        params.check(&[])?;
    }
    Ok(packed.answer(headers, "application/json"))
}

/// Answers with the page. Checks no credential: the page has no data.
pub async fn get_docs(headers: HeaderMap) -> Response {
    docs(&PAGE, &headers)
}

/// Answers with the page of a service with asks. Checks no credential: the page has no data.
pub async fn get_docs_with_asks(headers: HeaderMap) -> Response {
    docs(&PAGE_WITH_ASKS, &headers)
}

fn docs(packed: &PackedOnce, headers: &HeaderMap) -> Response {
    let mut response = packed.answer(headers, "text/html; charset=utf-8");
    let policy = HeaderValue::from_static(POLICY);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, Bytes, to_bytes};
    use axum::http::{Method, Request, StatusCode};
    use axum::routing::get;
    use axum::{Router, response::IntoResponse};
    use std::sync::Arc;
    use std::time::Duration;
    use tower::ServiceExt;

    use super::*;
    use crate::api::endpoints::{
        changes, companies, connections, members, network_search, opportunities, people, people_network,
        warm_paths, warm_paths_batch,
    };
    use crate::api::metrics::Metrics;
    use crate::api::router;
    use crate::openapi::table::Place;

    const PATHS: [&str; 2] = ["/api/v1/openapi.json", "/docs"];

    /// Sends a request to the two routes, or to an ordinary endpoint with the same page.
    async fn ask(method: Method, path: &str, headers: &[(&str, &str)]) -> (StatusCode, HeaderMap, Bytes) {
        let routes = Router::new()
            .route(PATHS[0], get(get_open_api))
            .route(PATHS[1], get(get_docs))
            .route("/ordinary", get(async || page::write(&described(), &[]).into_response()));
        let routes = router::finish(routes, Duration::from_secs(5), Arc::new(Metrics::new().unwrap()), None);
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let Ok(response) = routes.oneshot(request.body(Body::empty()).unwrap()).await;
        let (parts, body) = response.into_parts();
        (parts.status, parts.headers, to_bytes(body, usize::MAX).await.unwrap())
    }

    #[tokio::test]
    async fn the_reference_is_packed_once_and_every_answer_is_the_same_memory() {
        let is_shared = async |path: &str, accepted: &str| {
            let headers = [("accept-encoding", accepted)];
            let (first, second) =
                (ask(Method::GET, path, &headers).await, ask(Method::GET, path, &headers).await);
            assert!(first.2 == second.2 && first.2.len() > 1024, "{path} {accepted}");
            first.2.as_ptr() == second.2.as_ptr()
        };
        for accepted in ["", "gzip", "zstd"] {
            for path in PATHS {
                assert!(is_shared(path, accepted).await, "{path} {accepted}");
            }
            // Control: an ordinary endpoint builds and compresses its body for each request.
            assert!(!is_shared("/ordinary", accepted).await, "{accepted}");
        }
    }

    #[tokio::test]
    async fn a_caller_that_has_the_bytes_of_its_coding_gets_none() {
        let mut tags = Vec::new();
        for path in PATHS {
            for accepted in ["", "gzip", "zstd"] {
                let (_, sent, _) = ask(Method::GET, path, &[("accept-encoding", accepted)]).await;
                let tag = sent[header::ETAG].to_str().unwrap().to_owned();
                assert!(tag.starts_with('"') && tag.ends_with('"') && !tags.contains(&tag), "{tag} {tags:?}");
                for (known, status) in [
                    (tag.clone(), 304),
                    (format!("W/{tag}"), 304),
                    (format!("\"a\", {tag}"), 304),
                    ("*".to_owned(), 304),
                    ("\"a\"".to_owned(), 200),
                    (tag.trim_matches('"').to_owned(), 200),
                    (tags.last().cloned().unwrap_or_default(), 200),
                ] {
                    for method in [Method::GET, Method::HEAD] {
                        let headers = [("accept-encoding", accepted), ("if-none-match", known.as_str())];
                        let (got, headers, body) = ask(method.clone(), path, &headers).await;
                        assert_eq!(got, status, "{method} {path} {accepted} {known}");
                        assert_eq!(
                            body.is_empty(),
                            status == 304 || method == Method::HEAD,
                            "{path} {known}"
                        );
                        for name in [header::ETAG, header::VARY, header::CACHE_CONTROL] {
                            assert_eq!(headers[&name], sent[&name], "{path} {accepted} {known}");
                        }
                        let said = headers.get(header::CONTENT_LENGTH);
                        assert!(status == 304 || said == sent.get(header::CONTENT_LENGTH), "{headers:?}");
                        assert_eq!(headers.get_all(header::VARY).iter().count(), 1);
                    }
                }
                tags.push(tag);
            }
        }
    }

    /// The names accepted under `Prefer: handling=strict`, by operation: its parameters and its fields.
    const KNOWN: [(&str, &[&str], &[&str]); 14] = [
        ("searchWarmPaths", &warm_paths::PARAMETERS, &[]),
        ("searchWarmPathsBatch", &[], warm_paths_batch::FIELDS_WITHOUT_ASKS),
        ("searchNetwork", &[], &network_search::FIELDS),
        ("searchPeople", &people::SEARCH_PARAMETERS, &[]),
        ("getPerson", &people::PARAMETERS, &[]),
        ("getPeopleNetwork", &people_network::PARAMETERS, &[]),
        ("searchCompanies", &companies::PARAMETERS, &[]),
        ("listConnections", &connections::PARAMETERS, &[]),
        ("listSecondDegreeConnections", &connections::SECOND_DEGREE_PARAMETERS, &[]),
        ("listGhostOpportunities", &opportunities::PARAMETERS, &[]),
        ("listChanges", &changes::PARAMETERS, &[]),
        ("listMembers", &members::PARAMETERS, &[]),
        ("getMe", &[], &[]),
        ("getOpenApi", &[], &[]),
    ];

    #[test]
    fn the_names_that_each_operation_knows_are_those_that_are_described() {
        let mut described = described();
        described.retain(|endpoint| endpoint.route.path.starts_with("/api/v1/"));
        assert_eq!(described.len(), KNOWN.len());
        for endpoint in described {
            let id = endpoint.route.id;
            let (_, parameters, fields) = KNOWN.into_iter().find(|(known, ..)| *known == id).expect(id);
            for (known, place) in [(parameters, Place::Query), (fields, Place::Body)] {
                let places = [place];
                let names: Vec<&str> =
                    endpoint.parameters_in(&places).map(|parameter| parameter.name).collect();
                assert_eq!(names, known, "{id}");
            }
        }
    }

    #[test]
    fn every_route_is_described_once() {
        let mut described: Vec<&str> = described().iter().map(|endpoint| endpoint.route.id).collect();
        let mut routes: Vec<&str> = API_ROUTES.iter().chain(&ROUTES).map(|route| route.id).collect();
        described.sort_unstable();
        routes.sort_unstable();
        assert_eq!(described, routes);
    }
}
