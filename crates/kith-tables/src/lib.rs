//! Source tables: a folder of tables to a checked dataset.
//!
//! Modules, in reading order; each imports only from those above it:
//!
//! - [`limits`] – the bounds that operators can feel.
//! - [`progress`] – how far long work is, as those who do it report it.
//! - [`source`] – source tables to dataset.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod limits;
pub mod progress;
pub mod source;
