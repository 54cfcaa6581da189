//! Cells: which organizations a group of replicas serves, and how their snapshots get there.
//!
//! A cell is a list of organizations and two or more equal replicas that serve them. Which organization is in which
//! cell is data, never computed at a request: a map for the proxy, and a manifest for each cell. Snapshots never
//! change, so that nothing is distributed but files ([docs/cells.md](../../docs/cells.md)).
//!
//! - [`manifest`]: the organizations of a cell, each with the identity of its snapshot.
//! - [`folder`]: the folder that a replica serves, and what is noted in it.
//! - [`place`]: organizations to cells, by weighted rendezvous hashing.
//! - [`sound`]: a snapshot and its store, checked as `kith verify` does. [`error`]: what goes wrong.
//! - `remote`: pushing and pulling by an object store; there with the feature `store`.

pub mod manifest;
pub mod folder;
pub mod place;
pub mod sound;
pub mod error;
#[cfg(feature = "store")]
pub(crate) mod remote;
