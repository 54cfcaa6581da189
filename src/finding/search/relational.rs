//! The engine `relational`: finds the same words by SQL in the store beside the snapshot.

use std::time::Instant;

use crate::graph::index::GraphIndex;
use crate::relational::error::RelationalError;
use crate::relational::lookup::{Lookup, TextField};
use crate::relational::store::RelationalStore;
use crate::search::conditions::{Condition, TermKind, When};
use crate::search::engine::EngineUnavailable;
use crate::search::fit::{Fit, Fits, MATCH, raise};
use crate::search::index::SearchIndex;
use crate::search::keyword;
use crate::search::words::apart;

/// How well `condition` fits everybody. Costs a few statements per synonym, and a row per person who fits.
///
/// # Errors
/// Returns an error if the store does not answer by `deadline`, or not at all.
pub fn fits(
    index: &GraphIndex,
    search: &SearchIndex,
    store: &RelationalStore,
    condition: &Condition,
    deadline: Instant,
) -> Result<Fits, EngineUnavailable> {
    // Names are the same words in every engine.
    if condition.kind == TermKind::Name {
        return Ok(keyword::fits(index, search, condition));
    }
    let network = (index, search, store);
    let mut people = by_fields(network, condition, fields(condition.kind), deadline)?;
    // If no text contains all words of a role or a topic, texts with one of them count.
    let is_unfit = people.iter().all(|&fit| fit == 0);
    if let Some(parts) = keyword::parts(condition).filter(|_| is_unfit) {
        people = by_fields(network, &parts, fields(condition.kind), deadline)?;
    }
    if condition.kind == TermKind::Topic {
        raise(&mut people, search.names.fits(index, &condition.term));
    }
    if condition.kind == TermKind::Company {
        let before = keyword::by_past(index, search, condition, |person| people[person] >= MATCH);
        if condition.when == When::Once { people = before } else { raise(&mut people, before) }
    }
    Ok(Fits { people, ..Fits::default() })
}

/// How well `condition` fits each person in reach by `fields` alone. Costs the fitting texts, and a pass over the
/// people if there are any; if the store numbers people differently than the network, one row per fitting person.
///
/// # Errors
/// Returns an error if the store does not answer by `deadline`, or not at all.
pub fn by_fields(
    (index, search, store): (&GraphIndex, &SearchIndex, &RelationalStore),
    condition: &Condition,
    fields: &[TextField],
    deadline: Instant,
) -> Result<Vec<Fit>, EngineUnavailable> {
    let phrases = ways(condition);
    let lookup = Lookup { fields, phrases: &phrases };
    let found = if store.is_renumbered() {
        by_people(index, store, &lookup, deadline)
    } else {
        by_texts(index, store, &lookup, deadline).map(|fits| search.of_known(index, &fits))
    };
    found.map_err(|_| EngineUnavailable::StoreFailed)
}

/// How well each text of the fields fits.
fn by_texts(
    index: &GraphIndex,
    store: &RelationalStore,
    lookup: &Lookup<'_>,
    deadline: Instant,
) -> Result<Fits, RelationalError> {
    let (people, companies) = (&index.data.people, &index.data.companies);
    let texts = |field: &TextField| match field {
        TextField::Position => people.positions.values.len(),
        TextField::City => people.cities.values.len(),
        TextField::Country => people.countries.values.len(),
        TextField::PersonName => people.names.len(),
        TextField::CompanyName => companies.names.len(),
        TextField::Industry => companies.industries.values.len(),
        TextField::Headquarters => companies.headquarters.values.len(),
    };
    let texts: Vec<usize> = lookup.fields.iter().map(texts).collect();
    let tables = store.find_texts(lookup, &texts, deadline)?;
    let mut fits = Fits::default();
    for (field, mut table) in lookup.fields.iter().zip(tables) {
        table.iter_mut().filter(|fit| **fit > 0).for_each(|fit| *fit = MATCH + *fit / 2);
        match field {
            TextField::Position => raise(&mut fits.positions, table),
            TextField::City => raise(&mut fits.cities, table),
            TextField::Country => raise(&mut fits.countries, table),
            TextField::PersonName => raise(&mut fits.people, table),
            TextField::CompanyName => raise(&mut fits.companies, table),
            TextField::Industry => {
                raise(&mut fits.companies, keyword::by_company(&companies.industries, &table))
            }
            TextField::Headquarters => {
                raise(&mut fits.companies, keyword::by_company(&companies.headquarters, &table))
            }
        }
    }
    Ok(fits)
}

/// How well each person in reach fits, by the store's own rows.
fn by_people(
    index: &GraphIndex,
    store: &RelationalStore,
    lookup: &Lookup<'_>,
    deadline: Instant,
) -> Result<Vec<Fit>, RelationalError> {
    let found = store.find(lookup, deadline)?;
    let mut people = vec![0; index.data.people.ids.len()];
    for matched in found {
        if let Some(person) = people.get_mut(matched.person as usize) {
            *person = MATCH + matched.fit / 2;
        }
    }
    Ok(people)
}

/// The fields of the store that a term of `kind` may fit.
#[must_use]
pub fn fields(kind: TermKind) -> &'static [TextField] {
    match kind {
        TermKind::Role | TermKind::Seniority => &[TextField::Position],
        TermKind::Company => &[TextField::CompanyName],
        TermKind::Industry => &[TextField::Industry],
        TermKind::Place => &[TextField::City, TextField::Country, TextField::Headquarters],
        TermKind::Name | TermKind::Size | TermKind::Connections | TermKind::Relation | TermKind::Silence => {
            &[]
        }
        TermKind::Topic => &[
            TextField::Position,
            TextField::CompanyName,
            TextField::Industry,
            TextField::City,
            TextField::Country,
        ],
    }
}

/// The condition's phrases as the store's texts spell them: pairs joined into one word also as two.
fn ways(condition: &Condition) -> Vec<Vec<String>> {
    let mut ways = Vec::with_capacity(condition.phrases.len());
    for phrase in &condition.phrases {
        ways.push(phrase.clone());
        let two: Vec<String> = phrase.iter().flat_map(|word| apart(word)).collect();
        if two.len() > phrase.len() {
            ways.push(two);
        }
    }
    ways
}
