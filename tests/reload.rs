//! Reload in process, over real snapshot files: storms, damaged files, who frees what is out of service,
//! and the look at an index before it serves.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that meets what it does not expect stops")]

#[path = "support/scale.rs"]
mod scale;
#[path = "reload/site.rs"]
mod site;
#[path = "snapshot/craft.rs"]
mod craft;

#[path = "reload/refusals.rs"]
mod refusals;
#[path = "reload/retiring.rs"]
mod retiring;
#[path = "reload/self_check.rs"]
mod self_check;
#[path = "reload/storms.rs"]
mod storms;
