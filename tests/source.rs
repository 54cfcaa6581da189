//! Source tables to dataset: every rule, every fault, in both formats.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it does not expect")]

#[path = "source/faults.rs"]
mod faults;
#[path = "source/files.rs"]
mod files;
#[path = "source/network.rs"]
mod network;
#[path = "source/rules.rs"]
mod rules;
