//! The service in operation: reloads under load, credentials revoked during service, crowds of slow peers and their
//! memory. The sizes here are those of every check; `KITH_SCALE=full` gives those of `TESTING.md`, and tests without a
//! small form are ignored without `--ignored`.
#![allow(clippy::print_stdout, reason = "what was measured is printed")]

mod bare;
mod by_need;
mod canaries;
mod cost;
mod crowd;
mod fairness;
mod memory;
mod reload;
mod revoked;
mod sample;
