//! The table of preferences, written only if the team file has any.

use std::collections::BTreeSet;
use std::io;

use serde::Serialize;

use crate::imported::Imported;
use crate::preferences::ImportedTarget;
use crate::tables::folder::{PREFERENCES, TableFolder};
use kith::asks::preferences::day_of;

#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "camelCase")]
struct PreferenceLine<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    connector_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target_id: Option<&'a str>,
    rule: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    through_person_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
}

impl Imported {
    pub(super) fn write_preferences(&self, folder: &TableFolder) -> io::Result<()> {
        if self.preferences.is_empty() {
            folder.take_away(PREFERENCES);
            return Ok(());
        }
        let mut lines = BTreeSet::new();
        for preference in &self.preferences {
            lines.insert(PreferenceLine {
                connector_id: preference.connector.map(|person| self.id(person)),
                target_id: preference.target.as_ref().map(|target| match target {
                    ImportedTarget::Person(person) => self.id(*person),
                    ImportedTarget::Company(id) => id.as_str(),
                }),
                rule: preference.rule.name(),
                through_person_id: preference.through.map(|person| self.id(person)),
                until: preference.until.map(|day| day_of(day.timestamp())),
                note: preference.note.as_deref(),
            });
        }
        let mut table = folder.table(PREFERENCES)?;
        lines.iter().try_for_each(|line| table.row(line))?;
        folder.add(table)
    }
}
