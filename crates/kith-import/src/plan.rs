//! The plan of an import: from a manifest, or from a command line without one.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Debug;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

use crate::addresses::addresses_in;
use crate::columns::ColumnMapping;
use crate::dates::CalendarDay;
use crate::identity::company_key::company_key;
use crate::identity::name::compared;
use crate::profile::handle_in;
use kith::model::dataset::{AdvocateStatus, Role};
use kith::model::preferences::PreferenceRule;
use kith::model::text::fold;
use kith::model::time::Timestamp;

/// Everything that an import needs besides the bytes of the files.
#[derive(Clone, Debug, Default)]
pub struct ImportPlan {
    /// The name of the organization.
    pub organization: String,
    /// Its id, if it is set.
    pub organization_id: Option<String>,
    /// Its domain.
    pub domain: Option<String>,
    /// The members and the advocates: those whose files are read.
    pub holders: Vec<PlannedHolder>,
    /// The files, in the order of the plan.
    pub files: Vec<PlannedFile>,
    /// Requested introductions.
    pub intros: Vec<PlannedIntro>,
    /// People not to be asked, or only through a person.
    pub preferences: Vec<PlannedPreference>,
    /// Names that are the same company.
    pub companies: Vec<CompanyAliases>,
    /// Whether ties of others may be derived from the organization's files.
    pub derives: bool,
    /// Months without evidence after which a tie is dropped.
    pub retain_months: Option<u32>,
    /// The day from which ages count.
    pub as_of: Option<CalendarDay>,
    /// The raw `[scoring]` table.
    pub scoring: Option<toml::Value>,
    /// The holders who are members of the last import without a file today, by their places, with the ids of their people.
    pub stayed: BTreeMap<usize, String>,
    /// Whose each folder was taken for, if no manifest says it.
    pub read_as: Vec<ReadAs>,
}

/// A folder or a file, and whose exports it was taken for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadAs {
    /// The folder or the file, as named.
    pub place: String,
    /// The name of the owner; `None` if it is the organization's.
    pub name: Option<String>,
    /// How the owner is known.
    pub by: &'static str,
}

/// A member or an advocate, whose files are read.
#[derive(Clone, Debug)]
pub struct PlannedHolder {
    /// The name.
    pub name: String,
    /// The e-mail addresses, in lower case; the first is the shown one.
    pub emails: Vec<String>,
    /// The handle of the profile, in lower case.
    pub handle: Option<String>,
    /// The role of the owner in the organization.
    pub standing: HolderStanding,
    /// Whether ties of others may be derived from the owner's files.
    pub derives: bool,
    /// Whether asks may be observed in the owner's files.
    pub observes: bool,
    /// The rows to leave out of the owner's files.
    pub leave_out: LeaveOut,
}

/// The role of an owner of files in the organization.
#[derive(Clone, Debug)]
pub enum HolderStanding {
    /// A member.
    Member {
        /// The role of the member.
        role: Role,
        /// When they joined.
        joined: Option<Timestamp>,
    },
    /// An advocate.
    Advocate {
        /// The positions of the members they help among the holders.
        helps: Vec<usize>,
        /// Their answer.
        status: AdvocateStatus,
    },
}

/// People whom a holder withholds, in the forms for comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeaveOut {
    /// Labels of contacts, folded.
    pub labels: Vec<String>,
    /// E-mail addresses, in lower case.
    pub addresses: Vec<String>,
    /// Domains of e-mail addresses, including subdomains.
    pub domains: Vec<String>,
    /// Companies, by their key.
    pub companies: Vec<String>,
    /// Handles of profiles, in lower case.
    pub handles: Vec<String>,
    /// Names of people, in the form in which names are compared.
    pub names: Vec<String>,
}

