//! An overridden preference as stored in the file of asks.

use kith::model::preferences::PreferenceRule;
use serde::{Deserialize, Serialize};

use crate::graph::index::GraphIndex;
use crate::query::card::PersonCard;
use crate::query::paths::marks::BrokenPreference;

/// A preference as stored, by ids.
#[derive(Debug, Serialize, Deserialize)]
pub struct OverriddenPreference {
    rule: String,
    through: Option<String>,
    until: Option<String>,
}

impl OverriddenPreference {
    /// Encodes `broken` for the file.
    #[must_use]
    pub fn written(broken: &BrokenPreference<'_>) -> String {
        let through = broken.through.map(|person| person.id.to_owned());
        let kept = Self { rule: broken.rule.to_owned(), through, until: broken.until.clone() };
        serde_json::to_string(&kept).unwrap_or_default()
    }

    /// Decodes a text of the file; `None` if it is malformed.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// Resolves the preference in `index`.
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
