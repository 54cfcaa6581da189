//! The service's metrics, in Prometheus format. Labels are closed sets (routes, statuses, organization ids), never
//! anything a caller sent.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use prometheus::{
    Encoder, Error, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Registry,
    TextEncoder,
};

use crate::admission::Shed;
use crate::api::metrics::asks::AskSeries;
use crate::api::metrics::bounds::ProcessBounds;
use crate::api::metrics::by_need::ByNeedSeries;
use crate::api::metrics::credentials::CredentialSeries;
use crate::api::metrics::networks::NetworkSeries;
use crate::api::metrics::process::ProcessFigures;
use crate::api::metrics::provider::ProviderSeries;
use crate::api::metrics::reloading::ReloadSeries;
use crate::api::metrics::series::{Series, signed};
use crate::ask_file::store::WrittenCounts;
use crate::auth::jwt::KeysStatus;
use crate::auth::jwt::refusal::Refusal;
use crate::language_model::{DraftOutcome, LanguageModel};
use crate::live::by_need::ByNeedStatus;
use crate::live::networks::Networks;
use crate::live::report::Status;
use crate::live::suppression::ListStatus;
use crate::stderr;

mod asks;
mod bounds;
mod by_need;
mod credentials;
mod networks;
mod process;
mod provider;
mod reloading;
mod series;

/// All metrics.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    /// Held while a scrape updates families and reads them, so that no other scrape sees them half done.
    scrape: Mutex<()>,
    build: IntGaugeVec,
    log_lines_dropped: IntCounter,
    requests: IntCounterVec,
    durations: HistogramVec,
    capped: IntCounterVec,
    fallbacks: IntCounterVec,
    sheds: IntCounterVec,
    tool_calls: IntCounterVec,
    connections: IntGauge,
    connections_refused: IntCounter,
    connections_gave_way: IntCounter,
    memory_sheds: IntCounter,
    generation: IntGauge,
    networks: NetworkSeries,
    reloading: ReloadSeries,
    by_need: ByNeedSeries,
    provider: ProviderSeries,
    credentials: CredentialSeries,
    process: ProcessBounds,
    asks: AskSeries,
}

/// Upper ends of the latency buckets, in seconds.
const BUCKETS: [f64; 16] = [
    0.000_05, 0.000_1, 0.000_2, 0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.5, 10.0,
];

/// The cause of a refused connection, besides those of [`Shed`].
const TOO_MANY_CONNECTIONS: &str = "connections";

impl Metrics {
    /// Metrics without counts.
    ///
    /// # Errors
    /// No known cause: names and labels are constants, each registered once.
    pub fn new() -> Result<Self, Error> {
        let series = Series(Registry::new());
        let durations = series.add(HistogramVec::new(
            HistogramOpts::new("kith_request_duration_seconds", "From a request's head to its answer.")
                .buckets(BUCKETS.to_vec()),
            &["route"],
        )?)?;
        series.0.register(Box::new(ProcessFigures::new()?))?;
        Ok(Self {
            build: series.gauges(
                "kith_build_info",
                "Always 1; the labels say which program this is.",
                &["version", "model", "snapshot_format"],
            )?,
            log_lines_dropped: series.counter(
                "kith_log_lines_dropped_total",
                "Lines of the log that were lost, since stderr was not read.",
            )?,
            requests: series.by(
                "kith_requests_total",
                "Answers, by route and status.",
                &["route", "status"],
            )?,
            durations,
            capped: series.by(
                "kith_answers_capped_total",
                "Answers that a bound on work cut short.",
                &["route"],
            )?,
            fallbacks: series.by(
                "kith_search_fallbacks_total",
                "Searches that an engine could not answer.",
                &["engine", "reason"],
            )?,
            sheds: sheds(&series)?,
            tool_calls: series.by(
                "kith_mcp_tool_calls_total",
                "Calls of tools by agents, by tool and outcome.",
                &["tool", "outcome"],
            )?,
            connections: series.gauge("kith_connections", "Connections that are open.")?,
            connections_refused: series.counter(
                "kith_connections_refused_total",
                "Connections beyond a bound, of all or of a peer.",
            )?,
            connections_gave_way: series.counter(
                "kith_connections_gave_way_total",
                "Connections that waited for a request and were closed for another one.",
            )?,
            memory_sheds: series
                .counter("kith_memory_sheds_total", "Requests shed for want of memory for connections.")?,
            generation: series.gauge("kith_generation", "The generation of networks in service.")?,
            networks: NetworkSeries::new(&series)?,
            reloading: ReloadSeries::new(&series)?,
            by_need: ByNeedSeries::new(&series)?,
            provider: ProviderSeries::new(&series)?,
            credentials: CredentialSeries::new(&series)?,
            process: ProcessBounds::new(&series)?,
            asks: AskSeries::new(&series)?,
            registry: series.0,
            scrape: Mutex::new(()),
        })
    }

    /// Sets the build labels: the SHA-256 of the embedding model, and the version of the snapshots it reads.
    pub fn describe_build(&self, model: &str, snapshot_format: u32) {
        let format = snapshot_format.to_string();
        self.build.with_label_values(&[env!("CARGO_PKG_VERSION"), model, &format]).set(1);
    }

