//! A score as in tables: factors by name, adding up to `warmness`.

use crate::score::tie::Tie;
use kith::model::named::named;

/// A factor of a score, in the order of breakdowns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Factor {
    /// Being in one of the owner's lists.
    Connection,
    /// Whole years since the connection.
    YearsConnected,
    /// The invitation, by its direction.
    Invitation,
    /// Working at the same company.
    CurrentCompanyMatch,
    /// Having worked at the same company at the same time.
    PastCompanyOverlap,
    /// The same accelerator.
    SharedAccelerator,
    /// The same city.
    SameCity,
    /// The same industry.
    IndustryTypeMatch,
    /// The age of the newest message or mail.
    MessageRecency,
    /// Their number, and the number of months.
    MessageVolume,
    /// Whether they went both ways.
    MessageReciprocity,
    /// The number of meetings, and the age of the newest.
    Meetings,
    /// The weight that a list of edges states.
    ListedWeight,
    /// Having been seen together by others.
    SeenTogether,
    /// Having been at one place at the same time.
    SharedInstitution,
    /// The part above 100, as a negative number.
    Cap,
}

named! {
    /// All of them.
    Factor as name, meaning {
        Connection = "connection", "a connection, a card or a CRM row";
        YearsConnected = "yearsConnected", "whole years since the connection";
        Invitation = "invitation", "who invited whom";
        CurrentCompanyMatch = "currentCompanyMatch", "the same company now";
        PastCompanyOverlap = "pastCompanyOverlap", "the same company at the same time";
        SharedAccelerator = "sharedAccelerator", "the same accelerator";
        SameCity = "sameCity", "the same city";
        IndustryTypeMatch = "industryTypeMatch", "the same industry";
        MessageRecency = "messageRecency", "how long ago the newest message was";
        MessageVolume = "messageVolume", "how many messages, in how many months";
        MessageReciprocity = "messageReciprocity", "messages in both directions";
        Meetings = "meetings", "how many meetings, how long ago";
        ListedWeight = "listedWeight", "the weight in a list of edges";
        SeenTogether = "seenTogether", "seen together in the mail and the calendars of others";
        SharedInstitution = "sharedInstitution", "at one place at the same time";
        Cap = "cap", "what is above 100";
    }
}

/// Maximum length of a past company's name in a breakdown, in characters.
const COMPANY_CHARS_MAX: usize = 200;

impl Factor {
    /// The factor with this name; `None` if it is another program's.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|factor| factor.name() == name)
    }

    /// Whether it only shows that there is a connection.
    #[must_use]
    pub const fn is_of_connection_alone(self) -> bool {
        matches!(self, Self::Connection | Self::YearsConnected)
    }
}

/// A score with its reasons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scored {
    /// The score, 0 to 100.
    pub warmness: u8,
    /// The factors that are not 0, in the order of [`Factor`]. Their sum is `warmness`.
    pub factors: Vec<(Factor, i16)>,
}

impl Scored {
    /// The points of `factor`; 0 if it has none.
    #[must_use]
    pub fn points(&self, factor: Factor) -> i16 {
        self.factors.iter().find(|(of, _)| *of == factor).map_or(0, |(_, points)| *points)
    }

    /// The breakdown for the table of connections, compact JSON; `{}` without factors. `tie` is the scored tie, which
    /// has the `pastCompanyName`.
    #[must_use]
    pub fn breakdown(&self, tie: &Tie) -> String {
        let mut entries = Vec::with_capacity(self.factors.len() + 1);
        for (factor, points) in &self.factors {
            entries.push(format!("\"{}\":{points}", factor.name()));
            let company = tie.past_company.as_ref().filter(|_| *factor == Factor::PastCompanyOverlap);
            if let Some(company) = company.filter(|company| !company.name.is_empty()) {
                let name: String = company.name.chars().take(COMPANY_CHARS_MAX).collect();
                entries.push(format!("\"pastCompanyName\":{}", serde_json::Value::from(name)));
            }
        }
        format!("{{{}}}", entries.join(","))
    }
}
