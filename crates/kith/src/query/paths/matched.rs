//! How a target was found, and the other possible targets.

use crate::graph::index::GraphIndex;
use crate::limits::ALTERNATIVES_MAX;
use crate::query::paths::request::TargetQuery;
use crate::query::paths::target::{MatchedBy, Target, find_all_alike};
use crate::query::paths::written::{Doubt, Read, ReadTarget};

/// How a target was found, and the other possible targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matched {
    /// The kind of match, if any.
    pub by: Option<MatchedBy>,
    /// The number of others with the same kind and class of match.
    pub others: u64,
    /// The first of the others, at most [`ALTERNATIVES_MAX`].
    pub alternatives: Vec<Target>,
    /// The parts read from a text; `None` for a target named otherwise.
    pub read: Option<ReadTarget>,
    /// The parts of the text that do not fit the target.
    pub doubt: Vec<Doubt>,
}

impl Matched {
    /// The match of the text read as `read`.
    #[must_use]
    pub fn by_text(read: &Read) -> Self {
        let matched = Self::among(read.by, read.alike.iter().copied());
        Self { read: Some(read.target.clone()), doubt: read.doubt.clone(), ..matched }
    }

    /// The match of `query`, found by `by`. Costs [`find_all_alike`].
    #[must_use]
    pub fn of(index: &GraphIndex, query: TargetQuery<'_>, by: Option<MatchedBy>) -> Self {
        match by {
            // Ids are unique.
            None | Some(MatchedBy::Id) => Self::among(by, [].into_iter()),
            Some(way) => Self::among(by, find_all_alike(index, query, way).into_iter()),
        }
    }

    /// The match of `alike`, which all match by `by`, the one found first.
    #[must_use]
    pub fn among(by: Option<MatchedBy>, alike: impl ExactSizeIterator<Item = Target>) -> Self {
        let others = alike.len().saturating_sub(1) as u64;
        let alternatives = alike.skip(1).take(ALTERNATIVES_MAX).collect();
        Self { by, others, alternatives, read: None, doubt: Vec::new() }
    }
}
