//! The data that a search goes over.

use std::time::Instant;

use crate::graph::index::GraphIndex;
use crate::relational::store::RelationalStore;
use crate::search::engine::Engines;
use crate::search::index::SearchIndex;

/// The data that a search goes over.
#[derive(Clone, Copy, Debug)]
pub struct Searched<'a> {
    /// The network.
    pub index: &'a GraphIndex,
    /// Its words.
    pub search: &'a SearchIndex,
    /// The relational store that belongs to it, if any.
    pub store: Option<&'a RelationalStore>,
    /// The engines in service.
    pub engines: Engines,
    /// The deadline for look-ups in the store.
    pub deadline: Instant,
}
