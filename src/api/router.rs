//! Which path is answered by whom, and what they share.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::routing::{MethodRouter, get, post};

use crate::api::error::ApiError;
use crate::api::metrics::Metrics;
use crate::api::traces::Traces;
use crate::api::{
    companies, compress, connections, layers, network_search, openapi, opportunities, people, people_network,
    warm_paths,
};
use crate::auth::verify::Verifier;
use crate::language_model::LanguageModel;
use crate::limits::{BODY_DEADLINE, Limits};
use crate::live::networks::LiveNetworks;
use crate::search::engine::Engines;
use crate::turns::Turns;

/// Work on a request is given up after this long.
pub const REQUEST_DEADLINE: Duration = Duration::from_secs(10);

/// What every handler shares.
#[derive(Debug)]
pub struct Service {
    /// The networks in service.
    pub networks: Arc<LiveNetworks>,
    /// Who may ask.
    pub credentials: Verifier,
    /// How much work one request may cause.
    pub limits: Limits,
    /// The engines of network search that are in service.
    pub engines: Engines,
    /// What parses queries before the built-in parser does, where it is on.
    pub language_model: LanguageModel,
    /// Who may work now.
    pub turns: Arc<Turns>,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// What requests are traced by, where they are.
    pub traces: Option<Arc<Traces>>,
}

/// The public API: it only reads.
pub fn public(service: Arc<Service>) -> Router {
    let routes =
        routes().into_iter().fold(Router::new(), |router, (path, methods)| router.route(path, methods));
    let (metrics, traces) = (Arc::clone(&service.metrics), service.traces.clone());
    finish(routes.with_state(service), BODY_DEADLINE + REQUEST_DEADLINE, metrics, traces)
}

/// Every path and what answers it. The last two tell about the others, and need no credential.
pub fn routes() -> Vec<(&'static str, MethodRouter<Arc<Service>>)> {
    vec![
        ("/api/v1/search/warm-paths", get(warm_paths::handle)),
        ("/api/v1/search/people", get(people::find)),
        ("/api/v1/search/companies", get(companies::find)),
        ("/api/v1/search/network", post(network_search::handle)),
        ("/api/v1/people/network", get(people_network::handle)),
        ("/api/v1/people/{id}", get(people::get)),
        ("/api/v1/connections", get(connections::list)),
        ("/api/v1/connections/second-degree", get(connections::list_second_degree)),
        ("/api/v1/ghost/opportunities", get(opportunities::handle)),
        ("/api/v1/openapi.json", get(openapi::serve::document)),
        ("/docs", get(openapi::serve::page)),
    ]
}

/// Adds to `routes` what every answer has: errors in shape for unknown paths and wrong methods,
/// compression for who asks for it, and the outermost layer.
pub fn finish(
    routes: Router,
    deadline: Duration,
    metrics: Arc<Metrics>,
    traces: Option<Arc<Traces>>,
) -> Router {
    routes
        .fallback(async || ApiError::UnknownPath)
        .method_not_allowed_fallback(async || ApiError::WrongMethod)
        .layer(from_fn(compress::answer))
        .layer(from_fn(move |request: Request, next: Next| {
            layers::answer(request, next, deadline, Arc::clone(&metrics), traces.clone())
        }))
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http::StatusCode;
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
            assert!(text.lines().any(|told| told == line), "{line} in {text}");
        }
        Ok(())
    }
}
