//! The plain texts of companies for searches, and the order in which searches list companies.

use crate::graph::employees::Employees;
use crate::graph::names::Names;
use crate::graph::people_text::{appended_column, plain_column};
use crate::graph::text_blocks::TextBlocks;
use crate::model::column::{TextColumn, held};
use crate::model::csr::Csr;
use crate::model::dataset::Companies;
use crate::model::ix::CompanyIx;
use crate::model::text::plain_onto;

/// The plain texts of all companies.
#[derive(Debug, Default)]
pub struct CompanyText {
    /// Each company's name, by row.
    pub names: TextColumn,
    /// The blocks of `names` in which a text can occur.
    pub name_blocks: TextBlocks,
    /// Each distinct industry, in the order of the dataset's dictionary.
    pub industries: TextColumn,
    /// Each distinct headquarters location, in the order of the dataset's dictionary.
    pub headquarters: TextColumn,
    /// All companies by employees descending, then name, then id: the order of equally good matches.
    pub listed: Vec<CompanyIx>,
    /// Each company's position in `listed`, by row.
    pub places: Vec<u32>,
    /// For each of `industries`, the positions in `listed`, ascending.
    pub by_industry: Csr<u32>,
    /// For each of `headquarters`, the positions in `listed`, ascending.
    pub by_headquarters: Csr<u32>,
}

impl CompanyText {
    /// Builds the texts of `companies`. Costs a sort of the companies and one pass over their texts.
    #[must_use]
    pub fn build(companies: &Companies, names: Names<'_>, employees: &Employees) -> Self {
        let (industries, headquarters) = (&companies.industries.values, &companies.headquarters.values);
        let rows = companies.ids.len() as u32;
        let key = |row| (u32::MAX - employees.of(CompanyIx(row)).len() as u32, names.rank(row), row);
        let mut keys: Vec<(u32, u32, u32)> = (0..rows).map(key).collect();
        keys.sort_unstable();
        let listed: Vec<CompanyIx> = keys.into_iter().map(|(_, _, row)| CompanyIx(row)).collect();
        let mut places = vec![0; listed.len()];
        for (place, company) in (0..).zip(&listed) {
            places[company.0 as usize] = place;
        }
        let by_value = |values: usize, rows: &[u32]| {
            let pairs = (0..).zip(&listed).map(|(place, company)| (rows[company.0 as usize], place));
            Csr::scatter(values, pairs)
        };
        let by_industry = by_value(industries.len(), &companies.industries.rows);
        let by_headquarters = by_value(headquarters.len(), &companies.headquarters.rows);
        let names = appended_column(listed.len(), |row, out| plain_onto(names.folded(row as u32), out));
        Self {
            by_industry,
            by_headquarters,
            places,
            listed,
            name_blocks: TextBlocks::build(&names),
            names,
            industries: plain_column(industries),
            headquarters: plain_column(headquarters),
        }
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        let texts = [&self.names, &self.industries, &self.headquarters];
        texts.iter().map(|column| column.size_bytes()).sum::<usize>()
            + self.name_blocks.size_bytes()
            + held(&self.listed)
            + held(&self.places)
            + self.by_industry.size_bytes()
            + self.by_headquarters.size_bytes()
    }
}
