//! One connection: HTTP/1.1 requests, one after the other, until either side ends it.

use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

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
use crate::api::marks::{AnsweredFrom, Peer, SharedBody};
use crate::api::metrics::{Connected, Metrics};
use crate::limits::{CONNECTION_BYTES, HEAD_BYTES_MAX, LAST_CALL, REQUEST_BYTES, STOP_REQUEST_DEADLINE};
use crate::server::budget::ByteBudget;
use crate::server::charged::until_written;
use crate::server::guard::{ConnectionProgress, Deadlines, Guarded};
use crate::server::head::{Awaited, ComingHead};
use crate::server::places::ConnectionPlace;
use crate::server::tls::Tls;
use crate::server::unread::Unread;

/// The time for a peer to take the end of its connection, besides that for reading refused bytes.
const CLOSE_DEADLINE: Duration = Duration::from_secs(5);

/// Shared state for answering connections.
#[derive(Clone, Debug)]
pub struct Answering {
    /// Answers requests.
    pub router: Router,
    /// Counters, gauges and histograms.
    pub metrics: Arc<Metrics>,
    /// The deadlines for peers.
    pub deadlines: Deadlines,
    /// The byte budget of all connections.
    pub budget: Arc<ByteBudget>,
    /// The certificate; `None` if connections are not encrypted.
    pub tls: Option<Arc<Tls>>,
}

/// The resources of an open connection: its place and its count.
pub(crate) type ConnectionHold = (ConnectionPlace, Connected);

/// Answers the requests of `peer` on `stream` until it ends, until its place is given away while it waits for a
/// request, or until a running request is answered after `stopped` was set.
///
/// hyper exists only during a request: a waiting connection holds neither its state nor its buffers.
pub(crate) async fn run<S>(
    stream: S,
    peer: Option<SocketAddr>,
    answering: Arc<Answering>,
    held: ConnectionHold,
    mut stopped: watch::Receiver<()>,
) where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let progress = ConnectionProgress::default();
    let metrics = Arc::clone(&answering.metrics);
    // Boxed, since it is passed on and back.
    let mut stream = Box::new(Guarded::new(stream, progress.clone(), answering.deadlines, metrics));
    let mut coming = ComingHead::default();
    let mut is_last = false;
    loop {
        let awaited =
            await_head(&mut stream, &mut coming, &answering, &progress, &held.0, &mut stopped).await;
        let charge = match awaited {
            Some((Awaited::Whole(bytes), stops)) => {
                let is_probe = is_probe(&bytes);
                stream.read_ahead(bytes);
                is_last |= stops;
                // The charge for the head is part of the charge for the request.
                drop(std::mem::take(&mut coming));
                // A probe is answered even without room.
                answering.budget.take(if is_probe { 0 } else { REQUEST_BYTES })
            }
            Some((Awaited::Refused(ApiError::Unavailable), _)) => None,
            Some((Awaited::Refused(error), _)) => return refuse(stream, &error).await,
            Some((Awaited::End, _)) | None => return close(stream).await,
        };
        let Some(charge) = charge else {
            answering.metrics.shed_for_memory();
            return refuse(stream, &ApiError::Unavailable).await;
        };
        let serving = Box::pin(serve(stream, peer, &answering, &progress, &mut stopped, is_last));
        let (again, begun) = serving.await;
        drop(charge);
        stream = again;
        // hyper and its buffers are gone while the rest of a refused body is read.
        let Some(begun) = begun else { return stream.linger().await };
        if !begun.is_empty() {
            stream.begins_anew();
            match ComingHead::begun(&begun, &answering.budget) {
                Some(head) => coming = head,
                None => {
                    answering.metrics.shed_for_memory();
                    return refuse(stream, &ApiError::Unavailable).await;
                }
            }
        }
    }
}

/// Answers bytes that are not a request, or one without room, and ends the connection.
async fn refuse<S: AsyncRead + AsyncWrite + Unpin>(mut stream: Box<Guarded<S>>, error: &ApiError) {
    stream.refuse(error);
    close(stream).await;
}

/// Ends an idle connection; the peer has little time to take that.
async fn close<S: AsyncRead + AsyncWrite + Unpin>(mut stream: Box<Guarded<S>>) {
    let ended = async {
        stream.shutdown().await?;
        stream.linger().await;
        Ok::<_, io::Error>(())
    };
    let _ = tokio::time::timeout(CLOSE_DEADLINE, ended).await;
}

