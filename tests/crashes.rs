//! Processes that are killed, disks that fill up and disks that fail: what was there before stays, or
//! what was made is there whole; and success is told of nothing else.
//!
//! `version` holds a path at which builds put one or the other version of a network, and tells which one
//! is there. `shim` runs the program with one file operation failing. `killed` and `failing` hold builds
//! to their promise, `credentials` the credential store. `careless` are the controls: programs that write
//! as many do, which the same checks catch.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code: a broken assumption should stop the test")]
#![allow(clippy::print_stdout, reason = "what came of the faults is counted and told")]

#[path = "oracle/random/dice.rs"]
#[allow(dead_code, reason = "other tests choose in more ways")]
mod dice;
#[path = "support/http.rs"]
mod http;
#[path = "process/program.rs"]
#[allow(dead_code, reason = "other tests run more of the program")]
mod program;
#[path = "support/scale.rs"]
mod scale;

#[path = "crashes/careless.rs"]
mod careless;
#[path = "crashes/credentials.rs"]
mod credentials;
#[path = "crashes/failing.rs"]
mod failing;
#[path = "crashes/killed.rs"]
mod killed;
#[path = "crashes/shim.rs"]
mod shim;
#[path = "crashes/version.rs"]
mod version;
