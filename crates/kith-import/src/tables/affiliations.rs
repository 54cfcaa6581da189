//! The table of affiliations, written only if an export has any.

use std::collections::BTreeSet;
use std::io;

use serde::Serialize;

use crate::imported::Imported;
use crate::own::CalendarMonth;
use crate::tables::folder::{AFFILIATIONS, TableFolder};

#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "camelCase")]
struct AffiliationLine<'a> {
    person_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    institution: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    company_id: Option<&'a str>,
    kind: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    role: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
}

impl Imported {
    pub(super) fn write_affiliations(&self, folder: &TableFolder) -> io::Result<()> {
        let mut lines = BTreeSet::new();
        for affiliation in &self.affiliations {
            let stay = &self.gathered.stays[affiliation.stay].stay;
            let company_id = affiliation.company.and_then(|group| self.company_ids.get(&group));
            let company_id = company_id.map(String::as_str);
            lines.insert(AffiliationLine {
                person_id: self.id(affiliation.person),
                institution: Some(stay.place.as_str()).filter(|_| company_id.is_none()),
                company_id,
                kind: stay.kind,
                role: &stay.role,
                from: stay.from.map(written),
                to: stay.to.map(written),
            });
        }
        if lines.is_empty() {
            folder.take_away(AFFILIATIONS);
            return Ok(());
        }
        let mut table = folder.table(AFFILIATIONS)?;
        lines.iter().try_for_each(|line| table.row(line))?;
        folder.add(table)
    }
}

/// `2024-03`, or the year alone.
fn written(month: CalendarMonth) -> String {
    match month.month {
        Some(of_year) => format!("{:04}-{of_year:02}", month.year),
        None => format!("{:04}", month.year),
    }
}
