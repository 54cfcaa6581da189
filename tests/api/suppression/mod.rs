//! People who are to be forgotten: what is served without them is what a build without their rows makes,
//! from the very next request on, whatever lies on the disk.
//!
//! `tables` takes people out of source tables by the rules of `docs/suppression.md`, in code of its own;
//! what comes of building those is what everything else is compared with.

pub(crate) mod tables;
pub(crate) mod site;

mod at_once;
mod changes;
mod early;
mod lists;
mod rebuilt;
mod residues;
