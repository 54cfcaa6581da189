//! The table of companies.

use crate::source::error::TableFault;
use crate::source::faults::RowFaults;
use crate::source::fields::{NamedCell, TableColumn, optional, required};
use crate::source::ids::Ids;
use crate::source::rows::Table;
use kith::model::column::{DictionaryColumn, TextColumn};
use kith::model::count::OptionalCount;
use kith::model::dataset::Companies;

/// The companies read so far, in the order of the file.
pub(crate) struct CompanyTable {
    pub(crate) ids: Ids,
    names: TextColumn,
    handles: TextColumn,
    industries: TextColumn,
    headquarters: TextColumn,
    min_sizes: Vec<OptionalCount>,
    max_sizes: Vec<OptionalCount>,
    logo_urls: TextColumn,
    domains: TextColumn,
}

/// One row. Missing texts are empty.
pub(crate) struct CompanyRow {
    line: u64,
    id: String,
    name: String,
    handle: String,
    industry: String,
    headquarters: String,
    min_size: OptionalCount,
    max_size: OptionalCount,
    logo_url: String,
    domain: String,
}

impl CompanyTable {
    /// No companies yet.
    pub(crate) fn new() -> Self {
        Self {
            ids: Ids::new("companies", "company_"),
            names: TextColumn::default(),
            handles: TextColumn::default(),
            industries: TextColumn::default(),
            headquarters: TextColumn::default(),
            min_sizes: Vec::new(),
            max_sizes: Vec::new(),
            logo_urls: TextColumn::default(),
            domains: TextColumn::default(),
        }
    }

    /// The table sorted by id, and its ids apart, which later tables still look up.
    pub(crate) fn sort(mut self) -> (Ids, Companies) {
        let order = self.ids.sort();
        let sorted = Companies {
            ids: TextColumn::default(),
            names: self.names.gather(&order),
            handles: self.handles.gather(&order),
            industries: DictionaryColumn::from_texts(&self.industries.gather(&order)),
            headquarters: DictionaryColumn::from_texts(&self.headquarters.gather(&order)),
            min_sizes: order.iter().map(|&row| self.min_sizes[row as usize]).collect(),
            max_sizes: order.iter().map(|&row| self.max_sizes[row as usize]).collect(),
            logo_urls: self.logo_urls.gather(&order),
            domains: self.domains.gather(&order),
        };
        (self.ids, sorted)
    }

    fn add(&mut self, row: &CompanyRow) -> Result<(), TableFault> {
        self.ids.add(row.line, "id", &row.id)?;
        self.names.push(&row.name)?;
        self.handles.push(&row.handle)?;
        self.industries.push(&row.industry)?;
        self.headquarters.push(&row.headquarters)?;
        self.min_sizes.push(row.min_size);
        self.max_sizes.push(row.max_size);
        self.logo_urls.push(&row.logo_url)?;
        self.domains.push(&row.domain)?;
        Ok(())
    }
}

impl Table<9> for CompanyTable {
    const COLUMNS: [TableColumn; 9] = [
        required("id"),
        required("name"),
        optional("companyId"),
        optional("industry"),
        optional("headquartersLocation"),
        optional("minSize"),
        optional("maxSize"),
        optional("logoUrl"),
        optional("domain"),
    ];
    type Part = Vec<CompanyRow>;

    fn read(&self, row: [NamedCell<'_>; 9], line: u64, part: &mut Self::Part) -> Result<(), TableFault> {
        let [id, name, handle, industry, headquarters, min_size, max_size, logo_url, domain] = row;
        part.push(CompanyRow {
            line,
            id: id.own_id(self.ids.prefix)?,
            name: name.text()?,
            handle: handle.optional_text()?,
            industry: industry.optional_text()?,
            headquarters: headquarters.optional_text()?,
            min_size: min_size.optional_count()?,
            max_size: max_size.optional_count()?,
            logo_url: logo_url.optional_text()?,
            domain: domain.optional_text()?,
        });
        Ok(())
    }

    fn take(&mut self, part: Self::Part, faults: &mut RowFaults) -> Result<(), TableFault> {
        part.iter().try_for_each(|row| faults.keep(row.line, self.add(row)))
    }
}
