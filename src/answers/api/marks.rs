//! Marks that one layer leaves on a request or a response for another; none of them is sent.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};

use axum::http::HeaderValue;

use crate::live::network::LiveNetwork;

/// Why a response is an error of ours: for the log only, never for the caller.
#[derive(Clone, Debug)]
pub struct Cause(pub String);

/// The address of the peer that sent a request.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// Marks a response that a bound on work cut short.
#[derive(Clone, Copy, Debug)]
pub struct Capped;

/// Marks a response whose body is the same memory for every caller.
#[derive(Clone, Copy, Debug)]
pub struct SharedBody;

/// Reports of the inner layers on a request: its credential, the network that answers it, the rate, and the tool
/// called.
#[derive(Clone, Debug, Default)]
pub struct AnsweredFrom(Arc<Reports>);

#[derive(Debug, Default)]
struct Reports {
    credential: OnceLock<String>,
    network: OnceLock<(Arc<LiveNetwork>, u64)>,
    rate: OnceLock<RateFields>,
    tool: OnceLock<&'static str>,
}

/// The headers on a credential's rate, from `draft-ietf-httpapi-ratelimit-headers`.
#[derive(Clone, Debug)]
pub struct RateFields {
    /// `RateLimit-Policy`: the bucket.
    pub policy: HeaderValue,
    /// `RateLimit`: what is left in the bucket.
    pub standing: HeaderValue,
}

impl AnsweredFrom {
    /// Reports the name of the request's credential in the log; the first report wins.
    pub fn report_credential(&self, id: String) {
        let _ = self.0.credential.set(id);
    }

    /// Returns the reported name of the credential, if any.
    #[must_use]
    pub fn reported_credential(&self) -> Option<&str> {
        self.0.credential.get().map(String::as_str)
    }

    /// Reports that `network`, its organization's `generation`, answers the request; the first report wins.
    pub fn report(&self, network: &Arc<LiveNetwork>, generation: u64) {
        let _ = self.0.network.set((Arc::clone(network), generation));
    }

    /// Returns the reported network and generation, if any.
    #[must_use]
    pub fn reported(&self) -> Option<&(Arc<LiveNetwork>, u64)> {
        self.0.network.get()
    }

    /// Reports the rate of the request's credential; the first report wins.
    pub fn report_rate(&self, fields: RateFields) {
        let _ = self.0.rate.set(fields);
    }

    /// Returns the reported rate, if any.
    #[must_use]
    pub fn reported_rate(&self) -> Option<&RateFields> {
        self.0.rate.get()
    }

    /// Reports the tool that the request called; the first report wins.
    pub fn report_tool(&self, name: &'static str) {
        let _ = self.0.tool.set(name);
    }

    /// Returns the reported tool, if any.
    #[must_use]
    pub fn reported_tool(&self) -> Option<&'static str> {
        self.0.tool.get().copied()
    }
}
