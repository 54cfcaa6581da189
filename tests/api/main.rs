//! What the API answers: the router in this process, asked without a socket, beside the oracle.
//!
//! A binary of its own because all of it shares the oracle (`tests/oracle`) and the service in process
//! (`tests/support`). Needs no isolation: each test makes its own networks, credentials and router, and none sets or
//! measures anything of the process. Nothing here depends on the clock but the deadlines of `search_provider`, which
//! fail a test only if they pass unnoticed.
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
