//! The parts of a running service, each in this process: the HTTP front, credentials and JWTs, reloads, and the client
//! of the language-model provider; the order of work, in simulated time; and the allocations of a request, counted by
//! the allocator of this binary.
//!
//! A separate binary, because its tests run against the clock: peers and providers on loopback sockets, deadlines of a
//! few hundred milliseconds, background threads. Work that loads all cores for long (the properties and searches of
//! `api`, builds in child processes) would delay their answers.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code: a broken assumption should stop the test")]

#[path = "../snapshot/craft.rs"]
#[allow(dead_code, reason = "the tests of snapshots use all of it")]
mod craft;
#[path = "../support/mod.rs"]
mod support;

mod allocations;
mod credentials;
mod fairness;
mod forged_tokens;
mod http_front;
mod language_model;
mod overload;
mod probes;
mod reload;
mod sign_in;
