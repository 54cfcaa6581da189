//! What the service counts of itself, as Prometheus reads it. Labels are closed sets: routes, statuses,
//! organization ids; never anything a caller sent.

use std::time::{Duration, SystemTime};

use prometheus::{
    Encoder, Error, Gauge, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec,
    Opts, Registry, TextEncoder,
};

use crate::live::networks::Networks;
use crate::live::report::{FileCounts, Status};
use crate::live::suppression::ListStatus;

/// Everything that is counted.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    durations: HistogramVec,
    capped: IntCounterVec,
    fallbacks: IntCounterVec,
    sheds: IntCounter,
    connections: IntGauge,
    connections_refused: IntCounter,
    generation: IntGauge,
    network_generation: IntGaugeVec,
    network_people: IntGaugeVec,
    network_index_bytes: IntGaugeVec,
    network_snapshot_bytes: IntGaugeVec,
    reloads: IntCounterVec,
    reload_files: IntCounterVec,
    last_reload: IntGauge,
    last_reload_success: IntGauge,
    last_reload_refused: IntGauge,
    last_reload_duration: Gauge,
    list_fault: IntGauge,
    list_entries: IntGauge,
    list_read: IntGauge,
}

/// Upper ends of the latency buckets, in seconds.
const BUCKETS: [f64; 16] = [
    0.000_05, 0.000_1, 0.000_2, 0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.5, 10.0,
];

impl Metrics {
    /// Nothing counted yet.
    ///
    /// # Errors
    /// None that is known: names and labels are written here, and each once.
    pub fn new() -> Result<Self, Error> {
        let registry = Registry::new();
        let by = |name: &str, help: &str, labels: &[&str]| {
            let counters = IntCounterVec::new(Opts::new(name, help), labels)?;
            registry.register(Box::new(counters.clone()))?;
            Ok::<_, Error>(counters)
        };
        let gauges_by = |name: &str, help: &str| {
            let gauges = IntGaugeVec::new(Opts::new(name, help), &["organization"])?;
            registry.register(Box::new(gauges.clone()))?;
            Ok::<_, Error>(gauges)
        };
        let counter = |name: &str, help: &str| {
            let counter = IntCounter::new(name, help)?;
            registry.register(Box::new(counter.clone()))?;
            Ok::<_, Error>(counter)
        };
        let gauge = |name: &str, help: &str| {
            let gauge = IntGauge::new(name, help)?;
            registry.register(Box::new(gauge.clone()))?;
            Ok::<_, Error>(gauge)
        };
        let durations = HistogramVec::new(
            HistogramOpts::new("kith_request_duration_seconds", "From a request's head to its answer.")
                .buckets(BUCKETS.to_vec()),
            &["route"],
        )?;
        registry.register(Box::new(durations.clone()))?;
        let last_reload_duration =
            Gauge::new("kith_reload_last_duration_seconds", "What the latest reload took.")?;
        registry.register(Box::new(last_reload_duration.clone()))?;
        Ok(Self {
            requests: by("kith_requests_total", "Answers, by route and status.", &["route", "status"])?,
            durations,
            capped: by("kith_answers_capped_total", "Answers that a bound on work cut short.", &["route"])?,
            fallbacks: by(
                "kith_search_fallbacks_total",
                "Searches that an engine could not answer.",
                &["engine", "reason"],
            )?,
            sheds: counter("kith_sheds_total", "Requests told to come back later, for want of processors.")?,
            connections: gauge("kith_connections", "Connections that are open.")?,
            connections_refused: counter("kith_connections_refused_total", "Connections beyond the bound.")?,
            generation: gauge("kith_generation", "The generation of networks in service.")?,
            network_generation: gauges_by("kith_network_generation", "The generation of the network.")?,
            network_people: gauges_by("kith_network_people", "People in the network in service.")?,
            network_index_bytes: gauges_by("kith_network_index_bytes", "Memory of the network in service.")?,
            network_snapshot_bytes: gauges_by(
                "kith_network_snapshot_bytes",
                "Size of the snapshot in service.",
            )?,
            reloads: by("kith_reloads_total", "Reloads, by whether the folder could be read.", &["result"])?,
            reload_files: by("kith_reload_files_total", "Files of all reloads, by outcome.", &["outcome"])?,
            last_reload: gauge("kith_reload_last_timestamp_seconds", "When the latest reload ended.")?,
            last_reload_success: gauge(
                "kith_reload_last_success_timestamp_seconds",
                "When the latest reload ended that refused no file.",
            )?,
            last_reload_refused: gauge("kith_reload_last_refused", "Files that the latest reload refused.")?,
            last_reload_duration,
            list_fault: gauge("kith_suppression_list_fault", "1 while the list is not in force.")?,
            list_entries: gauge("kith_suppression_entries", "Entries of the suppression list in force.")?,
            list_read: gauge("kith_suppression_list_read_timestamp_seconds", "When the list was read.")?,
            registry,
        })
    }

