//! Keeps the paths of a walk that can be on the page: the first in its order, or the first of each group.

use std::collections::HashMap;

use crate::query::page::{Page, Top};
use crate::query::paths::rank::PathKey;
use crate::query::paths::request::{GroupBy, PathRequest, PathSort};

/// The paths that can be on a page, during a walk.
#[derive(Debug)]
pub struct KeptPaths {
    sort: PathSort,
    page: Page,
    /// The paths, if they are not grouped.
    top: Top<PathKey>,
    groups: Option<Groups>,
}

/// A path of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeptPath {
    /// The path.
    pub key: PathKey,
    /// The number of paths grouped behind it; `None` if paths are not grouped.
    pub alternatives: Option<u64>,
}

/// The first path of each group, and the number of later ones.
#[derive(Debug)]
struct Groups {
    by: GroupBy,
    /// The position in `groups` of each connector's or target's group.
    places: HashMap<u32, usize>,
    groups: Vec<(PathKey, u64)>,
}

impl KeptPaths {
    /// Prepares to keep the page of `request`.
    #[must_use]
    pub fn new(request: &PathRequest<'_>) -> Self {
        let groups = |by| Groups { by, places: HashMap::new(), groups: Vec::new() };
        let (sort, page) = (request.sort, request.page);
        Self { sort, page, top: Top::for_page(page), groups: request.group_by.map(groups) }
    }

    /// Counts the path with `key`, and keeps it if it can be on the page.
    pub fn offer(&mut self, key: PathKey) {
        let key = self.ordered(key);
        match &mut self.groups {
            None => self.top.offer(key),
            Some(groups) => groups.offer(key),
        }
    }

    /// Drops paths that can no longer be on the page, so that more are refused from now on.
    pub fn tighten(&mut self) {
        self.top.tighten();
    }

    /// Whether no path at or after `floor`, over the same connector to the same target, can be on the page.
    #[must_use]
    pub fn refuses(&self, floor: PathKey) -> bool {
        let floor = self.ordered(floor);
        match &self.groups {
            None => self.top.refused(&floor),
            Some(groups) => groups.first(&floor).is_some_and(|first| first < floor),
        }
    }

    /// Whether no path at or after `floor`, over any connector, can be on the page. Never true for grouped paths: each
    /// counts in its group.
    #[must_use]
    pub fn refuses_all(&self, floor: PathKey) -> bool {
        self.groups.is_none() && self.refuses(floor)
    }

    /// Counts paths at or after `floor` already known to be refused; see [`Self::refuses`] and [`Self::refuses_all`].
    pub fn count_refused(&mut self, floor: PathKey, paths: u64) {
        match &mut self.groups {
            None => self.top.count_refused(paths),
            Some(groups) => groups.count(&floor, paths),
        }
    }

    /// The paths of the page, and the number of all paths or groups.
    #[must_use]
    pub fn finish(self) -> (Vec<KeptPath>, u64) {
        let page = self.page;
        let Some(groups) = self.groups else {
            let total = self.top.total();
            let paths = self.top.into_page(page).into_iter();
            return (paths.map(|key| KeptPath { key, alternatives: None }).collect(), total);
        };
        let mut top = Top::for_page(page);
        let firsts = groups.groups.into_iter();
        firsts.for_each(|(key, others)| top.offer(KeptPath { key, alternatives: Some(others) }));
        let total = top.total();
        (top.into_page(page), total)
    }

    fn ordered(&self, key: PathKey) -> PathKey {
        match self.sort {
            PathSort::Tier => key,
            PathSort::Warmness => key.warmest_first(),
        }
    }
}

impl Groups {
    fn id(&self, key: &PathKey) -> u32 {
        match self.by {
            GroupBy::Connector => key.connector().0,
            GroupBy::Target => key.target().0,
        }
    }

    fn first(&self, key: &PathKey) -> Option<PathKey> {
        self.places.get(&self.id(key)).map(|&place| self.groups[place].0)
    }

    fn offer(&mut self, key: PathKey) {
        let next = self.groups.len();
        let place = *self.places.entry(self.id(&key)).or_insert(next);
        match self.groups.get_mut(place) {
            None => self.groups.push((key, 0)),
            Some((first, others)) => {
                *first = key.min(*first);
                *others += 1;
            }
        }
    }

    fn count(&mut self, key: &PathKey, paths: u64) {
        if let Some(&place) = self.places.get(&self.id(key)) {
            self.groups[place].1 += paths;
        }
    }
}
