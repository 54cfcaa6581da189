//! A network without some of its people: what a build makes of tables that do not tell of them.
//!
//! With a person goes every row that refers to them: their edges, their membership, what they advocate
//! and who advocates for them, intro requests for and by them, opportunities for them and discovered by
//! them, and paths of opportunities through them. Companies stay. Nothing is sorted or computed again:
//! the rows that stay keep their order, and so do the numbers they get.

use crate::model::column::{ColumnFull, TextColumn};
use crate::model::dataset::{
    Advocate, Dataset, IntroRequests, MemberIx, Members, Opportunities, People, PersonIx,
};
use crate::model::edges::{Adjacency, Edges};
use crate::model::kept::Kept;
use crate::model::tables::Tables;
use crate::model::vectors::Vectors;

/// What is left.
#[derive(Clone, Debug)]
pub struct Remaining {
    /// The network, as if nobody else had ever been in its tables.
    pub dataset: Dataset,
    /// For each person before: their number now, or [`NO_REFERENCE`](crate::model::dataset::NO_REFERENCE) for those
    /// who are gone.
    pub numbers: Vec<u32>,
}

/// The network of `tables` without the people numbered `gone`, in any order. Costs a pass over the
/// tables.
///
/// # Errors
/// Never: no column grows.
///
/// # Panics
/// Where there is no such person.
pub fn without(tables: &Tables<'_>, gone: &[u32]) -> Result<Remaining, ColumnFull> {
    let mut is_gone = vec![false; tables.people.len()];
    gone.iter().for_each(|&person| is_gone[person as usize] = true);
    let people = Kept::of(is_gone.len(), |person| !is_gone[person as usize]);
    let members = Kept::of(tables.members.len(), |member| people.has(tables.members.people[member as usize]));
    let mut edges = edges(tables.edges, &people);
    let (kept_people, vectors) = people_left(tables.people, tables.vectors, &people)?;
    let dataset = Dataset {
        organization: tables.organization.clone(),
        companies: tables.companies.clone(),
        people: kept_people,
        members: members_left(tables.members, &people, &members)?,
        advocates: advocates(tables.advocates, &people, &members),
        intro_requests: intro_requests(tables.intro_requests, &people, &members)?,
        opportunities: opportunities(tables.opportunities, &people, &members)?,
        breakdowns: breakdowns(tables.breakdowns, &mut edges.breakdowns)?,
        edges,
        person_names: tables.person_names.gather(&people)?,
        company_names: tables.company_names.clone(),
        vectors,
    };
    Ok(Remaining { dataset, numbers: people.numbers })
}

