//! Metrics of loading by need.

use prometheus::{Counter, Error, IntCounter, IntCounterVec, IntGauge};

use crate::api::metrics::series::{Series, signed};
use crate::live::by_need::ByNeedStatus;

/// The series of loading by need, set at each scrape; all 0 if it is off.
#[derive(Debug)]
pub(super) struct ByNeedSeries {
    budget: IntGauge,
    used: IntGauge,
    in_memory: IntGauge,
    loads: IntCounterVec,
    loading: Counter,
    let_go: IntCounter,
    late: IntCounter,
}

impl ByNeedSeries {
    pub(super) fn new(series: &Series) -> Result<Self, Error> {
        let loads =
            series.by("kith_need_loads_total", "Loads that requests waited for, by result.", &["result"])?;
        ["loaded", "failed"].iter().for_each(|result| drop(loads.with_label_values(&[*result])));
        let loading = Counter::new("kith_need_loading_seconds_total", "What all loads by need took.")?;
        Ok(Self {
            budget: series
                .gauge("kith_need_budget_bytes", "The budget for networks in memory; 0 is none.")?,
            used: series.gauge("kith_need_used_bytes", "Memory of the networks within the budget.")?,
            in_memory: series.gauge("kith_need_networks", "Networks in memory within the budget.")?,
            loads,
            loading: series.add(loading)?,
            let_go: series.counter("kith_need_let_go_total", "Networks that made room for others.")?,
            late: series.counter("kith_need_late_total", "Requests for which a load took too long.")?,
        })
    }

    /// Sets the current values; `None` if it is off. Empties counters first, so only one thread may call it.
    pub(super) fn set(&self, status: Option<&ByNeedStatus>) {
        let Some(status) = status else { return };
        let set = |counter: &IntCounter, total: u64| {
            counter.reset();
            counter.inc_by(total);
        };
        self.budget.set(signed(status.budget));
        self.used.set(signed(status.used));
        self.in_memory.set(signed(status.in_memory));
        set(&self.loads.with_label_values(&["loaded"]), status.loaded);
        set(&self.loads.with_label_values(&["failed"]), status.failed);
        self.loading.reset();
        self.loading.inc_by(status.loading_seconds);
        set(&self.let_go, status.let_go);
        set(&self.late, status.late);
    }
}
