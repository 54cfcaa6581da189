//! Gauges of each organization's network.

use prometheus::{Error, IntGaugeVec};

use crate::api::metrics::series::{Series, signed};
use crate::live::networks::Networks;

/// Gauges with a value per organization.
#[derive(Debug)]
pub(super) struct NetworkSeries {
    generation: IntGaugeVec,
    people: IntGaugeVec,
    data_timestamp: IntGaugeVec,
    index_bytes: IntGaugeVec,
    kept_bytes: IntGaugeVec,
    snapshot_bytes: IntGaugeVec,
}

impl NetworkSeries {
    pub(super) fn new(series: &Series) -> Result<Self, Error> {
        Ok(Self {
            generation: series.gauges_by("kith_network_generation", "The generation of the network.")?,
            people: series.gauges_by("kith_network_people", "People in the network in service.")?,
            data_timestamp: series.gauges_by(
                "kith_network_data_timestamp_seconds",
                "The newest time in the tables of the network, in seconds since 1970; absent if it is not in memory.",
            )?,
            index_bytes: series.gauges_by(
                "kith_network_index_bytes",
                "Memory of the network in service; 0 if it is not in memory.",
            )?,
            kept_bytes: series
                .gauges_by("kith_network_kept_bytes", "Memory of the generation before, if it is kept.")?,
            snapshot_bytes: series
                .gauges_by("kith_network_snapshot_bytes", "Size of the snapshot in service.")?,
        })
    }

    /// Sets all gauges for `networks`; an organization that is not in service has none.
    pub(super) fn set(&self, networks: &Networks) {
        let all = [
            &self.generation,
            &self.people,
            &self.data_timestamp,
            &self.index_bytes,
            &self.kept_bytes,
            &self.snapshot_bytes,
        ];
        all.into_iter().for_each(IntGaugeVec::reset);
        for (organization, slot) in &networks.by_organization {
            let network = slot.network();
            let set = |gauges: &IntGaugeVec, value: i64| gauges.with_label_values(&[organization]).set(value);
            set(&self.generation, signed(slot.generation()));
            set(&self.people, slot.people().into());
            if let Some(at) = network.as_ref().and_then(|network| network.data_as_of()) {
                set(&self.data_timestamp, at.seconds);
            }
            let in_memory = network.as_ref().map_or(0, |network| network.size_bytes_in_memory());
            set(&self.index_bytes, signed(in_memory as u64));
            let kept = networks.predecessors.get(organization).zip(network);
            let kept = kept.map_or(0, |(kept, network)| kept.size_bytes(&network.index));
            set(&self.kept_bytes, signed(kept as u64));
            set(&self.snapshot_bytes, signed(slot.size_bytes()));
        }
    }
}
