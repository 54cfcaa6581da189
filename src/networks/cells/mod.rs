//! Cells: the organizations that a group of replicas serves, and the distribution of their snapshots.
//!
//! A cell is a list of organizations and two or more equal replicas that serve them. Which organization is in which
//! cell is data, never computed at a request: a map for the proxy, and a manifest for each cell. Snapshots never
//! change, so only files are distributed ([docs/cells.md](../../docs/cells.md)).
//!
//! - [`manifest`]: the organizations of a cell, each with the identity of its snapshot.
//! - [`folder`]: the folder that a replica serves, and its note.
//! - [`place`]: assigns organizations to cells, by weighted rendezvous hashing.
//! - [`sound`]: a snapshot and its store, checked as `kith verify` does. [`error`]: errors.
//! - `remote`: pushing and pulling through an object store; only with the feature `store`.

pub mod manifest;
pub mod folder;
pub mod place;
pub mod sound;
pub mod error;
#[cfg(feature = "store")]
pub(crate) mod remote;
