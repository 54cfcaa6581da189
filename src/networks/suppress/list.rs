//! All entries of a list, by organization, and the people of a network they name.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::model::dataset::Dataset;
use crate::model::ix::PersonIx;
use crate::model::time::Timestamp;
use crate::suppress::entry::{Digest, Entry, EntryKind, Salt};
use kith_import::forgetting::ForgettingKey;

/// The people to forget, of all organizations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuppressionList {
    pub(crate) salt: Salt,
    /// Only organizations that have an entry.
    pub(crate) organizations: BTreeMap<String, Arc<Suppressions>>,
}

/// The difference of an organization's entries between two lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListChange {
    /// Entries only in the newer list.
    pub added: usize,
    /// Entries only in the older list.
    pub removed: usize,
}

/// The people whom one organization must forget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppressions {
    salt: Salt,
    organization: String,
    /// When each entry was added.
    pub(crate) entries: BTreeMap<Entry, Timestamp>,
}

/// Whether `is_true` holds for any key of these `kinds` of the `person` in `dataset`.
pub fn any_key(
    dataset: &Dataset,
    person: PersonIx,
    kinds: &[EntryKind],
    mut is_true: impl FnMut(&ForgettingKey<'_>) -> bool,
) -> bool {
    let people = &dataset.people;
    kinds.iter().any(|kind| match kind {
        EntryKind::LinkedinId => {
            people.handle_texts().of(person).any(|handle| is_true(&ForgettingKey::Handle(handle)))
        }
        EntryKind::Email => {
            people.email_texts().of(person).any(|email| is_true(&ForgettingKey::Email(email)))
        }
        EntryKind::Person => is_true(&ForgettingKey::Id(people.ids.get(person.0))),
        EntryKind::Name => {
            let name = people.names.get(person.0);
            let company = people.company(person).map(|company| dataset.companies.names.get(company.0));
            company.is_some_and(|company| is_true(&ForgettingKey::NameAtCompany(name, company)))
                || people
                    .email_texts()
                    .of(person)
                    .any(|email| is_true(&ForgettingKey::NameWithEmail(name, email)))
        }
    })
}

impl SuppressionList {
    /// An empty list.
    #[must_use]
    pub fn new(salt: Salt) -> Self {
        Self { salt, organizations: BTreeMap::new() }
    }

    /// The entries of `organization`, or `None` if it has none.
    #[must_use]
    pub fn of(&self, organization: &str) -> Option<&Arc<Suppressions>> {
        self.organizations.get(organization)
    }

    /// Returns the number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.organizations.values().map(|suppressions| suppressions.entries.len()).sum()
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.organizations.is_empty()
    }

    /// Every entry with its organization and when it was added: by organization, kind and hash.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Entry, Timestamp)> {
        self.organizations.iter().flat_map(|(organization, suppressions)| {
            suppressions.entries.iter().map(|(&entry, &added)| (organization.as_str(), entry, added))
        })
    }

    /// The entry for `text` in `organization`; `None` if the normalized text is empty.
    #[must_use]
    pub fn entry(&self, organization: &str, kind: EntryKind, text: &str) -> Option<Entry> {
        self.salt.entry(organization, kind, text)
    }

    /// The entry for a normalized text in `organization`.
    #[must_use]
    pub fn entry_of_form(&self, organization: &str, kind: EntryKind, form: &str) -> Entry {
        self.salt.entry_of_form(organization, kind, form)
    }

    /// Adds an entry; returns whether it is new. An existing one keeps its date.
    pub fn add(&mut self, organization: &str, entry: Entry, added: Timestamp) -> bool {
        let new = || Arc::new(Suppressions::new(self.salt, organization));
        let of_organization = self.organizations.entry(organization.to_owned()).or_insert_with(new);
        if of_organization.entries.contains_key(&entry) {
            return false;
        }
        Arc::make_mut(of_organization).entries.insert(entry, added).is_none()
    }

    /// Removes an entry; returns whether it was there.
    pub fn remove(&mut self, organization: &str, entry: &Entry) -> bool {
        let Some(of_organization) = self.organizations.get_mut(organization) else { return false };
        let is_removed = Arc::make_mut(of_organization).entries.remove(entry).is_some();
        if of_organization.entries.is_empty() {
            self.organizations.remove(organization);
        }
        is_removed
    }

    /// The number of entries added and removed since `older`, by organization; unchanged organizations are left out. In
    /// lists with different salts all entries differ.
    #[must_use]
    pub fn changes_since<'a>(&'a self, older: &'a Self) -> BTreeMap<&'a str, ListChange> {
        let organizations = self.organizations.keys().chain(older.organizations.keys());
        let change = |organization: &'a String| {
            let (new, old) = (self.of(organization), older.of(organization));
            let only_in = |one: Option<&Arc<Suppressions>>, other: Option<&Arc<Suppressions>>| {
                one.map_or(0, |one| {
                    one.entries
                        .keys()
                        .filter(|entry| !other.is_some_and(|other| other.has(one.salt, entry)))
                        .count()
                })
            };
            let change = ListChange { added: only_in(new, old), removed: only_in(old, new) };
            (change != ListChange::default()).then_some((organization.as_str(), change))
        };
        organizations.filter_map(change).collect()
    }

    /// This list, sharing equal parts with `older`, so that comparing them costs nothing.
    #[must_use]
    pub fn sharing(mut self, older: &Self) -> Self {
        for (organization, suppressions) in &mut self.organizations {
            if let Some(same) = older.of(organization).filter(|same| *same == suppressions) {
                *suppressions = Arc::clone(same);
            }
        }
        self
    }
}

