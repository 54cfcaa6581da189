//! The table of people.

use crate::source::error::TableFault;
use crate::source::faults::RowFaults;
use crate::source::fields::{NamedCell, TableColumn, optional, required};
use crate::source::ids::Ids;
use crate::source::rows::Table;
use kith::model::aliases::Aliases;
use kith::model::column::{DictionaryColumn, TextColumn};
use kith::model::count::OptionalCount;
use kith::model::dataset::People;
use kith::model::ix::{CompanyIx, OptionalIx};

/// The people read so far, in the order of the file.
pub(crate) struct PersonTable<'a> {
    companies: &'a Ids,
    ids: Ids,
    names: TextColumn,
    handles: TextColumn,
    emails: TextColumn,
    positions: TextColumn,
    company_rows: Vec<OptionalIx<CompanyIx>>,
    cities: TextColumn,
    countries: TextColumn,
    connections_counts: Vec<OptionalCount>,
}

/// One row. Missing texts are empty.
pub(crate) struct PersonRow {
    line: u64,
    id: String,
    name: String,
    handle: String,
    email: String,
    position: String,
    company: Option<CompanyIx>,
    city: String,
    country: String,
    connections_count: OptionalCount,
}

impl<'a> PersonTable<'a> {
    /// No people yet; they work at `companies`.
    pub(crate) fn new(companies: &'a Ids) -> Self {
        Self {
            companies,
            ids: Ids::new("people", "person_"),
            names: TextColumn::default(),
            handles: TextColumn::default(),
            emails: TextColumn::default(),
            positions: TextColumn::default(),
            company_rows: Vec::new(),
            cities: TextColumn::default(),
            countries: TextColumn::default(),
            connections_counts: Vec::new(),
        }
    }

    /// The table sorted by id, without the aliases, and its ids apart, which later tables still look up.
    pub(crate) fn sort(mut self) -> (Ids, People) {
        let order = self.ids.sort();
        let sorted = People {
            ids: TextColumn::default(),
            names: self.names.gather(&order),
            handles: self.handles.gather(&order),
            emails: self.emails.gather(&order),
            positions: DictionaryColumn::from_texts(&self.positions.gather(&order)),
            companies: order.iter().map(|&row| self.company_rows[row as usize]).collect(),
            cities: DictionaryColumn::from_texts(&self.cities.gather(&order)),
            countries: DictionaryColumn::from_texts(&self.countries.gather(&order)),
            connections_counts: order.iter().map(|&row| self.connections_counts[row as usize]).collect(),
            aliases: Aliases::default(),
        };
        (self.ids, sorted)
    }

    fn add(&mut self, row: &PersonRow) -> Result<(), TableFault> {
        self.ids.add(row.line, "id", &row.id)?;
        self.names.push(&row.name)?;
        self.handles.push(&row.handle)?;
        self.emails.push(&row.email)?;
        self.positions.push(&row.position)?;
        self.company_rows.push(row.company.into());
        self.cities.push(&row.city)?;
        self.countries.push(&row.country)?;
        self.connections_counts.push(row.connections_count);
        Ok(())
    }
}

impl Table<9> for PersonTable<'_> {
    const COLUMNS: [TableColumn; 9] = [
        required("id"),
        required("name"),
        optional("linkedinId"),
        optional("email"),
        optional("position"),
        optional("currentCompanyId"),
        optional("city"),
        optional("country"),
        optional("connectionsCount"),
    ];
    type Part = Vec<PersonRow>;

    fn read(&self, row: [NamedCell<'_>; 9], line: u64, part: &mut Self::Part) -> Result<(), TableFault> {
        let [id, name, handle, email, position, company, city, country, connections_count] = row;
        part.push(PersonRow {
            line,
            id: id.own_id(self.ids.prefix)?,
            name: name.text()?,
            handle: handle.optional_text()?,
            email: email.optional_text()?,
            position: position.optional_text()?,
            company: company.optional_reference(self.companies)?.map(CompanyIx),
            city: city.optional_text()?,
            country: country.optional_text()?,
            connections_count: connections_count.optional_count()?,
        });
        Ok(())
    }

    fn take(&mut self, part: Self::Part, faults: &mut RowFaults) -> Result<(), TableFault> {
        part.iter().try_for_each(|row| faults.keep(row.line, self.add(row)))
    }
}
