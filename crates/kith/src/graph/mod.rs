//! The immutable index that queries walk: a dataset plus the structures that make its questions cheap.
//!
//! An index is built whole from a checked dataset and never edited. It has no strings itself: texts stay in the
//! dataset's columns, and dropping an index frees a few dozen allocations.

pub mod advocacy;
pub mod analytics;
pub mod brief;
pub mod briefs;
pub mod company_text;
#[cfg(test)]
pub(crate) mod edges_read;
pub mod employees;
pub mod exact;
pub mod id_table;
pub mod index;
pub mod inside;
pub mod names;
pub mod near;
pub mod near_edge;
pub mod people_text;
pub mod person_lookup;
pub mod self_check;
pub mod requested;
pub mod sentences;
pub mod signals;
pub(crate) mod size;
pub mod text_blocks;
pub mod touched;
