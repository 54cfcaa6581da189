//! Turns texts into vectors with the small model that ships with the program, and compares vectors.
//!
//! The model is a table with one row for each of 29,525 wordpieces. A text is normalised (`normalize`) and split into
//! wordpieces ([`wordpiece`]); its vector is the normalised sum of their rows ([`model`]). [`dot`] compares one vector
//! with many.
//!
//! `model/README.md` describes the model, its origin and how to rebuild it.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod dot;
pub mod error;
pub mod model;
mod normalize;
pub mod of_tables;
pub mod wordpiece;

#[cfg(any(test, feature = "sketch"))]
pub mod sketch;
