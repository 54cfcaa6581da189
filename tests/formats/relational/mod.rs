//! The relational store beside a snapshot: it contains the dataset, finds the same as a slow and plain reading, and is
//! never used if it was changed.
//!
//! `networks` makes datasets and pairs of files; `words` and `oracle` answer look-ups with separate code. `content`,
//! `lookups`, `pairs`, `refusals` and `damage` test the rules.

mod networks;
mod words;
mod oracle;
mod content;
mod lookups;
mod pairs;
mod refusals;
mod damage;
