//! One row of an export as a contact, or why it is skipped.

use crate::addresses::addresses_in;
use crate::bounds::is_within_bounds;
use crate::cells::RowCells;
use crate::dates::CalendarDay;
use crate::export::{ExportColumn, ExportFormat};
use crate::fault::SkipReason;
use crate::layout::Layout;
use crate::limits::IMPORT_ADDRESSES_MAX;
use crate::names::{full_name, tidy};
use crate::phones::phones_in;
use crate::profile::handle_in;
use crate::records::ExportRecord;
use crate::stays::ExportedStay;

/// A row's data about a person. Missing texts are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contact {
    /// The names. Empty if the row only has an e-mail address.
    pub names: ContactNames,
    /// Handles of profiles, in lower case.
    pub handles: Vec<String>,
    /// E-mail addresses, in lower case.
    pub emails: Vec<String>,
    /// The last eight digits of each phone number. They are only compared, never written.
    pub phones: Vec<u32>,
    /// The name of the company.
    pub company: String,
    /// The position there.
    pub position: String,
    /// The city, as written.
    pub city: String,
    /// The country, as written.
    pub country: String,
    /// The day of the connection; `None` if it is missing, ambiguous or invalid.
    pub connected_on: Option<CalendarDay>,
    /// The unreadable text in place of a date.
    pub unread_date: String,
    /// The person in the organization whose contact it is: a name, an address, or an id.
    pub owner: String,
    /// The id of the company in another file of the same export.
    pub account: String,
    /// The labels, groups or categories that its owner gave it.
    pub labels: Vec<String>,
    /// A job with its months, or a school. `company` and `position` are empty if a job has ended.
    pub stay: Option<Box<ExportedStay>>,
}

/// A name and its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContactNames {
    /// The whole name as written.
    pub full: String,
    /// The given name.
    pub given: String,
    /// The family name.
    pub family: String,
}

/// Openings of lines below a report.
const FOOTERS: [&str; 4] =
    ["Grand Totals (", "Grand Summaries (", "Confidential Information", "Copyright (c)"];

impl Contact {
    /// The contact in the row `record`.
    ///
    /// # Errors
    /// Returns why the row is skipped.
    pub(crate) fn of(record: &ExportRecord<'_>, layout: &Layout) -> Result<Self, SkipReason> {
        let row = RowCells { record, layout };
        if layout.format == ExportFormat::SalesforceReport && is_footer(record, layout) {
            return Err(SkipReason::Footer);
        }
        if is_true(&row.first(ExportColumn::IsDeleted)) || !row.first(ExportColumn::MergedInto).is_empty() {
            return Err(SkipReason::Deleted);
        }
        let contact = row.contact();
        match contact.kept() {
            Err(SkipReason::NameAndAddressMissing) if layout.format == ExportFormat::LinkedInConnections => {
                Err(SkipReason::ClosedAccount)
            }
            kept => kept,
        }
    }

    /// The contact, if it names a person and fits in a table.
    ///
    /// # Errors
    /// Returns why it is skipped.
    pub(crate) fn kept(self) -> Result<Self, SkipReason> {
        if self.names.full.is_empty() && self.emails.is_empty() {
            return Err(SkipReason::NameAndAddressMissing);
        }
        if self.is_within_bounds() { Ok(self) } else { Err(SkipReason::ValueTooLong) }
    }

    /// Whether each value fits in a table.
    fn is_within_bounds(&self) -> bool {
        let ContactNames { full, given, family } = &self.names;
        let texts = [
            full,
            given,
            family,
            &self.company,
            &self.position,
            &self.city,
            &self.country,
            &self.unread_date,
            &self.owner,
            &self.account,
        ];
        let lists = [&self.handles, &self.emails, &self.labels];
        if lists.iter().any(|list| list.len() > IMPORT_ADDRESSES_MAX) {
            return false;
        }
        let stay = self.stay.iter().flat_map(|stay| [&stay.place, &stay.role]);
        texts
            .into_iter()
            .chain(stay)
            .chain(&self.handles)
            .chain(&self.labels)
            .all(|text| is_within_bounds(text))
    }
}

