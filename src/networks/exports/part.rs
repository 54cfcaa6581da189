//! The part of one colleague: the person, their link, their exclusions and their files.

use kith::model::dataset::{AdvocateStatus, Role};
use kith::model::text::fold;
use kith_import::plan::{HolderStanding, LeaveOut, PlannedHolder};
use serde::{Deserialize, Serialize};

use crate::exports::error::ExportsError;
use crate::limits::EXPORT_RULES_MAX;

/// The most characters of what a rule names.
const RULE_CHARS_MAX: usize = 200;

/// A colleague who brings exports, as the organization names them.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Colleague {
    /// The name.
    pub name: String,
    /// The addresses, in lower case.
    pub emails: Vec<String>,
    /// The handle of the profile, in lower case.
    pub handle: Option<String>,
    /// Names or addresses of the members whom they help; of a member none.
    pub helps: Vec<String>,
    /// Whether they are an admin.
    pub is_admin: bool,
}

/// The part of one colleague, as it lies sealed on the disk.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Part {
    /// Its place: the digits of its organization, then its own.
    pub id: String,
    /// The id of the organization.
    pub organization: String,
    /// Its name.
    pub organization_name: String,
    /// The colleague who brings it.
    pub who: Colleague,
    /// The hash of the code of the link, and when that ends, in milliseconds since 1970. `None` if there is no link.
    pub(crate) link: Option<([u8; 32], i64)>,
    /// The exclusions.
    pub leave_out: Rules,
    /// The files.
    pub files: Vec<BroughtFile>,
}

/// The exclusions of a colleague, as they wrote them.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub struct Rules {
    /// Labels of contacts.
    pub labels: Vec<String>,
    /// Companies.
    pub companies: Vec<String>,
    /// People, by address, profile or name.
    pub people: Vec<String>,
}

/// A file that was brought.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct BroughtFile {
    /// Its name on the disk.
    pub id: String,
    /// Its name as it was brought.
    pub name: String,
    /// Its bytes before they were sealed.
    pub bytes: u64,
    /// When it was brought, in milliseconds since 1970.
    pub at: i64,
}

impl Colleague {
    /// Whether `other` is the same person.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        let is_without = self.emails.is_empty() || other.emails.is_empty();
        self.emails.iter().any(|email| other.emails.contains(email))
            || (self.handle.is_some() && self.handle == other.handle)
            || (is_without && fold(&self.name) == fold(&other.name))
    }
}

impl Part {
    /// When the link ends, in milliseconds since 1970; `None` if it does not hold at `now`.
    #[must_use]
    pub fn link_ends_at(&self, now: i64) -> Option<i64> {
        self.link.map(|(_, ends_at)| ends_at).filter(|ends_at| *ends_at > now)
    }

    /// The colleague as an import knows them. An advocate who helps the holders at the places `helps` has accepted by bringing
    /// files.
    #[must_use]
    pub fn holder(&self, helps: Option<Vec<usize>>) -> PlannedHolder {
        let role = if self.who.is_admin { Role::Admin } else { Role::Member };
        let standing = match helps {
            None => HolderStanding::Member { role, joined: None },
            Some(helps) => HolderStanding::Advocate { helps, status: AdvocateStatus::Accepted },
        };
        let mut leave_out = LeaveOut::default();
        leave_out.add(&self.leave_out.labels, &self.leave_out.companies, &self.leave_out.people);
        PlannedHolder {
            name: self.who.name.clone(),
            emails: self.who.emails.clone(),
            handle: self.who.handle.clone(),
            standing,
            derives: true,
            observes: true,
            leave_out,
        }
    }
}

impl Rules {
    /// Adds or takes back the rule that `kind`, one of `label`, `company` and `person`, is `text`.
    ///
    /// # Errors
    /// Returns an error if there is no such kind, the text is empty or too long, or there are too many.
    pub fn change(&mut self, kind: &str, text: &str, is_added: bool) -> Result<(), ExportsError> {
        let rules = match kind {
            "label" => &mut self.labels,
            "company" => &mut self.companies,
            "person" => &mut self.people,
            _ => return Err(ExportsError::Unfit("kind is one of label, company and person")),
        };
        let text = text.trim();
        if text.is_empty() || text.chars().count() > RULE_CHARS_MAX {
            return Err(ExportsError::Unfit("what is left out has 1 to 200 characters"));
        }
        rules.retain(|rule| rule != text);
        if !is_added {
            return Ok(());
        }
        if rules.len() == EXPORT_RULES_MAX {
            let said =
                format!("{EXPORT_RULES_MAX} are left out already, and no more can be; take one back first");
            return Err(ExportsError::Bound(said));
        }
        rules.push(text.to_owned());
        Ok(())
    }
}
