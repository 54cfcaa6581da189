//! Builds a router from the table of routes, with the layer around every answer.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::Uri;
use axum::middleware::{Next, from_fn, from_fn_with_state};

use crate::api::endpoints::{ASK_ROUTES, ROUTES};
use crate::api::error::ApiError;
use crate::api::metrics::Metrics;
use crate::api::route::Route;
use crate::api::state::ApiState;
use crate::api::traces::Traces;
use crate::api::{cors, layers, probes};
use crate::limits::{BODY_DEADLINE, REQUEST_DEADLINE};

/// The public API, which only reads. `reference` are the routes that describe the others. No reference describes the
/// probes and `beside`: the routes of the API, the page and agents outside the table.
pub fn public(state: Arc<ApiState>, reference: &[Route], beside: Router<Arc<ApiState>>) -> Router {
    let (metrics, traces, cors) = (Arc::clone(&state.metrics), state.traces.clone(), state.cors.clone());
    let probes = probes::routes(Arc::clone(&state.readiness));
    let asks: &[Route] = if state.asks.is_some() { &ASK_ROUTES } else { &[] };
    let routes = router_of(ROUTES.iter().chain(asks).chain(reference)).merge(beside);
    let routes = in_shape(routes.with_state(state).merge(probes));
    let deadline = BODY_DEADLINE + REQUEST_DEADLINE;
    if cors.is_off() {
        return stamp(routes, deadline, metrics, traces);
    }
    // A preflight is stamped, counted and logged like every answer; answers made by the outermost layer also name who
    // may read them.
    let routes = routes.layer(from_fn_with_state(cors.clone(), cors::preflight));
    stamp(routes, deadline, metrics, traces).layer(from_fn_with_state(cors, cors::share))
}

/// A router that answers `routes`, without what [`finish`] adds.
pub fn router_of<'a>(routes: impl IntoIterator<Item = &'a Route>) -> Router<Arc<ApiState>> {
    routes.into_iter().fold(Router::new(), |router, route| router.route(route.path, route.answer()))
}

/// Adds uniform errors for unknown paths and wrong methods, and the outermost layer.
pub fn finish(
    routes: Router,
    deadline: Duration,
    metrics: Arc<Metrics>,
    traces: Option<Arc<Traces>>,
) -> Router {
    stamp(in_shape(routes), deadline, metrics, traces)
}

/// Adds uniform errors for unknown paths and wrong methods.
pub fn in_shape(routes: Router) -> Router {
    routes
        .fallback(async |address: Uri| ApiError::unknown_path(address.path()))
        .method_not_allowed_fallback(async || ApiError::WrongMethod)
}

/// Adds the outermost layer, [`layers::answer`].
pub fn stamp(
    routes: Router,
    deadline: Duration,
    metrics: Arc<Metrics>,
    traces: Option<Arc<Traces>>,
) -> Router {
    routes.layer(from_fn(move |request: Request, next: Next| {
        layers::answer(request, next, deadline, Arc::clone(&metrics), traces.clone())
    }))
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http::StatusCode;
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;
    use crate::api::layers::REQUEST_ID;
    use crate::live::networks::Networks;
    use crate::live::report::Status;

    async fn answer_of(path: &str, metrics: Arc<Metrics>) -> axum::response::Response {
        let routes = Router::new()
            .route("/slow", get(async || std::future::pending::<()>().await))
            .route("/panics", get(async || assert!(std::hint::black_box(1) > 2, "a secret")));
        let request = Request::builder().uri(path).body(Body::empty());
        let Ok(response) =
            finish(routes, Duration::from_millis(20), metrics, None).oneshot(request.unwrap()).await;
        response
    }

    #[tokio::test]
    async fn every_answer_carries_a_request_id_also_when_late_or_panicking()
    -> Result<(), Box<dyn std::error::Error>> {
        let metrics = Arc::new(Metrics::new()?);
        for (path, status) in [
            ("/slow", StatusCode::SERVICE_UNAVAILABLE),
            ("/panics", StatusCode::INTERNAL_SERVER_ERROR),
            ("/nowhere", StatusCode::NOT_FOUND),
        ] {
            let response = answer_of(path, Arc::clone(&metrics)).await;
            assert_eq!(response.status(), status, "{path}");
            assert!(response.headers().contains_key(REQUEST_ID), "{path}");
            let body = axum::body::to_bytes(response.into_body(), 4096).await?;
            let body = String::from_utf8_lossy(&body);
            assert!(body.starts_with("{\"error\":\"") && !body.contains("secret"), "{path}: {body}");
        }
        let text = String::from_utf8(metrics.write(&Networks::default(), &Status::default())?)?;
        for line in [
            "kith_requests_total{route=\"/slow\",status=\"503\"} 1",
            "kith_requests_total{route=\"/panics\",status=\"500\"} 1",
            "kith_requests_total{route=\"none\",status=\"404\"} 1",
            "kith_request_duration_seconds_count{route=\"/slow\"} 1",
            "kith_generation 0",
        ] {
            assert!(text.lines().any(|said| said == line), "{line} in {text}");
        }
        Ok(())
    }
}
