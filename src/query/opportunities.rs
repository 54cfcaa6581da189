//! Ghost opportunities: prospects the discovery agent found.

use std::cmp::Ordering;

use crate::graph::index::GraphIndex;
use crate::model::dataset::OpportunityStatus;
use crate::model::ix::{CompanyIx, MemberIx, PersonIx};
use crate::model::text::fold;
use crate::query::page::Page;

/// The order of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// The latest discovery first.
    Newest,
    /// The earliest discovery first.
    Oldest,
    /// The greatest score first.
    Relevancy,
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct OpportunityRequest<'a> {
    /// Only those with this status; all but the dismissed where nothing is said.
    pub status: Option<OpportunityStatus>,
    /// Only those whose prospect's name, company or position holds this text, once folded.
    pub search: Option<&'a str>,
    /// In which order.
    pub sort: Sort,
    /// The member who asks, with a token of their own.
    pub member: Option<MemberIx>,
    /// Which part of the list.
    pub page: Page,
}

/// The rows of the page, and how many there are. Costs one pass over all opportunities.
#[must_use]
pub fn list(index: &GraphIndex, request: &OpportunityRequest<'_>) -> (Vec<u32>, u64) {
    let own = [
        index.data.organization.company,
        request.member.and_then(|member| index.data.people.company(index.data.members.person(member))),
    ];
    let search = request.search.map(fold);
    let mut rows: Vec<u32> = (0..index.data.opportunities.ids.len() as u32)
        .filter(|&row| {
            let prospect = prospect(index, row);
            let company = index.data.people.company(prospect);
            has_status(index.data.opportunities.statuses[row as usize], request.status)
                && (company.is_none() || !own.contains(&company))
                && search.as_deref().is_none_or(|search| holds(index, prospect, company, search))
        })
        .collect();
    rows.sort_by(|&a, &b| compare(index, request.sort, a, b).then(a.cmp(&b)));
    let total = rows.len();
    let start = usize::try_from(request.page.offset).unwrap_or(usize::MAX).min(total);
    let page = rows.split_off(start).into_iter().take(request.page.limit as usize).collect();
    (page, total as u64)
}

/// The prospect of the opportunity at `row`.
#[must_use]
pub fn prospect(index: &GraphIndex, row: u32) -> PersonIx {
    index.data.opportunities.prospects[row as usize]
}

/// The place, among all paths, of the opportunity's strongest path whose connector is no member;
/// of equally strong ones the first.
#[must_use]
pub fn best_path(index: &GraphIndex, row: u32) -> Option<u32> {
    let opportunities = &index.data.opportunities;
    let paths = opportunities.path_offsets.range(row);
    let strength = |path: u32| number(opportunities.path_strengths.get(path));
    let outside = |path: &u32| {
        let connector = opportunities.path_connections[*path as usize];
        index.near.standing(connector).member.is_none()
    };
    let stronger = |best: u32, path: u32| if strength(path) > strength(best) { path } else { best };
    (paths.start as u32..paths.end as u32).filter(outside).reduce(stronger)
}

fn has_status(status: OpportunityStatus, wanted: Option<OpportunityStatus>) -> bool {
    wanted.map_or(status != OpportunityStatus::Dismissed, |wanted| status == wanted)
}

fn holds(index: &GraphIndex, prospect: PersonIx, company: Option<CompanyIx>, search: &str) -> bool {
    index.person_names().folded(prospect.0).contains(search)
        || company.is_some_and(|company| index.company_names().folded(company.0).contains(search))
        || fold(index.data.people.positions.get(prospect.0)).contains(search)
}

fn compare(index: &GraphIndex, sort: Sort, a: u32, b: u32) -> Ordering {
    let discovered = |row: u32| index.data.opportunities.discovered_at[row as usize];
    let score = |row: u32| number(index.data.opportunities.overall_scores.get(row));
    match sort {
        Sort::Newest => discovered(b).cmp(&discovered(a)),
        Sort::Oldest => discovered(a).cmp(&discovered(b)),
        Sort::Relevancy => score(b).partial_cmp(&score(a)).unwrap_or(Ordering::Equal),
    }
}

/// The value of a JSON number that was checked to be finite.
fn number(literal: &str) -> f64 {
    literal.parse().unwrap_or(0.0)
}
