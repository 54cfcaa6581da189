//! A network without some of its people: equal to a build from tables without them.
//!
//! Removing a person removes every row that refers to them: edges and their evidence, membership, advocacies on either
//! side, intro requests for and by them, opportunities for them or discovered by them, paths of opportunities through
//! them, former employments and aliases. Companies stay. Nothing is sorted or computed again: the remaining rows keep
//! their order, and so do their new numbers.

use crate::model::csr::Offsets;
use crate::model::dataset::{Advocate, Dataset, IntroRequests, Members, Opportunities, People};
use crate::model::evidence::Evidence;
use crate::model::ix::{CompanyIx, PersonIx};
use crate::model::kept::Kept;
use crate::model::preferences::{PreferenceRow, PreferenceRule};
use crate::model::vectors::Vectors;
use crate::prepare::without::edges::edges_left;

/// The remaining dataset, with the new numbers of its people.
#[derive(Clone, Debug)]
pub struct Remaining {
    /// The network, as if the removed people had never been in its tables.
    pub dataset: Dataset,
    /// The previous people who stay.
    pub people: Kept,
}

/// Removes the people numbered `gone`, in any order, from `dataset`. Costs a pass over its tables, on all cores. If
/// `dataset` has only the counts of incoming edges, so has the result.
///
/// # Panics
/// Panics if there is no such person.
#[must_use]
pub fn without(dataset: &Dataset, gone: &[u32]) -> Remaining {
    let people = Kept::all_but(dataset.people.len(), gone);
    let members =
        Kept::of(dataset.members.len(), |member| people.has(dataset.members.people[member as usize]));
    let ((edges, breakdowns), ((kept_people, vectors), person_names)) = rayon::join(
        || edges_left(&dataset.edges, &dataset.breakdowns, &people),
        || {
            rayon::join(
                || people_left(&dataset.people, &dataset.vectors, &people),
                || dataset.person_names.gather(&people),
            )
        },
    );
    let left = Dataset {
        organization: dataset.organization.clone(),
        companies: dataset.companies.clone(),
        people: kept_people,
        members: members_left(&dataset.members, &people, &members),
        advocates: advocates(&dataset.advocates, &people, &members),
        intro_requests: intro_requests(&dataset.intro_requests, &people, &members),
        opportunities: opportunities(&dataset.opportunities, &people, &members),
        preferences: preferences(&dataset.preferences, &people),
        former: former(&dataset.former, &people),
        breakdowns,
        edges,
        evidence: evidence(&dataset.evidence, &people),
        person_names,
        company_names: dataset.company_names.clone(),
        vectors,
    };
    Remaining { dataset: left, people }
}

fn people_left(people: &People, vectors: &Vectors, kept: &Kept) -> (People, Vectors) {
    let (positions, position_texts) = kept.of_dictionary(&people.positions);
    let (cities, city_texts) = kept.of_dictionary(&people.cities);
    let (countries, country_texts) = kept.of_dictionary(&people.countries);
    let left = People {
        ids: people.ids.gather(&kept.rows),
        names: people.names.gather(&kept.rows),
        handles: people.handles.gather(&kept.rows),
        emails: people.emails.gather(&kept.rows),
        positions,
        companies: kept.of_column(&people.companies),
        cities,
        countries,
        connections_counts: kept.of_column(&people.connections_counts),
        aliases: people.aliases.gather(kept),
    };
    let vectors = Vectors {
        model: vectors.model,
        positions: position_texts.of_column(&vectors.positions),
        cities: city_texts.of_column(&vectors.cities),
        countries: country_texts.of_column(&vectors.countries),
        industries: vectors.industries.clone(),
        headquarters: vectors.headquarters.clone(),
        company_names: vectors.company_names.clone(),
    };
    (left, vectors)
}

fn members_left(members: &Members, people: &Kept, kept: &Kept) -> Members {
    Members {
        user_ids: members.user_ids.gather(&kept.rows),
        people: kept.of_references(&members.people, people),
        roles: kept.of_column(&members.roles),
        external_ids: members.external_ids.gather(&kept.rows),
        joined_at: kept.of_column(&members.joined_at),
        synced_at: kept.of_column(&members.synced_at),
    }
}