/// Waits for the next head. Returns it and whether the server is stopping, or `None` if the connection must end.
async fn await_head<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut Guarded<S>,
    coming: &mut ComingHead,
    answering: &Answering,
    progress: &ConnectionProgress,
    place: &ConnectionPlace,
    stopped: &mut watch::Receiver<()>,
) -> Option<(Awaited, bool)> {
    let waiting = place.wait();
    let mut reading = std::pin::pin!(coming.read(stream, &answering.budget));
    let mut stops = false;
    let (mut last_call, mut was_called) = (None, false);
    loop {
        tokio::select! {
            biased;
            () = waiting.gave_way() => return None,
            awaited = &mut reading => return Some((awaited, stops)),
            () = async { if let Some(timer) = &mut last_call { timer.await } }, if last_call.is_some() => {
                if !progress.is_in_head() {
                    return None;
                }
                if std::mem::replace(&mut was_called, true) {
                    return Some((Awaited::Refused(ApiError::RequestTimeout), stops));
                }
                last_call = Some(Box::pin(tokio::time::sleep(STOP_REQUEST_DEADLINE)));
            }
            _ = stopped.changed(), if !stops => {
                stops = true;
                last_call = Some(Box::pin(tokio::time::sleep(LAST_CALL)));
            }
        }
    }
}

/// Lets hyper answer requests until no further bytes have come. Returns the stream and the bytes of the next head, or
/// `None` for these if the connection has ended; `is_last` ends it after this request.
async fn serve<S: AsyncRead + AsyncWrite + Unpin>(
    stream: Box<Guarded<S>>,
    peer: Option<SocketAddr>,
    answering: &Answering,
    progress: &ConnectionProgress,
    stopped: &mut watch::Receiver<()>,
    is_last: bool,
) -> (Box<Guarded<S>>, Option<Vec<u8>>) {
    let stops_later = (!is_last).then(|| stopped.clone());
    let service = service_fn(|mut request: Request<Incoming>| {
        progress.working();
        let stops_later = stops_later.clone();
        if let Some(address) = peer {
            request.extensions_mut().insert(Peer(address));
        }
        Box::pin(async move {
            let response = answer(request, answering, progress, stops_later).await;
            progress.answered();
            Ok::<_, std::convert::Infallible>(response)
        })
    });
    // hyper accepts HEAD_FIELDS_MAX fields by default. With an explicit number it would clear as many slots for each
    // request.
    let mut connection = http1::Builder::new()
        .max_header_size(HEAD_BYTES_MAX)
        .max_buf_size(HEAD_BYTES_MAX)
        // A peer that closes its sending side still waits for the answer.
        .half_close(true)
        .serve_connection(TokioIo::new(stream), service);
    let mut stops = false;
    let mut stopping = std::pin::pin!(stopped.changed());
    let ended = poll_fn(|context| {
        if let Poll::Ready(ended) = Pin::new(&mut connection).poll(context) {
            return Poll::Ready(ended.map(|()| false));
        }
        if !stops && (is_last || stopping.as_mut().poll(context).is_ready()) {
            stops = true;
            Pin::new(&mut connection).graceful_shutdown();
            return Pin::new(&mut connection).poll(context).map_ok(|()| false);
        }
        if !stops && progress.waits() {
            // Between two requests this ends it at once, and writes nothing.
            stops = true;
            Pin::new(&mut connection).graceful_shutdown();
            return connection.poll_without_shutdown(context).map_ok(|()| true);
        }
        Poll::Pending
    })
    .await;
    let parts = connection.into_parts();
    let mut stream = parts.io.into_inner();
    let goes_on = match ended {
        Ok(goes_on) => goes_on,
        Err(error) => {
            tracing::debug!(%error, "connection ended early");
            // The one malformed request that hyper leaves to its caller.
            if error.is_parse_version_h2() {
                stream.refuse(&ApiError::MalformedRequest);
                let _ = stream.shutdown().await;
            }
            false
        }
    };
    (stream, goes_on.then(|| parts.read_buf.to_vec()))
}

