//! Properties: on any network and any valid request, the engine answers as the oracle does.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code: a broken assumption should stop the test")]

#[path = "../oracle/mod.rs"]
mod oracle;
#[path = "../support/mod.rs"]
mod support;

mod case;
mod paging;
mod reads;
mod warm_paths;
