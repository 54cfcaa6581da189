//! Columns that are shorter or longer than their table.

use kith_server::model::column::TextColumn;
use kith_server::model::edges::Adjacency;
use kith_server::model::ix::PersonIx;
use kith_server::model::warmness::Warmness;
use kith_server::snapshot::ContentFault;

use crate::content::{change_breakdowns, refused};

/// Takes the last row away.
pub(crate) fn shorten(column: &mut TextColumn) {
    let rows: Vec<String> = column.iter().take(column.len() - 1).map(str::to_owned).collect();
    *column = TextColumn::from_texts(rows.iter().map(String::as_str)).unwrap();
}

pub(crate) const fn length(expected: usize, got: usize) -> ContentFault {
    ContentFault::Length { expected, got }
}

#[test]
fn columns_of_one_table_are_equally_long() {
    refused(&[
        (|d| shorten(&mut d.companies.names), "companies.names", None, length(3, 2)),
        (|d| shorten(&mut d.companies.handles), "companies.handles", None, length(3, 2)),
        (|d| _ = d.companies.industries.rows.pop(), "companies.industries", None, length(3, 2)),
        (|d| _ = d.companies.headquarters.rows.pop(), "companies.headquarters", None, length(3, 2)),
        (|d| _ = d.companies.min_sizes.pop(), "companies.min_sizes", None, length(3, 2)),
        (|d| _ = d.companies.max_sizes.pop(), "companies.max_sizes", None, length(3, 2)),
        (|d| shorten(&mut d.companies.logo_urls), "companies.logo_urls", None, length(3, 2)),
        (|d| shorten(&mut d.companies.domains), "companies.domains", None, length(3, 2)),
        (|d| shorten(&mut d.people.names), "people.names", None, length(8, 7)),
        (|d| shorten(&mut d.people.handles), "people.handles", None, length(8, 7)),
        (|d| shorten(&mut d.people.emails), "people.emails", None, length(8, 7)),
        (|d| _ = d.people.positions.rows.pop(), "people.positions", None, length(8, 7)),
        (|d| _ = d.people.companies.pop(), "people.companies", None, length(8, 7)),
        (|d| _ = d.people.cities.rows.pop(), "people.cities", None, length(8, 7)),
        (|d| _ = d.people.countries.rows.pop(), "people.countries", None, length(8, 7)),
        (|d| _ = d.people.connections_counts.pop(), "people.connections_counts", None, length(8, 7)),
        (|d| _ = d.members.people.pop(), "members.people", None, length(3, 2)),
        (|d| _ = d.members.roles.pop(), "members.roles", None, length(3, 2)),
        (|d| _ = d.members.joined_at.pop(), "members.joined_at", None, length(3, 2)),
        (|d| _ = d.members.synced_at.pop(), "members.synced_at", None, length(3, 2)),
        (|d| _ = d.intro_requests.statuses.rows.pop(), "intro_requests.statuses", None, length(4, 3)),
        (|d| _ = d.intro_requests.requested_by.pop(), "intro_requests.requested_by", None, length(4, 3)),
        (|d| _ = d.intro_requests.requested_at.pop(), "intro_requests.requested_at", None, length(4, 3)),
    ]);
}

#[test]
fn columns_of_evidence_are_equally_long() {
    refused(&[
        (|d| _ = d.evidence.from.pop(), "evidence.to", None, length(4, 5)),
        (|d| _ = d.evidence.to.pop(), "evidence.to", None, length(5, 4)),
        (|d| _ = d.evidence.at.pop(), "evidence.at", None, length(5, 4)),
        (|d| _ = d.evidence.kinds.rows.pop(), "evidence.kinds", None, length(5, 4)),
        (|d| _ = d.evidence.sources.rows.pop(), "evidence.sources", None, length(5, 4)),
        (|d| shorten(&mut d.evidence.notes), "evidence.notes", None, length(5, 4)),
    ]);
}