fn advocates(rows: &[Advocate], people: &Kept, members: &Kept) -> Vec<Advocate> {
    let stays = |row: &&Advocate| people.has(row.person) && members.has(row.member);
    let renumber = |row: &Advocate| Advocate {
        person: people.renumber(row.person),
        member: members.renumber(row.member),
        ..*row
    };
    rows.iter().filter(stays).map(renumber).collect()
}

fn intro_requests(table: &IntroRequests, people: &Kept, members: &Kept) -> IntroRequests {
    let kept = Kept::of(table.people.len(), |row| {
        people.has(table.people[row as usize]) && members.has(table.requested_by[row as usize])
    });
    IntroRequests {
        people: kept.of_references(&table.people, people),
        statuses: kept.of_dictionary(&table.statuses).0,
        requested_by: kept.of_references(&table.requested_by, members),
        requested_at: kept.of_column(&table.requested_at),
    }
}

/// Drops preferences of or about a removed person. One through a removed person then allows no path.
fn preferences(rows: &[PreferenceRow], people: &Kept) -> Vec<PreferenceRow> {
    let stays = |row: &&PreferenceRow| {
        [row.connector, row.person].into_iter().flatten().all(|person| people.has(person))
    };
    let renumber = |person: Option<PersonIx>| person.map(|person| people.renumber(person));
    let left = |row: &PreferenceRow| {
        let through = row.through.filter(|&person| people.has(person));
        PreferenceRow {
            connector: renumber(row.connector),
            person: renumber(row.person),
            through: renumber(through),
            rule: if through.is_none() { PreferenceRule::Never } else { row.rule },
            ..*row
        }
    };
    let mut left: Vec<PreferenceRow> = rows.iter().filter(stays).map(left).collect();
    left.sort_unstable();
    left.dedup();
    left
}

fn former(rows: &[(CompanyIx, PersonIx)], people: &Kept) -> Vec<(CompanyIx, PersonIx)> {
    let left = rows.iter().filter(|(_, person)| people.has(*person));
    left.map(|(company, person)| (*company, people.renumber(*person))).collect()
}

fn opportunities(table: &Opportunities, people: &Kept, members: &Kept) -> Opportunities {
    let kept = Kept::of(table.ids.len(), |row| {
        people.has(table.prospects[row as usize]) && members.has(table.discovered_by[row as usize])
    });
    let mut paths = vec![];
    let mut path_offsets = Offsets::with_capacity(kept.rows.len());
    for &row in &kept.rows {
        let all = table.path_offsets.range(row);
        paths.extend(all.filter(|&path| people.has(table.path_connections[path])).map(|path| path as u32));
        path_offsets.push(paths.len());
    }
    let paths = Kept::of_rows(table.path_connections.len(), paths);
    Opportunities {
        ids: table.ids.gather(&kept.rows),
        prospects: kept.of_references(&table.prospects, people),
        overall_scores: table.overall_scores.gather(&kept.rows),
        priorities: kept.of_dictionary(&table.priorities).0,
        confidence_levels: table.confidence_levels.gather(&kept.rows),
        statuses: kept.of_column(&table.statuses),
        discovered_at: kept.of_column(&table.discovered_at),
        search_sources: kept.of_dictionary(&table.search_sources).0,
        icp_evaluations: table.icp_evaluations.gather(&kept.rows),
        buying_intents: table.buying_intents.gather(&kept.rows),
        key_insights: table.key_insights.gather(&kept.rows),
        discovered_by: kept.of_references(&table.discovered_by, members),
        path_offsets,
        path_connections: paths.of_references(&table.path_connections, people),
        path_types: paths.of_dictionary(&table.path_types).0,
        path_strengths: table.path_strengths.gather(&paths.rows),
        path_warmness: table.path_warmness.gather(&paths.rows),
    }
}

/// Returns the evidence of edges whose ends both stay.
fn evidence(table: &Evidence, people: &Kept) -> Evidence {
    let kept = Kept::of(table.len(), |row| {
        [&table.from, &table.to].iter().all(|ends| people.has(ends[row as usize]))
    });
    let left = table.gather(&kept);
    Evidence {
        from: left.from.iter().map(|&person| people.renumber(person)).collect(),
        to: left.to.iter().map(|&person| people.renumber(person)).collect(),
        ..left
    }
}

mod edges;

#[cfg(test)]
mod tests;
