//! People as tables or a snapshot know them: who is meant, all of their keys, and others with the same keys.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

use crate::model::dataset::Dataset;
use crate::model::ix::PersonIx;
use crate::suppress::entry::EntryKind;
use crate::suppress::list::any_key;
use kith_import::forgetting::{ForgettingKey, company_form, id_of_name, is_id_of_name, name_form};
use kith_import::identity::address::is_role;
use kith_import::tables::earlier::{EarlierFault, IDENTITIES, IdentityLine, each_line};

/// A way of naming a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    Handle(String),
    Email(String),
    Id(String),
    Name(String, Option<String>),
}

impl Given {
    /// Its key; `None` for a name alone.
    pub(crate) fn key(&self) -> Option<ForgettingKey<'_>> {
        Some(match self {
            Self::Handle(handle) => ForgettingKey::Handle(handle),
            Self::Email(email) => ForgettingKey::Email(email),
            Self::Id(id) => ForgettingKey::Id(id),
            Self::Name(name, company) => ForgettingKey::NameAtCompany(name, company.as_deref()?),
        })
    }

    /// Its kind, without its value.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Handle(_) => "handle",
            Self::Email(_) => "address",
            Self::Id(_) => "id",
            Self::Name(_, None) => "name",
            Self::Name(_, Some(_)) => "name and company",
        }
    }
}

/// A normalized key.
pub(crate) type KeyForm = (EntryKind, String);

/// An import's notes on the rows of each person, by id.
pub(crate) type Identities = HashMap<String, IdentityLine>;

/// The people of one organization.
pub(crate) struct KnownPeople<'d> {
    pub(crate) dataset: &'d Dataset,
    identities: Identities,
    /// The normalized addresses shared by several people.
    shared_emails: HashSet<String>,
}

/// The notes on each person of the import behind the tables in `folder`; empty if there was none.
///
/// # Errors
/// Returns an error if the notes cannot be read.
pub(crate) fn identities_in(folder: &Path) -> Result<Identities, EarlierFault> {
    let (path, mut identities) = (folder.join(IDENTITIES), HashMap::new());
    if path.exists() {
        each_line(&path, |line: IdentityLine| {
            identities.insert(line.id.clone(), line);
        })?;
    }
    Ok(identities)
}

impl<'d> KnownPeople<'d> {
    /// The people of `dataset`, with an import's notes on them, if known.
    pub(crate) fn of(dataset: &'d Dataset, identities: Identities) -> Self {
        let mut known = Self { dataset, identities, shared_emails: HashSet::new() };
        known.shared_emails = known.emails_of_several();
        known
    }

    fn emails_of_several(&self) -> HashSet<String> {
        let (mut of, mut shared) = (HashMap::new(), HashSet::new());
        for person in self.all() {
            self.each_key(person, &mut |key| {
                if let (ForgettingKey::Email(_), Some((_, form))) = (key, EntryKind::of_key(key))
                    && *of.entry(form.clone()).or_insert(person) != person
                {
                    shared.insert(form);
                }
            });
        }
        shared
    }

    /// Whether an import does not identify anybody by the address `email`: it is a role's, or shared.
    fn is_of_nobody(&self, email: &str) -> bool {
        let form = EntryKind::Email.normalized(email);
        form.is_none_or(|form| is_role(&form) || self.shared_emails.contains(&form))
    }

    fn all(&self) -> impl Iterator<Item = PersonIx> + use<> {
        (0..self.dataset.people.len() as u32).map(PersonIx)
    }

    pub(crate) fn id(&self, person: PersonIx) -> &str {
        self.dataset.people.ids.get(person.0)
    }

    fn identity(&self, person: PersonIx) -> Option<&IdentityLine> {
        self.identities.get(self.id(person))
    }

    /// The names of the `person`, each with a company, which may be empty.
    fn names(&self, person: PersonIx) -> BTreeSet<(&str, &str)> {
        let company =
            self.dataset.people.company(person).map(|company| self.dataset.companies.names.get(company.0));
        let written = (self.dataset.people.names.get(person.0), company.unwrap_or(""));
        let others = self.identity(person).into_iter().flat_map(|identity| &identity.names);
        others.map(|(name, company)| (name.as_str(), company.as_str())).chain([written]).collect()
    }

    /// The ids that an import gives to the names of the `person`.
    fn ids_of_names(&self, person: PersonIx) -> impl Iterator<Item = String> {
        self.names(person).into_iter().map(|(name, company)| id_of_name(name, company))
    }

    /// The ids that an import gives to the rows of the `person` that have a name alone, each by itself.
    fn ids_of_bare_rows(&self, person: PersonIx) -> impl Iterator<Item = String> {
        let bare = self.identity(person).into_iter().flat_map(|identity| &identity.bare);
        bare.map(|name| id_of_name(name, ""))
    }

    /// Whether the `person` has neither a handle nor an unshared address.
    fn is_known_by_name_alone(&self, person: PersonIx) -> bool {
        let mut is_known = false;
        self.each_key(person, &mut |key| match *key {
            ForgettingKey::Handle(handle) => is_known = is_known || !handle.is_empty(),
            ForgettingKey::Email(email) => is_known = is_known || !self.is_of_nobody(email),
            _ => {}
        });
        !is_known
    }

