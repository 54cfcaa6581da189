//! The table of preferences: people not to be asked, or only through a named person.

use crate::model::ix::{CompanyIx, PersonIx};
use crate::model::named::named;
use crate::model::time::Timestamp;

/// The effect of a preference on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PreferenceRule {
    /// No path is allowed.
    Never,
    /// Only paths through a named person are allowed.
    Through,
}

named! {
    /// All rules, the strictest first.
    PreferenceRule { Never = "never", Through = "through" }
}

impl PreferenceRule {
    /// Finds the rule with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }
}

/// One preference, which names a connector, a target or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PreferenceRow {
    /// The connector not to be asked.
    pub connector: Option<PersonIx>,
    /// The person to whom no introduction is wanted.
    pub person: Option<PersonIx>,
    /// The company to whose people no introduction is wanted.
    pub company: Option<CompanyIx>,
    /// The rule of the preference.
    pub rule: PreferenceRule,
    /// The person through whom a path is still allowed.
    pub through: Option<PersonIx>,
    /// Midnight, in UTC, of the last day on which it applies; `None` if it never ends.
    pub until: Option<Timestamp>,
}

impl PreferenceRow {
    /// Whether it names a connector or a target, but not both a person and a company.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let targets = usize::from(self.person.is_some()) + usize::from(self.company.is_some());
        targets <= 1 && (self.connector.is_some() || targets == 1)
    }
}
