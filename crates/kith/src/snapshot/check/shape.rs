//! Checks that columns of one table are equally long.

use crate::model::aliases::Aliases;
use crate::model::dataset::{Companies, Dataset, IntroRequests, Members, Opportunities, People};
use crate::model::edges::{Adjacency, Edges};
use crate::model::evidence::Evidence;
use crate::model::names::NameTable;
use crate::snapshot::error::SnapshotError;
use crate::snapshot::parts::same_length;

/// Refuses the first column that is not as long as its table. Takes constant time.
pub(super) fn check(dataset: &Dataset) -> Result<(), SnapshotError> {
    companies(&dataset.companies)?;
    people(&dataset.people)?;
    members(&dataset.members)?;
    intro_requests(&dataset.intro_requests)?;
    opportunities(&dataset.opportunities)?;
    evidence(&dataset.evidence)?;
    edges(&dataset.edges, dataset.people.len())?;
    names(PERSON_NAMES, &dataset.person_names, dataset.people.len())?;
    names(COMPANY_NAMES, &dataset.company_names, dataset.companies.ids.len())
}

/// Refuses the first of `columns` without `rows` rows.
fn all(rows: usize, columns: &[(&'static str, usize)]) -> Result<(), SnapshotError> {
    columns.iter().try_for_each(|&(column, got)| same_length(column, rows, got))
}

fn companies(table: &Companies) -> Result<(), SnapshotError> {
    let columns = [
        ("companies.names", table.names.len()),
        ("companies.handles", table.handles.len()),
        ("companies.industries", table.industries.rows.len()),
        ("companies.headquarters", table.headquarters.rows.len()),
        ("companies.min_sizes", table.min_sizes.len()),
        ("companies.max_sizes", table.max_sizes.len()),
        ("companies.logo_urls", table.logo_urls.len()),
        ("companies.domains", table.domains.len()),
    ];
    all(table.ids.len(), &columns)
}

fn people(table: &People) -> Result<(), SnapshotError> {
    let columns = [
        ("people.names", table.names.len()),
        ("people.handles", table.handles.len()),
        ("people.emails", table.emails.len()),
        ("people.positions", table.positions.rows.len()),
        ("people.companies", table.companies.len()),
        ("people.cities", table.cities.rows.len()),
        ("people.countries", table.countries.rows.len()),
        ("people.connections_counts", table.connections_counts.len()),
    ];
    all(table.ids.len(), &columns)?;
    let Aliases { handles, emails } = &table.aliases;
    same_length("people.aliases.handles", handles.len(), handles.texts.len())?;
    same_length("people.aliases.emails", emails.len(), emails.texts.len())
}

fn members(table: &Members) -> Result<(), SnapshotError> {
    let columns = [
        ("members.people", table.people.len()),
        ("members.roles", table.roles.len()),
        ("members.external_ids", table.external_ids.len()),
        ("members.joined_at", table.joined_at.len()),
        ("members.synced_at", table.synced_at.len()),
    ];
    all(table.user_ids.len(), &columns)
}

fn intro_requests(table: &IntroRequests) -> Result<(), SnapshotError> {
    let columns = [
        ("intro_requests.statuses", table.statuses.rows.len()),
        ("intro_requests.requested_by", table.requested_by.len()),
        ("intro_requests.requested_at", table.requested_at.len()),
    ];
    all(table.people.len(), &columns)
}

fn opportunities(table: &Opportunities) -> Result<(), SnapshotError> {
    let columns = [
        ("opportunities.prospects", table.prospects.len()),
        ("opportunities.overall_scores", table.overall_scores.len()),
        ("opportunities.priorities", table.priorities.rows.len()),
        ("opportunities.confidence_levels", table.confidence_levels.len()),
        ("opportunities.statuses", table.statuses.len()),
        ("opportunities.discovered_at", table.discovered_at.len()),
        ("opportunities.search_sources", table.search_sources.rows.len()),
        ("opportunities.icp_evaluations", table.icp_evaluations.len()),
        ("opportunities.buying_intents", table.buying_intents.len()),
        ("opportunities.key_insights", table.key_insights.len()),
        ("opportunities.discovered_by", table.discovered_by.len()),
    ];
    all(table.ids.len(), &columns)?;
    same_length("opportunities.path_offsets", table.ids.len() + 1, table.path_offsets.0.len())?;
    let columns = [
        ("opportunities.path_types", table.path_types.rows.len()),
        ("opportunities.path_strengths", table.path_strengths.len()),
        ("opportunities.path_warmness", table.path_warmness.len()),
    ];
    all(table.path_connections.len(), &columns)
}

fn evidence(table: &Evidence) -> Result<(), SnapshotError> {
    let columns = [
        ("evidence.to", table.to.len()),
        ("evidence.at", table.at.len()),
        ("evidence.kinds", table.kinds.rows.len()),
        ("evidence.sources", table.sources.rows.len()),
        ("evidence.notes", table.notes.len()),
    ];
    all(table.from.len(), &columns)
}

fn edges(edges: &Edges, people: usize) -> Result<(), SnapshotError> {
    let direction = |offsets, scores, adjacency: &Adjacency| {
        same_length(offsets, people + 1, adjacency.offsets.0.len())?;
        same_length(scores, adjacency.ends.len(), adjacency.scores.len())
    };
    direction("edges.out.offsets", "edges.out.scores", &edges.out)?;
    direction("edges.into.offsets", "edges.into.scores", &edges.into)?;
    same_length("edges.into.ends", edges.out.ends.len(), edges.into.ends.len())?;
    same_length("edges.breakdowns", edges.out.ends.len(), edges.breakdowns.len())
}

/// The columns of a table of names, as errors call them.
pub(super) struct NameColumns {
    pub(super) sorted: &'static str,
    pub(super) order: &'static str,
    pub(super) words: &'static str,
    pub(super) row_offsets: &'static str,
    pub(super) row_words: &'static str,
}

pub(super) const PERSON_NAMES: NameColumns = NameColumns {
    sorted: "person_names.sorted",
    order: "person_names.order",
    words: "person_names.words",
    row_offsets: "person_names.row_offsets",
    row_words: "person_names.row_words",
};
pub(super) const COMPANY_NAMES: NameColumns = NameColumns {
    sorted: "company_names.sorted",
    order: "company_names.order",
    words: "company_names.words",
    row_offsets: "company_names.row_offsets",
    row_words: "company_names.row_words",
};

fn names(columns: NameColumns, names: &NameTable, rows: usize) -> Result<(), SnapshotError> {
    same_length(columns.sorted, rows, names.sorted.len())?;
    same_length(columns.order, rows, names.order.len())?;
    same_length(columns.row_offsets, rows + 1, names.row_words.offsets.0.len())
}
