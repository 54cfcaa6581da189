//! Checks each table by itself, and its references.

use std::cmp::Reverse;

use crate::model::aliases::AliasColumn;
use crate::model::column::TextColumn;
use crate::model::dataset::Dataset;
use crate::model::preferences::PreferenceRule;
use crate::snapshot::check::columns::{
    Marks, counts, dictionary, distinct, each_row, id_fault, ids, offsets, optional_references, references,
    required, required_dictionary,
};
use crate::snapshot::check::json::{is_compact_object, is_finite_number};
use crate::snapshot::error::SnapshotError;
use crate::snapshot::fault::ContentFault;

pub(super) fn check_organization(dataset: &Dataset) -> Result<(), SnapshotError> {
    let organization = &dataset.organization;
    if let Some(fault) = id_fault(&organization.id, "org_") {
        return Err(SnapshotError::column("organization.id", fault));
    }
    if organization.name.is_empty() {
        return Err(SnapshotError::column("organization.name", ContentFault::Empty));
    }
    let rows = dataset.companies.ids.len();
    match organization.company {
        Some(company) if company.0 as usize >= rows => {
            let fault = ContentFault::Reference { got: company.0, rows };
            Err(SnapshotError::column("organization.company", fault))
        }
        _ => Ok(()), // none, or one that is there
    }
}

pub(super) fn check_companies(dataset: &Dataset) -> Result<(), SnapshotError> {
    let companies = &dataset.companies;
    ids("companies.ids", "company_", &companies.ids)?;
    required("companies.names", &companies.names)?;
    dictionary("companies.industries", &companies.industries)?;
    dictionary("companies.headquarters", &companies.headquarters)?;
    counts("companies.min_sizes", &companies.min_sizes)?;
    counts("companies.max_sizes", &companies.max_sizes)
}

pub(super) fn check_people(dataset: &Dataset) -> Result<(), SnapshotError> {
    let people = &dataset.people;
    ids("people.ids", "person_", &people.ids)?;
    required("people.names", &people.names)?;
    dictionary("people.positions", &people.positions)?;
    optional_references("people.companies", &people.companies, dataset.companies.ids.len())?;
    dictionary("people.cities", &people.cities)?;
    dictionary("people.countries", &people.countries)?;
    counts("people.connections_counts", &people.connections_counts)?;
    aliases("people.aliases.handles", &people.aliases.handles, people.len())?;
    aliases("people.aliases.emails", &people.aliases.emails, people.len())
}

/// Checks texts of existing people, strictly ascending by person, then text.
fn aliases(column: &'static str, aliases: &AliasColumn, people: usize) -> Result<(), SnapshotError> {
    references(column, &aliases.people, people)?;
    required(column, &aliases.texts)?;
    let at = |row: u32| (aliases.people[row as usize], aliases.texts.get(row));
    each_row(column, aliases.len(), |row| {
        (row > 0 && at(row - 1) >= at(row)).then_some(ContentFault::Unsorted)
    })
}

pub(super) fn check_members(dataset: &Dataset) -> Result<(), SnapshotError> {
    let members = &dataset.members;
    ids("members.user_ids", "user_", &members.user_ids)?;
    references("members.people", &members.people, dataset.people.len())?;
    let mut seen = Marks::new(dataset.people.len());
    match members.people.iter().position(|&person| seen.mark(person)) {
        Some(row) => Err(SnapshotError::row("members.people", row, ContentFault::PersonTwice)),
        None => Ok(()),
    }
}

pub(super) fn check_preferences(dataset: &Dataset) -> Result<(), SnapshotError> {
    let (rows, people) = (&dataset.preferences, dataset.people.len() as u32);
    let companies = dataset.companies.ids.len() as u32;
    each_row("preferences", rows.len(), |row| {
        let of = &rows[row as usize];
        let persons =
            [of.connector, of.person, of.through].into_iter().flatten().map(|person| (person.0, people));
        let company = of.company.map(|company| (company.0, companies));
        let outside = persons.chain(company).find(|(got, rows)| got >= rows);
        if let Some((got, rows)) = outside {
            return Some(ContentFault::Reference { got, rows: rows as usize });
        }
        if !of.is_whole() || (of.rule == PreferenceRule::Through) != of.through.is_some() {
            return Some(ContentFault::Empty);
        }
        (row > 0 && rows[row as usize - 1] >= *of).then_some(ContentFault::Unsorted)
    })
}

