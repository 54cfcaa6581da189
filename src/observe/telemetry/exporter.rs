//! Exports spans: sampled, kept in a bounded queue, sent in batches by a separate thread.

use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{ExporterBuildError, Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::resource::{EnvResourceDetector, TelemetryResourceDetector};
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, Sampler, SdkTracer, SdkTracerProvider, SpanLimits,
};
use tokio::runtime::Handle;

use crate::limits::{TRACE_QUEUE_SPANS_MAX, TRACE_STOP_DEADLINE};
use crate::telemetry::collector::{ANSWER_MAX, Collector};
use crate::telemetry::settings::TraceSettings;

/// Maximum spans in one request to the collector. When this many are waiting, they are sent at once.
const BATCH_SPANS_MAX: usize = 512;
/// Maximum wait of a span for others before it is sent.
const BATCH_PAUSE: Duration = Duration::from_secs(5);

/// Sends spans to a collector until it is stopped.
#[derive(Debug)]
pub struct Exporter {
    provider: SdkTracerProvider,
}

/// Why there is no exporter.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// TLS cannot be set up.
    #[error("traces cannot be exported: TLS cannot be set up")]
    Tls,
    /// The OpenTelemetry SDK cannot make one.
    #[error("traces cannot be exported: {0}")]
    Sdk(ExporterBuildError),
}

impl Exporter {
    /// Starts the thread; sends nothing before there is a span. Requests to the collector run on `runtime`, which must
    /// outlive the exporter.
    ///
    /// # Errors
    /// Returns an error if TLS cannot be set up; no other cause is known.
    pub fn start(settings: &TraceSettings, runtime: Handle) -> Result<Self, StartError> {
        let collector = Collector::new(runtime).map_err(|_| StartError::Tls)?;
        // Settings here take precedence over the SDK's environment variables.
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(collector)
            .with_endpoint(settings.address.to_string())
            .with_protocol(Protocol::HttpJson)
            .with_timeout(ANSWER_MAX)
            .build()
            .map_err(StartError::Sdk)?;
        let batches = BatchConfigBuilder::default()
            .with_max_queue_size(TRACE_QUEUE_SPANS_MAX)
            .with_max_export_batch_size(BATCH_SPANS_MAX)
            .with_scheduled_delay(BATCH_PAUSE);
        let queue = BatchSpanProcessor::builder(exporter).with_batch_config(batches.build()).build();
        let provider = SdkTracerProvider::builder()
            .with_span_processor(queue)
            .with_sampler(Sampler::TraceIdRatioBased(settings.sample_ratio))
            .with_span_limits(SpanLimits::default())
            .with_resource(resource())
            .build();
        Ok(Self { provider })
    }

    /// Returns a tracer whose spans are sent.
    #[must_use]
    pub fn tracer(&self) -> SdkTracer {
        self.provider.tracer("kith")
    }

    /// Sends the waiting spans, for two seconds at most; later spans are dropped.
    pub async fn stop(self) {
        // The wait blocks its thread, and the runtime must go on: the last request runs on it.
        let stopping =
            tokio::task::spawn_blocking(move || self.provider.shutdown_with_timeout(TRACE_STOP_DEADLINE));
        if !matches!(stopping.await, Ok(Ok(()))) {
            tracing::warn!("the last traces may be lost: the collector did not take them in time");
        }
    }
}

/// The resource of the spans: kith, or the name and attributes in the environment.
#[expect(clippy::disallowed_methods, reason = "the specification of OpenTelemetry names this variable")]
fn resource() -> Resource {
    let ours = Resource::builder_empty()
        .with_service_name("kith")
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .with_detectors(&[Box::new(TelemetryResourceDetector), Box::new(EnvResourceDetector::new())]);
    match std::env::var("OTEL_SERVICE_NAME") {
        Ok(name) if !name.is_empty() => ours.with_service_name(name).build(),
        _ => ours.build(),
    }
}
