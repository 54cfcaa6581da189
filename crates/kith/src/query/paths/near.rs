//! The people and paths nearest to a target that was not found or has no path.

use crate::graph::index::GraphIndex;
use crate::limits::{NEAR_PATHS_MAX, NEAR_PEOPLE_MAX};
use crate::model::ix::{CompanyIx, PersonIx};
use crate::query::paths::answer::{NearTarget, WarmPath};
use crate::query::paths::request::TargetQuery;
use crate::query::paths::target::{Target, find_company, people_named};
use crate::query::paths::written::Read;

impl NearTarget {
    /// Finds the nearest for `query`, which resolved to `target`; `paths_to` finds the paths.
    ///
    /// Costs the paths, and an edit distance for each distinct word of all names and word of the name.
    pub(super) fn of(
        index: &GraphIndex,
        query: TargetQuery<'_>,
        read: Option<&Read>,
        target: Option<Target>,
        paths_to: impl FnOnce(CompanyIx, u32) -> Vec<WarmPath>,
    ) -> Self {
        let (name, firm) = match query {
            TargetQuery::Name(name) => (Some(name), None),
            TargetQuery::NameAt { name, company } => {
                (Some(name), find_company(index, company).map(|(_, it)| it))
            }
            TargetQuery::Text(_) => {
                (read.and_then(|read| read.target.name.as_deref()), read.and_then(|read| read.firm))
            }
            _ => (None, None),
        };
        let person = target.and_then(Target::person);
        let is_other = |row: u32| Some(PersonIx(row)) != person;
        let near = |name| people_named(index, Some(&is_other), |all| all.nearest(name, NEAR_PEOPLE_MAX));
        let company = firm.or_else(|| person.and_then(|person| index.data.people.company(person)));
        Self {
            people: name.map_or_else(Vec::new, near).into_iter().map(PersonIx).collect(),
            company,
            paths: company.map_or_else(Vec::new, |company| paths_to(company, NEAR_PATHS_MAX)),
        }
    }
}
