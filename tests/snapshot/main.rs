//! Snapshots from outside: what is written is read, and nothing else is.
//!
//! `sample` makes datasets by hand, `craft` takes files apart and seals them again by code of its
//! own, so that a file with exactly one fault can be made. `round_trip`, `container`, `damage`,
//! `records`, `content`, `shape`, `edges` and `files` hold the rules; `committed` holds the files in
//! `snapshots` to their tables.
//!
//! A binary of its own because `records` measures the address space of the whole process: beside tests that build
//! large networks or serve, it would measure theirs.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that meets what it does not expect stops")]
#![allow(clippy::print_stdout, reason = "how much was damaged, and how it was refused, is printed")]

#[path = "../support/scale.rs"]
mod scale;

mod craft;
mod sample;

mod aliases;
mod committed;
mod container;
mod content;
mod damage;
mod edges;
mod evidence;
mod files;
mod records;
mod round_trip;
mod shape;
