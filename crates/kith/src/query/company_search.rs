//! Substring search over companies: names, industries, headquarters.

use fixedbitset::FixedBitSet;
use memchr::memmem::Finder;

use crate::graph::index::GraphIndex;
use crate::model::ix::CompanyIx;
use crate::model::text::words;
use crate::query::card::CompanyCard;
use crate::query::page::Page;
use crate::query::substring::{RowsHolding, rows_within};

/// A company that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompanyMatch<'a> {
    /// Its name.
    pub company: CompanyCard<'a>,
    /// Minimum number of people who work there.
    pub min_size: Option<u64>,
    /// Maximum number of people who work there.
    pub max_size: Option<u64>,
    /// The URL of its logo.
    pub logo_url: Option<&'a str>,
}

impl<'a> CompanyMatch<'a> {
    fn of(index: &'a GraphIndex, company: CompanyIx) -> Self {
        let companies = &index.data.companies;
        Self {
            company: CompanyCard::of(index, company),
            min_size: companies.min_size(company),
            max_size: companies.max_size(company),
            logo_url: companies.logo_urls.value(company.0),
        }
    }
}

/// The page of companies that [`search`] finds, with their cards, and the number of all matches.
#[must_use]
pub fn find<'a>(index: &'a GraphIndex, plain: &str, page: Page) -> (Vec<CompanyMatch<'a>>, u64) {
    let (companies, total) = search(index, plain, page);
    (companies.into_iter().map(|company| CompanyMatch::of(index, company)).collect(), total)
}

/// The page of companies whose plain name, industry or headquarters location contains `plain`, and the number of all
/// matches.
///
/// Order: equal names, names that begin with it, names that contain it, the rest; then employees descending; name; id.
/// Costs one scan of the distinct words of names, industries and locations, and a bit per company that matches; a text
/// with a space, a comma or a full stop also costs a scan of the names.
#[must_use]
pub fn search(index: &GraphIndex, plain: &str, page: Page) -> (Vec<CompanyIx>, u64) {
    let finder = Finder::new(plain);
    let text = &index.company_text;
    let (named, elsewhere) = (named(index, &finder), elsewhere(index, &finder));
    let (equal, begins) = beginning(index, plain);
    let listed = equal
        .ones()
        .chain(begins.difference(&equal))
        .chain(named.difference(&begins))
        .chain(elsewhere.difference(&named));
    let skipped = usize::try_from(page.offset).unwrap_or(usize::MAX);
    let companies = listed.skip(skipped).take(page.limit as usize).map(|place| text.listed[place]);
    (companies.collect(), named.union_count(&elsewhere) as u64)
}

/// The positions of companies whose name contains the needle of `finder`.
fn named(index: &GraphIndex, finder: &Finder<'_>) -> FixedBitSet {
    let (text, names) = (&index.company_text, index.company_names());
    let mut places = FixedBitSet::with_capacity(text.listed.len());
    let mut insert = |row: usize| places.insert(text.places[row] as usize);
    let is_of_one_word = std::str::from_utf8(finder.needle()).is_ok_and(|text| words(text).eq([text]));
    if is_of_one_word {
        // A name that contains it has a word that contains it.
        for word in RowsHolding::new(&names.table.words, finder, 0..names.table.words.len()) {
            names.rows_with(word as u32).iter().for_each(|&row| insert(row as usize));
        }
        let foreign = names.foreign_words();
        for place in RowsHolding::new(&foreign.plain, finder, 0..foreign.plain.len()) {
            names.rows_with(foreign.places[place]).iter().for_each(|&row| insert(row as usize));
        }
    } else {
        rows_within(&text.names, &text.name_blocks, finder, 0..text.names.len()).for_each(insert);
    }
    places
}

/// The positions of companies whose industry or headquarters location contains the needle of `finder`.
fn elsewhere(index: &GraphIndex, finder: &Finder<'_>) -> FixedBitSet {
    let text = &index.company_text;
    let mut places = FixedBitSet::with_capacity(text.listed.len());
    for (values, by_value) in
        [(&text.industries, &text.by_industry), (&text.headquarters, &text.by_headquarters)]
    {
        for value in RowsHolding::new(values, finder, 0..values.len()) {
            by_value.row(value as u32).iter().for_each(|&place| places.insert(place as usize));
        }
    }
    places
}

/// The positions of companies whose plain name is `wanted`, and of those whose plain name begins with it.
fn beginning(index: &GraphIndex, wanted: &str) -> (FixedBitSet, FixedBitSet) {
    let (text, names) = (&index.company_text, index.company_names());
    let table = names.table;
    let count = text.listed.len();
    let (mut equal, mut begins) = (FixedBitSet::with_capacity(count), FixedBitSet::with_capacity(count));
    let mut note = |name: &str, row: u32| {
        let place = text.places[row as usize] as usize;
        begins.insert(place);
        if name.len() == wanted.len() {
            equal.insert(place);
        }
    };
    for rank in table.sorted.lower_bound(wanted)..count as u32 {
        let name = table.sorted.get(rank);
        if !name.starts_with(wanted) {
            break;
        }
        note(name, table.order[rank as usize]);
    }
    names.foreign_with_prefix(wanted).for_each(|(name, row)| note(name, row));
    (equal, begins)
}
