//! Requests to the addresses that the configuration names: TLS, bounds on what is read, no detours.
//!
//! Redirects are not followed, and proxies that the environment names are not used: what the configuration
//! names is the only address that is ever contacted. Of time, only connecting is bounded here: the caller
//! puts a deadline over the whole.

pub(crate) mod address;
pub(crate) mod authorities;
pub(crate) mod client;
