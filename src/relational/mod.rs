//! The relational store beside a snapshot: the same people as SQL tables, bound to it by its identity.
//!
//! One read-only SQLite file, `NET.kith.sqlite` beside `NET.kith`, written in the same build from the same
//! dataset. It names the identity of its snapshot: a store of another build is recognized and refused. A
//! person's number in the store is their number in the dataset it was built from; only if a network was made
//! without some of its people does [`store`] translate. The store holds no ids, no handles and no addresses.
//!
//! - [`schema`]: the tables, the full-text indexes over their texts, and the covering indexes.
//! - [`pair`]: a snapshot and its store, written so that a crash leaves nothing that misleads.
//! - [`write`](mod@write), `reach`: a dataset as a store; who can be found in it.
//! - [`store`], `reader`, `pool`: a store opened and checked, shared by threads.
//! - [`lookup`], `phrase`, `tally`: which people fit some words, and how well; answered by SQL.
//! - [`error`]: the message of each refusal.

pub mod error;
pub mod lookup;
pub mod pair;
mod phrase;
mod pool;
mod reach;
mod reader;
pub mod schema;
pub mod store;
mod tally;
pub mod write;

pub use schema::path_beside;
