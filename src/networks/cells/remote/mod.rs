//! Snapshots in an object store: pushed once under names derived from their content, pulled by every replica.
//!
//! ```text
//! cells/NAME.json                       the manifest of a cell, replaced by its ETag
//! snapshots/ORG/IDENTITY.kith           a snapshot, never overwritten
//! snapshots/ORG/IDENTITY.kith.sqlite    the relational store beside it
//! ```
//!
//! - [`address`]: the address of a cell, and its store. [`connector`]: the store's requests, by our own client.
//! - [`push`]: uploads snapshots, then the manifest. [`upload`]: one file.
//! - [`pull`]: downloads the manifest, then missing snapshots. [`download`]: one file.
//! - [`lists`]: credentials and the list of people to forget. `refused`: a store's errors.

pub(crate) mod address;
mod connector;
mod download;
pub(crate) mod lists;
pub(crate) mod pull;
pub(crate) mod push;
mod refused;
mod upload;

#[cfg(test)]
mod tests;
