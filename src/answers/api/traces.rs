//! Traces of requests: one span each, with nothing that a caller sent except the ids of a `traceparent`.

use std::time::Duration;

use axum::http::{HeaderMap, StatusCode};
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::{Span, SpanBuilder, SpanKind, Status, Tracer};
use opentelemetry::{Context, KeyValue};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracer;

use crate::clock;

/// The header naming the trace that a request belongs to (W3C Trace Context).
const TRACEPARENT: &str = "traceparent";
/// The lengths of a `traceparent`'s version, trace id, parent id and flags, in characters.
const TRACEPARENT_PARTS: [usize; 4] = [2, 32, 16, 2];
/// The length of all four, including the three hyphens.
const TRACEPARENT_CHARS: usize = 55;

/// Makes a span of each answer.
#[derive(Clone, Debug)]
pub struct Traces {
    tracer: SdkTracer,
}

/// The span that a request comes from, if its caller named one.
#[derive(Clone, Debug)]
pub struct Parent(Context);

/// The part of an answer that a span records.
#[derive(Clone, Copy, Debug)]
pub struct Answered<'a> {
    /// The method of the request, if it is a usual one.
    pub method: Option<&'static str>,
    /// The template of the route, if one matched.
    pub route: Option<&'a str>,
    /// The status of the answer.
    pub status: StatusCode,
    /// The time it took, up to now.
    pub took: Duration,
    /// The id of the request.
    pub request_id: &'a str,
    /// The organization whose network answered, if any.
    pub organization: Option<&'a str>,
    /// The generation of that network.
    pub generation: Option<u64>,
    /// The tool called, if any.
    pub tool: Option<&'static str>,
    /// Whether a bound on work cut it short.
    pub is_capped: bool,
}

impl Traces {
    /// Makes spans with `tracer`.
    #[must_use]
    pub fn new(tracer: SdkTracer) -> Self {
        Self { tracer }
    }

    /// Records the span of an answer, below `parent` if there is one; the tracer decides whether it is sampled.
    pub fn record(&self, answered: &Answered<'_>, parent: &Parent) {
        let now = clock::wall_time();
        let span = SpanBuilder::from_name("")
            .with_kind(SpanKind::Server)
            .with_start_time(now.checked_sub(answered.took).unwrap_or(now));
        let mut span = self.tracer.build_with_context(span, &parent.0);
        if !span.is_recording() {
            return;
        }
        span.update_name(name(answered.method, answered.route));
        span.set_attributes(attributes(answered));
        if answered.status.is_server_error() {
            span.set_status(Status::error(""));
        }
        span.end_with_timestamp(now);
    }
}

impl Parent {
    /// Reads the parent from `headers`. It is empty if they name none, or more than one.
    ///
    /// `tracestate` and `baggage` are a caller's text and are not read. The sampling flag is ignored too: it would let
    /// anybody raise our load.
    #[must_use]
    pub fn of(headers: &HeaderMap) -> Self {
        let none = Context::new();
        let mut values = headers.get_all(TRACEPARENT).iter();
        let (Some(parent), None) = (values.next(), values.next()) else { return Self(none) };
        match parent.to_str() {
            Ok(text) if is_well_formed(text) => {
                Self(TraceContextPropagator::new().extract_with_context(&none, &ParentHeader(text)))
            }
            _ => Self(none),
        }
    }
}

/// Whether the parts of `text` have the right lengths and are hexadecimal: the SDK also accepts ids that are too short
/// or have a sign.
fn is_well_formed(text: &str) -> bool {
    let is_hexadecimal_or_hyphen = |byte: u8| byte == b'-' || byte.is_ascii_hexdigit();
    text.split('-').take(4).map(str::len).eq(TRACEPARENT_PARTS)
        && text.bytes().take(TRACEPARENT_CHARS).all(is_hexadecimal_or_hyphen)
}

/// A carrier with a `traceparent` and no other header.
struct ParentHeader<'a>(&'a str);

impl Extractor for ParentHeader<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        (key == TRACEPARENT).then_some(self.0)
    }

    fn keys(&self) -> Vec<&str> {
        vec![TRACEPARENT]
    }
}

fn name(method: Option<&str>, route: Option<&str>) -> String {
    let method = method.unwrap_or("HTTP");
    route.map_or_else(|| method.to_owned(), |route| format!("{method} {route}"))
}

/// The attributes: OpenTelemetry's conventions for HTTP servers, and our own. The list is closed.
fn attributes(answered: &Answered<'_>) -> Vec<KeyValue> {
    let Answered { method, route, status, request_id, organization, generation, tool, is_capped, .. } =
        *answered;
    let text = |key: &'static str, text: &str| KeyValue::new(key, text.to_owned());
    let number =
        |key: &'static str, number: u64| KeyValue::new(key, i64::try_from(number).unwrap_or(i64::MAX));
    let mut attributes = vec![
        KeyValue::new("http.request.method", method.unwrap_or("_OTHER")),
        number("http.response.status_code", status.as_u16().into()),
        text("kith.request_id", request_id),
    ];
    attributes.extend(route.map(|route| text("http.route", route)));
    attributes.extend(status.is_server_error().then(|| text("error.type", status.as_str())));
    attributes.extend(organization.map(|organization| text("kith.organization", organization)));
    attributes.extend(generation.map(|generation| number("kith.generation", generation)));
    attributes.extend(tool.map(|tool| text("kith.tool", tool)));
    attributes.extend(is_capped.then(|| KeyValue::new("kith.capped", true)));
    attributes
}
