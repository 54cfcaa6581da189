//! One connection: HTTP/1.1 requests, one after the other, until either side has enough.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::header::{CONNECTION, EXPECT, HOST, TRANSFER_ENCODING};
use axum::http::uri::Authority;
use axum::http::{HeaderValue, Request, Response, StatusCode, Version};
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::watch;
use tower::ServiceExt;

use crate::api::error::ApiError;
use crate::api::layers;
use crate::api::marks::Peer;
use crate::api::metrics::Metrics;
use crate::limits::{HEAD_BYTES_MAX, HEAD_FIELDS_MAX};
use crate::server::guard::{ConnectionProgress, Deadlines, Guarded};
use crate::server::tls::Tls;
use crate::server::unread::Unread;

/// What connections are answered by.
#[derive(Clone, Debug)]
pub struct Answering {
    /// Answers requests.
    pub router: Router,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// How long peers may take.
    pub deadlines: Deadlines,
    /// The certificate, where connections are encrypted.
    pub tls: Option<Arc<Tls>>,
}

/// Answers the requests of `peer` on `stream` until it ends, or until a running request is answered after
/// `stopped` was told.
pub async fn run<S>(
    stream: S,
    peer: Option<SocketAddr>,
    answering: Answering,
    mut stopped: watch::Receiver<()>,
) where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let Answering { router, metrics, deadlines, .. } = answering;
    let progress = ConnectionProgress::default();
    let guarded = Guarded::new(stream, progress.clone(), deadlines, Arc::clone(&metrics));
    let service = service_fn(|mut request: Request<Incoming>| {
        progress.working();
        if let Some(address) = peer {
            request.extensions_mut().insert(Peer(address));
        }
        let (router, metrics, progress) = (router.clone(), Arc::clone(&metrics), progress.clone());
        async move {
            let response = answer(request, router, &metrics, &progress).await;
            progress.answered();
            Ok::<_, std::convert::Infallible>(response)
        }
    });
    let mut connection = http1::Builder::new()
        .max_header_size(HEAD_BYTES_MAX)
        .max_buf_size(2 * HEAD_BYTES_MAX)
        .max_headers(HEAD_FIELDS_MAX)
        // Who says that nothing more follows still waits for the answer.
        .half_close(true)
        .serve_connection(TokioIo::new(guarded), service);
    let ended = tokio::select! {
        ended = &mut connection => ended,
        _ = stopped.changed() => {
            std::pin::Pin::new(&mut connection).graceful_shutdown();
            (&mut connection).await
        }
    };
    let Err(error) = ended else { return };
    tracing::debug!(%error, "connection ended early");
    // The one malformed request that hyper leaves to its caller.
    if error.is_parse_version_h2() {
        let mut stream = connection.into_parts().io.into_inner();
        stream.refuse(&ApiError::MalformedRequest);
        let _ = stream.shutdown().await;
    }
}

async fn answer(
    request: Request<Incoming>,
    router: Router,
    metrics: &Metrics,
    progress: &ConnectionProgress,
) -> Response<Body> {
    // Whoever sends both a length and an encoding may mean two different bodies; what was read by one of
    // them is answered, and nothing after it is read (RFC 9112, section 6.1).
    let mut is_last = request.headers().contains_key(TRANSFER_ENCODING);
    // To read on would ask for the body.
    let is_asked_for = request.headers().contains_key(EXPECT);
    let unread = (!request.body().is_end_stream()).then(Unread::default);
    let request = request.map(|body| match &unread {
        Some(unread) => unread.keep(body),
        None => Body::new(body),
    });
    let mut response = if has_one_host(&request) {
        let Ok(response) = router.oneshot(request).await;
        response
    } else {
        is_last = true;
        layers::refuse(&ApiError::MalformedRequest, metrics).map(Body::from)
    };
    is_last |= response.status() == StatusCode::REQUEST_TIMEOUT;
    if let Some(unread) = unread
        && !unread.is_drained(is_last || is_asked_for).await
    {
        is_last = true;
        progress.leaves_unread();
    }
    if is_last {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Whether the request tells its host as RFC 9112, section 3.2 wants it: one `Host` header that is an
/// authority; HTTP/1.0 may do without.
fn has_one_host<B>(request: &Request<B>) -> bool {
    let mut hosts = request.headers().get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) => request.version() < Version::HTTP_11,
        (Some(host), None) => is_host(host),
        (Some(_), Some(_)) => false,
    }
}

/// A host and a port, if any; empty is allowed, a user is not.
fn is_host(value: &HeaderValue) -> bool {
    let Ok(text) = value.to_str() else { return false };
    text.is_empty() || (!text.contains('@') && text.parse::<Authority>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_tells_one_host() {
        for (version, hosts, is_good) in [
            (Version::HTTP_11, &["127.0.0.1:8080"][..], true),
            (Version::HTTP_11, &["[::1]:80"], true),
            (Version::HTTP_11, &["kith.example"], true),
            (Version::HTTP_11, &[""], true),
            (Version::HTTP_11, &[], false),
            (Version::HTTP_10, &[], true),
            (Version::HTTP_11, &["a", "a"], false),
            (Version::HTTP_10, &["a", "b"], false),
            (Version::HTTP_11, &["a b"], false),
            (Version::HTTP_11, &["a/b"], false),
            (Version::HTTP_11, &["me@a"], false),
            (Version::HTTP_11, &["a, b"], false),
        ] {
            let mut request = Request::new(());
            *request.version_mut() = version;
            for host in hosts {
                request.headers_mut().append(HOST, HeaderValue::from_static(host));
            }
            assert_eq!(has_one_host(&request), is_good, "{version:?} {hosts:?}");
        }
    }
}
