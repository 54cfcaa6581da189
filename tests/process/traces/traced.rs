//! A traced router, the collector of its spans, and spans as sent.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use axum::response::IntoResponse;
use axum::routing::get;
use kith_server::api::marks::Capped;
use kith_server::api::metrics::Metrics;
use kith_server::api::router::finish;
use kith_server::api::traces::Traces;
use kith_server::telemetry::exporter::Exporter;
use kith_server::telemetry::settings::TraceSettings;
use serde_json::Value;
use tokio::runtime::Handle;
use tower::ServiceExt;

use crate::support::stub::{Reply, Seen, Stub, body_of, http};

/// The deadline of the slow route.
const DEADLINE: Duration = Duration::from_millis(20);

/// The reply of a collector that took everything.
pub(crate) fn taken() -> Reply {
    Reply::Bytes(http(200, "content-type: application/json\r\n", "{}"))
}

/// The address at which a collector at `address` takes traces.
pub(crate) fn url(address: SocketAddr) -> String {
    format!("http://{address}/v1/traces")
}

/// An exporter to `address`, of a share of the traces.
pub(crate) fn exporter(address: SocketAddr, ratio: f64) -> Exporter {
    let settings = TraceSettings::new(Some(&url(address)), Some(ratio)).unwrap().unwrap();
    Exporter::start(&settings, Handle::current()).unwrap()
}

/// A router whose requests are traced.
pub(crate) struct Traced {
    pub(crate) router: Router,
    pub(crate) exporter: Exporter,
}

impl Traced {
    /// Routes that are well, that panic, that are too slow, and whose answer is capped; traced to `address`.
    pub(crate) fn start(address: SocketAddr, ratio: f64) -> Self {
        let exporter = exporter(address, ratio);
        let traces = Some(Arc::new(Traces::new(exporter.tracer())));
        let capped = async || {
            let mut response = "capped".into_response();
            response.extensions_mut().insert(Capped);
            response
        };
        let routes = Router::new()
            .route("/well/{id}", get(async || "well"))
            .route("/capped", get(capped))
            .route("/slow", get(async || std::future::pending::<()>().await))
            .route("/panics", get(async || assert!(std::hint::black_box(1) > 2, "a secret")));
        Self { router: finish(routes, DEADLINE, Arc::new(Metrics::new().unwrap()), traces), exporter }
    }

    /// Asks; status and headers of the answer.
    pub(crate) async fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
    ) -> (StatusCode, HeaderMap) {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::empty()).unwrap();
        let response = self.router.clone().oneshot(request).await.unwrap();
        (response.status(), response.headers().clone())
    }
}

/// A span, as it was sent.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) whole: Value,
    pub(crate) attributes: BTreeMap<String, Value>,
}

impl Sent {
    pub(crate) fn text(&self, field: &str) -> &str {
        self.whole[field].as_str().unwrap_or_default()
    }

    pub(crate) fn nanoseconds(&self, field: &str) -> u128 {
        self.text(field).parse().unwrap()
    }
}

/// The body of each request that a collector was sent.
pub(crate) fn bodies(seen: &Seen) -> Vec<Value> {
    let body = |request: &Vec<u8>| serde_json::from_slice(body_of(request).unwrap()).unwrap();
    seen.requests.iter().map(body).collect()
}

/// Every span that a collector was sent, in order.
pub(crate) fn spans(seen: &Seen) -> Vec<Sent> {
    let mut spans = Vec::new();
    for body in bodies(seen) {
        for resource in body["resourceSpans"].as_array().unwrap() {
            for scope in resource["scopeSpans"].as_array().unwrap() {
                spans.extend(scope["spans"].as_array().unwrap().iter().map(|whole| Sent {
                    whole: whole.clone(),
                    attributes: attributes(&whole["attributes"]),
                }));
            }
        }
    }
    spans
}

/// Attributes by name; each value as `{"stringValue": ...}` and so on.
pub(crate) fn attributes(list: &Value) -> BTreeMap<String, Value> {
    let list = list.as_array().unwrap();
    let by_name: BTreeMap<_, _> =
        list.iter().map(|pair| (pair["key"].as_str().unwrap().to_owned(), pair["value"].clone())).collect();
    assert_eq!(by_name.len(), list.len(), "no attribute stands twice: {list:?}");
    by_name
}

/// A collector that takes everything.
pub(crate) async fn collector() -> Stub {
    Stub::start(&[taken()]).await
}
