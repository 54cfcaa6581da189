//! The table of preferences: who is not to be asked, or only through a person they name.

use crate::model::ix::{CompanyIx, PersonIx};
use crate::model::named::named;
use crate::model::time::Timestamp;

/// What a preference says of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PreferenceRule {
    /// There is to be none.
    Never,
    /// It goes through a person.
    Through,
}

named! {
    /// All of them, the strictest first.
    PreferenceRule { Never = "never", Through = "through" }
}

impl PreferenceRule {
    /// The rule of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }
}

/// One preference. It names a connector, a target or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PreferenceRow {
    /// Who is not to be asked.
    pub connector: Option<PersonIx>,
    /// The person to whom no introduction is wanted.
    pub person: Option<PersonIx>,
    /// The company at which none is.
    pub company: Option<CompanyIx>,
    /// What it says.
    pub rule: PreferenceRule,
    /// Through whom a path may go all the same.
    pub through: Option<PersonIx>,
    /// Midnight, in UTC, of the last day on which it holds; `None` if it holds for ever.
    pub until: Option<Timestamp>,
}

impl PreferenceRow {
    /// Whether it names a connector or a target, and not both a person and a company.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let targets = usize::from(self.person.is_some()) + usize::from(self.company.is_some());
        targets <= 1 && (self.connector.is_some() || targets == 1)
    }
}
