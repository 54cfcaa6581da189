//! Optional traces: spans are sent in batches to one collector, and no request ever waits for it.
//!
//! The content of a request's span is decided where requests are answered (`api/traces.rs`). Of OpenTelemetry's
//! environment variables, only those that name this service or authenticate it at the collector have an effect:
//! `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_EXPORTER_OTLP_HEADERS` and its form for traces. They cannot
//! change where traces go, how many, how fast or in which form.

pub mod exporter;
pub mod settings;

mod collector;
