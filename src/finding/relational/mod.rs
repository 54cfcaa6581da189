//! The relational store beside a snapshot: the same people as SQL tables, bound to it by its identity.
//!
//! One read-only SQLite file, `NET.kith.sqlite` beside `NET.kith`, written in the same build from the same dataset. It
//! contains the identity of its snapshot: a store of another build is recognized and refused. A person's number in the
//! store is their number in the dataset it was built from; [`store`] translates it only for a network without some of
//! its people. The store contains no ids, handles or addresses.
//!
//! - [`schema`]: the tables, the full-text indexes over their texts, and the covering indexes.
//! - [`pair`]: writes a snapshot and its store so that a crash leaves no wrong pair.
//! - [`write`](mod@write), `reach`: writes a dataset as a store; the people who can be found in it.
//! - [`store`], `reader`, `pool`: an open and checked store, shared by threads.
//! - [`lookup`], `phrase`, `tally`: the people who fit some words, and how well, by SQL.
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