impl Suppressions {
    fn new(salt: Salt, organization: &str) -> Self {
        Self { salt, organization: organization.to_owned(), entries: BTreeMap::new() }
    }

    /// Returns the number of entries, at least 1.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "an organization without an entry has none of these")]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether an entry names the person with `key`. Costs a hash.
    #[must_use]
    pub fn names(&self, key: &ForgettingKey<'_>) -> bool {
        self.salt.entries(&self.organization, key).any(|entry| self.entries.contains_key(&entry))
    }

    /// Whether an entry names the `person` in `dataset` by any key. Costs a hash for each key of a kind that has
    /// entries.
    #[must_use]
    pub fn names_person(&self, dataset: &Dataset, person: PersonIx) -> bool {
        any_key(dataset, person, &self.kinds(), |key| self.names(key))
    }

    /// The salt of its list.
    pub(crate) fn salt(&self) -> Salt {
        self.salt
    }

    /// The organization that must forget them.
    pub(crate) fn organization(&self) -> &str {
        &self.organization
    }

    /// The kinds that have entries.
    pub(crate) fn kinds(&self) -> Vec<EntryKind> {
        EntryKind::ALL.into_iter().filter(|kind| self.digests(*kind).next().is_some()).collect()
    }

    /// The hashes of the entries of `kind`, ascending.
    pub(crate) fn digests(&self, kind: EntryKind) -> impl Iterator<Item = &Digest> {
        let entry = |byte| Entry { kind, digest: Digest([byte; 32]) };
        self.entries.range(entry(0)..=entry(u8::MAX)).map(|(entry, _)| &entry.digest)
    }

    /// Whether it has `entry` of a list with this salt.
    fn has(&self, salt: Salt, entry: &Entry) -> bool {
        self.salt == salt && self.entries.contains_key(entry)
    }

