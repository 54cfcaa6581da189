//! The operator's side: reload and health, on a listener of its own that stays off the public
//! address.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::marks::Cause;
use crate::api::metrics::Metrics;
use crate::api::router::finish;
use crate::limits::RELOAD_DEADLINE;
use crate::live::networks::LiveNetworks;
use crate::live::reload::{Reloaded, Reloader};
use crate::live::report::{FileOutcome, Outcome};

/// What the operator's handlers share.
#[derive(Debug)]
pub struct Operations {
    /// The networks in service.
    pub networks: Arc<LiveNetworks>,
    /// Puts new ones in service.
    pub reloader: Arc<Reloader>,
    /// What is counted.
    pub metrics: Arc<Metrics>,
}

/// The type of the text that Prometheus reads.
const PROMETHEUS_TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The operator's routes.
pub fn admin(operations: Arc<Operations>) -> Router {
    let routes = Router::new()
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(tell_metrics))
        .route("/admin/reload", post(reload));
    let metrics = Arc::clone(&operations.metrics);
    // Probes and scrapes would be most of the traces.
    finish(routes.with_state(operations), RELOAD_DEADLINE, metrics, None)
}

async fn ready(State(operations): State<Arc<Operations>>) -> Response {
    if operations.networks.pin().by_organization.is_empty() {
        return ApiError::Unavailable.into_response();
    }
    match operations.reloader.list_status().and_then(|list| list.fault) {
        None => "ready\n".into_response(),
        // What is served keeps to the list that was read before.
        Some(fault) => (StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {fault}\n")).into_response(),
    }
}

async fn tell_metrics(State(operations): State<Arc<Operations>>) -> Response {
    operations.metrics.tell_list(operations.reloader.list_status().as_ref());
    match operations.metrics.write(&operations.networks.pin(), &operations.reloader.status()) {
        Ok(text) => ([(header::CONTENT_TYPE, PROMETHEUS_TEXT)], text).into_response(),
        Err(error) => failed(&error),
    }
}

fn failed(error: &dyn std::error::Error) -> Response {
    let mut response = ApiError::Internal.into_response();
    response.extensions_mut().insert(Cause(error.to_string()));
    response
}

async fn reload(State(operations): State<Arc<Operations>>) -> Response {
    match reload_now(&operations.reloader).await {
        Ok(report) => {
            let status =
                if report.counts().refused > 0 { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
            (status, write_outcomes(&report.files)).into_response()
        }
        Err(error) => failed(&error),
    }
}

/// Reloads: what the operator's request, SIGHUP and the watch all do. Blocks no thread.
///
/// # Errors
/// Where the reload changed nothing at all.
pub async fn reload_now(reloader: &Arc<Reloader>) -> Reloaded {
    reloader.reload().ended().await
}

fn write_outcomes(outcomes: &[FileOutcome]) -> Json {
    let mut json = Json::default();
    json.object(|json| {
        json.array_field("results", outcomes, |json, line| {
            json.object(|json| {
                json.text("file", &line.file);
                match &line.organization {
                    Some(organization) => json.text("organization", organization),
                    None => json.null("organization"),
                }
                json.text("outcome", line.outcome.name());
                if let Outcome::Refused(reason) = &line.outcome {
                    json.text("reason", reason);
                }
                if let Some(fault) = &line.store_fault {
                    json.text("store", &fault.to_string());
                }
            });
        });
    });
    json
}