pub(super) fn check_former(dataset: &Dataset) -> Result<(), SnapshotError> {
    let (rows, people) = (&dataset.former, dataset.people.len());
    let companies = dataset.companies.ids.len();
    each_row("former", rows.len(), |row| {
        let (company, person) = rows[row as usize];
        let ends = [(company.0, companies), (person.0, people)];
        let outside = ends.into_iter().find(|(got, rows)| *got as usize >= *rows);
        if let Some((got, rows)) = outside {
            return Some(ContentFault::Reference { got, rows });
        }
        (row > 0 && rows[row as usize - 1] >= rows[row as usize]).then_some(ContentFault::Unsorted)
    })
}

pub(super) fn check_intro_requests(dataset: &Dataset) -> Result<(), SnapshotError> {
    let requests = &dataset.intro_requests;
    references("intro_requests.people", &requests.people, dataset.people.len())?;
    required_dictionary("intro_requests.statuses", &requests.statuses)?;
    references("intro_requests.requested_by", &requests.requested_by, dataset.members.len())?;
    let latest_first = |row: usize| {
        let status = requests.statuses.rows[row]; // numbers of distinct texts order as the texts
        (requests.people[row], Reverse((requests.requested_at[row], requests.requested_by[row], status)))
    };
    match (1..requests.people.len()).find(|&row| latest_first(row - 1) > latest_first(row)) {
        Some(row) => Err(SnapshotError::row("intro_requests", row, ContentFault::Unsorted)),
        None => Ok(()),
    }
}

pub(super) fn check_opportunities(dataset: &Dataset) -> Result<(), SnapshotError> {
    let table = &dataset.opportunities;
    ids("opportunities.ids", "ghost_", &table.ids)?;
    references("opportunities.prospects", &table.prospects, dataset.people.len())?;
    required("opportunities.overall_scores", &table.overall_scores)?;
    numbers("opportunities.overall_scores", &table.overall_scores)?;
    dictionary("opportunities.priorities", &table.priorities)?;
    numbers("opportunities.confidence_levels", &table.confidence_levels)?;
    dictionary("opportunities.search_sources", &table.search_sources)?;
    objects("opportunities.icp_evaluations", &table.icp_evaluations)?;
    objects("opportunities.buying_intents", &table.buying_intents)?;
    objects("opportunities.key_insights", &table.key_insights)?;
    references("opportunities.discovered_by", &table.discovered_by, dataset.members.len())?;
    offsets("opportunities.path_offsets", &table.path_offsets, table.path_connections.len())?;
    references("opportunities.path_connections", &table.path_connections, dataset.people.len())?;
    required_dictionary("opportunities.path_types", &table.path_types)?;
    required("opportunities.path_strengths", &table.path_strengths)?;
    numbers("opportunities.path_strengths", &table.path_strengths)?;
    numbers("opportunities.path_warmness", &table.path_warmness)
}

pub(super) fn check_breakdowns(dataset: &Dataset) -> Result<(), SnapshotError> {
    distinct("breakdowns", &dataset.breakdowns)?;
    objects("breakdowns", &dataset.breakdowns)
}

/// Checks finite JSON numbers, or none.
fn numbers(column: &'static str, texts: &TextColumn) -> Result<(), SnapshotError> {
    each_row(column, texts.len(), |row| {
        texts.value(row).filter(|text| !is_finite_number(text)).map(|_| ContentFault::NotANumber)
    })
}

/// Checks compact JSON objects, or none.
fn objects(column: &'static str, texts: &TextColumn) -> Result<(), SnapshotError> {
    each_row(column, texts.len(), |row| {
        texts.value(row).filter(|text| !is_compact_object(text)).map(|_| ContentFault::NotAnObject)
    })
}
