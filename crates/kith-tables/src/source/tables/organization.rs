//! The organization itself: one JSON object in its own file.

use std::collections::BTreeSet;

use crate::source::blocks::{Cutter, line_ends};
use crate::source::error::{Reason, SourceError, TableFault};
use crate::source::fields::{NamedCell, TableColumn, optional, required};
use crate::source::folder::TableFile;
use crate::source::ids::Ids;
use crate::source::ndjson_rows;
use crate::source::rows::Reading;
use kith::model::dataset::Organization;
use kith::model::ix::CompanyIx;

/// The organization as read; its company is not looked up yet.
pub(crate) struct OrganizationRow {
    file: String,
    id: String,
    name: String,
    company: Option<String>,
    company_line: u64,
}

impl OrganizationRow {
    /// Its fields.
    pub(crate) const COLUMNS: [TableColumn; 3] = [required("id"), required("name"), optional("companyId")];

    /// Reads the organization in `file`; also returns the names of its unknown fields.
    ///
    /// # Errors
    /// Returns the first fault of the file.
    pub(crate) fn read(
        file: &TableFile,
        reading: Reading<'_>,
    ) -> Result<(Self, BTreeSet<String>), SourceError> {
        read_text(file, reading)
            .and_then(|text| read_row(&text, &file.name))
            .map_err(|fault| fault.in_file(&file.name))
    }

    /// The organization, with its company found in `companies`.
    ///
    /// # Errors
    /// Returns an error if there is no such company.
    pub(crate) fn resolve(self, companies: &Ids) -> Result<Organization, SourceError> {
        let Some(id) = self.company else {
            return Ok(Organization { id: self.id, name: self.name, company: None });
        };
        match companies.find(&id) {
            Some(row) => Ok(Organization { id: self.id, name: self.name, company: Some(CompanyIx(row)) }),
            None => {
                let fault = TableFault::of("companyId", Reason::NoSuchRow { table: companies.table, id });
                Err(fault.at(self.company_line).in_file(&self.file))
            }
        }
    }
}

fn read_text(file: &TableFile, reading: Reading<'_>) -> Result<String, TableFault> {
    let bytes = Cutter::open(file, reading.size, reading.progress)?.whole()?;
    String::from_utf8(bytes).map_err(|fault| not_utf8(&fault))
}

fn read_row(text: &str, file: &str) -> Result<(OrganizationRow, BTreeSet<String>), TableFault> {
    let mut unknown = BTreeSet::new();
    let fields = ndjson_rows::fields(text, &OrganizationRow::COLUMNS, &mut unknown)
        .map_err(|fault| TableFault { line: fault.line.or(Some(1)), ..fault })?;
    let [id, name, company] = fields;
    let row = OrganizationRow {
        file: file.to_owned(),
        id: id.own_id("org_").map_err(|fault| fault.at(line_of(id, text)))?,
        name: name.text().map_err(|fault| fault.at(line_of(name, text)))?,
        company: company.optional_id("company_").map_err(|fault| fault.at(line_of(company, text)))?,
        company_line: line_of(company, text),
    };
    Ok((row, unknown))
}

/// The line of `text` in which the value of `field`, a part of it, begins; line 1 without a value.
fn line_of(field: NamedCell<'_>, text: &str) -> u64 {
    let place = (field.cell.written().as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
    1 + text.as_bytes().get(..place).map_or(0, line_ends)
}

fn not_utf8(fault: &std::string::FromUtf8Error) -> TableFault {
    let sound = &fault.as_bytes()[..fault.utf8_error().valid_up_to()];
    TableFault::from(Reason::NotUtf8).at(1 + line_ends(sound))
}