    /// FileCounts an answer of `route` with `status` that took `took`.
    pub fn answered(&self, route: &str, status: &str, took: Duration) {
        self.requests.with_label_values(&[route, status]).inc();
        self.durations.with_label_values(&[route]).observe(took.as_secs_f64());
    }

    /// FileCounts an answer of `route` that a bound cut short.
    pub fn capped(&self, route: &str) {
        self.capped.with_label_values(&[route]).inc();
    }

    /// Counts a search that `engine` could not answer, for `reason`.
    pub fn fell_back(&self, engine: &str, reason: &str) {
        self.fallbacks.with_label_values(&[engine, reason]).inc();
    }

    /// FileCounts a request that was told to come back later.
    pub fn shed(&self) {
        self.sheds.inc();
    }

    /// FileCounts a connection as open until what is given back is dropped.
    #[must_use]
    pub fn connected(&self) -> Connected {
        self.connections.inc();
        Connected { open: self.connections.clone() }
    }

    /// FileCounts a connection that was refused.
    pub fn connection_refused(&self) {
        self.connections_refused.inc();
    }

    /// Everything, as Prometheus text, with what is in service told of `networks`, and of `reloads` what
    /// they came to.
    ///
    /// # Errors
    /// None that is known: everything counted is registered once and has a sample.
    pub fn write(&self, networks: &Networks, reloads: &Status) -> Result<Vec<u8>, Error> {
        self.tell_networks(networks);
        self.tell_reloads(reloads);
        let mut text = Vec::new();
        TextEncoder::new().encode(&self.registry.gather(), &mut text)?;
        Ok(text)
    }

    /// Sets what is known of the suppression list; `None` if there never was one.
    pub fn tell_list(&self, list: Option<&ListStatus>) {
        self.list_fault.set(i64::from(list.is_some_and(|list| list.fault.is_some())));
        self.list_entries.set(list.map_or(0, |list| signed(list.entries as u64)));
        self.list_read.set(list.and_then(|list| list.read_at).map_or(0, seconds));
    }

    fn tell_reloads(&self, status: &Status) {
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
            set(&self.reload_files, outcome, total);
        }
        if let Some(last) = status.last {
            self.last_reload.set(seconds(last.ended_at));
            self.last_reload_duration.set(last.duration.as_secs_f64());
            self.last_reload_refused.set(signed(last.files.map_or(0, |files| files.refused)));
        }
        if let Some(at) = status.last_success {
            self.last_reload_success.set(seconds(at));
        }
    }

    fn tell_networks(&self, networks: &Networks) {
        self.generation.set(signed(networks.generation));
        for gauges in [
            &self.network_generation,
            &self.network_people,
            &self.network_index_bytes,
            &self.network_snapshot_bytes,
        ] {
            gauges.reset();
        }
        for (organization, network) in &networks.by_organization {
            let set = |gauges: &IntGaugeVec, value: u64| {
                gauges.with_label_values(&[organization]).set(signed(value));
            };
            set(&self.network_generation, networks.generation_of(organization));
            set(&self.network_people, network.index.data.people.len() as u64);
            set(&self.network_index_bytes, network.size_bytes_in_memory() as u64);
            set(&self.network_snapshot_bytes, network.size_bytes);
        }
    }
}

/// Whole seconds since 1970.
fn seconds(at: SystemTime) -> i64 {
    signed(at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs())
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// An open connection.
#[derive(Debug)]
pub struct Connected {
    open: IntGauge,
}

impl Drop for Connected {
    fn drop(&mut self) {
        self.open.dec();
    }
}
