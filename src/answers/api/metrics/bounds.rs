//! Metrics of the process's limits: the expiry of its certificate, and its bound on memory.

use prometheus::{Error, IntGaugeVec};

use crate::api::metrics::series::{Series, signed};

/// The series of these limits; an unknown one has no sample.
#[derive(Debug)]
pub(super) struct ProcessBounds {
    certificate_end: IntGaugeVec,
    memory_limit: IntGaugeVec,
}

impl ProcessBounds {
    pub(super) fn new(series: &Series) -> Result<Self, Error> {
        Ok(Self {
            certificate_end: series.gauges(
                "kith_tls_certificate_expiry_timestamp_seconds",
                "When the certificate of the API's listener ends, as Unix time.",
                &[],
            )?,
            memory_limit: series.gauges(
                "kith_memory_limit_bytes",
                "The least bound on the memory of this process: its configuration's, its control group's, the machine's.",
                &[],
            )?,
        })
    }

    pub(super) fn set_certificate_end(&self, ends: Option<u64>) {
        set(&self.certificate_end, ends);
    }

    pub(super) fn set_memory_limit(&self, bytes: Option<u64>) {
        set(&self.memory_limit, bytes);
    }
}

fn set(series: &IntGaugeVec, value: Option<u64>) {
    const NO_LABELS: [&str; 0] = [];
    series.reset();
    if let Some(value) = value {
        series.with_label_values(&NO_LABELS).set(signed(value));
    }
}
