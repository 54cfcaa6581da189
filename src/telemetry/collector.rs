//! The collector, asked by our own HTTP client: in time, within bounds, and nothing that it says is believed
//! or logged but its status.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http_body_util::Full;
use hyper::{Request, Response};
use opentelemetry_http::{HttpClient, HttpError};
use tokio::runtime::Handle;
use tokio::time::timeout;

use crate::outbound::client::{self, Client, HttpFault, NoTls};

/// The longest that one request to the collector takes.
pub(super) const ANSWER_MAX: Duration = Duration::from_secs(5);
/// The longest answer that is read, in bytes; it is read so that the connection can be kept.
const ANSWER_BYTES_MAX: usize = 64 << 10;

/// Sends what the exporter's thread gives it.
///
/// That thread is not one of the runtime's, and our client needs one: requests run on `runtime`.
#[derive(Debug)]
pub(super) struct Collector {
    client: Arc<Client>,
    runtime: Handle,
    is_failing: AtomicBool,
}

/// Why a batch was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum ExportFailure {
    /// There was no answer.
    #[error("the collector does not speak HTTP")]
    Fault(HttpFault),
    /// There was none in time.
    #[error("the collector did not answer within {} s", ANSWER_MAX.as_secs())]
    Late,
    /// The answer's status is no success.
    #[error("the collector answered {0}")]
    Status(u16),
    /// The service is stopping.
    #[error("the service is stopping")]
    Stopped,
}

impl Collector {
    /// Contacts nobody yet.
    ///
    /// # Errors
    /// Returns an error if TLS cannot be set up.
    pub(super) fn new(runtime: Handle) -> Result<Self, NoTls> {
        Ok(Self { client: Arc::new(Client::new()?), runtime, is_failing: AtomicBool::new(false) })
    }

    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, ExportFailure> {
        let client = Arc::clone(&self.client);
        let sending = async move { timeout(ANSWER_MAX, exchange(&client, request)).await };
        match self.runtime.spawn(sending).await {
            Ok(Ok(answer)) => answer.map_err(ExportFailure::Fault),
            Ok(Err(_)) => Err(ExportFailure::Late),
            Err(_) => Err(ExportFailure::Stopped),
        }
    }

    /// Logs that exports begin to fail, and that they go well again; not each one.
    fn note(&self, failure: Option<ExportFailure>) {
        let was_failing = self.is_failing.swap(failure.is_some(), Ordering::Relaxed);
        match failure {
            Some(failure) if !was_failing => tracing::warn!(%failure, "traces cannot be exported"),
            None if was_failing => tracing::info!("traces are exported again"),
            _ => {}
        }
    }
}

#[async_trait]
impl HttpClient for Collector {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let answer = self.send(request).await;
        self.note(match &answer {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(ExportFailure::Status(answer.status().as_u16())),
            Err(failure) => Some(*failure),
        });
        Ok(answer?)
    }
}

/// The answer to `request`, with an empty body: what the collector says is nobody's business.
async fn exchange(client: &Client, request: Request<Bytes>) -> Result<Response<Bytes>, HttpFault> {
    let (head, body) = client.send(request.map(Full::new)).await?.into_parts();
    // Its status is said already; a body that is too long or breaks off costs the connection alone.
    let _ = client::read(body, ANSWER_BYTES_MAX).await;
    Ok(Response::from_parts(head, Bytes::new()))
}
