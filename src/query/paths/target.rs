//! Finding the person, or the company, that a request means.

use crate::graph::index::GraphIndex;
use crate::model::ix::{CompanyIx, PersonIx};
use crate::query::handle::handle_of;
use crate::query::name_match::Candidates;

/// The person with the handle or profile address `given`; ties to the most edges, then the lesser
/// id.
#[must_use]
pub fn find_person_by_handle(index: &GraphIndex, given: &str) -> Option<PersonIx> {
    let handle = handle_of(given);
    let rows = index.person_handles.find_all(&index.data.people.handles, &handle);
    let weight = |row: u32| std::cmp::Reverse(index.edge_count(PersonIx(row)));
    rows.min_by_key(|&row| (weight(row), row)).map(PersonIx)
}

/// The person whose name matches `name` best; ties to the most edges, then the lesser id.
#[must_use]
pub fn find_person_by_name(index: &GraphIndex, name: &str) -> Option<PersonIx> {
    let weight = |row| index.edge_count(PersonIx(row));
    Candidates { names: index.person_names(), weight: &weight }.find(name).map(PersonIx)
}

/// The company that `name` names: an equal name, else an equal handle, else the most similar name;
/// ties to the most employees, then the lesser id.
#[must_use]
pub fn find_company(index: &GraphIndex, name: &str) -> Option<CompanyIx> {
    let weight = |row| index.employee_count(CompanyIx(row));
    let candidates = Candidates { names: index.company_names(), weight: &weight };
    let by_handle = || {
        let rows = index.company_handles.find_all(&index.data.companies.handles, name);
        rows.min_by_key(|&row| (std::cmp::Reverse(weight(row)), row))
    };
    let row = candidates.find_equal(name).or_else(by_handle).or_else(|| candidates.find_similar(name));
    row.map(CompanyIx)
}
