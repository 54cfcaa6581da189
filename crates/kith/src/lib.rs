//! The engine of kith: it answers *who can introduce us?* over one organization's network, from memory.
//!
//! Modules, in reading order; each imports only from those above it:
//!
//! - [`limits`] – the limits that operators and callers may meet.
//! - [`file_system`] – the differences of files on Unix and on Windows.
//! - [`regular_file`] – opening and reading regular files, and whether they changed.
//! - [`model`] – the domain as plain columns.
//! - [`prepare`] – results that depend on the tables alone, computed when a snapshot is built.
//! - [`snapshot`] – dataset to bytes and back; every byte is checked.
//! - [`graph`] – dataset to the immutable index that queries walk.
//! - [`query`] – one module for each question.
//! - [`asks`] – requested introductions, their outcomes, and whom to ask now.
//! - [`network`] – all of it behind one type, for programs that embed the engine.
//!
//! No HTTP, no source tables, no SQL, no async, no clock.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod limits;
pub mod file_system;
pub mod regular_file;
pub mod model;
pub mod prepare;
pub mod snapshot;
pub mod graph;
pub mod query;
pub mod asks;
pub mod network;

pub use network::{Network, Paths};
pub use query::paths::request::TargetQuery;

#[cfg(any(test, feature = "sketch"))]
pub mod sketch;
