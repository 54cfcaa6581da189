//! Metrics of the language-model provider. Without one there are no such series.

use prometheus::{Error, HistogramOpts, HistogramVec, IntCounterVec, IntGaugeVec};

use crate::api::metrics::series::{Series, signed};
use crate::language_model::{DraftOutcome, LanguageModel};
use crate::limits::PROVIDER_REQUESTS_MAX;
use crate::live::networks::Networks;

/// Upper ends of the latency buckets, in seconds; the deadline can be 5 s.
const BUCKETS: [f64; 10] = [0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0];

#[derive(Debug)]
pub(super) struct ProviderSeries {
    queries: IntCounterVec,
    // These have no labels, but a registered series appears in the text even if it was never set.
    durations: HistogramVec,
    in_flight: IntGaugeVec,
    places: IntGaugeVec,
    left_alone: IntGaugeVec,
}

impl ProviderSeries {
    pub(super) fn new(series: &Series) -> Result<Self, Error> {
        let durations = HistogramOpts::new(
            "kith_provider_request_duration_seconds",
            "How long the language-model provider was waited for.",
        );
        Ok(Self {
            queries: series.by(
                "kith_provider_queries_total",
                "Queries for the language-model provider, by what came of them.",
                &["outcome"],
            )?,
            durations: series.add(HistogramVec::new(durations.buckets(BUCKETS.to_vec()), &[])?)?,
            in_flight: series.gauges(
                "kith_provider_requests_in_flight",
                "Requests that wait for the language-model provider.",
                &[],
            )?,
            places: series.gauges(
                "kith_provider_requests_max",
                "The most requests that may wait for the language-model provider.",
                &[],
            )?,
            left_alone: series.gauges_by(
                "kith_provider_breaker_open",
                "1 while the organization's queries leave the language-model provider alone, since it failed.",
            )?,
        })
    }

    pub(super) fn count(&self, asked: &DraftOutcome) {
        self.queries.with_label_values(&[asked.outcome()]).inc();
        if let Some(waited) = asked.waited {
            self.durations.with_label_values::<&str>(&[]).observe(waited.as_secs_f64());
        }
    }

    /// Sets the current values. Empties the gauges of organizations first, so only one thread may call it.
    pub(super) fn set(&self, language_model: &LanguageModel, networks: &Networks) {
        let Some(in_flight) = language_model.requests_in_flight() else { return };
        // A rate is known after the first query.
        DraftOutcome::OUTCOMES.iter().for_each(|outcome| drop(self.queries.with_label_values(&[*outcome])));
        self.in_flight.with_label_values::<&str>(&[]).set(signed(in_flight as u64));
        self.places.with_label_values::<&str>(&[]).set(signed(PROVIDER_REQUESTS_MAX as u64));
        self.left_alone.reset();
        for organization in networks.by_organization.keys() {
            let is_open = language_model.is_left_alone_by(organization);
            self.left_alone.with_label_values(&[organization]).set(i64::from(is_open));
        }
    }
}
