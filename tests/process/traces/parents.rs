//! The trace of a span: the one in a caller's valid header, or else a new one.

use opentelemetry::trace::{Span, Tracer};

use crate::support::stub::Seen;
use crate::traces::traced::{Traced, collector, spans};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";
/// Text that a caller sends beside a `traceparent`.
const CANARY: &str = "zanzibarcanary";

#[tokio::test]
async fn a_well_formed_traceparent_names_trace_and_parent() {
    let collector = collector().await;
    let traced = Traced::start(collector.address, 1.0);
    let said = ["00-T-P-00", "00-T-P-01", "00-T-P-03", "02-T-P-01", "02-T-P-01-more"];
    let said = said.map(|said| said.replace('T', TRACE).replace('P', PARENT));
    for traceparent in &said {
        traced.ask("GET", "/well/x", &[("traceparent", traceparent)]).await;
    }
    traced.exporter.stop().await;
    let spans = spans(&collector.seen());
    assert_eq!(spans.len(), said.len());
    for (span, said) in spans.iter().zip(&said) {
        assert_eq!((span.text("traceId"), span.text("parentSpanId")), (TRACE, PARENT), "{said}");
        assert_ne!(span.text("spanId"), PARENT, "{said}");
    }
}

#[tokio::test]
async fn what_is_no_traceparent_starts_a_trace_of_its_own() {
    let collector = collector().await;
    let traced = Traced::start(collector.address, 1.0);
    let (upper, zeros) = (TRACE.to_uppercase(), "0".repeat(32));
    let said = [
        String::new(),
        "zanzibar".to_owned(),
        format!("00-{TRACE}-{PARENT}"),
        format!("00-{TRACE}-{PARENT}-"),
        format!("00-{TRACE}-{PARENT}-1"),
        format!("00-{TRACE}-{PARENT}-01-more"),
        format!("ff-{TRACE}-{PARENT}-01"),
        format!("00-{upper}-{PARENT}-01"),
        format!("00-{zeros}-{PARENT}-01"),
        format!("00-{TRACE}-{}-01", &zeros[..16]),
        format!("00-{}-{PARENT}-01", &TRACE[1..]),
        format!("00-0{TRACE}-{PARENT}-01"),
        format!("00-+{}-{PARENT}-01", &TRACE[1..]),
        format!("00-{TRACE}-+{}-01", &PARENT[1..]),
        format!("00-{TRACE}-{PARENT}-+1"),
        format!("00-{TRACE}-{PARENT}-zz"),
        format!("00_{TRACE}_{PARENT}_01"),
    ];
    for traceparent in &said {
        traced.ask("GET", "/well/x", &[("traceparent", traceparent)]).await;
    }
    let good = format!("00-{TRACE}-{PARENT}-01");
    traced.ask("GET", "/well/x", &[("traceparent", &good), ("traceparent", &good)]).await;
    traced.exporter.stop().await;
    let spans = spans(&collector.seen());
    assert_eq!(spans.len(), said.len() + 1);
    for (span, said) in spans.iter().zip(said.iter().chain([&good])) {
        assert_eq!(span.text("parentSpanId"), "", "{said}");
        let own = span.text("traceId");
        assert!(own.len() == 32 && own != TRACE && !own.starts_with("000000"), "{said}: {own}");
    }
}

#[tokio::test]
async fn nothing_else_of_a_trace_that_a_caller_sends_is_sent_on() {
    let collector = collector().await;
    let traced = Traced::start(collector.address, 1.0);
    let (good, state) = (format!("00-{TRACE}-{PARENT}-01"), format!("{CANARY}={CANARY}"));
    let later = format!("02-{TRACE}-{PARENT}-01-{CANARY}");
    for traceparent in [good, later] {
        let headers = [("traceparent", traceparent.as_str()), ("tracestate", &state), ("baggage", &state)];
        traced.ask("GET", "/well/x", &headers).await;
    }
    // The control: the same look sees a canary that is in a span.
    traced.exporter.tracer().start(CANARY).end();
    traced.exporter.stop().await;
    let seen = collector.seen();
    assert_eq!(canaries(&seen), 1, "the control alone");
    assert_eq!(spans(&seen).iter().filter(|span| span.text("traceId") == TRACE).count(), 2);
}

/// How often the canary stands in what a collector was sent.
fn canaries(seen: &Seen) -> usize {
    let text = |request: &Vec<u8>| String::from_utf8_lossy(request).to_lowercase();
    seen.requests.iter().map(|request| text(request).matches(CANARY).count()).sum()
}
