//! Warm paths: who can introduce us to a person, or to anyone at a company.
//!
//! [`list`] answers a [`request::PathRequest`]: the target is looked up (`target`), the bounded walk goes
//! backwards from it (`walk`), the best paths are kept by their order key (`rank`), only those of the
//! requested page are looked up in full (`answer`), and get the texts that are answered (`found`).

pub mod answer;
pub mod found;
pub mod from_set;
pub mod rank;
pub mod request;
pub mod target;
pub mod walk;

use crate::graph::index::GraphIndex;
use crate::limits::Limits;
use crate::model::ix::{CompanyIx, PersonIx};
use crate::query::paths::answer::{PathAnswer, PathCoverage, Target, WarmPath};
use crate::query::paths::found::PathPage;
use crate::query::paths::from_set::FromSet;
use crate::query::paths::request::{PathRequest, TargetQuery};
use crate::query::paths::target::{find_company, find_person_by_handle, find_person_by_name};
use crate::query::paths::walk::Walk;
use crate::query::person::is_requested;

/// Answers `request` over `index`, within `limits`, with all that is answered of each path.
///
/// Costs [`find`], and for each path of the page the texts of its people and the breakdowns of its legs.
#[must_use]
pub fn list<'a>(index: &'a GraphIndex, request: &PathRequest<'_>, limits: &Limits) -> PathPage<'a> {
    PathPage::of(index, &find(index, request, limits))
}

/// Finds the paths that [`list`] answers, by number.
///
/// Costs, for each target, its incoming edges from members and advocates, and at most
/// `edges_per_target × 2 × edges_per_connector` others; the page is sorted, everything else is
/// counted.
#[must_use]
pub fn find(index: &GraphIndex, request: &PathRequest<'_>, limits: &Limits) -> PathAnswer {
    let person = match request.target {
        TargetQuery::Handle(handle) => find_person_by_handle(index, handle),
        TargetQuery::Name(name) => find_person_by_name(index, name),
        TargetQuery::Company(name) => {
            return to_company(index, find_company(index, name), request, limits);
        }
    };
    let targets = person.as_slice();
    let coverage = PathCoverage { candidates: targets.len() as u32, ..PathCoverage::default() };
    walk_targets(index, targets.iter().copied(), request, limits, person.map(Target::Person), coverage)
}

fn to_company(
    index: &GraphIndex,
    company: Option<CompanyIx>,
    request: &PathRequest<'_>,
    limits: &Limits,
) -> PathAnswer {
    let employees = company.map_or(&[][..], |company| index.employees.of(company));
    let is_open = |&&person: &&PersonIx| request.include_intro_requested || !is_requested(index, person);
    let open = employees.iter().filter(is_open).count();
    let candidates = open.min(limits.company_candidates as usize);
    let coverage = PathCoverage {
        candidates: candidates as u32,
        candidates_cap: Some(limits.company_candidates),
        candidates_capped: candidates < open,
        excluded_intro_requested: (employees.len() - open) as u32,
        ..PathCoverage::default()
    };
    let targets = employees.iter().filter(is_open).take(candidates).copied();
    walk_targets(index, targets, request, limits, company.map(Target::Company), coverage)
}

fn walk_targets(
    index: &GraphIndex,
    targets: impl Iterator<Item = PersonIx>,
    request: &PathRequest<'_>,
    limits: &Limits,
    target: Option<Target>,
    coverage: PathCoverage,
) -> PathAnswer {
    let from = FromSet::new(index, request.from.as_deref());
    let mut walk = Walk::new(index, &from, request.types, limits, request.page);
    targets.for_each(|person| walk.walk_target(person));
    let (keys, total, second_degree_capped) = walk.finish();
    PathAnswer {
        target,
        paths: keys.iter().map(|key| WarmPath::look_up(index, key)).collect(),
        total,
        coverage: PathCoverage { second_degree_capped, ..coverage },
    }
}

#[cfg(test)]
mod tests;
