//! The texts of companies, folded, as searches read them.

use crate::graph::names::Names;
use crate::graph::people_text::{folded_column, gathered_column};
use crate::graph::text_blocks::TextBlocks;
use crate::model::column::TextColumn;
use crate::model::dataset::Companies;

/// The folded texts of all companies.
#[derive(Debug, Default)]
pub struct CompanyText {
    /// Each company's name, by row.
    pub names: TextColumn,
    /// The blocks of `names` in which a text can stand.
    pub name_blocks: TextBlocks,
    /// Each distinct industry, in the order of the dataset's dictionary.
    pub industries: TextColumn,
    /// Each distinct headquarters location, likewise.
    pub headquarters: TextColumn,
}

impl CompanyText {
    /// The texts of `companies`. Costs one pass over them.
    #[must_use]
    pub fn build(companies: &Companies, names: Names<'_>) -> Self {
        let (industries, headquarters) = (&companies.industries.values, &companies.headquarters.values);
        let names = gathered_column((0..companies.ids.len() as u32).map(|row| names.folded(row)));
        Self {
            name_blocks: TextBlocks::build(&names),
            names,
            industries: folded_column(industries.len(), |value| industries.get(value as u32)),
            headquarters: folded_column(headquarters.len(), |value| headquarters.get(value as u32)),
        }
    }

    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        let texts = [&self.names, &self.industries, &self.headquarters];
        texts.iter().map(|column| column.size_bytes()).sum::<usize>() + self.name_blocks.size_bytes()
    }
}