impl RowCells<'_> {
    /// The city and the country of one address: the last one for Outlook, which writes the office before the home.
    fn place(&self) -> [String; 2] {
        let [cities, countries] = [ExportColumn::City, ExportColumn::Country]
            .map(|column| self.all(column).map(tidy).collect::<Vec<_>>());
        let cell = |cells: &[String], place: usize| cells.get(place).cloned().unwrap_or_default();
        let address = |place| [cell(&cities, place), cell(&countries, place)];
        let mut addresses = (0..cities.len().max(countries.len())).map(address);
        let is_there = |address: &[String; 2]| address.iter().any(|text| !text.is_empty());
        let found = match self.layout.format {
            ExportFormat::Outlook => addresses.rfind(is_there),
            _ => addresses.find(is_there),
        };
        found.unwrap_or_default()
    }

    fn contact(&self) -> Contact {
        let (given, family) = (self.first(ExportColumn::Given), self.first(ExportColumn::Family));
        let full = match self.first(ExportColumn::Name) {
            none if none.is_empty() => {
                full_name(&tidy(&format!("{given} {}", self.first(ExportColumn::Middle))), &family)
            }
            name => name,
        };
        let (mut handles, mut emails) = (Vec::new(), Vec::new());
        for handle in self.all(ExportColumn::Url).flat_map(|cell| cell.split(" ::: ")).filter_map(handle_in) {
            if handles.len() <= IMPORT_ADDRESSES_MAX && !handles.contains(&handle) {
                handles.push(handle);
            }
        }
        self.all(ExportColumn::Email).for_each(|cell| addresses_in(cell, &mut emails));
        let mut phones = Vec::new();
        self.all(ExportColumn::Phone).for_each(|cell| phones_in(cell, &mut phones));
        let companies_end = if self.layout.format == ExportFormat::HubSpot { ";" } else { " ::: " };
        let date = self.first(ExportColumn::ConnectedOn);
        let connected_on = CalendarDay::parse(&date);
        let [city, country] = self.place();
        let (mut company, mut position) = (
            first_of_several(self.first(ExportColumn::Company), companies_end),
            first_of_several(self.first(ExportColumn::Position), " ::: "),
        );
        let stay = ExportedStay::of(self, &company, &position).map(Box::new);
        if stay.as_ref().is_some_and(|stay| stay.kind != "school" && stay.to.is_some()) {
            (company, position) = (String::new(), String::new());
        }
        Contact {
            names: ContactNames { full, given, family },
            handles,
            emails,
            phones,
            company,
            position,
            city,
            country,
            connected_on,
            unread_date: if connected_on.is_none() { date } else { String::new() },
            owner: self.first(ExportColumn::Owner),
            account: self.first(ExportColumn::Account),
            labels: labels_in(self.all(ExportColumn::Label)),
            stay,
        }
    }
}

/// The labels in `cells`, each once: Google joins them with ` ::: ` and prefixes its own with `* `, Outlook uses a
/// semicolon.
fn labels_in<'a>(cells: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut labels = Vec::new();
    for label in cells.flat_map(|cell| cell.split(":::").flat_map(|part| part.split(';'))) {
        let label = tidy(label.trim().trim_start_matches("* "));
        if labels.len() <= IMPORT_ADDRESSES_MAX && !label.is_empty() && !labels.contains(&label) {
            labels.push(label);
        }
    }
    labels
}

/// The first of the values that an export joins in one cell with `separator`.
fn first_of_several(cell: String, separator: &str) -> String {
    cell.split_once(separator).map_or(cell.clone(), |(first, _)| first.trim_end().to_owned())
}

fn is_true(cell: &str) -> bool {
    cell.eq_ignore_ascii_case("true") || cell == "1"
}

/// Whether `record` is a line below the rows of a report: one cell, although rows have several.
fn is_footer(record: &ExportRecord<'_>, layout: &Layout) -> bool {
    let filled: Vec<&str> =
        record.cells.iter().map(|cell| cell.trim()).filter(|cell| !cell.is_empty()).collect();
    let begins = |text: &&str| FOOTERS.iter().any(|footer| text.starts_with(footer));
    let is_alone = record.cells.len() == 1 && layout.places.len() > 1;
    is_alone || (filled.len() == 1 && filled.first().is_some_and(begins))
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    /// Reads a row below a header: the format, name, company, position and addresses.
    fn read(header: &str, row: &str) -> Option<String> {
        let layout = Layout::of(header.split(','))?;
        let record = ExportRecord { line: 2, cells: row.split(',').map(Cow::from).collect() };
        let row = Contact::of(&record, &layout).ok()?;
        let (name, emails) = (row.names.full, row.emails.join(" "));
        Some(format!("{}: {name}, {}, {}, {emails}", layout.format, row.company, row.position))
    }

    #[test]
    fn a_header_in_each_of_its_forms_is_read() {
        let hubspot = "Record ID,First Name,Last Name,Email,";
        for (header, row, expected) in [
            (
                "Anrede,Vorname,Weitere Vornamen,Nachname,Firma,Position,E-Mail-Adresse,E-Mail 2: Adresse",
                "Frau,Karin,Eva,Vogt,Vogt KG,Inhaberin,kv@a.example,kv@b.example",
                "Outlook contacts: Karin Eva Vogt, Vogt KG, Inhaberin, kv@a.example kv@b.example",
            ),
            (
                "First Name,Last Name,Company,Job Title,E-mail Address,E-mail 2 Address",
                "Bo,Ek,Ek AB,Buyer,bo@a.example,bo@b.example",
                "Outlook contacts: Bo Ek, Ek AB, Buyer, bo@a.example bo@b.example",
            ),
            (
                "Vorname,Nachname,E-Mail-Adresse,Unternehmen,Position,Verbunden am",
                "Bo,Ek,bo@a.example,Ek AB,Buyer,12.03.2024",
                "LinkedIn connections: Bo Ek, Ek AB, Buyer, bo@a.example",
            ),
            (
                &format!("{hubspot}Associated Company (Primary)"),
                "1,Bo,Ek,bo@a.example,Ek AB",
                "HubSpot contacts: Bo Ek, Ek AB, , bo@a.example",
            ),
            (
                &format!("{hubspot}Associated Company"),
                "1,Bo,Ek,bo@a.example,Ek AB;Moe AS",
                "HubSpot contacts: Bo Ek, Ek AB, , bo@a.example",
            ),
            (
                &format!("{hubspot}Company name"),
                "1,Bo,Ek,bo@a.example,Ek AB ; Moe AS;Dahl AS",
                "HubSpot contacts: Bo Ek, Ek AB, , bo@a.example",
            ),
        ] {
            assert_eq!(read(header, row).as_deref(), Some(expected), "{header}");
        }
    }
}
