//! Why people fit: which terms, by which of their fields, and how.
//!
//! An engine gives one fit per condition and person, without the text behind it. This finds the text for the people of
//! an answer and the texts of its pool, by asking the engine for each field separately. It does not change who is
//! found, and costs nothing unless requested.

#[cfg(test)]
mod tests;
mod view;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::graph::index::GraphIndex;
use crate::model::column::TextColumn;
use crate::model::ix::PersonIx;
use crate::search::conditions::{Condition, Query, TermKind, When};
use crate::search::engine::{Engine, EngineUnavailable};
use crate::search::explain::view::{known_by_view, relation};
use crate::search::field::SearchField;
use crate::search::fit::{Fit, Fits, MATCH};
use crate::search::index::SearchIndex;
use crate::search::pool::{OUTSIDE, Pool};
use crate::search::rank::{Wanted, count};
use crate::search::resolve::own_words;
use crate::search::searched::Searched;
use crate::search::understood::{How, TermMatch, Understood, UnderstoodTerm, WIDENED_MAX};
use crate::search::words::stems;
use crate::search::{knowers, measure, relational, vector};

/// The understanding of a query, and for each person of the answer the terms they fit.
#[derive(Debug)]
pub struct ExplainedSearch<'a> {
    /// The understanding of the query.
    pub understood: Understood<'a>,
    /// For each person listed, in their order.
    pub matched: Vec<Vec<TermMatch<'a>>>,
}

impl ExplainedSearch<'_> {
    /// The explanation of a query that finds nobody in any network.
    #[must_use]
    pub fn of_nobody(query: &Query) -> Self {
        let understood = Understood { ignored: query.ignored.clone(), ..Understood::default() };
        Self { understood, matched: Vec::new() }
    }
}

/// The result of a search, before it is explained.
#[derive(Clone, Copy, Debug)]
pub struct SearchOutcome<'f> {
    /// The people who could be found.
    pub pool: &'f Pool<'f>,
    /// The parsed query.
    pub query: &'f Query,
    /// The engine that answered.
    pub engine: Engine,
    /// The fits of its terms.
    pub wanted: Wanted<'f>,
    /// The people listed.
    pub people: &'f [PersonIx],
}

/// Explains `outcome`. Costs a pass over the people per term, and the engine's cost for each of its fields.
///
/// # Errors
/// Returns an error if the engine no longer answers.
pub fn explain<'a>(
    searched: Searched<'a>,
    outcome: SearchOutcome<'_>,
) -> Result<ExplainedSearch<'a>, EngineUnavailable> {
    let SearchOutcome { pool, query, wanted: Wanted { conditions, exclusions, .. }, .. } = outcome;
    let wanted = query.conditions.iter().zip(conditions.iter().map(|weighted| &*weighted.fits));
    let unwanted = query.exclusions.iter().zip(exclusions.iter().map(|excluded| &excluded.fits));
    let wanted = wanted.map(|(condition, fits)| (condition, fits, outcome.engine, false));
    // Exclusions go by words, whichever engine answers.
    let unwanted = unwanted.map(|(condition, fits)| (condition, fits, Engine::Keyword, true));
    let all: Vec<_> = wanted.chain(unwanted).collect();
    let traced: Result<Vec<Traced<'_, '_>>, EngineUnavailable> = all
        .par_iter()
        .map(|&(condition, fits, engine, _)| Traced::new(searched, condition, fits, engine))
        .collect();
    let traced = traced?;
    let terms = traced.par_iter().zip(&all).map(|(traced, &(condition, _, _, negated))| {
        let (people, widened_to) = traced.reach(searched.index, pool);
        let Condition { kind, when, .. } = *condition;
        let past = when != When::Now;
        let (term, read_as) = as_written(&condition.term, &query.mended);
        UnderstoodTerm { term, read_as, kind, negated, past, widened_to, people }
    });
    let mut terms: Vec<UnderstoodTerm<'_>> = terms.collect();
    let of_view = terms.len();
    terms.extend(relation(query, pool));
    let understood = Understood {
        terms,
        language: query.language,
        ignored: query.ignored.clone(),
        counts: count(searched.index, pool, outcome.wanted),
    };
    let wanted = &traced[..conditions.len()];
    let matched = outcome.people.iter().map(|person| {
        let terms = wanted.iter().enumerate();
        let by_terms = terms.filter_map(|(term, traced)| traced.find(searched, pool, term, person.0));
        by_terms.chain(known_by_view(searched.index, query, of_view, *person)).collect()
    });
    Ok(ExplainedSearch { understood, matched: matched.collect() })
}

