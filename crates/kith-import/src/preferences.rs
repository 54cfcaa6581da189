//! Resolves the preferences of the team file to people.

use std::collections::HashMap;

use crate::dates::CalendarDay;
use crate::named::NameablePeople;
use crate::note::ImportNote;
use crate::plan::{ImportPlan, PlannedPreference};
use kith::model::preferences::PreferenceRule;

/// The prefix of companies' ids.
const COMPANY: &str = "company_";

/// A preference, by the numbers of people.
#[derive(Clone, Debug)]
pub(crate) struct ImportedPreference {
    pub(crate) connector: Option<u32>,
    pub(crate) target: Option<ImportedTarget>,
    pub(crate) rule: PreferenceRule,
    pub(crate) through: Option<u32>,
    pub(crate) until: Option<CalendarDay>,
    pub(crate) note: Option<String>,
}

/// The target of a preference.
#[derive(Clone, Debug)]
pub(crate) enum ImportedTarget {
    Person(u32),
    /// A company, by its id.
    Company(String),
}

/// The preferences of `plan` whose people are all known; adds a note for each of the others.
pub(crate) fn preferences(
    plan: &ImportPlan,
    named: &NameablePeople<'_>,
    company_ids: &HashMap<u32, String>,
    notes: &mut Vec<ImportNote>,
) -> Vec<ImportedPreference> {
    let mut found = Vec::new();
    for (place, preference) in plan.preferences.iter().enumerate() {
        let mut person = |text: &Option<String>, key: &str| match text {
            None => Some(None),
            Some(text) => {
                let place = format!("preferences[{}].{key}", place + 1);
                named.person(text, &place, notes).map(Some)
            }
        };
        let PlannedPreference { connector, target, rule, through, until, note } = preference;
        let target = match target {
            Some(id) if id.starts_with(COMPANY) => {
                let is_known = company_ids.values().any(|known| known == id);
                is_known.then(|| Some(ImportedTarget::Company(id.clone())))
            }
            target => person(target, "targetId").map(|person| person.map(ImportedTarget::Person)),
        };
        let (connector, through) = (person(connector, "connectorId"), person(through, "throughPersonId"));
        let is_unknown_company =
            target.is_none() && preference.target.as_ref().is_some_and(|id| id.starts_with(COMPANY));
        if is_unknown_company {
            let place = format!("preferences[{}].targetId", place + 1);
            notes.push(ImportNote::sentence(format!("{place}: no company in the tables has that id")));
        }
        let (Some(connector), Some(target), Some(through)) = (connector, target, through) else { continue };
        found.push(ImportedPreference {
            connector,
            target,
            rule: *rule,
            through,
            until: *until,
            note: note.clone(),
        });
    }
    found
}
