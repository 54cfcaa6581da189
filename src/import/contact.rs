//! One row of an export as a contact, or why it is skipped.

use crate::import::addresses::addresses_in;
use crate::import::dates::CalendarDay;
use crate::import::fault::SkipReason;
use crate::import::layout::{ExportColumn, ExportFormat, Layout};
use crate::import::names::{full_name, tidy};
use crate::import::profile::handle_in;
use crate::import::records::ExportRecord;
use crate::limits::TABLE_TEXT_BYTES_MAX;

/// What one row says of a person. Texts that it does not have are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contact {
    /// Its names. Empty if the row has an e-mail address alone.
    pub names: ContactNames,
    /// Handles of profiles, in lower case.
    pub handles: Vec<String>,
    /// E-mail addresses, in lower case.
    pub emails: Vec<String>,
    /// The name of the company.
    pub company: String,
    /// The position there.
    pub position: String,
    /// The day of the connection. `None` if there is none, or if what was written may be two days or none.
    pub connected_on: Option<CalendarDay>,
    /// What was written where a date should be, if it could not be read.
    pub unread_date: String,
    /// Who of the organization the row belongs to: a name, an address, or an id.
    pub owner: String,
    /// The id of the company in another file of the same export.
    pub account: String,
}

/// A name and its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContactNames {
    /// The whole name as it is written.
    pub full: String,
    /// The given name.
    pub given: String,
    /// The family name.
    pub family: String,
}

/// How lines below a report begin.
const FOOTERS: [&str; 4] =
    ["Grand Totals (", "Grand Summaries (", "Confidential Information", "Copyright (c)"];

impl Contact {
    /// The contact of the row `record`.
    ///
    /// # Errors
    /// Returns why the row is skipped.
    pub(crate) fn of(record: &ExportRecord<'_>, layout: &Layout) -> Result<Self, SkipReason> {
        let row = Row { record, layout };
        if record.cells.iter().all(|cell| cell.trim().is_empty()) {
            return Err(SkipReason::Blank);
        }
        if layout.format == ExportFormat::SalesforceReport && is_footer(record, layout) {
            return Err(SkipReason::Footer);
        }
        if is_true(&row.first(ExportColumn::IsDeleted)) || !row.first(ExportColumn::MergedInto).is_empty() {
            return Err(SkipReason::Deleted);
        }
        let contact = row.contact();
        if contact.names.full.is_empty() && contact.emails.is_empty() {
            return Err(match layout.format {
                ExportFormat::LinkedInConnections => SkipReason::ClosedAccount,
                _ => SkipReason::NameAndAddressMissing,
            });
        }
        if contact.is_within_bounds() { Ok(contact) } else { Err(SkipReason::ValueTooLong) }
    }

    /// Whether a table holds each value.
    fn is_within_bounds(&self) -> bool {
        let ContactNames { full, given, family } = &self.names;
        let texts = [
            full,
            given,
            family,
            &self.company,
            &self.position,
            &self.unread_date,
            &self.owner,
            &self.account,
        ];
        // Without control characters, a quote and a backslash alone are two bytes in JSON.
        let bytes = |text: &String| text.len() + text.matches(['"', '\\']).count();
        texts.into_iter().chain(&self.handles).all(|text| bytes(text) <= TABLE_TEXT_BYTES_MAX)
    }
}

/// A record and what its cells are.
struct Row<'a> {
    record: &'a ExportRecord<'a>,
    layout: &'a Layout,
}

impl Row<'_> {
    /// The cells of `column` as written, from left to right.
    fn all(&self, column: ExportColumn) -> impl Iterator<Item = &str> {
        let places = self.layout.places.iter().filter(move |(_, is)| *is == column);
        places.filter_map(|(place, _)| self.record.cells.get(*place)).map(AsRef::as_ref)
    }

    /// The first cell of `column` that is not empty, tidied.
    fn first(&self, column: ExportColumn) -> String {
        self.all(column).map(tidy).find(|text| !text.is_empty()).unwrap_or_default()
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
            if !handles.contains(&handle) {
                handles.push(handle);
            }
        }
        self.all(ExportColumn::Email).for_each(|cell| addresses_in(cell, &mut emails));
        let date = self.first(ExportColumn::ConnectedOn);
        let connected_on = CalendarDay::parse(&date);
        Contact {
            names: ContactNames { full, given, family },
            handles,
            emails,
            company: first_of_several(self.first(ExportColumn::Company)),
            position: first_of_several(self.first(ExportColumn::Position)),
            connected_on,
            unread_date: if connected_on.is_none() { date } else { String::new() },
            owner: self.first(ExportColumn::Owner),
            account: self.first(ExportColumn::Account),
        }
    }
}

/// The first of the values that Google joins in one cell.
fn first_of_several(cell: String) -> String {
    cell.split_once(" ::: ").map_or(cell.clone(), |(first, _)| first.to_owned())
}

fn is_true(cell: &str) -> bool {
    cell.eq_ignore_ascii_case("true") || cell == "1"
}

/// Whether `record` is a line below the rows of a report: one cell where rows have several.
fn is_footer(record: &ExportRecord<'_>, layout: &Layout) -> bool {
    let filled: Vec<&str> =
        record.cells.iter().map(|cell| cell.trim()).filter(|cell| !cell.is_empty()).collect();
    let begins = |text: &&str| FOOTERS.iter().any(|footer| text.starts_with(footer));
    let is_alone = record.cells.len() == 1 && layout.places.len() > 1;
    is_alone || (filled.len() == 1 && filled.first().is_some_and(begins))
}