    /// Passes every key of the `person` to `take`.
    fn each_key(&self, person: PersonIx, take: &mut dyn FnMut(&ForgettingKey<'_>)) {
        any_key(self.dataset, person, &EntryKind::ALL, |key| {
            take(key);
            false
        });
        if let Some(identity) = self.identity(person) {
            identity.handles.iter().for_each(|handle| take(&ForgettingKey::Handle(handle)));
            identity.emails.iter().for_each(|email| take(&ForgettingKey::Email(email)));
            identity.formerly.iter().for_each(|id| take(&ForgettingKey::Id(id)));
            identity
                .names
                .iter()
                .for_each(|(name, company)| take(&ForgettingKey::NameAtCompany(name, company)));
        }
    }

    /// The people named by `given`.
    pub(crate) fn find(&self, given: &Given) -> Vec<PersonIx> {
        let of_key = |key: ForgettingKey<'_>| {
            let wanted = EntryKind::of_key(&key);
            let has = |person: &PersonIx| {
                let mut has = false;
                self.each_key(*person, &mut |key| has = has || EntryKind::of_key(key) == wanted);
                has
            };
            self.all().filter(|person| wanted.is_some() && has(person)).collect()
        };
        match given {
            Given::Handle(handle) => of_key(ForgettingKey::Handle(handle)),
            Given::Email(email) => of_key(ForgettingKey::Email(email)),
            Given::Id(id) => of_key(ForgettingKey::Id(id)),
            Given::Name(name, company) => {
                let (name, company) = (name_form(name), company.as_deref().map(company_form));
                let is_called = |(own, at): &(&str, &str)| {
                    name_form(own) == name
                        && company.as_ref().is_none_or(|company| company_form(at) == *company)
                };
                self.all().filter(|person| self.names(*person).iter().any(is_called)).collect()
            }
        }
    }

    /// All keys of `people` that nobody else has. For a shared address, the name with it takes its place; for a shared
    /// name with a company, the id that an import gives to the name as spelt.
    pub(crate) fn keys(&self, people: &BTreeSet<u32>) -> BTreeSet<KeyForm> {
        let shared = self.shared_forms(people);
        let mut keys = BTreeSet::new();
        for person in people.iter().map(|person| PersonIx(*person)) {
            let mut emails = BTreeSet::new();
            self.each_key(person, &mut |key| {
                let Some(form) = EntryKind::of_key(key) else { return };
                match *key {
                    ForgettingKey::NameWithEmail(..) => {}
                    ForgettingKey::Email(email) if self.is_of_nobody(email) => {
                        emails.insert(email.to_owned());
                    }
                    ForgettingKey::NameAtCompany(name, company) if shared.contains(&form) => {
                        let id = (EntryKind::Person, id_of_name(name, company));
                        keys.extend(Some(id).filter(|id| !shared.contains(id)));
                    }
                    _ => {
                        keys.insert(form);
                    }
                }
            });
            for (name, _) in self.names(person) {
                let with_email =
                    |email: &String| EntryKind::of_key(&ForgettingKey::NameWithEmail(name, email));
                keys.extend(emails.iter().filter_map(with_email));
            }
            keys.extend(self.ids_of_bare_rows(person).map(|id| (EntryKind::Person, id)));
            if self.is_known_by_name_alone(person) {
                keys.extend(self.ids_of_names(person).map(|id| (EntryKind::Person, id)));
            }
        }
        keys
    }

    /// The keys of `people` that others have too.
    fn shared_forms(&self, people: &BTreeSet<u32>) -> HashSet<KeyForm> {
        let mut own = HashSet::new();
        for person in people {
            self.each_key(PersonIx(*person), &mut |key| own.extend(EntryKind::of_key(key)));
            own.extend(self.ids_of_names(PersonIx(*person)).map(|id| (EntryKind::Person, id)));
        }
        let mut shared = HashSet::new();
        for person in self.all().filter(|person| !people.contains(&person.0)) {
            self.each_key(person, &mut |key| {
                shared.extend(EntryKind::of_key(key).filter(|form| own.contains(form)))
            });
        }
        shared
    }

    /// Other people whom no import can distinguish from `people`: they share the only name, with or without a company,
    /// that of a row with nothing else, or a handle.
    pub(crate) fn doubles(&self, people: &BTreeSet<u32>, keys: &BTreeSet<KeyForm>) -> Vec<PersonIx> {
        let of_names = |person: PersonIx| {
            let names =
                if self.is_known_by_name_alone(person) { self.names(person) } else { BTreeSet::new() };
            // The company may be that of an address, which makes no id.
            let bare = names.iter().filter(|(name, _)| is_id_of_name(self.id(person), name, ""));
            let bare: Vec<String> = bare.map(|(name, _)| id_of_name(name, "")).collect();
            let ids = names.into_iter().map(|(name, company)| id_of_name(name, company));
            ids.chain(bare).chain(self.ids_of_bare_rows(person))
        };
        let named: HashSet<String> = people.iter().flat_map(|person| of_names(PersonIx(*person))).collect();
        let is_double = |person: &PersonIx| {
            let mut is_hit = of_names(*person).any(|id| named.contains(&id));
            self.each_key(*person, &mut |key| {
                is_hit = is_hit || EntryKind::of_key(key).is_some_and(|form| keys.contains(&form));
            });
            is_hit
        };
        self.all().filter(|person| !people.contains(&person.0) && is_double(person)).collect()
    }

    /// A line about the `person`, for the operator to choose by.
    pub(crate) fn line(&self, person: PersonIx) -> [String; 4] {
        let people = &self.dataset.people;
        let company = people.company(person).map(|company| self.dataset.companies.names.get(company.0));
        let texts = [
            self.id(person),
            people.names.get(person.0),
            company.unwrap_or(""),
            people.handles.get(person.0),
        ];
        texts.map(str::to_owned)
    }
}
