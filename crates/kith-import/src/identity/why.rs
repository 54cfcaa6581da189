//! The rule by which a row belongs to its person, and the shared value.

use std::collections::{HashMap, HashSet};

use crate::gather::Gathered;
use crate::identity::namesakes::{companies_of, names_of};
use crate::rows::{ImportedRow, NOBODY};
use kith::model::named::named;

/// Why a row belongs to its person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum JoinRule {
    /// No rule joins it to another row of its person; always the case for a single row.
    Alone,
    Handle,
    Address,
    Override,
    NameAndAddress,
    NameAndCompany,
    NameAndPhone,
    /// With a company that is unknown, abbreviated or nearly that of another row, or with nearly the name of one.
    NameAndPosition,
    NameAndCity,
    NameAndOwner,
    /// It is a message, a mail or an event with the person; set by `tables::write`.
    Contact,
    /// It is about the owner of its file, from their profile or positions; set by `tables::write`.
    Own,
}

named! {
    /// All of them.
    JoinRule as name {
        Alone = "alone",
        Handle = "handle",
        Address = "address",
        Override = "override",
        NameAndAddress = "name and address",
        NameAndCompany = "name and company",
        NameAndPhone = "name and phone number",
        NameAndPosition = "name and position",
        NameAndCity = "name and city",
        NameAndOwner = "name and owner",
        Contact = "contact",
        Own = "own",
    }
}

/// Data about a person's rows besides the rows themselves.
pub(crate) struct JoinReasons<'a> {
    pub(crate) gathered: &'a Gathered,
    /// Addresses without a single owner.
    pub(crate) shared: &'a HashSet<&'a str>,
    /// Rows that an override joined.
    pub(crate) overridden: &'a HashSet<u32>,
}

impl JoinReasons<'_> {
    /// For each row in `of_person` (positions in `rows` of one person's rows): the rule that joined it, and the shared
    /// value.
    pub(crate) fn of(&self, rows: &[ImportedRow], of_person: &[u32]) -> Vec<(JoinRule, String)> {
        if let [_] = of_person {
            return vec![(JoinRule::Alone, String::new())];
        }
        let mut handles: HashMap<&str, u32> = HashMap::new();
        let mut emails: HashMap<&str, u32> = HashMap::new();
        let mut phones: HashMap<u32, u32> = HashMap::new();
        let mut names: HashMap<String, u32> = HashMap::new();
        for row in of_person.iter().map(|row| &rows[*row as usize]) {
            *handles.entry(&row.handle).or_default() += 1;
            row.emails.iter().for_each(|email| *emails.entry(email).or_default() += 1);
            row.phones.iter().for_each(|phone| *phones.entry(*phone).or_default() += 1);
            self.names(row).into_iter().for_each(|name| *names.entry(name).or_default() += 1);
        }
        let reason = |row: &u32| {
            let of = &rows[*row as usize];
            let twice = |counted: Option<&u32>| counted.is_some_and(|count| *count > 1);
            if !of.handle.is_empty() && twice(handles.get(&*of.handle)) {
                return (JoinRule::Handle, of.handle.to_string());
            }
            let mut known = of.emails.iter().filter(|email| twice(emails.get(&***email)));
            if let Some(email) = known.clone().find(|email| !self.shared.contains(&***email)) {
                return (JoinRule::Address, email.to_string());
            }
            if self.overridden.contains(row) {
                return (JoinRule::Override, String::new());
            }
            if let Some(email) = known.next() {
                return (JoinRule::NameAndAddress, format!("{} at {email}", of.name));
            }
            let name = self.names(of).into_iter().find(|name| twice(names.get(name)));
            if let Some(name) = name {
                return (JoinRule::NameAndCompany, name.replace('\u{1f}', " ").replace('\u{1e}', " at "));
            }
            // Numbers are only compared, never written.
            if of.phones.iter().any(|phone| twice(phones.get(phone))) {
                return (JoinRule::NameAndPhone, of.name.to_string());
            }
            let others = of_person.iter().filter(|other| *other != row).map(|other| &rows[*other as usize]);
            self.other_evidence(of, others)
        };
        of_person.iter().map(reason).collect()
    }

    /// What the row `of` shares with `others` of its person besides the name, and the value.
    fn other_evidence<'r>(
        &self,
        of: &ImportedRow,
        others: impl Iterator<Item = &'r ImportedRow> + Clone,
    ) -> (JoinRule, String) {
        let with = |text: u32| format!("{}, {}", of.name, self.gathered.texts[text as usize]);
        if of.position != 0 && others.clone().any(|other| other.position == of.position) {
            (JoinRule::NameAndPosition, with(of.position))
        } else if of.place.0 != 0 && others.clone().any(|other| other.place.0 == of.place.0) {
            (JoinRule::NameAndCity, with(of.place.0))
        } else if of.tie != NOBODY && others.clone().any(|other| other.tie == of.tie) {
            (JoinRule::NameAndOwner, of.name.to_string())
        } else {
            (JoinRule::Alone, String::new())
        }
    }

    /// The compared forms of the name of `row` with each of its companies.
    fn names(&self, row: &ImportedRow) -> Vec<String> {
        let companies = companies_of(row, &self.gathered.companies);
        let keys = names_of(row).flat_map(|name| name.keys()).collect::<Vec<String>>().into_iter();
        keys.flat_map(|key| companies.iter().map(move |company| format!("{key}\u{1e}{company}"))).collect()
    }
}
