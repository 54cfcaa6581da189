//! Substring search over companies: names, industries, headquarters.

use memchr::memmem::Finder;

use crate::graph::index::GraphIndex;
use crate::model::column::TextColumn;
use crate::model::ix::CompanyIx;
use crate::query::card::CompanyCard;
use crate::query::page::{Page, Top};
use crate::query::substring::{RowsHolding, as_set, rows_within};

/// How well a company matches; better ones are less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    NameEqual,
    NameBegins,
    NameHolds,
    Other,
}

/// A company that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompanyMatch<'a> {
    /// What it is called.
    pub company: CompanyCard<'a>,
    /// The fewest people who work there.
    pub min_size: Option<u64>,
    /// The most people who work there.
    pub max_size: Option<u64>,
    /// The address of its logo.
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

/// The page of companies that [`search`] finds, with all that is answered of them, and how many there are.
#[must_use]
pub fn find<'a>(index: &'a GraphIndex, folded: &str, page: Page) -> (Vec<CompanyMatch<'a>>, u64) {
    let (companies, total) = search(index, folded, page);
    (companies.into_iter().map(|company| CompanyMatch::of(index, company)).collect(), total)
}

/// The page of companies whose folded name, industry or headquarters location holds `folded`, and
/// how many there are.
///
/// Order: name equal, name begins with it, name holds it, the rest; then employees descending;
/// name; id. Costs one scan of the names and of the distinct industries and locations, and one look
/// at each company.
#[must_use]
pub fn search(index: &GraphIndex, folded: &str, page: Page) -> (Vec<CompanyIx>, u64) {
    let finder = Finder::new(folded);
    let text = &index.company_text;
    let names = rows_within(&text.names, &text.name_blocks, &finder, 0..text.names.len());
    let names = as_set(&text.names, names);
    let everywhere = |column: &TextColumn| as_set(column, RowsHolding::new(column, &finder, 0..column.len()));
    let (industries, headquarters) = (everywhere(&text.industries), everywhere(&text.headquarters));
    let mut top = Top::for_page(page);
    for row in 0..index.data.companies.ids.len() {
        let held = if names.contains(row) {
            name_match(text.names.get(row as u32), folded)
        } else if industries.contains(index.data.companies.industries.rows[row] as usize)
            || headquarters.contains(index.data.companies.headquarters.rows[row] as usize)
        {
            Match::Other
        } else {
            continue;
        };
        let company = CompanyIx(row as u32);
        let fewer = u32::MAX - index.employee_count(company);
        top.offer((held, fewer, index.company_names().rank(company.0), company));
    }
    let total = top.total();
    (top.into_page(page).into_iter().map(|(.., company)| company).collect(), total)
}

fn name_match(name: &str, folded: &str) -> Match {
    match name.strip_prefix(folded) {
        Some("") => Match::NameEqual,
        Some(_) => Match::NameBegins,
        None => Match::NameHolds,
    }
}
