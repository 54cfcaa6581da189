//! The service in operation: reloads under load, credentials revoked while it serves, crowds of slow
//! peers, and what timing tells. The sizes here are those of every check; `KITH_SCALE=full` gives those of
//! `TESTING.md`, and tests that have no small form are ignored without `--ignored`.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "test code")]

mod canaries;
mod crowd;
mod fairness;
mod reload;
mod revoked;
mod sample;
mod timing;

#[path = "../support/http.rs"]
mod http;
#[path = "../process/program.rs"]
#[allow(dead_code, reason = "a part of it is used here")]
mod program;
#[path = "../support/stub.rs"]
mod stub;
#[path = "../support/mod.rs"]
mod support;
