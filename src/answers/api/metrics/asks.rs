//! Metrics of asks.

use prometheus::{Error, IntCounterVec, IntGaugeVec};

use crate::api::metrics::series::Series;
use crate::ask_file::store::WrittenCounts;

/// The series of asks, set at each scrape; absent in a service without asks.
#[derive(Debug)]
pub(super) struct AskSeries {
    is_usable: IntGaugeVec,
    events: IntCounterVec,
}

impl AskSeries {
    pub(super) fn new(series: &Series) -> Result<Self, Error> {
        Ok(Self {
            is_usable: series.gauges(
                "kith_asks_usable",
                "1 if asks can be read, as the scrape tried.",
                &[],
            )?,
            events: series.by(
                "kith_ask_events_total",
                "Events of asks that this process wrote, by kind.",
                &["kind"],
            )?,
        })
    }

    /// Sets the values of a scrape. Empties counters first, so only one thread may call it.
    pub(super) fn set(&self, is_usable: bool, written: &WrittenCounts) {
        self.is_usable.with_label_values::<&str>(&[]).set(i64::from(is_usable));
        for (kind, count) in written.by_kind() {
            let counter = self.events.with_label_values(&[kind.name()]);
            counter.reset();
            counter.inc_by(count);
        }
    }
}
