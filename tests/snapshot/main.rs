//! Snapshots from outside: written files are read, and no others.
//!
//! `sample` makes datasets by hand; `craft` takes files apart and seals them again with separate code, so that a file
//! with exactly one fault can be made. `round_trip`, `container`, `damage`, `records`, `content`, `shape`, `edges` and
//! `files` test the rules; `committed` compares the files in `snapshots` with their tables.
//!
//! A separate binary, because `records` measures the address space of the whole process, which would include other
//! tests.
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