/// A term's words as in the query, and as read if that differs.
fn as_written(read: &str, mended: &[(String, String)]) -> (String, Option<String>) {
    let written = |word: &str| {
        let found = mended.iter().find(|(_, mended)| mended == word);
        found.map_or_else(|| word.to_owned(), |(written, _)| written.clone())
    };
    let term = read.split(' ').map(written).collect::<Vec<_>>().join(" ");
    let read_as = (term != read).then(|| read.to_owned());
    (term, read_as)
}

/// Fits per text of a field, or per person.
enum Table<'t> {
    Texts(Cow<'t, [Fit]>),
    People(Cow<'t, [Fit]>),
}

impl Table<'_> {
    fn has(&self, index: &GraphIndex, field: SearchField, person: u32) -> bool {
        let fit = match self {
            Self::People(fits) => fits.get(person as usize),
            Self::Texts(fits) => field.text_of(index, person).and_then(|text| fits.get(text as usize)),
        };
        fit.is_some_and(|&fit| fit >= MATCH)
    }
}

/// A field that a term may fit.
struct TracedField<'t> {
    field: SearchField,
    /// The fits of any kind.
    all: Table<'t>,
    /// The fits by the term's own words; `None` if all are.
    own: Option<Table<'t>>,
}

/// A term, field by field.
struct Traced<'t, 'c> {
    condition: &'c Condition,
    fits: &'t Fits,
    engine: Engine,
    fields: Vec<TracedField<'t>>,
}

impl<'t, 'c> Traced<'t, 'c> {
    fn new(
        searched: Searched<'_>,
        condition: &'c Condition,
        fits: &'t Fits,
        engine: Engine,
    ) -> Result<Self, EngineUnavailable> {
        let by_person = |field, all| TracedField { field, all: Table::People(all), own: None };
        let of_person = |field| by_person(field, Cow::Borrowed(&fits.people[..]));
        let fields = SearchField::of(condition);
        let fields: Result<Vec<_>, EngineUnavailable> = match engine {
            _ if condition.measure.is_some() => Ok(Vec::new()),
            _ if condition.or_knowers => {
                let names = searched.search.names.fits(searched.index, &condition.term);
                Ok(vec![by_person(SearchField::Name, Cow::Owned(names)), of_person(SearchField::Knows)])
            }
            _ if fields == [SearchField::PastCompany] || fields == [SearchField::Name] => {
                Ok(fields.iter().map(|&field| of_person(field)).collect())
            }
            Engine::Relational => fields
                .iter()
                .filter_map(|&field| stored(searched, condition, fits, field).transpose())
                .collect(),
            Engine::Keyword | Engine::Vector => Ok(in_memory(searched, condition, fits, engine)),
        };
        Ok(Self { condition, fits, engine, fields: fields? })
    }

    fn matches(&self, index: &GraphIndex, person: u32) -> bool {
        self.fits.of(index, person) >= MATCH
    }

