//! The layer around every answer: compression for callers that ask for it, a request id, a deadline, caught panics, one
//! log line, one count, and one span if tracing is on.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::HttpBody;
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use futures_util::FutureExt;

use crate::api::body;
use crate::api::compress;
use crate::api::error::ApiError;
use crate::api::marks::{AnsweredFrom, Capped, Cause, Peer};
use crate::api::metrics::Metrics;
use crate::api::prefer::{Handling, PREFERENCE_APPLIED, STRICT};
use crate::api::probes::is_probe;
use crate::api::traces::{Answered, Parent, Traces};
use crate::clock;
use crate::limits::CONNECTION_BYTES;
use crate::live::network::LiveNetwork;

/// The header with the unique id of a request.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("service-request-id");
/// The header with the generation of the network that answered.
pub const GENERATION: HeaderName = HeaderName::from_static("service-generation");

/// The header with a credential's rate, if the operator sets rates.
pub const RATE_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// The header with the requests left to a credential.
pub const RATE: HeaderName = HeaderName::from_static("ratelimit");

/// The prefix of request ids.
const REQUEST_ID_PREFIX: &[u8] = b"req_";
/// Random bytes in a request id.
const REQUEST_ID_BYTES: usize = 16;
/// Length of a request id, in characters.
const REQUEST_ID_CHARS: usize = REQUEST_ID_PREFIX.len() + 2 * REQUEST_ID_BYTES;
/// Number of ids per draw of random bits on a thread.
const IDS_AT_ONCE: usize = 64;
/// The route of a request that matched none.
const NO_ROUTE: &str = "none";
/// The methods logged by name; any other is the caller's own text.
const METHODS: [&str; 9] = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"];

/// Answers `request` with `next`: compressed if the caller wants it, within `deadline`, panics caught, stamped,
/// counted, logged and, if tracing is on, traced. A single layer, since each layer is boxed and cloned per request.
///
/// The id is made here, never taken from the caller. The log line has the route's template, never the requested
/// address: that can contain names.
pub async fn answer(
    mut request: Request,
    next: Next,
    deadline: Duration,
    metrics: Arc<Metrics>,
    traces: Option<Arc<Traces>>,
) -> Response {
    let started = clock::now();
    let method = METHODS.into_iter().find(|known| *known == request.method().as_str());
    let matched = request.extensions().get::<MatchedPath>().cloned();
    // Probes would fill the traces.
    let traces = traces.filter(|_| !is_probe(request.uri().path()));
    let trace = traces.as_deref().map(|traces| (traces, Parent::of(request.headers())));
    let deadline = body::deadline(request.uri().path(), deadline);
    let handling = Handling::of(request.uri().path(), request.headers());
    let from = request.extensions_mut().get_or_insert_default::<AnsweredFrom>().clone();
    let peer = request.extensions().get::<Peer>().map(|Peer(address)| *address);
    let running = AssertUnwindSafe(compress::answer(request, next)).catch_unwind();
    let response = match tokio::time::timeout(deadline, running).await {
        Ok(Ok(response)) => response,
        Ok(Err(panic)) => failed(ApiError::Internal, panic_message(panic.as_ref())),
        Err(_) => failed(ApiError::Unavailable, "the request ran past its deadline".to_owned()),
    };
    let record = RequestRecord {
        method,
        route: matched.as_ref().map(MatchedPath::as_str),
        started,
        credential: from.reported_credential(),
        peer,
        from: from.reported(),
        tool: from.reported_tool(),
        trace: trace.as_ref().map(|(traces, parent)| (*traces, parent)),
    };
    let mut response = finish(response, &record, &metrics);
    if let Some(rate) = from.reported_rate() {
        response.headers_mut().insert(RATE_POLICY, rate.policy.clone());
        response.headers_mut().insert(RATE, rate.standing.clone());
    }
    if response.body().size_hint().lower() > CONNECTION_BYTES as u64 {
        response.extensions_mut().insert(from);
    }
    if handling == Handling::Strict {
        response.headers_mut().insert(PREFERENCE_APPLIED, STRICT);
    }
    response
}

/// Stamps, counts and logs the answer to a request that never reached a route; it has no span.
#[must_use]
pub fn refuse(error: &ApiError, metrics: &Metrics) -> axum::http::Response<Vec<u8>> {
    let response = error.clone().into_response();
    let record = RequestRecord {
        method: None,
        route: None,
        started: clock::now(),
        credential: None,
        peer: None,
        from: None,
        tool: None,
        trace: None,
    };
    finish(response, &record, metrics).map(|_| error.body())
}