    /// Whether it names everybody whom `other` names, as far as hashes show.
    #[must_use]
    pub fn includes(&self, other: &Self) -> bool {
        self.salt == other.salt && other.entries.keys().all(|entry| self.entries.contains_key(entry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::aliases::{AliasColumn, Aliases};
    use crate::model::column::{ColumnFull, TextColumn};
    use crate::model::dataset::People;
    use crate::model::ix::OptionalIx;

    const NOW: Timestamp = Timestamp { seconds: 1_700_000_000, nanos: 0 };

    fn list(of: &[(&str, EntryKind, &str)]) -> SuppressionList {
        let mut list = SuppressionList::new(Salt([1; 32]));
        for (organization, kind, text) in of {
            if let Some(entry) = list.entry(organization, *kind, text) {
                list.add(organization, entry, NOW);
            }
        }
        list
    }

    #[test]
    fn people_are_named_by_handle_or_address_and_only_in_their_organization() -> Result<(), ColumnFull> {
        let people = People {
            ids: TextColumn::from_texts(["person_a", "person_b", "person_c", "person_d"])?,
            handles: TextColumn::from_texts(["Ana-M", "", "https://linkedin.com/in/CY", "x@y.z"])?,
            emails: TextColumn::from_texts(["", "Bo@Acme.test", "", ""])?,
            aliases: Aliases {
                handles: AliasColumn { people: vec![PersonIx(1)], texts: TextColumn::from_texts(["Bo-2"])? },
                emails: AliasColumn {
                    people: vec![PersonIx(3)],
                    texts: TextColumn::from_texts([" D@old.test"])?,
                },
            },
            names: TextColumn::from_texts(["Ana Moreira", "Bo", "Cy", "Dee"])?,
            companies: vec![OptionalIx::NONE; 4],
            ..People::default()
        };
        let dataset = Dataset { people, ..Dataset::default() };
        let listed = list(&[
            ("org_a", EntryKind::LinkedinId, "ana-m"),
            ("org_a", EntryKind::LinkedinId, "cy"),
            ("org_a", EntryKind::Email, "bo@acme.test"),
            ("org_a", EntryKind::Email, "x@y.z"),
            ("org_b", EntryKind::Email, "nobody@acme.test"),
        ]);
        let named =
            |organization| listed.of(organization).map(|suppressions| suppressions.named_in(&dataset));
        assert_eq!(
            [named("org_a"), named("org_b"), named("org_c")],
            [Some(vec![0, 1, 2]), Some(vec![]), None]
        );
        let by_alias = list(&[
            ("org_a", EntryKind::LinkedinId, "linkedin.com/in/bo-2"),
            ("org_b", EntryKind::Email, "d@old.test"),
            ("org_c", EntryKind::LinkedinId, "d@old.test"),
        ]);
        let named =
            |organization| by_alias.of(organization).map(|suppressions| suppressions.named_in(&dataset));
        assert_eq!(
            [named("org_a"), named("org_b"), named("org_c")],
            [Some(vec![1]), Some(vec![3]), Some(vec![])]
        );
        Ok(())
    }

    #[test]
    fn entries_are_added_once_and_an_organization_without_any_is_gone() -> Result<(), &'static str> {
        let (one, two) = (("org_a", EntryKind::Email, "a@b.c"), ("org_a", EntryKind::LinkedinId, "a"));
        let (mut shorter, longer) = (list(&[one, one]), list(&[one, two]));
        assert_eq!((shorter.len(), longer.len()), (1, 2));
        let few = Arc::clone(shorter.of("org_a").ok_or("an entry")?);
        let many = Arc::clone(longer.of("org_a").ok_or("two entries")?);
        assert!(many.includes(&few) && !few.includes(&many) && few.includes(&few));

        let entry = shorter.entry(one.0, one.1, one.2).ok_or("an entry")?;
        assert!(!shorter.add(one.0, entry, NOW) && !shorter.remove("org_b", &entry));
        assert!(shorter.remove(one.0, &entry) && !shorter.remove(one.0, &entry));
        assert!(shorter.is_empty() && shorter.of("org_a").is_none());
        Ok(())
    }

    #[test]
    fn changes_are_counted_by_organization_and_another_salt_changes_everything() {
        let (a, b) = (("org_a", EntryKind::Email, "a@b.c"), ("org_b", EntryKind::Email, "a@b.c"));
        let other = ("org_b", EntryKind::Email, "x@b.c");
        let mut salted = SuppressionList::new(Salt([2; 32]));
        salted.add("org_a", salted.entry("org_a", EntryKind::Email, "a@b.c").unwrap(), NOW);
        let change = |added, removed| ListChange { added, removed };
        for (older, newer, changes) in [
            (list(&[a, b]), list(&[a, b]), vec![]),
            (list(&[]), list(&[a, b]), vec![("org_a", change(1, 0)), ("org_b", change(1, 0))]),
            (list(&[a, b]), list(&[a, other]), vec![("org_b", change(1, 1))]),
            (list(&[a, b]), list(&[b]), vec![("org_a", change(0, 1))]),
            (list(&[a]), salted, vec![("org_a", change(1, 1))]),
        ] {
            assert_eq!(newer.changes_since(&older).into_iter().collect::<Vec<_>>(), changes);
        }
    }

    #[test]
    fn what_two_lists_hold_alike_is_held_once() {
        let (a, b) = (("org_a", EntryKind::Email, "a@b.c"), ("org_b", EntryKind::Email, "a@b.c"));
        let older = list(&[a, b]);
        let newer = list(&[a, b, ("org_b", EntryKind::Email, "x@b.c")]).sharing(&older);
        let is_shared = |organization| {
            older
                .of(organization)
                .zip(newer.of(organization))
                .is_some_and(|(one, other)| Arc::ptr_eq(one, other))
        };
        assert_eq!([is_shared("org_a"), is_shared("org_b")], [true, false]);
    }
}
