//! Builds and registers series in one step, and converts the numbers they hold.

use std::time::SystemTime;

use prometheus::core::Collector;
use prometheus::{Error, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry};

/// Builds and registers series in one step.
pub(super) struct Series(pub(super) Registry);

impl Series {
    pub(super) fn add<S: Collector + Clone + 'static>(&self, series: S) -> Result<S, Error> {
        self.0.register(Box::new(series.clone()))?;
        Ok(series)
    }

    pub(super) fn by(&self, name: &str, help: &str, labels: &[&str]) -> Result<IntCounterVec, Error> {
        self.add(IntCounterVec::new(Opts::new(name, help), labels)?)
    }

    pub(super) fn gauges(&self, name: &str, help: &str, labels: &[&str]) -> Result<IntGaugeVec, Error> {
        self.add(IntGaugeVec::new(Opts::new(name, help), labels)?)
    }

    pub(super) fn gauges_by(&self, name: &str, help: &str) -> Result<IntGaugeVec, Error> {
        self.gauges(name, help, &["organization"])
    }

    pub(super) fn counter(&self, name: &str, help: &str) -> Result<IntCounter, Error> {
        self.add(IntCounter::new(name, help)?)
    }

    pub(super) fn gauge(&self, name: &str, help: &str) -> Result<IntGauge, Error> {
        self.add(IntGauge::new(name, help)?)
    }
}

/// Whole seconds since 1970.
pub(super) fn seconds(at: SystemTime) -> i64 {
    signed(at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs())
}

/// A count as the value of a gauge.
pub(super) fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