#[test]
fn columns_of_opportunities_edges_and_names_are_as_long_as_their_tables() {
    refused(&[
        (|d| _ = d.opportunities.prospects.pop(), "opportunities.prospects", None, length(2, 1)),
        (
            |d| shorten(&mut d.opportunities.overall_scores),
            "opportunities.overall_scores",
            None,
            length(2, 1),
        ),
        (|d| _ = d.opportunities.priorities.rows.pop(), "opportunities.priorities", None, length(2, 1)),
        (
            |d| shorten(&mut d.opportunities.confidence_levels),
            "opportunities.confidence_levels",
            None,
            length(2, 1),
        ),
        (|d| _ = d.opportunities.statuses.pop(), "opportunities.statuses", None, length(2, 1)),
        (|d| _ = d.opportunities.discovered_at.pop(), "opportunities.discovered_at", None, length(2, 1)),
        (
            |d| _ = d.opportunities.search_sources.rows.pop(),
            "opportunities.search_sources",
            None,
            length(2, 1),
        ),
        (
            |d| shorten(&mut d.opportunities.icp_evaluations),
            "opportunities.icp_evaluations",
            None,
            length(2, 1),
        ),
        (
            |d| shorten(&mut d.opportunities.buying_intents),
            "opportunities.buying_intents",
            None,
            length(2, 1),
        ),
        (|d| shorten(&mut d.opportunities.key_insights), "opportunities.key_insights", None, length(2, 1)),
        (|d| _ = d.opportunities.discovered_by.pop(), "opportunities.discovered_by", None, length(2, 1)),
        (|d| d.opportunities.path_offsets.0.clear(), "opportunities.path_offsets", None, length(3, 0)),
        (|d| _ = d.opportunities.path_types.rows.pop(), "opportunities.path_types", None, length(2, 1)),
        (
            |d| shorten(&mut d.opportunities.path_strengths),
            "opportunities.path_strengths",
            None,
            length(2, 1),
        ),
        (|d| shorten(&mut d.opportunities.path_warmness), "opportunities.path_warmness", None, length(2, 1)),
        (|d| d.edges.out.offsets.0.clear(), "edges.out.offsets", None, length(9, 0)),
        (|d| _ = d.edges.out.scores.pop(), "edges.out.scores", None, length(12, 11)),
        (|d| d.edges.into.offsets.0.push(12), "edges.into.offsets", None, length(9, 10)),
        (|d| d.edges.into.scores.push(Warmness::UNSCORED), "edges.into.scores", None, length(12, 13)),
        (|d| d.edges.into = Adjacency::default(), "edges.into.offsets", None, length(9, 1)),
        (
            |d| {
                d.edges.into.ends.push(PersonIx(0));
                d.edges.into.scores.push(Warmness::UNSCORED);
            },
            "edges.into.ends",
            None,
            length(12, 13),
        ),
        (
            |d| change_breakdowns(&mut d.edges, |numbers| numbers.push(0)),
            "edges.breakdowns",
            None,
            length(12, 13),
        ),
        (|d| shorten(&mut d.person_names.sorted), "person_names.sorted", None, length(8, 7)),
        (|d| d.person_names.order.push(0), "person_names.order", None, length(8, 9)),
        (|d| d.person_names.row_words.offsets.0.clear(), "person_names.row_offsets", None, length(9, 0)),
        (|d| _ = d.company_names.order.pop(), "company_names.order", None, length(3, 2)),
    ]);
}

#[test]
fn each_distinct_text_and_each_company_has_one_vector() {
    refused(&[
        (|d| _ = d.vectors.positions.pop(), "vectors.positions", None, length(4, 3)),
        (|d| d.vectors.positions.clear(), "vectors.positions", None, length(4, 0)),
        (|d| d.vectors.cities.push([0; 256]), "vectors.cities", None, length(3, 4)),
        (|d| _ = d.vectors.countries.pop(), "vectors.countries", None, length(2, 1)),
        (|d| _ = d.vectors.industries.pop(), "vectors.industries", None, length(2, 1)),
        (|d| d.vectors.headquarters.clear(), "vectors.headquarters", None, length(2, 0)),
        (|d| _ = d.vectors.company_names.pop(), "vectors.company_names", None, length(3, 2)),
    ]);
}
