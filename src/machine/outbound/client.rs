//! The HTTP client: keeps connections, and speaks TLS with the trusted authorities.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, HeaderValue};
use hyper::{Method, Request, Response, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::ClientConfig;

use crate::outbound::authorities::trusted;

/// Maximum wait for a connection.
const CONNECT_MAX: Duration = Duration::from_secs(1);
/// Maximum size of an answer's head, in bytes.
const HEAD_BYTES_MAX: usize = 64 << 10;
/// How long a connection is kept for the next request.
const IDLE_MAX: Duration = Duration::from_secs(30);

/// Why there is no complete answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HttpFault {
    /// There was no connection; nothing was sent.
    Unconnected,
    /// TLS failed on the connection; nothing was sent. Usually no trusted authority vouches for the certificate.
    Untrusted,
    /// The connection broke before the answer was complete.
    Broken,
    /// The answer is not HTTP.
    NotHttp,
    /// The answer exceeds the maximum size.
    TooLong,
}

/// TLS cannot be set up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoTls;

/// Sends requests, and keeps connections for the next ones.
#[derive(Debug)]
pub(crate) struct Client(legacy::Client<HttpsConnector<HttpConnector>, Full<Bytes>>);

impl Client {
    /// A client; sends nothing yet.
    ///
    /// # Errors
    /// Returns an error if TLS cannot be set up.
    pub(crate) fn new() -> Result<Self, NoTls> {
        let http = legacy::Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_MAX)
            .http1_max_buf_size(HEAD_BYTES_MAX)
            .build(connector()?);
        Ok(Self(http))
    }

    /// The head of the answer to `request`; [`read`] reads its body.
    ///
    /// # Errors
    /// Returns an error if there is no answer. Any status counts as an answer.
    pub(crate) async fn send(&self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>, HttpFault> {
        self.0.request(request).await.map_err(|error| fault_of(&error))
    }
}

/// The status of the answer to a GET of `url`, without reading its body.
///
/// # Errors
/// Returns an error if there is no answer. Any status counts as an answer.
pub(crate) async fn status_of(client: &Client, url: &Uri) -> Result<u16, HttpFault> {
    let mut request = Request::new(Full::default());
    *request.uri_mut() = url.clone();
    client.send(request).await.map(|answer| answer.status().as_u16())
}

/// The status of the answer to an empty POST to `url` with the token `bearer`, without reading its body.
///
/// # Errors
/// Returns an error if there is no answer, or a header cannot hold the token. Any status counts as an answer.
pub(crate) async fn status_of_post(
    client: &Client,
    url: &Uri,
    bearer: Option<&str>,
) -> Result<u16, HttpFault> {
    let mut request = Request::new(Full::default());
    *request.method_mut() = Method::POST;
    *request.uri_mut() = url.clone();
    if let Some(token) = bearer {
        let mut value =
            HeaderValue::try_from(format!("Bearer {token}")).map_err(|_| HttpFault::Unconnected)?;
        value.set_sensitive(true);
        request.headers_mut().insert(AUTHORIZATION, value);
    }
    client.send(request).await.map(|answer| answer.status().as_u16())
}

/// Reads the whole `body`, if it has at most `bytes_max` bytes.
///
/// # Errors
/// Returns an error if it has more, or breaks off.
pub(crate) async fn read(body: Incoming, bytes_max: usize) -> Result<Bytes, HttpFault> {
    let whole = Limited::new(body, bytes_max).collect().await;
    whole
        .map(|whole| whole.to_bytes())
        .map_err(|error| if error.is::<LengthLimitError>() { HttpFault::TooLong } else { HttpFault::Broken })
}

/// TCP, with TLS over it for https.
fn connector() -> Result<HttpsConnector<HttpConnector>, NoTls> {
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_connect_timeout(Some(CONNECT_MAX));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|_| NoTls)?
        .with_root_certificates(trusted())
        .with_no_client_auth();
    Ok(HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1().wrap_connector(tcp))
}

/// Whether TLS is among the causes of `error`.
fn is_of_tls(error: &(dyn Error + 'static)) -> bool {
    // An IO error names the causes of its inner error, but not that error itself.
    let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    error.is::<rustls::Error>()
        || inner.is_some_and(|inner| is_of_tls(inner))
        || error.source().is_some_and(is_of_tls)
}

fn fault_of(error: &legacy::Error) -> HttpFault {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<hyper::Error>());
    match cause {
        _ if error.is_connect() && is_of_tls(error) => HttpFault::Untrusted,
        _ if error.is_connect() => HttpFault::Unconnected,
        Some(cause) if cause.is_parse() => HttpFault::NotHttp,
        _ => HttpFault::Broken,
    }
}
