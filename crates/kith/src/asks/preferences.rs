//! Preferences: people not to be asked, or to be asked only through a named person.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::graph::index::GraphIndex;
use crate::model::ix::{CompanyIx, PersonIx};
use crate::model::preferences::{PreferenceRow, PreferenceRule};
use crate::model::time::Timestamp;
use crate::query::card::PersonCard;
use crate::query::paths::marks::BrokenPreference;
use crate::query::paths::rank::PathPeople;

/// A preference, by ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preference {
    /// The person not to be asked.
    pub connector: Option<String>,
    /// The target not to be introduced: a person, or everyone at a company.
    pub target: Option<String>,
    /// The rule.
    pub rule: PreferenceRule,
    /// The person through whom a path is still allowed.
    pub through: Option<String>,
    /// The last day on which it applies (`2026-11-27`, UTC); `None` if it never ends.
    pub until: Option<String>,
}

/// A preference resolved in one index.
#[derive(Clone, Debug)]
struct Held {
    connector: Option<PersonIx>,
    target: Option<PreferredTarget>,
    rule: PreferenceRule,
    /// `None` if they have left the network: then it allows no path.
    through: Option<PersonIx>,
    until: Option<String>,
}

/// The target of a preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum PreferredTarget {
    Person(PersonIx),
    Company(CompanyIx),
}

/// The preferences of an organization, resolved in one index.
#[derive(Debug, Default)]
pub struct Preferences {
    held: Vec<Held>,
    by_connector: HashMap<PersonIx, Vec<usize>>,
    /// The preferences that name no connector.
    by_target: HashMap<PreferredTarget, Vec<usize>>,
}

impl Preferences {
    /// Resolves the preferences of the snapshot and of `all`; drops those whose people and companies are not in
    /// `index`.
    #[must_use]
    pub fn of(index: &GraphIndex, all: impl IntoIterator<Item = Preference>) -> Self {
        let mut built = Self::default();
        let of_snapshot = index.data.preferences.iter().map(Held::of_row);
        let others = all.into_iter().filter_map(|preference| Held::of(index, preference));
        for held in of_snapshot.chain(others) {
            let place = built.held.len();
            match (held.connector, held.target) {
                (Some(connector), _) => built.by_connector.entry(connector).or_default().push(place),
                (None, Some(target)) => built.by_target.entry(target).or_default().push(place),
                (None, None) => continue,
            }
            built.held.push(held);
        }
        built
    }

    /// Finds the preference that `path` breaks on the day `today`: `never` comes first, then the one that holds
    /// longest.
    #[must_use]
    pub fn broken_by<'a>(
        &self,
        index: &'a GraphIndex,
        path: PathPeople,
        today: &str,
    ) -> Option<BrokenPreference<'a>> {
        if self.held.is_empty() {
            return None;
        }
        let asked = [Some(path.connector), path.via];
        let of_connectors = asked.into_iter().flatten().filter_map(|person| self.by_connector.get(&person));
        let targets = targets_of(index, path.target);
        let of_targets = targets.iter().filter_map(|target| self.by_target.get(target));
        let breaks = |held: &&Held| {
            let names_target = held.target.is_none_or(|target| targets.contains(&target));
            let goes_through =
                held.through.is_some_and(|through| through == path.member || asked.contains(&Some(through)));
            let holds = held.until.as_deref().is_none_or(|until| until >= today);
            names_target && holds && !(held.rule == PreferenceRule::Through && goes_through)
        };
        let broken = of_connectors.chain(of_targets).flatten().map(|&place| &self.held[place]).filter(breaks);
        let first =
            broken.min_by_key(|held| (held.rule, held.until.is_some(), Reverse(held.until.clone())))?;
        Some(BrokenPreference {
            rule: first.rule.name(),
            through: first.through.map(|person| PersonCard::of(index, person)),
            until: first.until.clone(),
        })
    }
}

impl Held {
    fn of_row(row: &PreferenceRow) -> Self {
        let company = row.company.map(PreferredTarget::Company);
        Self {
            connector: row.connector,
            target: row.person.map(PreferredTarget::Person).or(company),
            rule: row.rule,
            through: row.through,
            until: row.until.map(day_of),
        }
    }

    fn of(index: &GraphIndex, preference: Preference) -> Option<Self> {
        let Preference { connector, target, rule, through, until } = preference;
        let target = target.map(|id| {
            let person = index.find_person(&id).map(PreferredTarget::Person);
            person.or_else(|| index.find_company(&id).map(PreferredTarget::Company))
        });
        let connector = connector.map(|id| index.find_person(&id));
        // A preference naming a person who is not there does not affect anybody else.
        Some(Self {
            connector: connector.map_or(Some(None), |found| found.map(Some))?,
            target: target.map_or(Some(None), |found| found.map(Some))?,
            rule,
            through: through.and_then(|id| index.find_person(&id)),
            until,
        })
    }
}

/// The day of `at` in UTC, such as `2026-11-27`.
#[must_use]
pub fn day_of(at: Timestamp) -> String {
    let mut day = at.to_rfc3339_ms();
    day.truncate(10);
    day
}

/// Whether `text` is a day such as `2026-11-27`.
#[must_use]
pub fn is_day(text: &str) -> bool {
    text.len() == 10 && Timestamp::parse(&format!("{text}T00:00:00Z")).is_some()
}

/// The ways a preference can name the person `target`: themself, or their company.
fn targets_of(index: &GraphIndex, target: PersonIx) -> Vec<PreferredTarget> {
    let company = index.data.people.company(target).map(PreferredTarget::Company);
    [Some(PreferredTarget::Person(target)), company].into_iter().flatten().collect()
}
