//! Answers of the API: the router in this process, called without a socket and compared with the oracle.
//!
//! A separate binary, because all of it shares the oracle (`tests/oracle`) and the service in process
//! (`tests/support`). Needs no isolation: each test makes its own networks, credentials and router, and none changes or
//! measures the process. Only the deadlines of `search_provider` depend on the clock; they fail a test only if they
//! pass unnoticed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code: a broken assumption should stop the test")]

#[path = "../oracle/mod.rs"]
mod oracle;
#[path = "../support/mod.rs"]
mod support;

// The program's own, which thousands of networks are made in faster than with the system's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod answer_bytes;
mod asks;
mod changes;
mod company_search;
mod cors;
mod demos;
mod drawn;
mod errors;
mod explorer;
mod hidden_existence;
mod isolation;
mod judged;
mod mcp;
mod network_search;
mod openapi;
mod people_search;
mod props;
mod real_networks;
mod rest_of_a_list;
mod silence;
mod search_engines;
mod search_provider;
mod strict;
mod suppression;
mod tiny;
mod written;