/// A file to read.
#[derive(Clone, Debug)]
pub struct PlannedFile {
    /// The path to open.
    pub path: PathBuf,
    /// Opens what does not lie at the path as it is read.
    pub opener: Option<Arc<dyn OpenExport>>,
    /// Its path without links: the same for the same file.
    pub place: PathBuf,
    /// Its name in reports, as given.
    pub name: String,
    /// Its name in the provenance, which does not depend on the location of its folder.
    pub stored: String,
    /// The position of its owner among the holders; `None` if it is the organization's.
    pub holder: Option<usize>,
    /// The meanings of its columns, if the manifest states them.
    pub columns: Option<ColumnMapping>,
    /// Why it cannot be read, if already known.
    pub fault: Option<String>,
}

/// Opens a file of a plan that is kept in another form than it is read in.
pub trait OpenExport: Debug + Send + Sync {
    /// Opens it. Returns its bytes and how many they are.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    fn open(&self) -> io::Result<(Box<dyn Read + Send>, u64)>;
}

/// An introduction that was asked for.
#[derive(Clone, Debug)]
pub struct PlannedIntro {
    /// The target: a name, an address, a profile's URL or an id.
    pub person: String,
    /// The position of the asking member among the holders.
    pub by: usize,
    /// Its status.
    pub status: String,
    /// When it was requested.
    pub at: Timestamp,
}

/// A preference: a person not to be asked, or only through another.
#[derive(Clone, Debug)]
pub struct PlannedPreference {
    /// The person not to be asked: a name, an address, a profile's URL or an id.
    pub connector: Option<String>,
    /// The target: a person in the same forms, or the id or the name of a company.
    pub target: Option<String>,
    /// The rule of the preference.
    pub rule: PreferenceRule,
    /// The person through whom a path is still allowed.
    pub through: Option<String>,
    /// The last day on which it applies.
    pub until: Option<CalendarDay>,
    /// A note.
    pub note: Option<String>,
}

/// Names of one company.
#[derive(Clone, Debug)]
pub struct CompanyAliases {
    /// The written name.
    pub name: String,
    /// Its other names.
    pub aliases: Vec<String>,
    /// Its domain.
    pub domain: Option<String>,
}

impl LeaveOut {
    /// Adds `labels`, `companies` and `people` as they are written. A person is an address, the address of a profile, or a name,
    /// which leaves out all who are called so.
    pub fn add(&mut self, labels: &[String], companies: &[String], people: &[String]) {
        let keys = |texts: &[String], key: fn(&str) -> String| -> Vec<String> {
            texts.iter().map(|text| key(text)).filter(|key| !key.is_empty()).collect()
        };
        self.labels.extend(keys(labels, fold));
        self.companies.extend(keys(companies, company_key));
        for person in people {
            let mut addresses = Vec::new();
            addresses_in(person, &mut addresses);
            match handle_in(person) {
                _ if !addresses.is_empty() => self.addresses.extend(addresses),
                Some(handle) => self.handles.push(handle),
                None => self.names.extend(Some(compared(person)).filter(|name| !name.is_empty())),
            }
        }
    }

    /// Adds everything that `other` names.
    pub fn extend(&mut self, other: Self) {
        self.labels.extend(other.labels);
        self.addresses.extend(other.addresses);
        self.domains.extend(other.domains);
        self.companies.extend(other.companies);
        self.handles.extend(other.handles);
        self.names.extend(other.names);
    }
}

impl ImportPlan {
    /// The plan of an organization of this name, without holders and files.
    #[must_use]
    pub fn named(organization: &str) -> Self {
        Self { organization: organization.trim().to_owned(), derives: true, ..Self::default() }
    }

    /// The place of the holder who is the person of `holder`; `None` if there is none.
    #[must_use]
    pub fn place_of(&self, holder: &PlannedHolder) -> Option<usize> {
        let is_same = |known: &PlannedHolder| {
            let is_without = known.emails.is_empty() || holder.emails.is_empty();
            known.emails.iter().any(|email| holder.emails.contains(email))
                || (known.handle.is_some() && known.handle == holder.handle)
                || (is_without && fold(&known.name) == fold(&holder.name))
        };
        self.holders.iter().position(is_same)
    }

