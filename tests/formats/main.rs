//! Everything that the program reads and writes besides snapshots: source tables, the relational store, the embedding
//! model, generated networks, and every input the fuzzers kept.
//!
//! A separate binary, because it needs neither the oracle nor the service of `tests/support`. Needs no isolation: each
//! test writes to its own folder.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code: a broken assumption should stop the test")]

#[path = "../support/scale.rs"]
mod scale;

mod embed;
mod fuzz_corpus;
mod generate;
mod import;
mod index_size;
mod relational;
mod source;
