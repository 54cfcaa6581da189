//! The HTTP front against peers that are slow, broken or too many: over real sockets, with the server in
//! this process and deadlines that are short.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "test code")]

mod malformed;
mod mutants;
mod raw;
mod slow;
mod tls;

#[path = "../support/mod.rs"]
mod support;
