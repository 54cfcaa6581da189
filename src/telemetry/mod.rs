//! Traces, if the configuration asks for them: spans leave in batches for one collector, and whatever it
//! does, no request waits for it.
//!
//! What a span says of a request is written where requests are answered (`api/traces.rs`). Of the environment
//! that OpenTelemetry knows, what names this service and authenticates it at the collector has an effect:
//! `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_EXPORTER_OTLP_HEADERS` and its form for traces.
//! Where traces go, how many, how fast and in which form is not up to it.

pub mod exporter;
pub mod settings;

mod collector;
