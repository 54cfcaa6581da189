//! How a target was found, and who else it may have been.

use crate::graph::index::GraphIndex;
use crate::limits::ALTERNATIVES_MAX;
use crate::query::paths::request::TargetQuery;
use crate::query::paths::target::{MatchedBy, Target, find_all_alike};
use crate::query::paths::written::{Doubt, Read, ReadTarget};

/// How a target was found, and who else it may have been.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matched {
    /// In what way; `None` if nobody was found.
    pub by: Option<MatchedBy>,
    /// The number of others who match in the same way and class.
    pub others: u64,
    /// The first of them, at most [`ALTERNATIVES_MAX`].
    pub alternatives: Vec<Target>,
    /// What was read in a text; `None` for a target that was named in another way.
    pub read: Option<ReadTarget>,
    /// What of the text does not fit the one found.
    pub doubt: Vec<Doubt>,
}

impl Matched {
    /// How the text that was read as `read` found its target.
    #[must_use]
    pub fn by_text(read: &Read) -> Self {
        let matched = Self::among(read.by, read.alike.iter().copied());
        Self { read: Some(read.target.clone()), doubt: read.doubt.clone(), ..matched }
    }

    /// How `query` found its target, if it did so in the way `by`. Costs [`find_all_alike`].
    #[must_use]
    pub fn of(index: &GraphIndex, query: TargetQuery<'_>, by: Option<MatchedBy>) -> Self {
        match by {
            // Nobody else has the id.
            None | Some(MatchedBy::Id) => Self::among(by, [].into_iter()),
            Some(way) => Self::among(by, find_all_alike(index, query, way).into_iter()),
        }
    }

    /// What `alike` are, who all match in the way `by`, the one found first.
    #[must_use]
    pub fn among(by: Option<MatchedBy>, alike: impl ExactSizeIterator<Item = Target>) -> Self {
        let others = alike.len().saturating_sub(1) as u64;
        let alternatives = alike.skip(1).take(ALTERNATIVES_MAX).collect();
        Self { by, others, alternatives, read: None, doubt: Vec::new() }
    }
}
