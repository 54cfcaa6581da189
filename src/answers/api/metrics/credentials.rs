//! Metrics of the credential store and of the keys for JWTs.

use prometheus::{Error, IntCounterVec, IntGauge, IntGaugeVec};

use crate::api::metrics::series::{Series, seconds, signed};
use crate::auth::jwt::KeysStatus;
use crate::auth::jwt::refusal::Refusal;

/// The series of credentials, set at each scrape.
#[derive(Debug)]
pub(super) struct CredentialSeries {
    is_store_usable: IntGauge,
    // By source of the keys: without an issuer there are no such series.
    keys: IntGaugeVec,
    keys_age: IntGaugeVec,
    keys_read: IntGaugeVec,
    refused: IntCounterVec,
}

impl CredentialSeries {
    pub(super) fn new(series: &Series) -> Result<Self, Error> {
        let by_source = |name, help| series.gauges(name, help, &["source"]);
        Ok(Self {
            is_store_usable: series.gauge(
                "kith_credential_store_usable",
                "1 if keys and tokens can be looked up, as the scrape tried.",
            )?,
            keys: by_source(
                "kith_jwks_keys",
                "Keys in force that JWTs are checked with; without any, none is accepted.",
            )?,
            keys_age: by_source(
                "kith_jwks_age_seconds",
                "Time since the JWKS was last read and sound; no series before it ever was.",
            )?,
            keys_read: by_source(
                "kith_jwks_last_success_timestamp_seconds",
                "When the JWKS was last read and sound, as Unix time; 0 if it never was.",
            )?,
            refused: series.by(
                "kith_jwts_refused_total",
                "JWTs that were refused, by the first rule that they broke.",
                &["reason"],
            )?,
        })
    }

    /// Sets the values of a scrape.
    pub(super) fn set(&self, is_store_usable: bool, keys: Option<&KeysStatus>, refused: &[(Refusal, u64)]) {
        self.is_store_usable.set(i64::from(is_store_usable));
        let Some(status) = keys else { return };
        for (refusal, count) in refused {
            let series = self.refused.with_label_values(&[refusal.name()]);
            series.reset();
            series.inc_by(*count);
        }
        let set = |gauges: &IntGaugeVec, value| gauges.with_label_values(&[status.source.name()]).set(value);
        set(&self.keys, signed(status.keys as u64));
        set(&self.keys_read, status.read_at.map_or(0, seconds));
        if let Some(age) = status.age {
            set(&self.keys_age, signed(age.as_secs()));
        }
    }
}
