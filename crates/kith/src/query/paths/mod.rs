//! Warm paths: who can introduce us to a person, or to anyone at a company.
//!
//! [`list`] answers a [`request::PathRequest`]: `target` looks the target up (`written` reads it from plain text),
//! `walk` goes backwards from it within bounds, `rank` orders paths by a packed key and `kept` keeps the page, `answer`
//! looks the page's paths up in full, and `found` adds their texts. On request, `matched` says how the target was
//! found, `reasons` why there is no path, and `near` what is nearest. Many targets in one request share a from-set, and
//! `asked_most` counts who is asked most. `warmest` finds only the first path, to many people.

pub mod answer;
pub mod asked_most;
pub mod former;
pub mod found;
pub mod from_set;
pub mod kept;
pub mod marks;
pub mod matched;
pub mod near;
pub mod rank;
pub mod reasons;
pub mod request;
pub mod target;
pub mod walk;
pub mod warmest;
pub mod written;

use std::borrow::Cow;

use crate::graph::index::GraphIndex;
use crate::limits::Limits;
use crate::model::ix::{CompanyIx, PersonIx};
use crate::query::page::Page;
use crate::query::paths::answer::{NearTarget, PathAnswer, PathCoverage, WarmPath};
use crate::query::paths::found::PathPage;
use crate::query::paths::from_set::FromSet;
use crate::query::paths::kept::KeptPaths;
use crate::query::paths::matched::Matched;
use crate::query::paths::rank::PathKey;
use crate::query::paths::reasons::{PathReason, SearchFacts};
use crate::query::paths::request::{PathExtra, PathRequest, PathSort, PathTypes, TargetQuery};
use crate::query::paths::target::Target;
use crate::query::paths::walk::Walk;
use crate::query::paths::written::{Read, find_target};
use crate::query::person::is_requested;

/// Answers `request` over `index`, within `limits`, with complete rows.
///
/// Costs [`find`], and for each path of the page the texts of its people and the breakdowns of its legs.
#[must_use]
pub fn list<'a>(index: &'a GraphIndex, request: &PathRequest<'_>, limits: &Limits) -> PathPage<'a> {
    PathPage::of(index, &find(index, request, limits))
}

/// Finds the paths that [`list`] answers, by number.
///
/// Costs, for each target, its incoming edges from members and advocates, and at most `edges_per_target × 2 ×
/// edges_per_connector` others. Only the page is sorted; all other paths are just counted.
#[must_use]
pub fn find(index: &GraphIndex, request: &PathRequest<'_>, limits: &Limits) -> PathAnswer {
    find_from(index, &FromSet::new(index, request.from.as_deref()), request, limits)
}

/// Like [`find`], for one of several requests that share the from-set `from`; ignores the members in `request`.
#[must_use]
pub fn find_from(
    index: &GraphIndex,
    from: &FromSet,
    request: &PathRequest<'_>,
    limits: &Limits,
) -> PathAnswer {
    let read = match request.target {
        TargetQuery::Text(text) => Some(Read::of(index, text)),
        _ => None,
    };
    let found = read.as_ref().map_or_else(|| find_target(index, request.target), Read::found);
    let (by, target) = found.unzip();
    let (people, coverage) = choose_targets(index, target, request, limits);
    let people = people.as_slice();
    let walk = |types, kept| {
        let mut walk = Walk::new(index, from, types, limits, kept);
        walk.walk_targets(people);
        walk.finish()
    };
    let (paths, total, second_degree_capped) = walk(request.types, KeptPaths::new(request));
    let coverage = PathCoverage { second_degree_capped, ..coverage };
    let has = |extra| request.extras.contains(extra);
    let reasons = || {
        let facts = facts(index, target, from, &coverage, total);
        let one = PathRequest::to(request.target, Page { limit: 1, offset: 0 });
        PathReason::all_of(&facts, || {
            request.types != PathTypes::ALL && walk(PathTypes::ALL, KeptPaths::new(&one)).1 > 0
        })
    };
    let matched = || read.as_ref().map_or_else(|| Matched::of(index, request.target, by), Matched::by_text);
    // The warmest paths to anybody at a company.
    let paths_to = |company: CompanyIx, most| {
        let to = TargetQuery::CompanyId(index.data.companies.ids.get(company.0));
        let page = Page { limit: most, offset: 0 };
        let request =
            PathRequest { types: request.types, sort: PathSort::Warmness, ..PathRequest::to(to, page) };
        find_from(index, from, &request, limits).paths
    };
    PathAnswer {
        target,
        paths: paths.iter().map(|kept| WarmPath::look_up(index, kept)).collect(),
        total,
        matched: has(PathExtra::Match).then(matched),
        near: (has(PathExtra::Near) && total == 0)
            .then(|| NearTarget::of(index, request.target, read.as_ref(), target, paths_to)),
        reasons: has(PathExtra::Reasons).then(reasons),
        wants_evidence: has(PathExtra::Evidence),
        coverage,
    }
}

