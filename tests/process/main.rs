//! The program as it is run: its commands, their output, their exit codes, and its servers.
//!
//! Only `crashes` and `live_operation` sleep: other tests wait for a line, an answer or an exit, and each wait has a
//! maximum.
//!
//! A separate binary, because all of it starts the program (`program`) and sends it requests over sockets (`http`);
//! tests configure, stop or kill child processes only. The exceptions are `live_operation::crowd` and
//! `live_operation::memory`, which raise this process's limit of open files.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code: a broken assumption should stop the test")]

#[path = "../oracle/random/dice.rs"]
#[allow(dead_code, reason = "the oracle chooses in more ways")]
mod dice;
#[path = "../support/mod.rs"]
mod support;

mod http;
mod program;

mod commands;
mod crashes;
mod agents;
mod audit;
mod bringing;
mod building;
mod credentials;
mod demo;
mod documented;
mod forgetting;
mod health;
mod keeping;
mod importing;
mod issuing;
mod deployment;
mod live_operation;
mod look_ups;
mod logging;
mod overload;
mod memory;
mod opening;
mod probes;
mod reloading;
mod replicas;
mod scoring;
mod serving;
mod shell;
mod stopping;
mod suppressing;
mod traces;
