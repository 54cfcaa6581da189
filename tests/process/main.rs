//! The program as it is run: its commands, what they print, their exit codes, and its servers.
//!
//! Nothing here sleeps but `crashes` and `live_operation`: a test waits for a line, an answer or an end, and each
//! wait is bounded.
//!
//! A binary of its own because all of it starts the program (`program`) and asks it over sockets (`http`); what a test
//! sets, stops or kills is a child process. The one exception are `live_operation::crowd` and `live_operation::memory`, which
//! raise this process's limit of open files.
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
