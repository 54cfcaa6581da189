//! Metrics of reloads and of the suppression list.

use prometheus::{Error, Gauge, IntCounterVec, IntGauge};

use crate::api::metrics::series::{Series, seconds, signed};
use crate::live::report::{FileCounts, Status};
use crate::live::suppression::ListStatus;

/// The series of reloads, set at each scrape.
#[derive(Debug)]
pub(super) struct ReloadSeries {
    reloads: IntCounterVec,
    files: IntCounterVec,
    last: IntGauge,
    last_success: IntGauge,
    last_refused: IntGauge,
    last_duration: Gauge,
    list_fault: IntGauge,
    list_entries: IntGauge,
    list_read: IntGauge,
}

impl ReloadSeries {
    pub(super) fn new(series: &Series) -> Result<Self, Error> {
        let last_duration = Gauge::new("kith_reload_last_duration_seconds", "What the latest reload took.")?;
        Ok(Self {
            reloads: series.by(
                "kith_reloads_total",
                "Reloads, by whether the folder could be read.",
                &["result"],
            )?,
            files: series.by("kith_reload_files_total", "Files of all reloads, by outcome.", &["outcome"])?,
            last: series.gauge("kith_reload_last_timestamp_seconds", "When the latest reload ended.")?,
            last_success: series.gauge(
                "kith_reload_last_success_timestamp_seconds",
                "When the latest reload ended that refused no file.",
            )?,
            last_refused: series
                .gauge("kith_reload_last_refused", "Files that the latest reload refused.")?,
            last_duration: series.add(last_duration)?,
            list_fault: series.gauge("kith_suppression_list_fault", "1 while the list is not in force.")?,
            list_entries: series
                .gauge("kith_suppression_entries", "Entries of the suppression list in force.")?,
            list_read: series
                .gauge("kith_suppression_list_read_timestamp_seconds", "When the list was read.")?,
        })
    }

    /// Sets the status of the suppression list; `None` if there never was one.
    pub(super) fn set_list(&self, list: Option<&ListStatus>) {
        self.list_fault.set(i64::from(list.is_some_and(|list| list.fault.is_some())));
        self.list_entries.set(list.map_or(0, |list| signed(list.entries as u64)));
        self.list_read.set(list.and_then(|list| list.read_at).map_or(0, seconds));
    }

    /// Sets the totals of all reloads. Empties counters first, so only one thread may call it.
    pub(super) fn set(&self, status: &Status) {
        let set = |counters: &IntCounterVec, label: &str, total: u64| {
            let counter = counters.with_label_values(&[label]);
            counter.reset();
            counter.inc_by(total);
        };
        set(&self.reloads, "read", status.reloads - status.failed);
        set(&self.reloads, "failed", status.failed);
        let FileCounts { loaded, unchanged, refused, unloaded } = status.files;
        for (outcome, total) in
            [("loaded", loaded), ("unchanged", unchanged), ("refused", refused), ("unloaded", unloaded)]
        {
            set(&self.files, outcome, total);
        }
        if let Some(last) = status.last {
            self.last.set(seconds(last.ended_at));
            self.last_duration.set(last.duration.as_secs_f64());
            self.last_refused.set(signed(last.files.map_or(0, |files| files.refused)));
        }
        if let Some(at) = status.last_success {
            self.last_success.set(seconds(at));
        }
    }
}
