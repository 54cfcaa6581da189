//! The people of the last import missing from today's files, and the tables they are found from.

use std::collections::{HashMap, HashSet};

use crate::dates::CalendarDay;
use crate::forgetting::IsForgotten;
use crate::gather::Gathered;
use crate::left_out::name_keys;
use crate::outcome::RowSkip;
use crate::people::{GONE, ImportedPeople};
use crate::plan::ImportPlan;
use crate::tables::earlier::{EarlierTables, IdentityLine, IdentityRow};
use crate::tables::line::{CompanyFields, PersonFields};
use crate::tables::stayed::FormerHolder;
use crate::ties::Contacts;

/// A person of the last import missing from today's files.
#[derive(Debug)]
pub(crate) struct MissingPerson {
    pub(crate) identity: IdentityLine,
    pub(crate) name: String,
    pub(crate) facts: MissingFacts,
    company: Option<String>,
}

/// The facts about a person that the report counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MissingFacts {
    pub(crate) has_handle: bool,
    pub(crate) has_email: bool,
    pub(crate) has_company: bool,
    /// Edges of today's members and advocates to the person.
    pub(crate) edges: usize,
}

/// The inputs from which the missing people are found.
pub(crate) struct Keeping<'a> {
    pub(crate) plan: &'a ImportPlan,
    pub(crate) gathered: &'a Gathered,
    pub(crate) people: &'a ImportedPeople,
    pub(crate) contacts: &'a Contacts,
    pub(crate) company_ids: &'a HashMap<u32, String>,
    pub(crate) earlier: &'a EarlierTables,
    /// Members and advocates of the last import who are neither today; they stay if `keeps`.
    pub(crate) former: &'a [FormerHolder],
    pub(crate) keeps: bool,
    pub(crate) is_forgotten: Option<&'a IsForgotten<'a>>,
    /// The first day whose evidence is kept.
    pub(crate) kept_from: Option<CalendarDay>,
}

impl MissingPerson {
    pub(super) fn of(row: &PersonFields, company: Option<&CompanyFields>, identity: IdentityLine) -> Self {
        let facts = MissingFacts {
            has_handle: !row.linkedin_id.is_empty(),
            has_email: !row.email.is_empty(),
            has_company: company.is_some(),
            edges: 0,
        };
        let company = company.map(|company| company.name.clone());
        Self { identity, name: row.name.clone(), facts, company }
    }

    /// Each name of the person with one of their companies, which may be empty.
    pub(super) fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        let written = (self.name.as_str(), self.company.as_deref().unwrap_or_default());
        let others = self.identity.names.iter().map(|(name, company)| (name.as_str(), company.as_str()));
        [written].into_iter().chain(others)
    }

    /// The keys that a row of today can share with this person. `files` maps the names of today's files to their
    /// numbers.
    pub(super) fn keys(&self, files: &HashMap<&str, u32>) -> Vec<String> {
        let rows = self.identity.rows.iter();
        let places: Vec<(u32, u64)> =
            rows.filter_map(|row| Some((*files.get(row.file.as_str())?, row.line))).collect();
        let named = self.names().flat_map(|(name, _)| name_keys(name, "", places.clone()));
        self.identity.handles.iter().chain(&self.identity.emails).cloned().chain(named).collect()
    }

    /// Each name with a company, in the form of those keys.
    pub(super) fn names_at_companies(&self) -> impl Iterator<Item = String> {
        self.names().flat_map(|(name, company)| name_keys(name, company, []))
    }
}

/// Today's rows.
pub(super) struct Today<'a> {
    /// The number of each file name.
    pub(super) files: HashMap<&'a str, u32>,
    /// The rows of written people.
    rows: HashSet<(u32, u64)>,
    /// The keys of rows of people to be forgotten.
    pub(super) hidden: HashSet<String>,
}

impl<'a> Today<'a> {
    pub(super) fn of(keeping: &Keeping<'a>) -> Self {
        let Keeping { gathered, people, contacts, .. } = keeping;
        let files = gathered.outcomes.iter().map(|file| file.stored.as_str()).zip(0..).collect();
        let of_people = people.of_row.iter().zip(&gathered.rows).filter(|(person, _)| **person != GONE);
        let of_people = of_people.filter(|(_, row)| row.is_of_file()).map(|(_, row)| (row.file, row.line));
        let of_contacts = contacts.kept.iter().map(|row| (row.file, row.line));
        let of_owners = gathered.own.iter().flat_map(|own| own.rows.iter().copied());
        let hidden = people.skipped.iter().filter(|(_, skip)| matches!(skip, RowSkip::Suppressed));
        let hidden = hidden.flat_map(|(row, _)| gathered.keys(&gathered.rows[*row as usize])).collect();
        Self { files, rows: of_people.chain(of_contacts).chain(of_owners).collect(), hidden }
    }

    pub(super) fn has(&self, row: &IdentityRow) -> bool {
        self.files.get(row.file.as_str()).is_some_and(|file| self.rows.contains(&(*file, row.line)))
    }
}
