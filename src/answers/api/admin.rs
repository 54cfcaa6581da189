//! The operator's routes, reload and health, on a listener of their own that stays off the public address.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Extension, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use crate::api::doorkeeper::Doorkeeper;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::marks::{Cause, Peer};
use crate::api::metrics::Metrics;
use crate::api::probes::{HEALTH, READY, Readiness, healthz};
use crate::api::router::{in_shape, stamp};
use crate::audit::{self, ReloadRequester};
use crate::language_model::LanguageModel;
use crate::limits::RELOAD_DEADLINE;
use crate::live::networks::LiveNetworks;
use crate::live::reload::{Reloaded, Reloader};
use crate::live::report::{FileOutcome, Outcome};

/// State shared by the operator's handlers.
#[derive(Debug)]
pub struct Operations {
    /// The networks in service.
    pub networks: Arc<LiveNetworks>,
    /// Puts new networks in service.
    pub reloader: Arc<Reloader>,
    /// Whether callers can be answered.
    pub readiness: Arc<Readiness>,
    /// Parses queries first, if enabled.
    pub language_model: LanguageModel,
    /// Counters, gauges and histograms.
    pub metrics: Arc<Metrics>,
}

impl Operations {
    /// Whether a network of `organization` is in service.
    #[must_use]
    pub fn serves(&self, organization: &str) -> bool {
        self.networks.pin().by_organization.contains_key(organization)
    }
}

/// The content type of Prometheus text.
const PROMETHEUS_TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The operator's routes, and `beside`, all behind `doorkeeper`.
pub fn admin(operations: Arc<Operations>, doorkeeper: Arc<Doorkeeper>, beside: Router) -> Router {
    let routes = Router::new()
        .route(HEALTH, get(healthz))
        .route(READY, get(ready))
        .route("/metrics", get(answer_metrics))
        .route("/admin/reload", post(reload));
    let metrics = Arc::clone(&operations.metrics);
    let guarded = in_shape(routes.with_state(operations).merge(beside)).layer(from_fn(
        move |request: Request, next: Next| {
            let doorkeeper = Arc::clone(&doorkeeper);
            async move { doorkeeper.answer(request, next).await }
        },
    ));
    // Scrapes would fill the traces.
    stamp(guarded, RELOAD_DEADLINE, metrics, None)
}

async fn ready(State(operations): State<Arc<Operations>>) -> Response {
    if let Err(unready) = operations.readiness.check().await {
        return unready.into_response();
    }
    // The service keeps to the list it read before, and lets keys and tokens of the store in without an issuer's keys:
    // it can answer callers, but the operator should know.
    let of_list = operations.reloader.list_status().and_then(|list| list.fault);
    let of_keys = || operations.readiness.issuer_keys().and_then(|keys| keys.fault());
    match of_list.map(|fault| fault.to_string()).or_else(of_keys) {
        None => "ready".into_response(),
        Some(fault) => (StatusCode::SERVICE_UNAVAILABLE, format!("unready: {fault}")).into_response(),
    }
}

async fn answer_metrics(State(operations): State<Arc<Operations>>) -> Response {
    let (metrics, networks) = (&operations.metrics, operations.networks.pin());
    metrics.set_list(operations.reloader.list_status().as_ref());
    metrics.set_by_need(operations.reloader.by_need().map(|by_need| by_need.status()).as_ref());
    metrics.set_provider(&operations.language_model, &networks);
    let is_store_usable = operations.readiness.credentials().await.is_ok();
    let keys = operations.readiness.issuer_keys();
    metrics.set_credentials(is_store_usable, keys.as_ref(), &operations.readiness.refused_jwts());
    if let Some(asks) = operations.readiness.asks() {
        metrics.set_asks(operations.readiness.can_read_asks().await.is_ok(), asks.store.written());
    }
    match metrics.write(&networks, &operations.reloader.status()) {
        Ok(text) => ([(header::CONTENT_TYPE, PROMETHEUS_TEXT)], text).into_response(),
        Err(error) => failed(&error),
    }
}

fn failed(error: &dyn std::error::Error) -> Response {
    let mut response = ApiError::Internal.into_response();
    response.extensions_mut().insert(Cause(error.to_string()));
    response
}

async fn reload(State(operations): State<Arc<Operations>>, peer: Option<Extension<Peer>>) -> Response {
    let by = ReloadRequester::Operator(peer.map(|Extension(Peer(address))| address));
    match reload_now(&operations.reloader, by).await {
        Ok(report) => {
            let status =
                if report.counts().refused > 0 { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
            (status, write_outcomes(&report.files)).into_response()
        }
        Err(error) => failed(&error),
    }
}

/// Reloads on behalf of `by`, who is recorded in the audit log. The operator's request, SIGHUP and the watch all call
/// this. Blocks no thread.
///
/// # Errors
/// Returns an error if the reload changed nothing at all.
pub async fn reload_now(reloader: &Arc<Reloader>, by: ReloadRequester) -> Reloaded {
    audit::reload_requested(by);
    reloader.reload().ended().await
}

fn write_outcomes(outcomes: &[FileOutcome]) -> Json {
    Json::of_object(128, |json| {
        json.array_field("results", outcomes, |json, line| {
            json.object(|json| {
                json.field("file", &line.file);
                match &line.organization {
                    Some(organization) => json.field("organization", organization),
                    None => json.null("organization"),
                }
                json.field("outcome", line.outcome.name());
                if let Outcome::Refused(reason) = &line.outcome {
                    json.field("reason", reason);
                }
                if let Some(fault) = &line.store_fault {
                    json.field("store", &fault.to_string());
                }
            });
        });
    })
}
