//! The settings of traces, validated: the collector, and the share of requests traced.

use hyper::Uri;

use crate::outbound::address;

/// A collector to send traces to.
#[derive(Clone, Debug)]
pub struct TraceSettings {
    pub(crate) address: Uri,
    pub(crate) sample_ratio: f64,
}

/// A fault in the settings of traces. No message quotes the address: it may contain a secret.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum TraceSettingsError {
    /// The address is not valid for traces.
    #[error(
        "the configuration key telemetry.traces_url cannot be used; it must be an http or https \
             address without a user or a fragment, such as http://127.0.0.1:4318/v1/traces"
    )]
    Url,
    /// A share of traces without an address.
    #[error("the configuration key telemetry.traces_url is missing; telemetry.sample_ratio needs it")]
    NoUrl,
    /// The share is not between 0 and 1.
    #[error("the configuration key telemetry.sample_ratio is {got}; it must be a number from 0 to 1")]
    Ratio {
        /// The requested value.
        got: f64,
    },
}

impl TraceSettings {
    /// Validates a configuration; `None` if traces are off: without an address, or with a blank one. Without a share,
    /// all requests are traced.
    ///
    /// # Errors
    /// Returns an error if a value is invalid, or if a share is set without an address.
    pub fn new(
        traces_url: Option<&str>,
        sample_ratio: Option<f64>,
    ) -> Result<Option<Self>, TraceSettingsError> {
        let address = match traces_url.map(str::trim) {
            None if sample_ratio.is_some() => return Err(TraceSettingsError::NoUrl),
            None | Some("") => return Ok(None),
            Some(url) => address::parse(url).ok_or(TraceSettingsError::Url)?,
        };
        match sample_ratio.unwrap_or(1.0) {
            sample_ratio if (0.0..=1.0).contains(&sample_ratio) => Ok(Some(Self { address, sample_ratio })),
            got => Err(TraceSettingsError::Ratio { got }),
        }
    }
}