    /// Counts an answer of `route` with `status` after `took`.
    pub fn answered(&self, route: &str, status: &str, took: Duration) {
        self.requests.with_label_values(&[route, status]).inc();
        self.durations.with_label_values(&[route]).observe(took.as_secs_f64());
    }

    /// Counts an answer of `route` that a bound cut short.
    pub fn capped(&self, route: &str) {
        self.capped.with_label_values(&[route]).inc();
    }

    /// Counts a search that `engine` could not answer because of `reason`.
    pub fn fell_back(&self, engine: &str, reason: &str) {
        self.fallbacks.with_label_values(&[engine, reason]).inc();
    }

    /// Counts a query that could go to a language-model provider, by outcome.
    pub fn asked_provider(&self, asked: &DraftOutcome) {
        self.provider.count(asked);
    }

    /// Counts a request that was shed.
    pub fn shed(&self, why: Shed) {
        self.sheds.with_label_values(&[why.cause()]).inc();
    }

    /// Counts a call of `tool` that ended in `outcome`.
    pub fn called_tool(&self, tool: &'static str, outcome: &'static str) {
        self.tool_calls.with_label_values(&[tool, outcome]).inc();
    }

    /// Counts a connection as open until the returned guard is dropped.
    #[must_use]
    pub fn connected(&self) -> Connected {
        self.connections.inc();
        Connected { open: self.connections.clone() }
    }

    /// Counts a connection that was refused.
    pub fn connection_refused(&self) {
        self.connections_refused.inc();
        self.sheds.with_label_values(&[TOO_MANY_CONNECTIONS]).inc();
    }

    /// Counts an idle connection that was closed to make room for another one.
    pub fn connection_gave_way(&self) {
        self.connections_gave_way.inc();
    }

    /// Counts a request shed because connections ran out of memory.
    pub fn shed_for_memory(&self) {
        self.memory_sheds.inc();
    }

    /// Writes all metrics as Prometheus text, with the `networks` in service and the outcomes of `reloads`.
    ///
    /// # Errors
    /// No known cause: every metric is registered once and has a sample.
    pub fn write(&self, networks: &Networks, reloads: &Status) -> Result<Vec<u8>, Error> {
        let _alone = self.scrape.lock().unwrap_or_else(PoisonError::into_inner);
        self.write_alone(networks, reloads)
    }

    /// Like [`Self::write`], for one thread at a time: families are emptied before they are filled.
    fn write_alone(&self, networks: &Networks, reloads: &Status) -> Result<Vec<u8>, Error> {
        self.set_networks(networks);
        self.reloading.set(reloads);
        self.log_lines_dropped.reset();
        self.log_lines_dropped.inc_by(stderr::lines_dropped());
        let mut text = Vec::new();
        TextEncoder::new().encode(&self.registry.gather(), &mut text)?;
        Ok(text)
    }

    /// Sets the status of the suppression list; `None` if there never was one.
    pub fn set_list(&self, list: Option<&ListStatus>) {
        self.reloading.set_list(list);
    }

    /// Sets the status of loading by need; `None` if it is off.
    pub fn set_by_need(&self, status: Option<&ByNeedStatus>) {
        let _alone = self.scrape.lock().unwrap_or_else(PoisonError::into_inner);
        self.by_need.set(status);
    }

    /// Sets the state of the language-model provider, for the organizations of `networks`.
    pub fn set_provider(&self, language_model: &LanguageModel, networks: &Networks) {
        let _alone = self.scrape.lock().unwrap_or_else(PoisonError::into_inner);
        self.provider.set(language_model, networks);
    }

    /// Sets whether the credential store is usable, the state of an issuer's keys for JWTs (`None` without an issuer),
    /// and the refused JWTs by reason.
    pub fn set_credentials(
        &self,
        is_store_usable: bool,
        keys: Option<&KeysStatus>,
        refused: &[(Refusal, u64)],
    ) {
        let _alone = self.scrape.lock().unwrap_or_else(PoisonError::into_inner);
        self.credentials.set(is_store_usable, keys, refused);
    }

    /// Sets when the certificate of the API's listener expires, in seconds since 1970, if it has one.
    pub fn set_certificate_end(&self, ends: Option<u64>) {
        self.process.set_certificate_end(ends);
    }

    /// Sets the limit of memory, in bytes, if known.
    pub fn set_memory_limit(&self, bytes: Option<u64>) {
        self.process.set_memory_limit(bytes);
    }

    /// Sets whether asks can be read, and the events written.
    pub fn set_asks(&self, is_usable: bool, written: &WrittenCounts) {
        let _alone = self.scrape.lock().unwrap_or_else(PoisonError::into_inner);
        self.asks.set(is_usable, written);
    }

    fn set_networks(&self, networks: &Networks) {
        self.generation.set(signed(networks.generation));
        self.networks.set(networks);
    }
}

/// Requests shed, with each cause starting at 0.
fn sheds(series: &Series) -> Result<IntCounterVec, Error> {
    let sheds = series.by("kith_sheds_total", "Requests shed at once, by cause.", &["cause"])?;
    let causes = Shed::ALL.iter().map(|why| why.cause()).chain([TOO_MANY_CONNECTIONS]);
    causes.for_each(|cause| drop(sheds.with_label_values(&[cause])));
    Ok(sheds)
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

#[cfg(test)]
mod tests;
