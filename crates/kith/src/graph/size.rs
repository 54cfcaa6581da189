//! The memory of an index, column by column.

use crate::graph::index::GraphIndex;
use crate::model::column::held;
use crate::model::dataset::{Companies, IntroRequests, Members, Opportunities, People};

impl GraphIndex {
    /// Bytes held on the heap, without the allocator's overhead.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        let data = &self.data;
        let tables = companies(&data.companies)
            + people(&data.people)
            + members(&data.members)
            + held(&data.advocates)
            + held(&data.preferences)
            + held(&data.former)
            + intro_requests(&data.intro_requests)
            + opportunities(&data.opportunities)
            + data.evidence.size_bytes()
            + data.breakdowns.size_bytes()
            + data.vectors.size_bytes();
        let names = data.person_names.size_bytes()
            + data.company_names.size_bytes()
            + self.person_lookup.size_bytes()
            + self.company_lookup.size_bytes();
        let handles = self.person_handles.size_bytes()
            + self.company_handles.size_bytes()
            + self.company_domains.size_bytes()
            + self.person_emails.size_bytes();
        let derived = self.advocacy.size_bytes()
            + self.person_ids.size_bytes()
            + self.company_ids.size_bytes()
            + self.sentences.size_bytes()
            + self.requested.size_bytes()
            + self.inside.size_bytes()
            + self.employees.size_bytes()
            + self.people_text.size_bytes()
            + self.company_text.size_bytes();
        tables + self.edge_size_bytes() + names + handles + derived
    }
}

fn companies(table: &Companies) -> usize {
    let texts = [&table.ids, &table.names, &table.handles, &table.logo_urls, &table.domains];
    texts.map(|column| column.size_bytes()).iter().sum::<usize>()
        + table.industries.size_bytes()
        + table.headquarters.size_bytes()
        + held(&table.min_sizes)
        + held(&table.max_sizes)
}

fn people(table: &People) -> usize {
    let texts = [&table.ids, &table.names, &table.handles, &table.emails];
    let dictionaries = [&table.positions, &table.cities, &table.countries];
    texts.map(|column| column.size_bytes()).iter().sum::<usize>()
        + dictionaries.map(|column| column.size_bytes()).iter().sum::<usize>()
        + held(&table.companies)
        + held(&table.connections_counts)
        + table.aliases.size_bytes()
}

fn members(table: &Members) -> usize {
    table.user_ids.size_bytes()
        + held(&table.people)
        + held(&table.roles)
        + table.external_ids.size_bytes()
        + held(&table.joined_at)
        + held(&table.synced_at)
}

fn intro_requests(table: &IntroRequests) -> usize {
    held(&table.people) + table.statuses.size_bytes() + held(&table.requested_by) + held(&table.requested_at)
}

fn opportunities(table: &Opportunities) -> usize {
    let texts = [
        &table.ids,
        &table.overall_scores,
        &table.confidence_levels,
        &table.icp_evaluations,
        &table.buying_intents,
        &table.key_insights,
        &table.path_strengths,
        &table.path_warmness,
    ];
    let dictionaries = [&table.priorities, &table.search_sources, &table.path_types];
    texts.map(|column| column.size_bytes()).iter().sum::<usize>()
        + dictionaries.map(|column| column.size_bytes()).iter().sum::<usize>()
        + held(&table.prospects)
        + held(&table.discovered_by)
        + held(&table.path_connections)
        + table.path_offsets.size_bytes()
        + held(&table.statuses)
        + held(&table.discovered_at)
}