    /// The number of people of `pool` that the term fits, and their texts that say it in other words.
    fn reach<'a>(&self, index: &'a GraphIndex, pool: &Pool<'_>) -> (u64, Vec<&'a str>) {
        let mut people = 0;
        // For each field, the number of people with each text.
        let mut said: [Vec<u64>; SearchField::ALL.len()] = std::array::from_fn(|_| Vec::new());
        let is_inside = |person: &u32| pool.coldness()[*person as usize] != OUTSIDE;
        for person in pool.people().iter().copied().filter(is_inside) {
            if !self.matches(index, person) {
                continue;
            }
            people += 1;
            if let Some((field, How::Sense)) = self.way(index, person)
                && let Some(text) = field.text_of(index, person)
            {
                let counts = &mut said[field as usize];
                if counts.is_empty() {
                    counts.resize(field.texts(index).map_or(0, TextColumn::len), 0);
                }
                if let Some(count) = counts.get_mut(text as usize) {
                    *count += 1;
                }
            }
        }
        let mut texts: BTreeMap<&str, u64> = BTreeMap::new();
        for (field, counts) in SearchField::ALL.into_iter().zip(&said) {
            let counted = (0_u32..).zip(counts).filter(|&(_, &count)| count > 0);
            for (text, count) in counted {
                if let Some(text) = field.texts(index).and_then(|texts| texts.value(text)) {
                    *texts.entry(text).or_default() += count;
                }
            }
        }
        let mut texts: Vec<(Reverse<u64>, &str)> =
            texts.into_iter().map(|(text, count)| (Reverse(count), text)).collect();
        texts.sort_unstable();
        (people, texts.into_iter().map(|(_, text)| text).take(WIDENED_MAX).collect())
    }

    /// The field by which a person fits, and how.
    fn way(&self, index: &GraphIndex, person: u32) -> Option<(SearchField, How)> {
        if self.condition.measure.is_some() {
            let how = |field| if field == SearchField::KnownBy { How::Words } else { How::Number };
            return SearchField::of(self.condition).first().map(|&field| (field, how(field)));
        }
        let by = |table: &Table<'_>, field| table.has(index, field, person);
        let of = |own: bool| {
            let mut fields = self.fields.iter();
            fields.find(|it| {
                it.own.as_ref().filter(|_| own).map_or_else(|| by(&it.all, it.field), |own| by(own, it.field))
            })
        };
        if let Some(found) = of(true) {
            let how = if found.field == SearchField::PastCompany { How::Past } else { How::Words };
            return Some((found.field, how));
        }
        if let Some(found) = of(false) {
            return Some((found.field, How::Sense));
        }
        // No field fits by itself: they fit by name if the words of the term are in it.
        let (own, name) = (own_words(self.condition), stems(index.data.people.names.get(person)));
        if !own.is_empty() && own.iter().all(|word| name.contains(word)) {
            return Some((SearchField::Name, How::Words));
        }
        let has = |field: &SearchField| {
            let text = field.text_of(index, person);
            text.and_then(|text| field.texts(index)?.value(text)).is_some()
        };
        let how = if self.engine == Engine::Vector { How::Sense } else { How::Words };
        SearchField::of(self.condition).iter().copied().find(has).map(|field| (field, how))
    }

    /// How `person` fits the term at position `term`, if they do.
    fn find<'a>(
        &self,
        searched: Searched<'a>,
        pool: &Pool<'_>,
        term: usize,
        person: u32,
    ) -> Option<TermMatch<'a>> {
        let Searched { index, search, .. } = searched;
        if !self.matches(index, person) {
            return None;
        }
        let (field, how) = self.way(index, person)?;
        let text = match field {
            SearchField::PastCompany => Cow::Borrowed(search.past.name_of(person, &self.condition.phrases)?),
            SearchField::Knows => {
                let named = &self.fields.first()?.all;
                let is_named = |person| named.has(index, SearchField::Name, person);
                Cow::Borrowed(knowers::known(index, pool, is_named, person)?)
            }
            SearchField::KnownBy => Cow::Borrowed(measure::knower(index, self.condition.measure?, person)?),
            _ if how == How::Number => field.counted(index, pool, person).unwrap_or_default(),
            _ => Cow::Borrowed(field.texts(index)?.get(field.text_of(index, person)?)),
        };
        Some(TermMatch { term, field, text, how })
    }
}

/// Traces a field in the relational store, if the store has it.
fn stored<'t>(
    searched: Searched<'_>,
    condition: &Condition,
    fits: &'t Fits,
    field: SearchField,
) -> Result<Option<TracedField<'t>>, EngineUnavailable> {
    let looked_at = relational::fields(condition.kind);
    let Some(stored) = field.stored().filter(|stored| looked_at.contains(stored)) else { return Ok(None) };
    let find = |condition: &Condition| {
        let store = searched.store.ok_or(EngineUnavailable::NoStore)?;
        let people = relational::by_fields(
            (searched.index, searched.search, store),
            condition,
            &[stored],
            searched.deadline,
        )?;
        Ok(Table::People(Cow::Owned(people)))
    };
    let all =
        if looked_at.len() == 1 { Table::People(Cow::Borrowed(&fits.people)) } else { find(condition)? };
    let own = if goes_by_name(condition.kind, field) {
        None
    } else {
        let own = Condition { phrases: vec![own_words(condition)], ..condition.clone() };
        Some(find(&own)?)
    };
    Ok(Some(TracedField { field, all, own }))
}

