//! The table of preferences.

use crate::source::error::{Reason, TableFault};
use crate::source::faults::RowFaults;
use crate::source::fields::{NamedCell, TableColumn, optional, required};
use crate::source::ids::Ids;
use crate::source::rows::Table;
use kith::model::ix::{CompanyIx, PersonIx};
use kith::model::preferences::{PreferenceRow, PreferenceRule};

/// The prefix of company ids.
const COMPANY: &str = "company_";

/// The preferences read so far, in the order of the file.
pub(crate) struct PreferenceTable<'a> {
    people: &'a Ids,
    companies: &'a Ids,
    rows: Vec<PreferenceRow>,
}

impl<'a> PreferenceTable<'a> {
    /// No preferences yet; they belong to `people`, and are about people and `companies`.
    pub(crate) fn new(people: &'a Ids, companies: &'a Ids) -> Self {
        Self { people, companies, rows: Vec::new() }
    }

    /// The preferences sorted, each once.
    pub(crate) fn sort(mut self) -> Vec<PreferenceRow> {
        self.rows.sort_unstable();
        self.rows.dedup();
        self.rows
    }
}

impl Table<6> for PreferenceTable<'_> {
    const COLUMNS: [TableColumn; 6] = [
        optional("connectorId"),
        optional("targetId"),
        required("rule"),
        optional("throughPersonId"),
        optional("until"),
        optional("note"),
    ];
    type Part = Vec<PreferenceRow>;

    fn read(&self, row: [NamedCell<'_>; 6], _line: u64, part: &mut Self::Part) -> Result<(), TableFault> {
        let [connector, target, rule, through, until, note] = row;
        note.optional_short_text(kith::limits::NOTE_CHARS_MAX)?;
        let is_company = target.optional_text()?.starts_with(COMPANY);
        let (person, company) = match is_company {
            true => (None, target.optional_reference(self.companies)?.map(CompanyIx)),
            false => (target.optional_reference(self.people)?.map(PersonIx), None),
        };
        let through = through.optional_reference(self.people)?.map(PersonIx);
        let row = PreferenceRow {
            connector: connector.optional_reference(self.people)?.map(PersonIx),
            person,
            company,
            rule: rule.one_of(&["never", "through"], &PreferenceRule::ALL)?,
            through,
            until: until.optional_day()?,
        };
        if !row.is_whole() {
            return Err(TableFault::of("connectorId", Reason::NoValue));
        }
        match (row.rule, row.through) {
            (PreferenceRule::Through, None) => {
                return Err(TableFault::of("throughPersonId", Reason::NoValue));
            }
            (PreferenceRule::Never, _) => part.push(PreferenceRow { through: None, ..row }),
            (PreferenceRule::Through, Some(_)) => part.push(row),
        }
        Ok(())
    }

    fn take(&mut self, part: Self::Part, _faults: &mut RowFaults) -> Result<(), TableFault> {
        self.rows.extend(part);
        Ok(())
    }
}
