//! Marks that one layer leaves on a request or a response for another: none of them is sent.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};

use axum::http::HeaderValue;

use crate::live::network::LiveNetwork;

/// Why a response is an error of ours: for the log alone, never for the caller.
#[derive(Clone, Debug)]
pub struct Cause(pub String);

/// The mark of a request: the address of the peer that sent it.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// The mark of a response that a bound on work cut short.
#[derive(Clone, Copy, Debug)]
pub struct Capped;

/// The mark of a response whose body is the same memory for every caller.
#[derive(Clone, Copy, Debug)]
pub struct SharedBody;

/// What the inner layers report of a request: the credential it came with, the network it is answered from, what it
/// took from the credential's bucket, and which tool it called.
#[derive(Clone, Debug, Default)]
pub struct AnsweredFrom(Arc<Reports>);

#[derive(Debug, Default)]
struct Reports {
    credential: OnceLock<String>,
    network: OnceLock<(Arc<LiveNetwork>, u64)>,
    rate: OnceLock<RateFields>,
    tool: OnceLock<&'static str>,
}

/// The headers that say a credential's rate, as `draft-ietf-httpapi-ratelimit-headers` has them.
#[derive(Clone, Debug)]
pub struct RateFields {
    /// `RateLimit-Policy`: the bucket.
    pub policy: HeaderValue,
    /// `RateLimit`: what is in it.
    pub standing: HeaderValue,
}

impl AnsweredFrom {
    /// Reports what the request's credential is known by in the log; the first report holds.
    pub fn report_credential(&self, id: String) {
        let _ = self.0.credential.set(id);
    }

    /// Returns what the request's credential is known by, or `None` if none was reported.
    #[must_use]
    pub fn reported_credential(&self) -> Option<&str> {
        self.0.credential.get().map(String::as_str)
    }

    /// Reports that the request is answered from `network`, its organization's `generation`; the first report holds.
    pub fn report(&self, network: &Arc<LiveNetwork>, generation: u64) {
        let _ = self.0.network.set((Arc::clone(network), generation));
    }

    /// Returns the network and its generation, or `None` if none was reported.
    #[must_use]
    pub fn reported(&self) -> Option<&(Arc<LiveNetwork>, u64)> {
        self.0.network.get()
    }

    /// Reports the rate of the request's credential; the first report holds.
    pub fn report_rate(&self, fields: RateFields) {
        let _ = self.0.rate.set(fields);
    }

    /// Returns the rate of the request's credential, or `None` if none was reported.
    #[must_use]
    pub fn reported_rate(&self) -> Option<&RateFields> {
        self.0.rate.get()
    }

    /// Reports the tool that the request called; the first report holds.
    pub fn report_tool(&self, name: &'static str) {
        let _ = self.0.tool.set(name);
    }

    /// Returns the tool that the request called, or `None` if none was reported.
    #[must_use]
    pub fn reported_tool(&self) -> Option<&'static str> {
        self.0.tool.get().copied()
    }
}
