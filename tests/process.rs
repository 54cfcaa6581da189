//! The program as it is run: its commands, what they print, their exit codes, and its servers.
//!
//! Nothing here sleeps: a test waits for a line, an answer or an end, and each wait is bounded.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code: a broken assumption should stop the test")]

#[path = "support/http.rs"]
mod http;
#[path = "support/issuer.rs"]
mod issuer;
#[path = "process/program.rs"]
mod program;

#[path = "process/commands.rs"]
mod commands;
#[path = "process/credentials.rs"]
mod credentials;
#[path = "process/demo.rs"]
mod demo;
#[path = "process/reloading.rs"]
mod reloading;
#[path = "process/serving.rs"]
mod serving;
#[path = "process/suppressing.rs"]
mod suppressing;
