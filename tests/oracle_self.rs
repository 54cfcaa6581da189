//! Tests of the oracle itself, on cases small enough to be checked by hand.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code: a broken assumption should stop the test")]

mod oracle;

#[path = "oracle/checks/mod.rs"]
mod checks;
