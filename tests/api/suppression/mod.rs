//! Suppressed people: the network without them equals a build without their rows, from the very next request, whatever
//! is on disk.
//!
//! `tables` takes people out of source tables by the rules of `docs/suppression.md`, in its own code; everything else
//! is compared with a build of those tables.

pub(crate) mod tables;
pub(crate) mod site;

mod at_once;
mod changes;
mod early;
mod lists;
mod rebuilt;
mod residues;
