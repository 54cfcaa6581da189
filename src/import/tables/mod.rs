//! The source tables of what was imported, and the provenance beside them.

pub(crate) mod earlier;
pub mod explain;
pub mod folder;
pub(crate) mod ids;
pub mod write;
