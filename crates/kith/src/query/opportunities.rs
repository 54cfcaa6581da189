//! Ghost opportunities: prospects the discovery agent found.

use std::cmp::Ordering;

use crate::graph::index::GraphIndex;
use crate::model::dataset::OpportunityStatus;
use crate::model::ix::{CompanyIx, MemberIx, PersonIx};
use crate::model::named::named;
use crate::model::text::{plain, plain_of};
use crate::model::time::Timestamp;
use crate::query::card::{MemberCard, PersonCard};
use crate::query::page::Page;
use crate::query::person::is_requested;

/// The order of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// The latest discovery first.
    Newest,
    /// The earliest discovery first.
    Oldest,
    /// The highest score first.
    Relevancy,
}

named! {
    /// All orders; the first is the default.
    Sort { Newest = "newest", Oldest = "oldest", Relevancy = "relevancy" }
}

/// A request for opportunities.
#[derive(Clone, Copy, Debug)]
pub struct OpportunityRequest<'a> {
    /// The status to list; `None` lists all but the dismissed.
    pub status: Option<OpportunityStatus>,
    /// Lists only opportunities whose prospect's name, company or position contains this plain text.
    pub search: Option<&'a str>,
    /// In which order.
    pub sort: Sort,
    /// The asking member, for a token of their own.
    pub member: Option<MemberIx>,
    /// The page of the list.
    pub page: Page,
}

/// The answer about one opportunity. Scores and evaluations are JSON, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opportunity<'a> {
    /// `ghost_…`
    pub id: &'a str,
    /// The person it is about.
    pub prospect: PersonCard<'a>,
    /// The score of the prospect: a number.
    pub overall_score: &'a str,
    /// The priority, in a word.
    pub priority: Option<&'a str>,
    /// The agent's confidence: a number.
    pub confidence_level: Option<&'a str>,
    /// Its status.
    pub status: OpportunityStatus,
    /// Whether an introduction was requested: for this opportunity, or else for the person.
    pub intro_requested: bool,
    /// When it was discovered.
    pub discovered_at: Timestamp,
    /// The source in which it was found.
    pub search_source: Option<&'a str>,
    /// The agent's evaluation of the fit: an object.
    pub icp_evaluation: Option<&'a str>,
    /// Whether the prospect is likely to buy: an object.
    pub buying_intent: Option<&'a str>,
    /// The agent's insights: an object.
    pub key_insights: Option<&'a str>,
    /// The strongest path whose connector is not a member.
    pub best_path: Option<BestPath<'a>>,
    /// The member who ran the discovery.
    pub discovered_by: MemberCard<'a>,
}

/// A path to a prospect, as the agent reported it. Numbers are JSON, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestPath<'a> {
    /// The person the path goes through.
    pub connector: PersonCard<'a>,
    /// The type of the path to the connector.
    pub kind: Option<&'a str>,
    /// The strength of the path: a number.
    pub strength: &'a str,
    /// The member's own warmness to the prospect: a number.
    pub warmness: Option<&'a str>,
}

/// The opportunities of the page, and the number of all of them. Costs one pass over all opportunities.
#[must_use]
pub fn list<'a>(index: &'a GraphIndex, request: &OpportunityRequest<'_>) -> (Vec<Opportunity<'a>>, u64) {
    let (rows, total) = page_of_rows(index, request);
    (rows.into_iter().map(|row| opportunity(index, row)).collect(), total)
}

fn page_of_rows(index: &GraphIndex, request: &OpportunityRequest<'_>) -> (Vec<u32>, u64) {
    let own = [
        index.data.organization.company,
        request.member.and_then(|member| index.data.people.company(index.data.members.person(member))),
    ];
    let search = request.search.map(plain);
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

fn opportunity(index: &GraphIndex, row: u32) -> Opportunity<'_> {
    let (opportunities, person) = (&index.data.opportunities, prospect(index, row));
    let status = opportunities.statuses[row as usize];
    Opportunity {
        id: opportunities.ids.get(row),
        prospect: PersonCard::of(index, person),
        overall_score: opportunities.overall_scores.get(row),
        priority: opportunities.priorities.value(row),
        confidence_level: opportunities.confidence_levels.value(row),
        status,
        intro_requested: status == OpportunityStatus::IntroRequested || is_requested(index, person),
        discovered_at: opportunities.discovered_at[row as usize],
        search_source: opportunities.search_sources.value(row),
        icp_evaluation: opportunities.icp_evaluations.value(row),
        buying_intent: opportunities.buying_intents.value(row),
        key_insights: opportunities.key_insights.value(row),
        best_path: strongest_path(index, row).map(|path| best_path(index, path)),
        discovered_by: MemberCard::of(index, opportunities.discovered_by[row as usize]),
    }
}

fn best_path(index: &GraphIndex, path: u32) -> BestPath<'_> {
    let opportunities = &index.data.opportunities;
    BestPath {
        connector: PersonCard::of(index, connector(index, path)),
        kind: opportunities.path_types.value(path),
        strength: opportunities.path_strengths.get(path),
        warmness: opportunities.path_warmness.value(path),
    }
}

/// The connector of the path at position `path` among all paths.
fn connector(index: &GraphIndex, path: u32) -> PersonIx {
    index.data.opportunities.path_connections[path as usize]
}

/// The prospect of the opportunity at `row`.
fn prospect(index: &GraphIndex, row: u32) -> PersonIx {
    index.data.opportunities.prospects[row as usize]
}

/// The position, among all paths, of the opportunity's strongest path whose connector is not a member; ties go to the
/// first.
fn strongest_path(index: &GraphIndex, row: u32) -> Option<u32> {
    let opportunities = &index.data.opportunities;
    let paths = opportunities.path_offsets.range(row);
    let strength = |path: u32| number(opportunities.path_strengths.get(path));
    let outside = |path: &u32| index.near.standing(connector(index, *path)).member.is_none();
    let stronger = |best: u32, path: u32| if strength(path) > strength(best) { path } else { best };
    (paths.start as u32..paths.end as u32).filter(outside).reduce(stronger)
}

fn has_status(status: OpportunityStatus, wanted: Option<OpportunityStatus>) -> bool {
    wanted.map_or(status != OpportunityStatus::Dismissed, |wanted| status == wanted)
}

fn holds(index: &GraphIndex, prospect: PersonIx, company: Option<CompanyIx>, search: &str) -> bool {
    plain_of(index.person_names().folded(prospect.0)).contains(search)
        || company.is_some_and(|company| plain_of(index.company_names().folded(company.0)).contains(search))
        || plain(index.data.people.positions.get(prospect.0)).contains(search)
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

/// The value of a JSON number already checked to be finite.
fn number(literal: &str) -> f64 {
    literal.parse().unwrap_or(0.0)
}