async fn answer(
    mut request: Request<Incoming>,
    answering: &Answering,
    progress: &ConnectionProgress,
    stopped: Option<watch::Receiver<()>>,
) -> Response<Body> {
    // A request with both a length and an encoding may mean two different bodies; the body read by one of them is
    // answered, and nothing after it is read (RFC 9112, section 6.1).
    let mut is_last = request.headers().contains_key(TRANSFER_ENCODING);
    let asked_to = asked_to(&request);
    is_last |= asked_to == AskedTo::Both;
    // Reading on would ask for the body.
    let is_asked_for = request.headers().contains_key(EXPECT);
    let peer =
        || request.extensions().get::<Peer>().map_or(String::new(), |Peer(from)| from.ip().to_string());
    let from = AnsweredFrom::default();
    let unread = (!request.body().is_end_stream())
        .then(|| Unread::new(&answering.budget, peer(), from.clone(), stopped));
    request.extensions_mut().insert(from);
    let request = request.map(|body| match &unread {
        Some(unread) => unread.keep(body),
        None => Body::new(body),
    });
    let refuse = |error| layers::refuse(&error, &answering.metrics).map(Body::from);
    let mut response = if !has_one_host(&request) {
        is_last = true;
        refuse(ApiError::MalformedRequest)
    } else {
        let Ok(response) = answering.router.clone().oneshot(request).await;
        response
    };
    if unread.as_ref().is_some_and(Unread::is_shed) {
        is_last = true;
        answering.metrics.shed_for_memory();
        response = refuse(ApiError::Unavailable);
    }
    match charged(response, &answering.budget) {
        Some(charged) => response = charged,
        None => {
            is_last = true;
            answering.metrics.shed_for_memory();
            response = refuse(ApiError::Unavailable);
        }
    }
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
    progress.goes_on(asked_to == AskedTo::GoOn && !response.headers().contains_key(CONNECTION));
    response
}

/// A request's wish for its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AskedTo {
    GoOn,
    Close,
    /// Both, or something unreadable.
    Both,
}

/// The wish in `Connection` and the version (RFC 9112, section 9.3).
fn asked_to<B>(request: &Request<B>) -> AskedTo {
    let lines = request.headers().get_all(CONNECTION);
    let says = |word: &str| {
        let mut words = lines.iter().filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(','));
        words.any(|said| said.trim().eq_ignore_ascii_case(word))
    };
    let is_unread = lines.iter().any(|line| line.to_str().is_err());
    match (says("close"), says("keep-alive")) {
        _ if is_unread => AskedTo::Both,
        (true, true) => AskedTo::Both,
        (true, false) => AskedTo::Close,
        (false, true) => AskedTo::GoOn,
        (false, false) if request.version() == Version::HTTP_11 => AskedTo::GoOn,
        (false, false) => AskedTo::Close,
    }
}

/// Whether a request that begins with `head` is a probe.
fn is_probe(head: &[u8]) -> bool {
    let path = head.strip_prefix(b"GET ").or_else(|| head.strip_prefix(b"HEAD "));
    path.is_some_and(|path| path.starts_with(b"/healthz ") || path.starts_with(b"/readyz "))
}

/// `response`, charged to its organization's share of `budget` until it is written, unless it is short or shared;
/// `None` if the share has no room for it.
fn charged(mut response: Response<Body>, budget: &Arc<ByteBudget>) -> Option<Response<Body>> {
    let is_shared = response.extensions_mut().remove::<SharedBody>().is_some();
    let bytes = usize::try_from(response.body().size_hint().lower()).unwrap_or(usize::MAX);
    if is_shared || bytes <= CONNECTION_BYTES {
        return Some(response);
    }
    let from = response.extensions_mut().remove::<AnsweredFrom>();
    let organization = from.as_ref().and_then(AnsweredFrom::reported);
    let organization = organization.map_or("", |(network, _)| network.index.data.organization.id.as_str());
    // The connection's other charges are the organization's too.
    let charge = budget.take_for_answer(organization, bytes.max(REQUEST_BYTES))?;
    Some(response.map(|body| until_written(body, charge)))
}

/// Whether the request names its host as RFC 9112, section 3.2 requires: exactly one `Host` header with an authority,
/// optional in HTTP/1.0.
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
mod unread_answers;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_names_one_host() {
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
