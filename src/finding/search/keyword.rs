//! The engine `graph-keyword`: compares words, ranked by BM25 with a weight per field.

use crate::graph::index::GraphIndex;
use crate::model::column::DictionaryColumn;
use crate::search::conditions::{Condition, TermKind, When};
use crate::search::fit::{Fit, Fits, MATCH, raise};
use crate::search::index::SearchIndex;
use crate::search::parse::cues::find_cue;
use crate::search::text_index::TextIndex;

/// The weight of a field that states it directly.
const FULL: f32 = 1.0;
/// The weight of an indirect field: the headquarters of a person's company.
const BY_THE_WAY: f32 = 0.6;
/// The weight of a hint: the name of a company for its industry.
const HINT: f32 = 0.3;
/// The best fit of a former company if a present one is wanted: not a match.
const LEFT: Fit = MATCH - 1;

/// How well `condition` fits everybody. Costs the texts that contain its words.
#[must_use]
pub fn fits(index: &GraphIndex, search: &SearchIndex, condition: &Condition) -> Fits {
    let phrases = &condition.phrases;
    let field = |texts: &TextIndex, weight| weigh(texts.fits(phrases), weight);
    let mut fits = Fits::default();
    match condition.kind {
        TermKind::Role | TermKind::Seniority => fits.positions = field(&search.positions, FULL),
        TermKind::Company => {
            let present = field(&search.companies, FULL);
            let is_present = |person: usize| {
                let company = index.data.people.companies[person].get();
                company.and_then(|company| present.get(company.0 as usize)).is_some_and(|&fit| fit >= MATCH)
            };
            fits.people = by_past(index, search, condition, is_present);
            if condition.when != When::Once {
                fits.companies = present;
            }
        }
        TermKind::Industry => {
            fits.companies = by_company(&index.data.companies.industries, &field(&search.industries, FULL));
            raise(&mut fits.companies, field(&search.companies, HINT));
        }
        TermKind::Place => {
            fits.is_home = true;
            fits.cities = field(&search.cities, FULL);
            fits.countries = field(&search.countries, FULL);
            fits.companies =
                by_company(&index.data.companies.headquarters, &field(&search.headquarters, BY_THE_WAY));
        }
        TermKind::Name => fits.people = search.names.fits(index, &condition.term),
        TermKind::Size | TermKind::Connections | TermKind::Relation | TermKind::Silence => {}
        TermKind::Topic => {
            fits.positions = field(&search.positions, FULL);
            fits.companies = by_company(&index.data.companies.industries, &field(&search.industries, FULL));
            raise(&mut fits.companies, field(&search.companies, FULL));
            fits.cities = field(&search.cities, FULL);
            fits.countries = field(&search.countries, FULL);
            fits.people = search.names.fits(index, &condition.term);
        }
    }
    fits
}

/// Like [`fits`]; if no text contains all words of a role or a topic, texts with one of them count. Costs at most twice
/// that.
#[must_use]
pub fn fits_of_parts(index: &GraphIndex, search: &SearchIndex, condition: &Condition) -> Fits {
    let whole = fits(index, search, condition);
    match parts(condition).filter(|_| !whole.has_match()) {
        Some(parts) => fits(index, search, &parts),
        None => whole,
    }
}

/// `condition` with each of its words as an alternative; `None` for a single word, and for names of things.
#[must_use]
pub fn parts(condition: &Condition) -> Option<Condition> {
    let words = condition.phrases.first().filter(|words| words.len() > 1)?;
    let words = words.iter().filter(|word| find_cue(word).is_none()).map(|word| vec![word.clone()]);
    let phrases: Vec<Vec<String>> = words.collect();
    let is_said = matches!(condition.kind, TermKind::Role | TermKind::Topic) && !phrases.is_empty();
    is_said.then(|| Condition { phrases, ..condition.clone() })
}

/// Looks up the fits of a dictionary's texts for each of its rows.
#[must_use]
pub fn by_company(column: &DictionaryColumn, texts: &[Fit]) -> Vec<Fit> {
    column.rows.iter().map(|&text| texts.get(text as usize).copied().unwrap_or(0)).collect()
}

/// How well a company fits everybody by their former companies: a match if `condition` asks for the past; no match if
/// it asks for former people and they are still there; a hint if it asks for the present.
#[must_use]
pub fn by_past(
    index: &GraphIndex,
    search: &SearchIndex,
    condition: &Condition,
    is_present: impl Fn(usize) -> bool,
) -> Vec<Fit> {
    let mut people = vec![0; index.data.people.ids.len()];
    let most = if condition.when == When::Now { LEFT } else { Fit::MAX };
    search.past.raise(&condition.phrases, most, &mut people);
    if condition.when == When::Once {
        let present = people.iter_mut().enumerate().filter(|(person, _)| is_present(*person));
        present.for_each(|(_, fit)| *fit = 0);
    }
    people
}

/// Scales fits by the weight of their field; a match stays one.
#[must_use]
pub fn weigh(mut fits: Vec<Fit>, weight: f32) -> Vec<Fit> {
    if weight < 1.0 {
        for fit in &mut fits {
            let (base, above) = if *fit >= MATCH { (MATCH, *fit - MATCH) } else { (0, *fit) };
            *fit = base + (f32::from(above) * weight) as Fit;
        }
    }
    fits
}
