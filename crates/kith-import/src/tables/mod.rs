//! The source tables of an import, and the provenance beside them.

mod affiliations;
mod derived;
pub mod earlier;
pub mod explain;
pub mod folder;
pub mod ids;
pub(crate) mod missing;
pub mod preferences;
mod side_by_side;
mod write;
