//! The source tables of what was imported, and the provenance beside them.

pub mod earlier;
pub mod explain;
pub mod folder;
pub mod ids;
pub mod write;
