//! The collector, reached with our own HTTP client: within deadlines and bounds. Only the status of its answers is used
//! or logged.

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

/// The deadline for one request to the collector.
pub(super) const ANSWER_MAX: Duration = Duration::from_secs(5);
/// Maximum size of an answer to read, in bytes; reading it keeps the connection usable.
const ANSWER_BYTES_MAX: usize = 64 << 10;

/// Sends the batches of the exporter's thread.
///
/// That thread is not one of the runtime's, which our client needs, so requests run on `runtime`.
#[derive(Debug)]
pub(super) struct Collector {
    client: Arc<Client>,
    runtime: Handle,
    is_failing: AtomicBool,
}

/// Why a batch was not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum ExportFailure {
    /// There was no answer.
    #[error("the collector does not speak HTTP")]
    Fault(HttpFault),
    /// There was no answer in time.
    #[error("the collector did not answer within {} s", ANSWER_MAX.as_secs())]
    Late,
    /// The answer's status is not success.
    #[error("the collector answered {0}")]
    Status(u16),
    /// The service is stopping.
    #[error("the service is stopping")]
    Stopped,
}

impl Collector {
    /// Sends nothing yet.
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

    /// Logs when exports begin to fail, and when they recover; not each one.
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

/// The answer to `request`, with an empty body: the collector's text is not used.
async fn exchange(client: &Client, request: Request<Bytes>) -> Result<Response<Bytes>, HttpFault> {
    let (head, body) = client.send(request.map(Full::new)).await?.into_parts();
    // The status is already known; a body that is too long or breaks off only costs the connection.
    let _ = client::read(body, ANSWER_BYTES_MAX).await;
    Ok(Response::from_parts(head, Bytes::new()))
}
