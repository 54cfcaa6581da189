//! Warm paths: who can introduce us to a person, or to anyone at a company.
//!
//! [`find`] answers a [`request::PathRequest`]: the target is looked up (`query::target`), the
//! bounded walk goes backwards from it (`walk`), the best paths are kept by their order key
//! (`rank`), and only those of the requested page are looked up in full (`answer`).

pub mod answer;
pub mod from_set;
pub mod rank;
pub mod request;
pub mod walk;

use crate::graph::index::GraphIndex;
use crate::limits::Limits;
use crate::model::dataset::{CompanyIx, PersonIx};
use crate::query::intro::is_requested;
use crate::query::paths::answer::{Coverage, PathAnswer, Target, WarmPath};
use crate::query::paths::from_set::FromSet;
use crate::query::paths::request::{PathRequest, TargetQuery};
use crate::query::paths::walk::Walk;
use crate::query::target::{find_company, find_person_by_handle, find_person_by_name};

/// Answers `request` over `index`, within `limits`.
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
    let coverage = Coverage { candidates: targets.len() as u32, ..Coverage::default() };
    walk_targets(index, targets.iter().copied(), request, limits, person.map(Target::Person), coverage)
}

fn to_company(
    index: &GraphIndex,
    company: Option<CompanyIx>,
    request: &PathRequest<'_>,
    limits: &Limits,
) -> PathAnswer {
    let employees = company.map_or(&[][..], |company| index.employees.of(company));
    let is_open = |&&person: &&u32| request.include_intro_requested || !is_requested(index, PersonIx(person));
    let open = employees.iter().filter(is_open).count();
    let candidates = open.min(limits.company_candidates as usize);
    let coverage = Coverage {
        candidates: candidates as u32,
        candidates_cap: Some(limits.company_candidates),
        candidates_capped: candidates < open,
        excluded_intro_requested: (employees.len() - open) as u32,
        ..Coverage::default()
    };
    let targets = employees.iter().filter(is_open).take(candidates).map(|&person| PersonIx(person));
    walk_targets(index, targets, request, limits, company.map(Target::Company), coverage)
}

fn walk_targets(
    index: &GraphIndex,
    targets: impl Iterator<Item = PersonIx>,
    request: &PathRequest<'_>,
    limits: &Limits,
    target: Option<Target>,
    coverage: Coverage,
) -> PathAnswer {
    let from = FromSet::new(index, request.from.as_deref());
    let mut walk = Walk::new(index, &from, request.types, limits, request.page);
    targets.for_each(|person| walk.walk_target(person));
    let (keys, total, second_degree_capped) = walk.finish();
    PathAnswer {
        target,
        paths: keys.iter().map(|key| WarmPath::look_up(index, key)).collect(),
        total,
        coverage: Coverage { second_degree_capped, ..coverage },
    }
}

#[cfg(test)]
mod tests;
