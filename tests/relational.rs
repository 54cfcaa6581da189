//! The relational store beside a snapshot: it holds what the dataset does, finds what a slow and plain
//! reading finds, and is never believed where it was touched.
//!
//! `networks` makes datasets and pairs of files; `words` and `oracle` answer look-ups a second time, by
//! code of their own. `content`, `lookups`, `pairs`, `refusals` and `damage` hold the rules.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that meets what it does not expect stops")]

#[path = "relational/networks.rs"]
mod networks;
#[path = "relational/words.rs"]
mod words;
#[path = "relational/oracle.rs"]
mod oracle;
#[path = "relational/content.rs"]
mod content;
#[path = "relational/lookups.rs"]
mod lookups;
#[path = "relational/pairs.rs"]
mod pairs;
#[path = "relational/refusals.rs"]
mod refusals;
#[path = "relational/damage.rs"]
mod damage;
