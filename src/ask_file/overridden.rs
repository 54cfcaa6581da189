//! A preference that was overridden, as the file of asks keeps it.

use kith::model::preferences::PreferenceRule;
use serde::{Deserialize, Serialize};

use crate::graph::index::GraphIndex;
use crate::query::card::PersonCard;
use crate::query::paths::marks::BrokenPreference;

/// A preference as the file of asks keeps it: by ids.
#[derive(Debug, Serialize, Deserialize)]
pub struct OverriddenPreference {
    rule: String,
    through: Option<String>,
    until: Option<String>,
}

impl OverriddenPreference {
    /// The text that the file keeps of `broken`.
    #[must_use]
    pub fn written(broken: &BrokenPreference<'_>) -> String {
        let through = broken.through.map(|person| person.id.to_owned());
        let kept = Self { rule: broken.rule.to_owned(), through, until: broken.until.clone() };
        serde_json::to_string(&kept).unwrap_or_default()
    }

    /// What a text of the file says; `None` if it is none.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// The preference over `index`.
    #[must_use]
    pub fn over(self, index: &GraphIndex) -> Option<BrokenPreference<'_>> {
        let through = self.through.and_then(|id| index.find_person(&id));
        Some(BrokenPreference {
            rule: PreferenceRule::named(&self.rule)?.name(),
            through: through.map(|person| PersonCard::of(index, person)),
            until: self.until,
        })
    }
}
