//! Traces: what a collector is sent of requests, that it is nothing else, and that whatever the collector does
//! changes no answer.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code: a broken assumption should stop the test")]

mod faults;
mod parents;
mod processes;
mod sampling;
mod spans;
mod traced;

#[path = "../support/http.rs"]
mod http;
#[path = "../process/program.rs"]
#[allow(dead_code, reason = "a part of it is used here")]
mod program;
#[path = "../support/stub.rs"]
mod stub;
#[path = "../support/mod.rs"]
mod support;
