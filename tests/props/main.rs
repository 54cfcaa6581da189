//! Properties: on any network and any valid request, the engine answers as the oracle does.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code: a broken assumption should stop the test")]

#[path = "../oracle/mod.rs"]
mod oracle;
#[path = "../support/mod.rs"]
mod support;

#[allow(dead_code, reason = "other test crates use more of it")]
mod case;
mod paging;
mod reads;
mod warm_paths;
