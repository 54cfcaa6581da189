//! Texts to vectors, by the small model that ships with the program, and vectors to their likeness.
//!
//! The model is a table with one row for each of 29,525 wordpieces. A text is normalised
//! (`normalize`), cut into wordpieces ([`wordpiece`]), and its vector is the direction in which its
//! wordpieces' rows point together ([`model`]). [`dot`] compares one vector with many.
//!
//! What the model is, where it comes from and how it is made again: `model/README.md`.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod dot;
pub mod error;
pub mod model;
mod normalize;
pub mod of_tables;
pub mod wordpiece;

#[cfg(any(test, feature = "sketch"))]
pub mod sketch;
