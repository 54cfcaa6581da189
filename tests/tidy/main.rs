//! Holds the repository to what its documents promise, each rule with a control: a small bad tree or text in which the
//! same check must find the fault.
//!
//! - `layers`: imports run one way; `ARCHITECTURE.md`, `src/lib.rs` and this test list the same layers.
//! - `homes`: every dependency has a home, and is used only there.
//! - `gate`: requests get networks only through the suppression list.
//! - `purity`: the core has no clock, environment, logs, network or `async`.
//! - `circles`: files of a room do not import each other in circles, but for those listed.
//! - `shape`: every file has a description; files and functions stay short.
//! - `words`, `names`: the rule sheet of `CONTRIBUTING.md`; two lists of remaining faults, which may only shrink.
//! - `links`: the targets of links in documents exist.
//! - `msrv`: no dependency needs a newer Rust than we declare.
//! - `promises`: `TESTING.md` has the promises that the heads of tests make.
//! - `release`: every place that repeats the version has the same one.
//!
//! Promise: What `ARCHITECTURE.md` and `CONTRIBUTING.md` say of imports, homes, purity, circles, length, words and
//!   links is so.
//! Control: for each rule a small bad tree, in which the same check finds the fault.

mod circles;
mod gate;
mod home_list;
mod homes;
mod layers;
mod links;
mod msrv;
mod names;
mod promises;
mod purity;
mod ratchet;
mod release;
mod shape;
mod tree;
mod uses;
mod words;

use std::error::Error;

type Outcome = Result<(), Box<dyn Error>>;

/// Fails with every finding if there is one.
#[track_caller]
fn none(findings: &[String]) {
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
}