fn people_left(people: &People, vectors: &Vectors, kept: &Kept) -> Result<(People, Vectors), ColumnFull> {
    let (positions, position_texts) = kept.of_dictionary(&people.positions)?;
    let (cities, city_texts) = kept.of_dictionary(&people.cities)?;
    let (countries, country_texts) = kept.of_dictionary(&people.countries)?;
    let left = People {
        ids: people.ids.gather(&kept.rows)?,
        names: people.names.gather(&kept.rows)?,
        handles: people.handles.gather(&kept.rows)?,
        emails: people.emails.gather(&kept.rows)?,
        positions,
        companies: kept.of_column(&people.companies),
        cities,
        countries,
        connections_counts: kept.of_column(&people.connections_counts),
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
    Ok((left, vectors))
}

fn members_left(members: &Members, people: &Kept, kept: &Kept) -> Result<Members, ColumnFull> {
    Ok(Members {
        user_ids: members.user_ids.gather(&kept.rows)?,
        people: kept.of_references(&members.people, people),
        roles: kept.of_column(&members.roles),
        joined_at: kept.of_column(&members.joined_at),
        synced_at: kept.of_column(&members.synced_at),
    })
}

fn advocates(rows: &[Advocate], people: &Kept, members: &Kept) -> Vec<Advocate> {
    let stays = |row: &&Advocate| people.has(row.person.0) && members.has(row.member.0);
    let renumber = |row: &Advocate| Advocate {
        person: PersonIx(people.number(row.person.0)),
        member: MemberIx(members.number(row.member.0)),
        ..*row
    };
    rows.iter().filter(stays).map(renumber).collect()
}

fn intro_requests(table: &IntroRequests, people: &Kept, members: &Kept) -> Result<IntroRequests, ColumnFull> {
    let kept = Kept::of(table.people.len(), |row| {
        people.has(table.people[row as usize]) && members.has(table.requested_by[row as usize])
    });
    Ok(IntroRequests {
        people: kept.of_references(&table.people, people),
        statuses: kept.of_dictionary(&table.statuses)?.0,
        requested_by: kept.of_references(&table.requested_by, members),
        requested_at: kept.of_column(&table.requested_at),
    })
}

fn opportunities(table: &Opportunities, people: &Kept, members: &Kept) -> Result<Opportunities, ColumnFull> {
    let kept = Kept::of(table.ids.len(), |row| {
        people.has(table.prospects[row as usize]) && members.has(table.discovered_by[row as usize])
    });
    let mut paths = vec![];
    let mut path_offsets = vec![0];
    for &row in &kept.rows {
        let all = table.path_offsets[row as usize]..table.path_offsets[row as usize + 1];
        paths.extend(all.filter(|&path| people.has(table.path_connections[path as usize])));
        path_offsets.push(paths.len() as u32);
    }
    let paths = Kept::of_rows(table.path_connections.len(), paths);
    Ok(Opportunities {
        ids: table.ids.gather(&kept.rows)?,
        prospects: kept.of_references(&table.prospects, people),
        overall_scores: table.overall_scores.gather(&kept.rows)?,
        priorities: kept.of_dictionary(&table.priorities)?.0,
        confidence_levels: table.confidence_levels.gather(&kept.rows)?,
        statuses: kept.of_column(&table.statuses),
        discovered_at: kept.of_column(&table.discovered_at),
        search_sources: kept.of_dictionary(&table.search_sources)?.0,
        icp_evaluations: table.icp_evaluations.gather(&kept.rows)?,
        buying_intents: table.buying_intents.gather(&kept.rows)?,
        key_insights: table.key_insights.gather(&kept.rows)?,
        discovered_by: kept.of_references(&table.discovered_by, members),
        path_offsets,
        path_connections: paths.of_references(&table.path_connections, people),
        path_types: paths.of_dictionary(&table.path_types)?.0,
        path_strengths: table.path_strengths.gather(&paths.rows)?,
        path_warmness: table.path_warmness.gather(&paths.rows)?,
    })
}

/// The edges whose both ends stay; their breakdowns are numbered as before.
fn edges(edges: &Edges, people: &Kept) -> Edges {
    let mut breakdowns = Vec::with_capacity(edges.breakdowns.len());
    let out = direction(&edges.out, people, |edge| breakdowns.push(edges.breakdowns[edge]));
    let into = direction(&edges.into, people, |_| {});
    Edges { out, breakdowns, into }
}

/// One direction; `keep` is told the place before of each edge that stays, in order.
fn direction(edges: &Adjacency, people: &Kept, mut keep: impl FnMut(usize)) -> Adjacency {
    let mut left = Adjacency {
        offsets: Vec::with_capacity(people.rows.len() + 1),
        ends: Vec::with_capacity(edges.ends.len()),
        scores: Vec::with_capacity(edges.scores.len()),
    };
    left.offsets.push(0);
    for &person in &people.rows {
        let row = edges.row(PersonIx(person));
        for (place, (&end, &score)) in row.ends.iter().zip(row.scores).enumerate() {
            if people.has(end) {
                left.ends.push(people.number(end));
                left.scores.push(score);
                keep(row.start + place);
            }
        }
        left.offsets.push(left.ends.len() as u32);
    }
    left
}

/// The breakdowns that are `used`, which are numbered anew.
fn breakdowns(texts: &TextColumn, used: &mut [u32]) -> Result<TextColumn, ColumnFull> {
    let kept = Kept::used_texts(texts, used.iter().copied());
    used.iter_mut().for_each(|number| *number = kept.number(*number));
    texts.gather(&kept.rows)
}

#[cfg(test)]
mod tests;
