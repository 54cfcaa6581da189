//! Source tables: reads a folder of tables into a checked dataset.
//!
//! Modules, in reading order; each imports only from those above it:
//!
//! - [`limits`] – the limits that operators may meet.
//! - [`progress`] – reports of progress.
//! - [`source`] – source tables to dataset.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod limits;
pub mod progress;
pub mod source;