    /// The position of the holder who is the same person as `holder`, or of a new one. An existing holder keeps their
    /// standing and answers; the exclusions of both are joined.
    pub fn take_in(&mut self, holder: PlannedHolder) -> usize {
        let Some(place) = self.place_of(&holder) else {
            self.holders.push(holder);
            return self.holders.len() - 1;
        };
        let known = &mut self.holders[place];
        let further: Vec<String> =
            holder.emails.into_iter().filter(|email| !known.emails.contains(email)).collect();
        known.emails.extend(further);
        known.handle = known.handle.take().or(holder.handle);
        known.leave_out.extend(holder.leave_out);
        place
    }

    /// Keeps each address only where it comes first among the holders.
    pub(crate) fn keep_emails_once(&mut self) {
        let mut seen = HashSet::new();
        for holder in &mut self.holders {
            holder.emails.retain(|email| seen.insert(email.clone()));
        }
    }
}

impl PlannedFile {
    /// The file at `path`, called `name` in reports and provenance, of the holder at `holder`.
    #[must_use]
    pub fn of(path: PathBuf, name: String, holder: Option<usize>) -> Self {
        let (place, stored) = (path.clone(), name.clone());
        Self { path, opener: None, place, name, stored, holder, columns: None, fault: None }
    }
}

impl PlannedHolder {
    /// A member with these addresses, who leaves nothing out.
    #[must_use]
    pub fn member(name: String, emails: Vec<String>, role: Role) -> Self {
        Self {
            name,
            emails,
            handle: None,
            standing: HolderStanding::Member { role, joined: None },
            derives: true,
            observes: true,
            leave_out: LeaveOut::default(),
        }
    }

    /// Whether the holder is a member.
    #[must_use]
    pub fn is_member(&self) -> bool {
        matches!(self.standing, HolderStanding::Member { .. })
    }

    /// Whether edges start at the holder: for an advocate only after they accepted.
    #[must_use]
    pub fn has_edges(&self) -> bool {
        match self.standing {
            HolderStanding::Member { .. } => true,
            HolderStanding::Advocate { status, .. } => status == AdvocateStatus::Accepted,
        }
    }
}

impl CalendarDay {
    /// Midnight of the day, in UTC.
    #[must_use]
    pub fn timestamp(self) -> Timestamp {
        Timestamp { seconds: self.number() * 86_400, nanos: 0 }
    }

    /// Days since 1970-01-01.
    #[must_use]
    pub fn number(self) -> i64 {
        // Years that begin in March have their leap day at their end.
        let (year, month) = (i64::from(self.year), i64::from(self.month));
        let year = if month <= 2 { year - 1 } else { year };
        let era = year.div_euclid(400);
        let of_era = year - era * 400;
        let of_year = (153 * ((month + 9) % 12) + 2) / 5 + i64::from(self.day) - 1;
        era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
    }

    /// The day this many days after 1970-01-01; `None` outside the years 1 to 9999.
    #[must_use]
    pub fn from_number(number: i64) -> Option<Self> {
        let number = number + 719_468;
        let (era, of_era) = (number.div_euclid(146_097), number.rem_euclid(146_097));
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = era * 400 + year_of_era + i64::from(month <= 2);
        Self::new(u16::try_from(year).ok()?, month as u8, day as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_from_1970_and_back() {
        for (text, number) in [
            ("1970-01-01", 0),
            ("1969-12-31", -1),
            ("2000-02-29", 11_016),
            ("2024-03-12", 19_794),
            ("9999-12-31", 2_932_896),
        ] {
            let day = CalendarDay::parse(text).unwrap();
            assert_eq!((day.number(), CalendarDay::from_number(number)), (number, Some(day)), "{text}");
        }
        assert!(
            (-700_000..2_900_000)
                .step_by(997)
                .all(|number| { CalendarDay::from_number(number).is_some_and(|day| day.number() == number) })
        );
        assert_eq!(CalendarDay::from_number(2_932_897), None);
    }
}