/// The part of a request recorded by metrics, log and trace.
struct RequestRecord<'a> {
    method: Option<&'static str>,
    route: Option<&'a str>,
    started: Instant,
    credential: Option<&'a str>,
    peer: Option<SocketAddr>,
    from: Option<&'a (Arc<LiveNetwork>, u64)>,
    tool: Option<&'static str>,
    trace: Option<(&'a Traces, &'a Parent)>,
}

fn finish(mut response: Response, record: &RequestRecord<'_>, metrics: &Metrics) -> Response {
    let RequestRecord { method, started, credential, from, tool, .. } = *record;
    let route = record.route.unwrap_or(NO_ROUTE);
    let took = started.elapsed();
    let id = request_id();
    // ASCII digits and letters.
    let request_id = str::from_utf8(&id).unwrap_or_default();
    let status = response.status();
    metrics.answered(route, status.as_str(), took);
    let is_capped = response.extensions_mut().remove::<Capped>().is_some();
    if is_capped {
        metrics.capped(route);
    }
    let duration_us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    let organization = from.map(|(network, _)| network.index.data.organization.id.as_str());
    let generation = from.map(|(_, generation)| *generation);
    if let Some((traces, parent)) = record.trace {
        let route = record.route;
        let answered =
            Answered { method, route, status, took, request_id, organization, generation, tool, is_capped };
        traces.record(&answered, parent);
    }
    let status = status.as_u16();
    macro_rules! log {
        ($level:ident, $message:literal $(, $cause:ident)?) => {
            tracing::$level!(
                request_id, method, route, tool, status, duration_us, credential, organization, generation, $($cause,)?
                $message
            )
        };
    }
    match response.extensions_mut().remove::<Cause>() {
        Some(Cause(cause)) => log!(error, "request failed", cause),
        // Successful probes would fill the log too.
        None if is_probe(route) && status == 200 => {
            tracing::debug!(request_id, method, route, status, duration_us, "request");
        }
        // Operators need the address to keep out a caller who guesses credentials.
        None if status == 401 => {
            let peer = record.peer.map(tracing::field::display);
            log!(info, "request", peer);
        }
        None => log!(info, "request"),
    }
    let headers = response.headers_mut();
    // Only the files of the page, which are the same for everybody, set this themselves.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Ok(id) = HeaderValue::from_bytes(&id) {
        headers.insert(REQUEST_ID, id);
    }
    if let Some(generation) = generation {
        headers.insert(GENERATION, HeaderValue::from(generation));
    }
    response
}

fn failed(error: ApiError, cause: String) -> Response {
    let mut response = error.into_response();
    response.extensions_mut().insert(Cause(cause));
    response
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("panicked: {}", text.unwrap_or("without a message"))
}

/// `req_` and 128 random bits in hexadecimal.
fn request_id() -> [u8; REQUEST_ID_CHARS] {
    let mut id = [0; REQUEST_ID_CHARS];
    let (prefix, digits) = id.split_at_mut(REQUEST_ID_PREFIX.len());
    prefix.copy_from_slice(REQUEST_ID_PREFIX);
    HEXLOWER.encode_mut(&random_bits(), digits);
    id
}

/// Random bits that no other request has. Each thread draws them from the system for many requests at once.
fn random_bits() -> [u8; REQUEST_ID_BYTES] {
    thread_local! {
        static DRAWN: RefCell<(usize, [[u8; REQUEST_ID_BYTES]; IDS_AT_ONCE])> =
            const { RefCell::new((0, [[0; REQUEST_ID_BYTES]; IDS_AT_ONCE])) };
    }
    DRAWN.with_borrow_mut(|(left, drawn)| {
        if *left == 0 {
            // Without random bits an id still works: it protects no secret.
            let _ = getrandom::fill(drawn.as_flattened_mut());
            *left = IDS_AT_ONCE;
        }
        *left -= 1;
        drawn[*left]
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::thread;

    use super::*;

    #[test]
    fn no_two_requests_have_the_same_id_on_whatever_thread() {
        let drawn = || String::from_utf8(request_id().to_vec()).unwrap();
        let draw = move || (0..3 * IDS_AT_ONCE).map(|_| drawn()).collect::<Vec<_>>();
        let threads: Vec<_> = (0..4).map(|_| thread::spawn(draw)).collect();
        let ids: Vec<String> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        for id in &ids {
            let digits = id.strip_prefix("req_").unwrap();
            assert!(digits.len() == 32 && digits.bytes().all(is_digit), "{id}");
        }
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 4 * 3 * IDS_AT_ONCE);
    }
}
