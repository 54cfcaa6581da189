//! What an index takes in memory, column by column.

use crate::graph::index::GraphIndex;
use crate::model::column::held;
use crate::model::dataset::{Companies, IntroRequests, Members, Opportunities, People};

impl GraphIndex {
    /// Bytes held on the heap; what the allocator adds is not counted.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        let data = &self.data;
        let tables = companies(&data.companies)
            + people(&data.people)
            + members(&data.members)
            + held(&data.advocates)
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
            + self.company_text.size_bytes()
            + self.windows.size_bytes();
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

#[cfg(test)]
mod tests {
    use crate::generate::plan::Plan;
    use crate::generate::write::write_tables;
    use crate::graph::index::GraphIndex;
    use crate::model::numbers::Numbers;
    use crate::snapshot;
    use crate::source::build::read_folder;
    use crate::source::progress::Silent;

    const PEOPLE: u32 = 4_000;
    const EDGES: [u64; 2] = [20_000, 80_000];
    /// What an edge may take, in bytes, in a network where so many of them start near a member.
    const BYTES_OF_EDGE_MAX: f64 = 25.5;
    /// What a person may take beside their edges, in bytes.
    const BYTES_OF_PERSON_MAX: f64 = 400.0;

    /// The index of a generated network, as it is read from a snapshot.
    fn index(people: u32, edges: u64) -> GraphIndex {
        let folder = tempfile::tempdir().unwrap();
        write_tables(&Plan::sized(people, edges), folder.path()).unwrap();
        let file = folder.path().join("it.kith");
        snapshot::write::write(&file, &read_folder(folder.path(), &Silent).unwrap().dataset).unwrap();
        GraphIndex::build(snapshot::read::load(&file).unwrap().dataset)
    }

    /// Bytes of each further edge among as many people.
    fn of_edge(indexes: &[GraphIndex; 2]) -> f64 {
        let [few, many] =
            indexes.each_ref().map(|index| (index.size_bytes(), index.data.edges.out.ends.len()));
        (many.0 - few.0) as f64 / (many.1 - few.1) as f64
    }

    #[test]
    fn an_edge_and_a_person_take_so_many_bytes_and_no_more() {
        let indexes = EDGES.map(|edges| index(PEOPLE, edges));
        let edge = of_edge(&indexes);
        assert!(edge <= BYTES_OF_EDGE_MAX, "{edge} bytes for each edge");
        // The controls: with as many incoming edges kept, or with four bytes for each breakdown.
        type Undo = fn(&mut GraphIndex);
        let controls: [Undo; 2] = [
            |index| index.data.edges.into = index.data.edges.out.clone(),
            |index| index.data.edges.breakdowns = Numbers::Wide(index.data.edges.breakdowns.iter().collect()),
        ];
        for undo in controls {
            let mut indexes = EDGES.map(|edges| index(PEOPLE, edges));
            indexes.iter_mut().for_each(undo);
            let control = of_edge(&indexes);
            assert!(control > BYTES_OF_EDGE_MAX, "{control} bytes for each edge");
        }
        let more_people = index(2 * PEOPLE, EDGES[0]);
        let [few, many] = [&indexes[0], &more_people].map(|index| index.size_bytes() as f64);
        let person = (many - few) / f64::from(PEOPLE);
        assert!(person <= BYTES_OF_PERSON_MAX, "{person} bytes for each person");
    }
}
