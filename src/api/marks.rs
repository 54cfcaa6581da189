//! Marks that one layer leaves on a request or a response for another: none of them is sent.

use std::sync::{Arc, OnceLock};

use crate::live::networks::Network;

/// Why a response is an error of ours: for the log alone, never for the caller.
#[derive(Clone, Debug)]
pub struct Cause(pub String);

/// The mark of a response that a bound on work cut short.
#[derive(Clone, Copy, Debug)]
pub struct Capped;

/// Where the inner layers report which network a request is answered from.
#[derive(Clone, Debug, Default)]
pub struct AnsweredFrom(Arc<OnceLock<(Arc<Network>, u64)>>);

impl AnsweredFrom {
    /// Reports that the request is answered from `network`, its organization's `generation`; the first report holds.
    pub fn report(&self, network: &Arc<Network>, generation: u64) {
        let _ = self.0.set((Arc::clone(network), generation));
    }

    /// Returns the network and its generation, or `None` if none was reported.
    #[must_use]
    pub fn reported(&self) -> Option<&(Arc<Network>, u64)> {
        self.0.get()
    }
}
