//! The jobs, boards and schools of people, after rows are joined to people.

use std::collections::HashMap;

use crate::gather::Gathered;
use crate::identity::company_key::company_key;
use crate::people::{GONE, ImportedPeople};

/// A stay of a written person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Affiliation {
    /// Its position in [`Gathered::stays`].
    pub(crate) stay: usize,
    pub(crate) person: u32,
    /// The company's group, if a row of people names it too.
    pub(crate) company: Option<u32>,
    /// The key of the place's name.
    pub(crate) key: String,
}

/// The affiliations from the stays of `gathered`, in their order. Costs a pass over the rows, or nothing without stays.
pub(crate) fn affiliations(gathered: &Gathered, people: &ImportedPeople) -> Vec<Affiliation> {
    if gathered.stays.is_empty() {
        return Vec::new();
    }
    let rows = gathered.rows.iter().zip(&people.of_row).filter(|(row, _)| row.is_of_file());
    let by_row: HashMap<(u32, u64), u32> =
        rows.map(|(row, person)| ((row.file, row.line), *person)).collect();
    let companies = gathered.companies.by_key();
    let mut found = Vec::with_capacity(gathered.stays.len());
    for (stay, row) in gathered.stays.iter().enumerate() {
        let person = match row.is_own {
            true => people.holder(row.holder),
            false => by_row.get(&(row.file, row.line)).copied().unwrap_or(GONE),
        };
        let key = company_key(&row.stay.place);
        let company = companies.get(key.as_str()).map(|number| gathered.companies.group(*number));
        found.extend((person != GONE).then_some(Affiliation { stay, person, company, key }));
    }
    found
}
