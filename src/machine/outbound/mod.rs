//! Requests to the addresses in the configuration: TLS, bounds on answers, no detours.
//!
//! Redirects are not followed, and proxies named in the environment are not used: only the configured addresses are
//! ever contacted. The only time limit here is that for connecting: the caller sets a deadline for the whole request.

pub(crate) mod address;
pub(crate) mod authorities;
pub(crate) mod client;