/// Whether a match in `field` implies the term's words: true for names of people and of companies.
fn goes_by_name(kind: TermKind, field: SearchField) -> bool {
    kind == TermKind::Company || field == SearchField::Name
}

/// Traces the fields of a term in memory.
fn in_memory<'t>(
    searched: Searched<'_>,
    condition: &Condition,
    fits: &'t Fits,
    engine: Engine,
) -> Vec<TracedField<'t>> {
    let Searched { index, search, .. } = searched;
    let own = [own_words(condition)];
    let texts = |field, phrases: &[Vec<String>]| column(search, field).map(|column| column.fits(phrases));
    let mut traced: Vec<TracedField<'t>> = Vec::new();
    for &field in SearchField::of(condition) {
        let all = match (field, engine) {
            (SearchField::Name, _) => Table::People(Cow::Borrowed(&fits.people)),
            (SearchField::Position, Engine::Vector) => Table::Texts(Cow::Borrowed(&fits.positions)),
            (SearchField::City, Engine::Vector) => Table::Texts(Cow::Borrowed(&fits.cities)),
            (SearchField::Country, Engine::Vector) => Table::Texts(Cow::Borrowed(&fits.countries)),
            _ => Table::Texts(Cow::Owned(texts(field, &condition.phrases).unwrap_or_default())),
        };
        let own = (!goes_by_name(condition.kind, field))
            .then(|| Table::Texts(Cow::Owned(texts(field, &own).unwrap_or_default())));
        traced.push(TracedField { field, all, own });
    }
    if engine == Engine::Vector {
        add_sense_of_companies((index, search), condition, fits, &mut traced);
    }
    traced
}

/// Adds the companies that fit by vector to the field they fit by.
fn add_sense_of_companies(
    (index, search): (&GraphIndex, &SearchIndex),
    condition: &Condition,
    fits: &Fits,
    traced: &mut [TracedField<'_>],
) {
    let (companies, topic) = (&index.data.companies, condition.kind == TermKind::Topic);
    let names = if topic { vector::company_names(index, search, condition) } else { Vec::new() };
    let (shared, rows) = match condition.kind {
        TermKind::Place => (SearchField::Headquarters, &companies.headquarters.rows),
        TermKind::Industry | TermKind::Topic => (SearchField::Industry, &companies.industries.rows),
        _ => return,
    };
    let is_match = |fits: &[Fit], row: usize| fits.get(row).is_some_and(|&fit| fit >= MATCH);
    let (mut by_name, mut by_shared) = (None, None);
    for field in traced {
        match (&mut field.all, field.field) {
            (Table::Texts(table), SearchField::Company) => by_name = Some(table),
            (Table::Texts(table), of) if of == shared => by_shared = Some(table),
            _ => {}
        }
    }
    let Some(by_shared) = by_shared else { return };
    for (company, &text) in rows.iter().enumerate().filter(|&(company, _)| is_match(&fits.companies, company))
    {
        let is_named = by_name.as_ref().is_some_and(|by_name| is_match(by_name, company));
        if is_match(&names, company) {
            if let Some(fit) = by_name.as_mut().and_then(|by_name| by_name.to_mut().get_mut(company)) {
                *fit = MATCH;
            }
        } else if !is_named && let Some(fit) = by_shared.to_mut().get_mut(text as usize) {
            *fit = MATCH;
        }
    }
}

/// The word index of a field's texts.
fn column(search: &SearchIndex, field: SearchField) -> Option<&crate::search::text_index::TextIndex> {
    match field {
        SearchField::Position => Some(&search.positions),
        SearchField::Company => Some(&search.companies),
        SearchField::Industry => Some(&search.industries),
        SearchField::City => Some(&search.cities),
        SearchField::Country => Some(&search.countries),
        SearchField::Headquarters => Some(&search.headquarters),
        _ => None,
    }
}
