//! The source tables of an import, and the provenance beside them.

pub(crate) mod absent;
mod affiliations;
mod derived;
pub mod earlier;
pub mod explain;
pub mod folder;
pub mod ids;
mod kept_edges;
mod line;
pub(crate) mod missing;
pub mod preferences;
mod side_by_side;
pub(crate) mod stayed;
mod write;
