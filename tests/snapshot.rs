//! Snapshots from outside: what is written is read, and nothing else is.
//!
//! `sample` makes datasets by hand, `craft` takes files apart and seals them again by code of its
//! own, so that a file with exactly one fault can be made. `round_trip`, `container`, `damage`,
//! `records`, `content`, `shape`, `edges` and `files` hold the rules.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that meets what it does not expect stops")]
#![allow(clippy::print_stdout, reason = "how much was damaged, and how it was refused, is told")]

#[path = "support/scale.rs"]
mod scale;
#[path = "snapshot/sample.rs"]
mod sample;
#[path = "snapshot/craft.rs"]
mod craft;
#[path = "snapshot/round_trip.rs"]
mod round_trip;
#[path = "snapshot/container.rs"]
mod container;
#[path = "snapshot/damage.rs"]
mod damage;
#[path = "snapshot/records.rs"]
mod records;
#[path = "snapshot/content.rs"]
mod content;
#[path = "snapshot/shape.rs"]
mod shape;
#[path = "snapshot/edges.rs"]
mod edges;
#[path = "snapshot/files.rs"]
mod files;