/// All paths to one target, by key.
#[derive(Debug)]
pub struct AllPaths {
    /// The person or company that the request means, if one was found.
    pub target: Option<Target>,
    /// The employees withheld because an introduction to them was already requested.
    pub withheld: u32,
    /// The keys, warmest first.
    pub keys: Vec<PathKey>,
}

/// Finds all paths of `request` within the bounds, from the members of `from`; ignores its order, groups and page.
#[must_use]
pub fn find_all(index: &GraphIndex, from: &FromSet, request: &PathRequest<'_>, limits: &Limits) -> AllPaths {
    let (_, target) = match request.target {
        TargetQuery::Text(text) => Read::of(index, text).found(),
        named => find_target(index, named),
    }
    .unzip();
    let (people, coverage) = choose_targets(index, target, request, limits);
    let all = PathRequest {
        sort: PathSort::Warmness,
        ..PathRequest::to(request.target, Page { limit: u32::MAX, offset: 0 })
    };
    let mut walk = Walk::new(index, from, request.types, limits, KeptPaths::new(&all));
    walk.walk_targets(people.as_slice());
    let (kept, ..) = walk.finish();
    let keys = kept.iter().map(|path| path.key).collect();
    AllPaths { target, withheld: coverage.excluded_intro_requested, keys }
}

fn facts(
    index: &GraphIndex,
    target: Option<Target>,
    from: &FromSet,
    coverage: &PathCoverage,
    total: u64,
) -> SearchFacts {
    let is_member = |target| match target {
        Target::Person(person) => index.near.standing(person).member.is_some(),
        Target::Company(_) => false,
    };
    SearchFacts {
        target,
        is_member: target.is_some_and(is_member),
        from_set_is_empty: from.is_empty(),
        candidates: coverage.candidates,
        withheld: coverage.excluded_intro_requested,
        candidates_capped: coverage.candidates_capped,
        is_capped: coverage.is_capped(),
        has_path: total > 0,
    }
}

/// The people to whom paths should lead.
enum Chosen {
    /// The one person who is meant, if found.
    Person(Option<PersonIx>),
    /// Employees of a company.
    Employees(Vec<PersonIx>),
}

impl Chosen {
    fn as_slice(&self) -> &[PersonIx] {
        match self {
            Self::Person(person) => person.as_slice(),
            Self::Employees(people) => people,
        }
    }
}

/// Chooses the targets, and reports how. For a company without a position it reads only the chosen employees, and those
/// skipped between them.
fn choose_targets(
    index: &GraphIndex,
    target: Option<Target>,
    request: &PathRequest<'_>,
    limits: &Limits,
) -> (Chosen, PathCoverage) {
    if !(request.target.is_company() || matches!(target, Some(Target::Company(_)))) {
        let person = target.and_then(Target::person);
        let coverage = PathCoverage { candidates: u32::from(person.is_some()), ..PathCoverage::default() };
        return (Chosen::Person(person), coverage);
    }
    let (employees, requested) = match target {
        Some(Target::Company(company)) => {
            let employees = employees_fitting(index, company, request.position.as_deref());
            let requested = match (request.include_intro_requested, &request.position) {
                (true, _) => 0,
                (false, None) => index.requested.count_at(company) as usize,
                (false, Some(_)) => employees.iter().filter(|&&person| is_requested(index, person)).count(),
            };
            (employees, requested)
        }
        Some(Target::Person(_)) | None => (Cow::Borrowed(&[][..]), 0),
    };
    let is_open = |&&person: &&PersonIx| request.include_intro_requested || !is_requested(index, person);
    let open = employees.len() - requested;
    let candidates = open.min(limits.company_candidates as usize);
    let coverage = PathCoverage {
        candidates: candidates as u32,
        candidates_cap: Some(limits.company_candidates),
        candidates_capped: candidates < open,
        excluded_intro_requested: requested as u32,
        ..PathCoverage::default()
    };
    let chosen = employees.iter().filter(is_open).take(candidates).copied().collect();
    (Chosen::Employees(chosen), coverage)
}

/// The employees of `company` whose plain position contains `position`, or all of them, in order.
pub(crate) fn employees_fitting<'a>(
    index: &'a GraphIndex,
    company: CompanyIx,
    position: Option<&str>,
) -> Cow<'a, [PersonIx]> {
    let all = index.employees.of(company);
    let Some(position) = position else { return Cow::Borrowed(all) };
    let (numbers, folded) = (&index.data.people.positions.rows, &index.people_text.plain_positions);
    let fits = |person: &PersonIx| folded.get(numbers[person.0 as usize]).contains(position);
    all.iter().copied().filter(fits).collect()
}

#[cfg(test)]
mod tests;
