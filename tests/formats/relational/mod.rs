//! The relational store beside a snapshot: it holds what the dataset does, finds what a slow and plain
//! reading finds, and is never believed if it was touched.
//!
//! `networks` makes datasets and pairs of files; `words` and `oracle` answer look-ups a second time, by
//! code of their own. `content`, `lookups`, `pairs`, `refusals` and `damage` hold the rules.

mod networks;
mod words;
mod oracle;
mod content;
mod lookups;
mod pairs;
mod refusals;
mod damage;
