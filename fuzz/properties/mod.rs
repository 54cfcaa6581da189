//! Properties that hold for any bytes, shared by the fuzz targets, which look for counterexamples, and by tests of the
//! main package, which try every kept input.
//!
//! A property takes the fuzzer's bytes and panics if it is violated. It returns the outcome, so that a run shows that
//! the inputs reach every outcome.

#![allow(unreachable_pub, reason = "public for the fuzz targets; the tests include the same file")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken property stops the run")]

pub mod choices;
pub mod import;
pub mod json_body;
pub mod query_string;
pub mod service;
pub mod snapshot;
pub mod source;

#[path = "../../tests/snapshot/craft.rs"]
#[allow(dead_code, reason = "the tests of snapshots use all of it")]
mod craft;
#[path = "../../tests/snapshot/sample.rs"]
#[allow(dead_code, reason = "the tests of snapshots use all of it")]
mod sample;
